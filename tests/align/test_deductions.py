"""A statement is deduced where a proposition of the source, or what it implies, says it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.align import deductions
from groundrules.align.deductions import Deduction, deduce, read_propositions
from groundrules.align.projection import Relation
from tests.strategies import examples, texts


def bug(reason: str) -> pytest.MarkDecorator:
    """Return the mark of a pair of which the laws do not yet say what they should."""
    return pytest.mark.xfail(reason=reason, strict=True)


def plain(row: Any) -> tuple[str, ...]:
    """Return the texts of a row, without its mark."""
    return tuple(getattr(row, "values", row))


def found(source: str, statement: str) -> Deduction:
    """Return what the whole of a source says of a statement."""
    return deduce(statement, source, [(0, len(source))])


SUPPORTED: list[Any] = [
    ("The largest ship in the harbour sank.", "A ship sank."),
    # what begins a sentence has its capital anyway: "Press K" is no name
    ("Press K for two seconds to mute the set.", "To mute the set, press K for two seconds."),
    # what is told to happen on one day happens once, so its place can be told alone
    ("The fair is held on 3 May 2019 in Lund.", "The fair is held in Lund."),
    ("The course starts on 4 March 2024.", "The course will start on 4 March 2024."),
    ("The course will start on 4 March 2024 in Ghent.", "The course starts in Ghent."),
    (
        "The first chapter of this report is short. The initial chapter of the annex is long.",
        "The first chapter is short.",
    ),
    (
        "The gate of this orchard opens at six. The back gate stays shut.",
        "The gate opens at six.",
    ),
    (
        "Bicycles are allowed in the yard but not in the porch.",
        "Bicycles are not allowed in the porch.",
    ),
    (
        "The paint may be kept in sheds and cellars, but not in attics.",
        "In attics the paint may not be kept.",
    ),
    ("If the dam is full, the sluice opens.", "The sluice opens if the dam is full."),
    (
        "When the bell rings, pupils must leave the yard.",
        "Pupils must leave the yard when the bell rings.",
    ),
    (
        "The shepherd sheared forty sheep in June.",
        "In June, forty sheep were sheared by the shepherd.",
    ),
    ("A retired surveyor drew the map.", "The map was drawn by a retired surveyor."),
    ("All greenhouses have a thermometer.", "Some greenhouses have a thermometer."),
    ("Every violinist owns a bow.", "Some violinists own a bow."),
    ("Most of the beehives survived the winter.", "Some of the beehives survived the winter."),
    ("Every visitor must wear a helmet.", "All visitors must wear a helmet."),
    ("All passengers must show a ticket.", "The passengers must show a ticket."),
    ("No employee may smoke in the warehouse.", "Employees may not smoke in the warehouse."),
    ("The gardener found no snails.", "The gardener did not find any snails."),
    ("The bridge carries 18 tonnes.", "The bridge carries at least 15 tonnes."),
    ("The kiln holds 90 plates.", "The kiln holds fewer than 100 plates."),
    (
        "The orchestra employs at least 60 musicians.",
        "The orchestra employs more than 50 musicians.",
    ),
    ("Nurses are allowed to park in the yard.", "Nurses may park in the yard."),
    ("Tenants are required to clean the stairs.", "Tenants must clean the stairs."),
    pytest.param(
        "Dora Senn, the coach, resigned in May.",
        "Dora Senn is the coach.",
    ),
    ("The cook, who was born in Oslo, won the prize.", "The cook was born in Oslo."),
    ("The rent rose from 400 to 550 euros.", "The rent rose to 550 euros."),
    (
        "The cheese ripens in the cellar. It is turned twice a week.",
        "The cheese is turned twice a week.",
    ),
    ("Ana and Bruno tuned the piano and the harp respectively.", "Bruno tuned the harp."),
    ("Ana plays the flute and Bruno the drums.", "Bruno plays the drums."),
    ("The court may impose a fine or a warning.", "The court may impose a warning."),
    ("The museum opened in 1931 because the mine had closed.", "The museum opened in 1931."),
    ("The ferry must not sail at night.", "The ferry may not sail at night."),
    ("The lamp must be switched off.", "The lamp may be switched off."),
    ("All fees except the late fee are refundable.", "The late fee is not refundable."),
    (
        "The medal was awarded to the diver by the mayor.",
        "The mayor awarded the medal to the diver.",
    ),
    ("The red tent was bought by two hikers.", "Two hikers bought the red tent."),
    (
        "Unless the wind drops, the regatta will be cancelled.",
        "The regatta will be cancelled if the wind does not drop.",
    ),
    ("Store the vaccine below 8 degrees.", "The vaccine should be stored below 8 degrees."),
    ("Every lamp in the tower is lit at dusk.", "Each lamp in the tower is lit at dusk."),
    ("The well was repaired by the mason and the smith.", "The smith repaired the well."),
    (
        "The baker opened the shop, swept the floor and lit the oven.",
        "The oven was lit by the baker.",
    ),
    ("The potter sells vases. She fires them in the yard.", "The potter fires vases in the yard."),
    ("The shop sells bread, milk and eggs.", "The shop sells eggs."),
    ("The shop sells bread, milk, and eggs.", "The shop sells milk."),
    ("The shop sells bread, milk and eggs, but no meat.", "The shop sells eggs."),
    ("The raffle raised £640 and the quiz £385.", "The quiz raised £385."),
    ("The spring raffle raised £640 and the quiz night £385.", "The quiz night raised £385."),
    ("Prices rose by four per cent.", "Prices increased by four per cent."),
    ("The print was sold for 2 million kroner.", "The print was sold for 2 million kroner."),
    ("Visitors can pay by card or in cash.", "Visitors can pay in cash."),
    ("The bus left without the driver.", "The bus did not leave with the driver."),
    ("Divers may not:\n- fish\n- touch the coral", "Divers may not touch the coral."),
    ("The following items are sold:\n1. ropes\n2. boots", "Boots are sold."),
    pytest.param(
        "Neither the cook nor the waiter slept.",
        "The waiter did not sleep.",
    ),
    ("The stadium seats 4,200 people.", "The stadium seats more than 4,000 people."),
    ("The rate fell from 8 percent to 5 percent.", "The rate fell to 5 percent."),
    (
        "The clerk opened the letter in the office on Monday.",
        "The clerk opened the letter on Monday.",
    ),
    ("The raft carries no more than six people.", "The raft carries no more than eight people."),
    ("The raft carries 20 people.", "The raft carries no fewer than 10 people."),
    (
        "| Hut | Bed count |\n|---|---|\n| Alder | 24 |\n| Birch | 31 |",
        "The bed count of the Birch hut is 31.",
    ),
    (
        "| Course | Fee (euros) |\n|---|---|\n| Pottery | 85 |\n| Weaving | 110 |",
        "The fee of the Weaving course is 110 euros.",
    ),
    (
        "| Tower | Height (m) | Cost |\n|---|---|---|\n| Arvel | 61 | 4 |\n| Denby | 88 | 7 |",
        "The height of the Denby tower is 88 m.",
    ),
    pytest.param(
        "| Hut | Beds |\n|---|---|\n| Alder | 24 |\n| Birch | 31 |",
        "The Birch hut has 31 beds.",
    ),
    ("The bakery is closed on Sundays only.", "The bakery is closed on Sundays."),
    ("The stall opens on Mondays and Fridays only.", "The stall opens on Fridays."),
    (
        "The stall opens on Mondays and Fridays only.",
        "The stall opens only on Mondays and Fridays.",
    ),
    ("Only Ann may open the safe.", "Ann may open the safe."),
    ("The mill runs on water alone.", "The mill runs only on water."),
    (
        "The barge may leave unless the lock is shut.",
        "If the lock is shut, the barge may not leave.",
    ),
    (
        "Pupils may swim as long as a teacher is present.",
        "Pupils may swim if a teacher is present.",
    ),
    (
        "Pupils may swim on condition that a teacher is present.",
        "If a teacher is present, pupils may swim.",
    ),
    ("Pupils may swim even if no teacher is present.", "Pupils may swim."),
    ("Pupils may swim even if no teacher is present.", "Pupils may swim if no teacher is present."),
    ("Should the alarm ring, the lift stops.", "The lift stops if the alarm rings."),
    (
        "The association was founded in 1974 and has 212 members.",
        "The association, which has 212 members, was founded in 1974.",
    ),
    ("The ferry is old. It belongs to Ann Bell.", "The ferry, which belongs to Ann Bell, is old."),
    ("Rooms that face the yard are swept daily.", "The rooms facing the yard are swept daily."),
    ("Dogs must be kept inside at night.", "At night dogs must be kept inside."),
    ("At noon bells are rung.", "Bells are rung at noon."),
    ("Next concert: 9 June", "The next concert is on 9 June."),
    ("Your report is due in May.", "The report is due in May."),
    ("The board approved the plan by 12 votes to 3.", "The plan was approved by 12 votes to 3."),
    ("Ann chairs the board.", "The board is chaired by Ann."),
    ("The firm audits the books.", "The books are audited by the firm."),
    ("The van holds fewer than nine crates.", "The van holds fewer than ten crates."),
    ("In case of fire, the doors are unlocked.", "The doors are unlocked in the event of fire."),
    (
        "The doors are unlocked in case the power fails.",
        "If the power fails, the doors are unlocked.",
    ),
    (
        "Goods must be paid in advance except where the buyer has an account.",
        "If the buyer has no account, goods must be paid in advance.",
    ),
    ("All roads except the coast road are open.", "The coast road is not open."),
    ("The mill was founded by Ann Lee.", "Ann founded the mill."),
    ("The mayor of Kell is Ann Lee.", "Ann Lee is the mayor of Kell."),
    (
        "Pour the oil into the green can and the petrol into the red can.",
        "The petrol should be poured into the red can.",
    ),
    ("The firm has an office at Kell and a depot at Marl.", "The firm has a depot at Marl."),
    (
        "The harbour is expected to open in May.",
        "It is expected that the harbour will open in May.",
    ),
    (
        "It is expected that the harbour will open in May.",
        "The harbour is expected to open in May.",
    ),
    ("The guild plans to sell the mill.", "The guild's plan is to sell the mill."),
    ("The guild plans to sell the mill.", "The guild has plans to sell the mill."),
    ("The owner may hire a cook.", "It is possible that the owner will hire a cook."),
    ("The owner might hire a cook.", "It is possible that the owner will hire a cook."),
    ("The owner may hire a cook.", "The owner might hire a cook."),
    ("Release the lever when the bell rings.", "When the bell rings, the lever is to be released."),
    ("Close the lid.", "The lid must be closed."),
    ("The lid must be closed.", "The lid is to be closed."),
    ("Guests need not book in advance.", "Guests do not have to book in advance."),
    ("Guests need not book in advance.", "It is not necessary for guests to book in advance."),
    ("Groups must book a week ahead.", "Groups are required to book a week ahead."),
    ("Groups must book a week ahead.", "Groups are obliged to book a week ahead."),
    ("Groups are not obliged to pay.", "Groups need not pay."),
    ("The keeper is allowed to lock the gate.", "The keeper may lock the gate."),
    ("The keeper has permission to lock the gate.", "The keeper may lock the gate."),
    ("The keeper is forbidden to lock the gate.", "The keeper may not lock the gate."),
    ("Swimming in the lake is forbidden.", "Swimming in the lake is not allowed."),
    ("It is forbidden to swim in the lake.", "Swimming in the lake is forbidden."),
    ("The vet claimed that the hay was bad.", "The vet said that the hay was bad."),
    ("Tables that face the garden are reserved.", "Tables facing the garden are reserved."),
    (
        "Parcels sent before noon arrive the next day.",
        "Parcels that are sent before noon arrive the next day.",
    ),
    ("The bridge was closed because of the storm.", "The bridge was closed due to the storm."),
    (
        "Since the hut had no stove, the guests slept in the barn.",
        "The guests slept in the barn because the hut had no stove.",
    ),
    ("Both lifts were repaired.", "The two lifts were repaired."),
    ("Despite the fog, the ferry left.", "The ferry left."),
    ("The mine closed although the miners protested.", "The miners protested."),
    ("The ferry, which was built in 1980, is blue.", "The ferry was built in 1980."),
    ("Ann, Ben and Cara passed the exam.", "Ben passed the exam."),
    ("Neither Ann nor Ben locked the door.", "Ann did not lock the door."),
    ("The inspectors found no rust in either tank.", "The inspectors found rust in neither tank."),
    ("The boat has a sail but no engine.", "The boat has no engine."),
    ("The grant covers travel but not meals.", "The grant does not cover meals."),
    ("The bakery sells bread as well as cakes.", "The bakery sells cakes."),
    ("The guild has no duty to sell the mill.", "The guild need not sell the mill."),
    ("The ship is said to be old.", "It is said that the ship is old."),
    ("The frost was the reason why the pipe burst.", "The pipe burst."),
    (
        "Since the road was blocked, the bus turned back.",
        "The bus turned back because the road was blocked.",
    ),
    ("As the road was blocked, the bus turned back.", "The bus turned back."),
    ("The rise is due to the frost.", "The rise is due to the frost."),
    ("Either party may end the contract.", "Each of the parties may end the contract."),
    ("Either party may end the contract.", "Each party may end the contract."),
    ("Either side of the street may be used.", "Both sides of the street may be used."),
    ("Everyone may swim here.", "People may swim here."),
    (
        "It was Dr Imrie, not Dr Sandell, who signed the discharge letter.",
        "Dr Imrie signed the discharge letter.",
    ),
    ("Marta used butter instead of oil.", "Marta did not use oil."),
    ("The talks were held in Oslo instead of Bergen.", "The talks were held in Oslo."),
    (
        "The museum is open every day except Monday, from ten until five.",
        "The museum does not open on Mondays.",
    ),
    (
        "Ida Brask and Otto Lien were both born in 1901, but she outlived him by thirty years.",
        "Ida Brask outlived Otto Lien.",
    ),
    (
        "Hanne's car broke down near Bolt, so she finished the journey by train.",
        "Hanne finished the journey by train.",
    ),
    ("Almost all members came.", "Most members came."),
    ("Lena not only opened the fair but also closed it.", "Lena opened the fair."),
    ("Prices fell in May.", "Prices did not rise in May."),
    ("Dogs, which are quiet, are welcome.", "Dogs are welcome."),
]
OPEN: list[Any] = [
    ("The gate is not locked at all times.", "The gate is not locked."),
    ("The deadline is extended from March to June.", "The deadline is extended in April."),
    ("Bonn had three mayors from 1990 to 2000.", "Bonn had three mayors in 1995."),
    ("Not every bath is closed from May to July.", "Every bath is closed in June."),
    ("Ann played for Rome.", "Ann did not play against Rome."),
    ("Ann would have lost even if she had trained.", "Ann did not lose."),
    ("The firm did not choose Bonn instead of Cologne.", "The firm chose Cologne."),
    ("You can use butter instead of oil.", "You cannot use oil."),
    ("No single room is free.", "No room is free."),
    ("Almost any car can be mended.", "Few cars can be mended."),
    ("Hardly every pupil passed.", "Most pupils passed."),
    ("Keep the lid closed.", "The lid is closed."),
    ("Ann owned the mill until 1990. Ann lives in Rome.", "The owner of the mill lives in Rome."),
    ("Nobody answered.", "London did not answer."),
    ("Ann went to the wall.", "Ann visited the wall."),
    ("Having been repaired, Bob sold the car.", "Bob was repaired."),
    ("Every house stands apart from the next one.", "The next house does not stand."),
    ("Ann was not to have known.", "Ann knew."),
    ("There are few rooms suitable for children.", "Most rooms are suitable for children."),
    ("Any guest over twelve may dive.", "Any guest may dive."),
    ("The mill was not built by the architect.", "No architect built the mill."),
    ("The plan was not signed by three critics.", "No critic signed the plan."),
    ("On Mondays guests may swim; on Fridays they must not.", "Guests must not swim on Mondays."),
    ("Bob drinks tea, Ann coffee, and Eva milk.", "Bob drinks milk."),
    ("The north exports coal, the south wine and the east fish.", "The north exports wine."),
    ("Not everybody paid.", "Nobody paid."),
    ("The trip takes 2 to 3 hours.", "The trip takes 3 hours."),
    ("The firm hired 20 to 30 people.", "The firm hired 30 people."),
    ("Somebody must stay.", "Everybody must stay."),
    ("If guests leave when the bell has rung, they pay.", "The bell has rung."),
    # what may be done for one purpose may not be done for any
    ("For the purposes of a sale Ann may open the safe.", "Ann may open the safe for any purpose."),
    # who has not shown that it rose has not shown that it did not rise
    ("Ann did not show that the rent had risen.", "Ann showed that the rent had not risen."),
    # of two that are left open neither is told
    ("The key was given to one of the two guards, Orm or Bell.", "The key was given to Bell."),
    ("Meetings are held on Mondays in the hall.", "Meetings are held in the hall."),
    ("The club has 20 members on 3 May 2024.", "The club has 20 members."),
    ("The pool is closed on 3 May 2024.", "The pool is closed."),
    ("The course will start on 4 March 2024.", "The course started on 4 March 2024."),
    ("The gate of this orchard is green. The gate of the mill is red.", "The gate is red."),
    ("The mill was built in the 1970s.", "The mill was built in 1970."),
    ("Ann Lee is a founder of the choir.", "Carl Day is a founder of the choir."),
    ("The filters are washed every third week.", "The filters are washed every week."),
    ("The price falls to 3 euros everywhere.", "The price falls to 3 euros only in the market."),
    (
        "Nurses may open the safe after ringing the bell, and without ringing in case of fire.",
        "Nurses may open the safe without ringing.",
    ),
    ("The sluice opens if the dam is full.", "The sluice opens."),
    ("Members may borrow skis when the hut is staffed.", "Members may borrow skis."),
    ("The grant is paid unless the school closes.", "The grant is paid."),
    ("Dogs may enter the park only if they are on a lead.", "Dogs may enter the park."),
    ("Students from Norway must pay a deposit.", "Students must pay a deposit."),
    ("All employees who work at night receive a bonus.", "All employees receive a bonus."),
    ("All rooms except the library are heated.", "All rooms are heated."),
    ("Ana and Bruno tuned the piano and the harp respectively.", "Bruno tuned the piano."),
    ("Ana plays the flute and Bruno the drums.", "Bruno plays the flute."),
    ("The tanker sailed to Bergen and the ferry to Malmo.", "The ferry sailed to Bergen."),
    ("Visitors may feed the goats.", "Visitors must feed the goats."),
    ("The council may close the road.", "The council will close the road."),
    ("The council may close the road.", "The council closed the road."),
    ("The company will build a tower.", "The company built a tower."),
    ("The firm plans to open a branch.", "The firm opened a branch."),
    ("The committee wants to sell the barn.", "The committee sold the barn."),
    ("The tailor hopes to win the contract.", "The tailor won the contract."),
    pytest.param(
        "The northern quarry produced 400 tonnes.",
        "The quarries produced 400 tonnes.",
    ),
    ("The bar of the hotel earned 30,000 euros.", "The hotel earned 30,000 euros."),
    pytest.param(
        "The ticket costs 40 francs.",
        "The ticket costs 40 euros.",
    ),
    ("The pass costs $25.", "The pass costs €25."),
    ("The harbour was dredged in 1988.", "The harbour was dredged in 1989."),
    ("Most pupils walk to school.", "All pupils walk to school."),
    ("Some of the vines died.", "Most of the vines died."),
    ("Many residents own a boat.", "Every resident owns a boat."),
    ("The critic said that the play was dull.", "The play was dull."),
    pytest.param(
        "According to the union, the factory is unsafe.",
        "The factory is unsafe.",
    ),
    ("The plant allegedly leaked acid.", "The plant leaked acid."),
    ("The dentist lent the drill to the vet.", "The vet lent the drill to the dentist."),
    ("The fox chased the hare.", "The hare chased the fox."),
    ("The Elbe is longer than the Weser.", "The Weser is longer than the Elbe."),
    ("The raft carries at most six people.", "The raft carries at most four people."),
    ("The bridge carries at least 15 tonnes.", "The bridge carries 18 tonnes."),
    ("The lake may have frozen.", "The lake froze."),
    ("The former mayor opened the fair.", "The mayor opened the fair."),
    ("The clerk tried to open the safe.", "The clerk opened the safe."),
    ("The cook forgot to salt the soup.", "The cook salted the soup."),
    ("The clinic offers a scan or an X-ray.", "The clinic offers an X-ray."),
    ("The owner only rents the cottage in August.", "The owner rents the cottage in July."),
    ("Not all trains stop at Denby.", "All trains stop at Denby."),
    ("The mill closed in October.", "The mill closed in October because the river flooded."),
    ("Two of the five judges resigned.", "Five judges resigned."),
    ("The path is open from May to September.", "The path is open in October."),
    ("The shop sells bread on Sundays.", "The shop sells bread and milk on Sundays."),
    ("The nurse visits the ward twice a day.", "The nurse visits the ward twice a week."),
    ("The court fined the baker for fraud.", "The court fined the baker for arson."),
    pytest.param(
        "Guests who pay in cash receive a discount.",
        "Guests receive a discount.",
    ),
    (
        "If a guest pays in cash, the guest gets a discount.",
        "If a guest pays, the guest gets a discount.",
    ),
    ("When the pump runs at night, the alarm rings.", "When the pump runs, the alarm rings."),
    ("Parking is free on Sundays.", "Parking is free."),
    (
        "The engine is more reliable than the gearbox.",
        "The gearbox is more reliable than the engine.",
    ),
    ("The parcel was sent before the strike.", "The parcel was sent after the strike."),
    pytest.param(
        "Neither the cook nor the waiter slept.",
        "The cook slept.",
    ),
    (
        "One of the following documents must be shown:\n- a passport\n- a permit",
        "A passport must be shown.",
    ),
    pytest.param(
        "Refunds are given subject to approval.",
        "Refunds are given.",
    ),
    ("Loans are renewed subject to approval by the bursar.", "Loans are renewed."),
    ("The bus left without the driver.", "The bus left with the driver."),
    ("The gate is opened only if the guard is present.", "The gate is opened."),
    ("In the opinion of the critic, the play is dull.", "The play is dull."),
    ("The fountain is said to be haunted.", "The fountain is haunted."),
    ("The vault is opened only after the clerk signs.", "The vault is opened."),
    pytest.param(
        "Visitors must pay by card or in cash.",
        "Visitors must pay in cash.",
    ),
    ("The rate fell from 8 percent to 5 percent.", "The rate fell to 8 percent."),
    ("Few of the boats leak.", "The boats leak."),
    ("Half of the divers sang.", "The divers sang."),
    ("The rent is 400 euros a month.", "The rent is 400 euros a week."),
    ("The upper deck of the ferry is heated.", "The ferry is heated."),
    ("The crane is able to lift ten tonnes.", "The crane lifted ten tonnes."),
    pytest.param(
        "The hut was almost destroyed.",
        "The hut was destroyed.",
    ),
    pytest.param(
        "The crane nearly fell.",
        "The crane fell.",
    ),
    ("The chapel would be restored if the town paid.", "The chapel would be restored."),
    ("The chapel would have been restored.", "The chapel was restored."),
    ("Sheep under one year are exempt from the levy.", "Sheep are exempt from the levy."),
    ("The school offers lessons to children.", "The school offers lessons to adults."),
    ("Only members may vote.", "Guests may vote."),
    pytest.param(
        "The pass costs 30 pounds.",
        "The pass costs 30 dollars.",
    ),
    ("The harvest was worth 30 million kroner.", "The harvest was worth 30 thousand kroner."),
    pytest.param(
        "The diver has 12 masks.",
        "The diver has 12 fins.",
    ),
    ("Berthe denied that the cheque was forged.", "The cheque was forged."),
    ("Ana thinks that the well is dry.", "The well is dry."),
    ("The bridge should be repaired.", "The bridge is repaired."),
    ("If the roof leaks, the barn is closed.", "If the barn is closed, the roof leaks."),
    ("All bakers are early risers.", "All early risers are bakers."),
    ("Every tram stops at the mill.", "Every tram stops at the mill and the weir."),
    ("The keeper feeds the seals at noon.", "The keeper feeds the seals and the otters at noon."),
    ("The mill closed in 1950 and the forge in 1962.", "The forge closed in 1950."),
    ("The mayor resigned before the vote.", "The vote was held."),
    pytest.param(
        "The diver did not find every pearl.",
        "The diver did not find any pearls.",
    ),
    pytest.param(
        "The raft carries no fewer than 20 people.",
        "The raft carries at most 20 people.",
    ),
    pytest.param(
        "The northern quarry closed in 1988.",
        "The quarries closed in 1988.",
    ),
    ("Guests who arrive late pay a fee.", "Guests pay a fee."),
    pytest.param(
        "The keeper paints a boat. There is a fountain in the courtyard.",
        "A fountain in the courtyard paints a boat.",
    ),
    ("The court may impose a fine.", "The court may impose a fine or a warning on bakers."),
    (
        "| Hut | Bed count |\n|---|---|\n| Alder | 24 |\n| Birch | 31 |",
        "The bed count of the Alder hut is 31.",
    ),
    (
        "| Course | Fee (euros) |\n|---|---|\n| Pottery | 85 |\n| Weaving | 110 |",
        "The fee of the Pottery course is 110 euros.",
    ),
    ("Only members may borrow tools.", "Visitors may borrow tools."),
    ("Only members may borrow tools.", "Members may borrow only tools."),
    ("Only members may borrow tools.", "Teachers may not borrow tools."),
    ("The stall opens on Mondays and Fridays.", "The stall opens only on Mondays and Fridays."),
    ("The stall opens on Mondays and Fridays only.", "The stall opens on Fridays only."),
    ("The firm sells its cider only in France.", "The firm sells its cider in Paris."),
    ("Ann may only open the safe on Mondays.", "Ann may open the window on Mondays."),
    ("Ann has just visited Rome.", "Ann has visited Oslo."),
    ("Ann is the only doctor in the village.", "Ann is a mother."),
    ("Only some of the boats were painted.", "Some of the boats were sold."),
    ("The pump not only cools the oil but also cleans it.", "The pump does not clean the water."),
    (
        "Only pupils who have passed the test may enter the pool.",
        "Pupils who have not paid the fee may enter the pool.",
    ),
    (
        "The barge may leave unless the lock is shut.",
        "The barge may leave even if the tide is low.",
    ),
    ("Pupils may swim if a teacher is present.", "Pupils may swim even if a teacher is present."),
    ("Pupils may swim even if no teacher is present.", "No teacher is present."),
    ("Should the alarm ring, the lift stops.", "The lift stops."),
    ("A guest who arrives by boat sleeps.", "A guest who arrives by bus sleeps."),
    ("Only drivers over 25 may use the van.", "A driver who is not over 30 may not use the van."),
    ("The guests were sent home. The cook was late.", "The guests, who were late, were sent home."),
    ("The ferry is old.", "The ferry, which belongs to Ann Bell, is old."),
    ("The ferry belongs to Ann Bell.", "The ferry, which belongs to Ann Bell, is old."),
    ("A choir that sings by day is paid.", "A choir that sings by night is paid."),
    ("A clerk who lives in Oslo gets a pass.", "A clerk who lives in Bergen gets a pass."),
    ("Cash is covered up to £400.", "Cash is covered up to £6,000."),
    ("Trees are pruned up to three metres.", "Trees are pruned up to four metres."),
    ("Rooms that face the yard are swept daily.", "The rooms face the yard."),
    ("Next concert: 9 June", "The next concert is on 8 June."),
    ("The pilot was praised.", "The pilot who landed at Orby was praised."),
    ("Some pupils were given a prize.", "Some pupils were not given a prize."),
    ("Mia was given the boat by the mayor.", "Mia gave the boat to the mayor."),
    ("Your report is due in May.", "Her report is due in May."),
    ("The van holds fewer than nine crates.", "The van holds fewer than eight crates."),
    ("Should the alarm ring, the lift stops.", "The alarm should ring."),
    ("In case of fire, the doors are unlocked.", "The doors are unlocked."),
    ("In the event that it snows, the race is off.", "The race is off."),
    ("The lift may be used only by staff.", "The lift may be used by children."),
    ("Ann Lee won a sprint.", "Bo Falk won a sprint."),
    ("Ann Lee won a prize.", "Bo Falk won the prize."),
    ("Ann Lee won two prizes.", "Bo Falk won two prizes."),
    ("The mayor of Kell is Ann Lee.", "Bo Falk is the mayor of Marl."),
    ("Ann Lee is a mayor.", "Bo Falk is a mayor."),
    ("Ann Lee is the mayor of Kell.", "Ann Lee is the mayor of Marl."),
    ("The Alder line stops at Kell.", "The Alder line stops at Marl."),
    ("The Alder line stops at Kell and the Birch line at Marl.", "The Alder line stops at Marl."),
    ("The bronze statue stands in the park.", "The bronze statue stands in Kell."),
    ("The bronze statue stood in the park.", "The bronze statue stands in the hall."),
    ("Ann Lee lives in Rome and Bo Falk in Oslo.", "Ann Lee lives in Italy."),
    ("Ann Lee liked the play and Bo Falk the film.", "Ann Lee liked the film."),
    (
        "The north wall was painted with lime, the south wall with tar.",
        "The north wall was painted with tar.",
    ),
    (
        "The shop sells bread in the morning and cakes in the afternoon.",
        "The shop sells bread in the afternoon.",
    ),
    ("We saw Ann the baker and Ben the cook.", "Ben saw the cook."),
    ("The king gave the duke a horse and the bishop a ring.", "The bishop gave a ring."),
    ("The firm has an office at Kell and a depot at Marl.", "The firm has a depot at Kell."),
    ("Ann Lee won the race in 2010 and Bo Falk won the race in 2011.", "Cara Holt won the race."),
    ("Ann Lee was the mayor in 2010.", "Bo Falk was the mayor."),
    ("The harbour is expected to open in May.", "The harbour opened in May."),
    ("The harbour is expected to open in May.", "The harbour will open in May."),
    ("The guild plans to sell the mill.", "The guild will sell the mill."),
    ("The owner may hire a cook.", "The owner will hire a cook."),
    ("The team denied that the captain had left.", "The captain had left."),
    ("The team denied that the captain had left.", "The captain had not left."),
    ("Either Ann or Ben locked the door.", "Ben locked the door."),
    ("The guild has the right to sell the mill.", "The guild sells the mill."),
    ("The guild has the right to sell the mill.", "The guild must sell the mill."),
    ("The guild has no duty to sell the mill.", "The guild may not sell the mill."),
    ("It is possible that the mill burned.", "The mill burned."),
    ("It is possible that the mill will close.", "The mill will close."),
    ("The ship is said to be old.", "The ship is old."),
    ("There are plans to close the mill.", "The mill is closed."),
    ("There are plans to close the mill.", "The mill will be closed."),
    ("The bridge is to be closed in May.", "The bridge is closed in May."),
    ("The bridge is to be closed in May.", "The bridge was closed in May."),
    ("The ship was to dock at noon.", "The ship docked at noon."),
    ("It is forbidden to swim in the lake.", "Visitors may swim in the sea."),
    ("It is forbidden to swim in the lake at night.", "Visitors may swim in the lake."),
    ("The porter is not forbidden to lock the gate.", "The porter locks the gate."),
    ("It is not necessary to book.", "Guests may not book."),
    ("It was Ann who broke the lamp.", "Ann broke the mirror."),
    ("It was not Ann who broke the lamp.", "Ben broke the lamp."),
    ("The pipe did not burst because of the frost.", "The pipe burst."),
    ("The vet said that the hay was bad.", "The hay was bad."),
    ("According to the vet, the hay was bad.", "The hay was bad."),
    ("The vet said that the hay was bad.", "The farmer said that the hay was bad."),
    ("Ann can swim, and Ben may.", "Ben must swim."),
    (
        "Since the road was built, the bus has stopped here.",
        "The bus has stopped here because the road was built.",
    ),
    ("Visitors are expected to pay.", "Visitors pay."),
    ("The judge is expected to accept the plea.", "The judge accepted the plea."),
    ("Parking in the yard is permitted.", "Guests park in the yard."),
    ("The vet says that the hay was bad; the farmer doubts it.", "The hay was not bad."),
    (
        "The vet says that the hay was bad; the farmer doubts it.",
        "The farmer doubts that the barn was dry.",
    ),
    (
        "The vet says that the hay was bad; the farmer doubts it.",
        "The vet doubts that the hay was bad.",
    ),
    (
        "Two barges were moored at the quay. The first was painted; the second was not.",
        "The barges were painted.",
    ),
    ("Ann owns a barge and a house. The one by the lake was sold.", "The house was sold."),
    (
        "The shop and the mill stand in Kell. The one on the hill was flooded.",
        "The mill was flooded.",
    ),
    ("Ann bought a lamp.", "Ann sold a lamp."),
    ("He was elected not by the members alone.", "He was not elected by the members."),
    ("2 of 3 million voters stayed at home.", "Two voters stayed at home."),
    ("The fund spent 2 of 3 million euros.", "The fund spent 2 euros."),
    ("The fund spent 2 of the 3 million euros.", "The fund spent two euros."),
    ("Employees paid weekly get a bonus.", "Employees get a bonus."),
    ("Guests staying more than a week get a discount.", "Guests get a discount."),
    ("Pupils living in the village walk to school.", "Pupils walk to school."),
    ("Goods bought abroad are taxed.", "Goods are taxed."),
    ("Individuals may apply.", "Everybody may apply."),
    ("Persons may apply.", "Everybody may apply."),
    ("People may swim here.", "Everyone may swim here."),
    ("The committee took no legal action.", "The committee took no action."),
    ("All three applicants held a licence.", "One of the applicants held no licence at home."),
    ("Two red boats sank.", "All boats sank."),
    ("Do not feed the ducks after dark.", "The ducks must be fed."),
    ("Bring two copies of the form.", "Three copies of the form should not be brought."),
    (
        "The actress gave half of the prize money to a hospital.",
        "The prize money was given to a hospital.",
    ),
    (
        "The actress gave half of the prize money to a hospital.",
        "Most of the prize money was given to a hospital.",
    ),
    ("Nobody answered the letter.", "Somebody answered the phone."),
    ("Rain stopped play.", "Nobody stopped play."),
    ("Few members came.", "Nobody came."),
    ("The saw must not be started while the guard is open.", "The guard is open."),
    ("Guests may swim while the pool is open.", "The pool is open."),
    ("The visitors hoped to go on to win the cup.", "The visitors won the cup."),
    ("Anna would come to the party if she knew about it.", "Anna came to the party."),
    ("Members must pay by card instead of cash.", "Members need not pay in cash."),
    ("Apart from French, she speaks Spanish and German.", "She does not speak French."),
    (
        "Anna Berg did not win the race. Anna Berg comes from Oslo.",
        "The winner of the race comes from Oslo.",
    ),
    ("The suspect denied having been in the shop.", "The suspect was in the shop."),
    ("The suspect denied having been in the shop.", "The suspect was not in the shop."),
    ("Last year the club won the cup for the first time.", "The club won the cup two years ago."),
    (
        "To reset the alarm, hold down the red button for three seconds.",
        "The alarm is reset by holding down the red button.",
    ),
    (
        "To reset the alarm, hold down the red button until the light goes green.",
        "The alarm is reset by holding down the red button.",
    ),
    ("Mr Quill asked whether the hall was open.", "According to Mr Quill, the hall was open."),
    ("Mr Quill asked whether the hall was open.", "Mr Quill said that the hall was open."),
    ("Mr Quill hopes that the hall will be open.", "According to Mr Quill, the hall will be open."),
    ("Mr Quill doubted that the hall was open.", "According to Mr Quill, the hall was open."),
    ("Mr Quill wondered if the hall was open.", "According to Mr Quill, the hall was open."),
    ("Mr Quill fears that the hall is damp.", "According to Mr Quill, the hall is damp."),
    ("Mr Quill did not say that the hall was open.", "According to Mr Quill, the hall was open."),
    ("Mr Quill might say that the hall is open.", "According to Mr Quill, the hall is open."),
    ("Mr Quill insisted that the hall be open.", "According to Mr Quill, the hall is open."),
    ("Mr Quill asked that the hall be heated.", "According to Mr Quill, the hall is heated."),
    ("Mr Quill suggested that the hall should be heated.", "The hall should be heated."),
    ("Hardly anyone came to the concert.", "Someone complained about the concert."),
    ("The plan was all but abandoned.", "The plan was abandoned."),
    ("The bus stops at the school only on request.", "The bus stops at the school."),
    ("Either the mayor or her deputy will come.", "The mayor will come."),
    ("Almost all members came.", "All members came."),
    ("Nearly every seat was taken.", "Every seat was taken."),
    ("Virtually all of the seats were taken.", "All of the seats were taken."),
    ("Practically nobody came.", "Nobody came."),
    ("Almost half of the seats were taken.", "Half of the seats were taken."),
    ("He almost finished the race.", "He finished the race."),
    ("Lena almost finished the race.", "Lena finished the race."),
    ("Lena all but finished the race.", "Lena finished the race."),
    ("Lena came close to finishing the race.", "Lena finished the race."),
    ("Lena hoped to finish the race.", "Lena finished the race."),
    ("Lena was about to finish the race.", "Lena finished the race."),
    ("Lena was due to open the fair.", "Lena opened the fair."),
    ("Lena was supposed to open the fair.", "Lena opened the fair."),
    ("Lena would have opened the fair.", "Lena opened the fair."),
    ("Lena should have opened the fair.", "Lena opened the fair."),
    ("Lena could have opened the fair.", "Lena opened the fair."),
    ("Lena might have opened the fair.", "Lena opened the fair."),
    ("Lena ought to have opened the fair.", "Lena opened the fair."),
    ("Lena was expected to have opened the fair.", "Lena opened the fair."),
    ("Lena is said to have opened the fair.", "Lena opened the fair."),
    ("Lena seems to have opened the fair.", "Lena opened the fair."),
    ("Lena claims to have opened the fair.", "Lena opened the fair."),
    ("Lena is thought to have opened the fair.", "Lena opened the fair."),
    ("Lena was asked to open the fair.", "Lena opened the fair."),
    ("Lena agreed to open the fair.", "Lena opened the fair."),
    ("Lena is willing to open the fair.", "Lena opens the fair."),
    ("Lena meant to have opened the fair.", "Lena opened the fair."),
    ("Lena would rather have opened the fair.", "Lena opened the fair."),
    ("Lena would like to have opened the fair.", "Lena opened the fair."),
    ("Lena wishes she had opened the fair.", "Lena opened the fair."),
    ("If only Lena had opened the fair.", "Lena opened the fair."),
    ("Lena acted as if she had opened the fair.", "Lena opened the fair."),
    ("Whoever opened the fair left early.", "Lena opened the fair."),
    ("Did Lena open the fair?", "Lena opened the fair."),
    ("Without Lena the fair would not have opened.", "The fair did not open."),
    ("But for Lena the fair would have closed.", "The fair closed."),
    ("Lena let the cat out.", "Lena was let out."),
    ("Lena had the roof mended.", "Lena mended the roof."),
    ("Lena got the roof mended.", "Lena mended the roof."),
    ("The fair was opened by Lena's brother.", "Lena opened the fair."),
    ("Lena's brother opened the fair.", "Lena opened the fair."),
    ("A friend of Lena opened the fair.", "Lena opened the fair."),
    ("Lena and her brother did not open the fair together.", "Lena did not open the fair."),
    ("Lena did not open the fair alone.", "Lena did not open the fair."),
    ("Lena could not have opened the fair without help.", "Lena did not open the fair."),
    ("Lena did not open the fair until noon.", "Lena did not open the fair."),
    ("Lena never opened a fair without a speech.", "Lena never opened a fair."),
    ("Lena did not open the fair because she liked it.", "Lena did not open the fair."),
    ("Lena did not open every fair.", "Lena did not open a fair."),
    ("It is unlikely that Lena opened the fair.", "Lena opened the fair."),
    ("It was thought that Lena had opened the fair.", "Lena opened the fair."),
    ("There is a rumour that Lena opened the fair.", "Lena opened the fair."),
    ("The claim that Lena opened the fair is false.", "Lena opened the fair."),
    ("Lena's attempt to open the fair failed.", "Lena opened the fair."),
    ("Far from opening the fair, Lena closed it.", "Lena opened the fair."),
    ("Instead of opening the fair, Lena went home.", "Lena opened the fair."),
    ("Rather than open the fair, Lena went home.", "Lena opened the fair."),
    ("Before opening the fair, Lena fell ill.", "Lena opened the fair."),
    ("Lena was too ill to open the fair.", "Lena opened the fair."),
    ("Lena was well enough to open the fair.", "Lena opened the fair."),
    ("Lena was chosen to open the fair.", "Lena opened the fair."),
    ("Nobody knows whether Lena opened the fair.", "Lena opened the fair."),
    ("The fair Lena opened was small.", "The fair was small and old."),
    ("The hotel is closed from November to March.", "The hotel is closed in May."),
    ("The bridge was built from 1990 to 1995.", "The bridge was built in 1993."),
    ("The bar is open from 5 pm to 11 pm.", "The bar is open at 3 pm."),
    ("Kerr beat Holm in May.", "Holm lost the final."),
    ("The shop closed in May.", "The shop did not open in May."),
    ("Some of the eggs were broken.", "The eggs were broken."),
    ("Up to fifty people can sit in the hall.", "Fifty people sit in the hall."),
    ("Anna told Maria that she had won.", "Anna had won."),
    ("Anna told Maria that Maria had won.", "Anna had won."),
    ("Anna accused Maria of stealing the ring.", "Maria stole the ring."),
    ("Anna suspected Maria of stealing the ring.", "Maria stole the ring."),
    ("Anna persuaded Maria to leave.", "Anna left."),
    ("Only Anna has a key to the shop.", "Only Anna has a key."),
    ("The third week is free.", "Three weeks are free."),
    ("Room 12 is free.", "Twelve rooms are free."),
    ("Not all of the shops were open.", "None of the shops were open."),
    ("A few shops were open.", "Few shops were open."),
    ("Has John spoken to Mary? Bill has.", "John has spoken to Mary."),
    ("The council did not decide to build a school.", "The council decided not to build a school."),
    ("The school is being built.", "The school was built."),
    ("Anna kept the dog warm.", "Anna was warm."),
    ("The acting mayor opened the fair.", "The mayor opened the fair."),
    ("The deputy mayor opened the fair.", "The mayor opened the fair."),
    ("The road was being mended.", "The road was mended."),
    ("The road was being mended when the bus came.", "The road had been mended when the bus came."),
    ("The best room costs £90.", "The room costs £90."),
    ("Dogs are welcome on the terrace.", "Dogs are welcome."),
    ("Dogs are welcome, but not in the dining room.", "Dogs are welcome in the dining room."),
    ("Well-behaved dogs are welcome.", "Dogs are welcome."),
    ("Dogs are welcome as long as they are quiet.", "Dogs are welcome."),
    ("Dogs which are quiet are welcome.", "Dogs are welcome."),
    ("Maria bought the dog for Anna.", "Anna bought the dog."),
    ("Maria stopped to smoke.", "Maria stopped smoking."),
    ("Maria does not smoke.", "Maria has never smoked."),
    ("Maria rarely smokes.", "Maria does not smoke."),
    ("Maria rarely smokes.", "Maria smokes."),
    ("Maria would smoke if she could.", "Maria smokes."),
    ("Maria smokes, as does Anna.", "Anna does not smoke."),
    ("Maria does not smoke, nor does Anna.", "Anna smokes."),
]
REFUTED: list[Any] = [
    ("The vet examined the horse.", "The vet did not examine the horse.", "negation"),
    ("Guests may not bring dogs.", "Guests may bring dogs.", "negation"),
    ("No student passed the exam.", "Some students passed the exam.", "negation"),
    ("The gardener found no snails.", "The gardener found snails.", "negation"),
    ("The tram is fast.", "The tram is slow.", "opposite"),
    pytest.param(
        "The window was open.",
        "The window was shut.",
        "opposite",
        marks=bug("who is shut is an object, who is open a subject"),
    ),
    ("The court accepted the appeal.", "The court rejected the appeal.", "opposite"),
    ("The price rose in March.", "The price fell in March.", "opposite"),
    ("All fees except the late fee are refundable.", "The late fee is refundable.", "negation"),
    ("Not all trains stop at Denby.", "All trains stop at Denby.", "negation"),
    ("All trains stop at Denby.", "Not all trains stop at Denby.", "negation"),
    ("The kiln holds 90 plates.", "The kiln holds 70 plates.", "value"),
    ("Nobody saw the thief.", "Somebody saw the thief.", "negation"),
    ("The port shipped 2 million tonnes.", "The port shipped 2 thousand tonnes.", "value"),
    ("Every visitor must wear a helmet.", "No visitor must wear a helmet.", "negation"),
    ("The water is hot.", "The water is cold.", "opposite"),
    ("The ferry sails at night.", "The ferry does not sail at night.", "negation"),
    ("Tenants must not keep goats.", "Tenants may keep goats.", "negation"),
    ("Neither boat leaks.", "Both boats leak.", "negation"),
    ("The coffee is cheap.", "The coffee is expensive.", "opposite"),
    ("The guild supported the tax.", "The guild opposed the tax.", "opposite"),
    ("The river is deep.", "The river is shallow.", "opposite"),
    ("The stage is empty.", "The stage is full.", "opposite"),
    ("Every lamp is lit.", "Some lamps are not lit.", "negation"),
    ("Flights are permitted at night.", "Flights are forbidden at night.", "opposite"),
    (
        "| Hut | Bed count |\n|---|---|\n| Alder | 24 |\n| Birch | 31 |",
        "The bed count of the Alder hut is 31.",
        "value",
    ),
    ("The parcel was sent before the strike.", "The parcel was sent after the strike.", "value"),
    ("The mill runs on water alone.", "The mill does not run on water.", "negation"),
    (
        "The barge may leave unless the lock is shut.",
        "The barge may leave even if the lock is shut.",
        "negation",
    ),
    (
        "Pupils may swim provided that a teacher is present.",
        "Pupils may swim even if no teacher is present.",
        "negation",
    ),
    ("Lambs are sold, save those which are ill.", "Lambs which are ill are sold.", "negation"),
    ("The guild plans to sell the mill.", "The guild has no plans to sell the mill.", "negation"),
    ("The train was delayed by two hours.", "The train was delayed by three hours.", "value"),
    ("The mill was damaged by frost, not by thieves.", "Thieves damaged the mill.", "negation"),
    (
        "The mill was damaged during a frost, not by thieves.",
        "Thieves damaged the mill.",
        "negation",
    ),
    ("The shop sells bread and milk, but no meat.", "The shop sells meat.", "negation"),
    ("Guests need not book in advance.", "Guests must book in advance.", "negation"),
    ("Guests must book in advance.", "Guests need not book in advance.", "negation"),
    ("Guests must book in advance.", "Guests do not have to book in advance.", "negation"),
    (
        "The team denied that the captain had left.",
        "The team confirmed that the captain had left.",
        "opposite",
    ),
    (
        "The team denied that the captain had left.",
        "The team admitted that the captain had left.",
        "opposite",
    ),
    (
        "The bridge was closed not because of the flood but because of the storm.",
        "The bridge was closed because of the flood.",
        "value",
    ),
    ("Neither Ann nor Ben locked the door.", "Ben locked the door.", "negation"),
    (
        "The inspectors found no rust in either tank.",
        "The inspectors found rust in both tanks.",
        "negation",
    ),
    ("The boat has a sail but no engine.", "The boat has an engine.", "negation"),
    ("The grant covers travel but not meals.", "The grant covers meals.", "negation"),
    ("It is forbidden to swim in the lake.", "Visitors may swim in the lake.", "negation"),
    ("The porter is forbidden to lock the gate.", "The porter may lock the gate.", "negation"),
    ("It is not necessary to book.", "Guests must book.", "negation"),
    (
        "The fine is borne not by the tenant alone.",
        "The fine is not borne by the tenant.",
        "negation",
    ),
    ("The fine is not borne by the tenant alone.", "The tenant alone bears the fine.", "negation"),
    ("The committee took no further action.", "The committee took further action.", "negation"),
    ("The train made no other stops.", "The train made other stops.", "negation"),
    (
        "None of the three applicants had held a driving licence.",
        "One of the applicants had held a driving licence.",
        "negation",
    ),
    (
        "Neither of the two trials found any benefit.",
        "One of the trials found a benefit.",
        "negation",
    ),
    ("Two elderly people were hurt in the fire.", "Nobody was hurt in the fire.", "negation"),
    ("Two red boats sank.", "No boats sank.", "negation"),
    (
        "Never clean the screen with alcohol.",
        "The screen should be cleaned with alcohol.",
        "negation",
    ),
    ("Do not feed the ducks.", "The ducks must be fed.", "negation"),
    ("No one was injured.", "Three people were injured.", "negation"),
    ("Nobody has repaired the pump.", "The plumber has repaired the pump.", "negation"),
    ("Most members came.", "Nobody came.", "negation"),
    ("Somebody has stolen the bell.", "Nobody has stolen the bell.", "negation"),
    (
        "It was Dr Imrie, not Dr Sandell, who signed the discharge letter.",
        "Dr Imrie did not sign the discharge letter.",
        "negation",
    ),
    (
        "The talks were held in Oslo instead of Bergen.",
        "The talks were held in Bergen.",
        "negation",
    ),
    ("The museum is open every day except Monday.", "The museum is open on Monday.", "negation"),
    (
        "The suspect denied having been in the shop on the night of the theft.",
        "The suspect admitted that he had been in the shop on the night of the theft.",
        "opposite",
    ),
    ("The soup was too hot to eat.", "The soup was not hot.", "negation"),
    (
        "The bridge was to have been finished in May, but it is still closed.",
        "The bridge was finished in May.",
        "negation",
    ),
    ("The train left without the guard.", "The train left with the guard.", "value"),
    ("The key is not under the mat but behind the pot.", "The key is under the mat.", "negation"),
    (
        "The key is neither under the mat nor behind the pot.",
        "The key is behind the pot.",
        "negation",
    ),
    ("The guide speaks French but no German.", "The guide speaks German.", "negation"),
    ("The soup contains milk but no eggs.", "The soup contains eggs.", "negation"),
    ("The soup contains neither milk nor eggs.", "The soup contains milk.", "negation"),
    ("Guests need not book.", "Guests must book.", "negation"),
    ("You do not have to book.", "You must book.", "negation"),
    ("Booking is not necessary.", "Booking is necessary.", "negation"),
    ("No dog was hurt.", "A dog was hurt.", "negation"),
    (
        "The man in the red coat was not seen again.",
        "The man in the red coat was seen again.",
        "negation",
    ),
    ("None of the rooms has a bath.", "Some of the rooms have a bath.", "negation"),
    ("None of the rooms has a bath.", "One room has a bath.", "negation"),
    ("Not one of the guests complained.", "One of the guests complained.", "negation"),
    ("The fee will rise from £40 to £50.", "The fee will rise to £60.", "value"),
    ("The fee will rise by £10 to £50.", "The fee will rise by £50.", "value"),
    ("Prices did not rise in May.", "Prices rose in May.", "negation"),
    (
        "If it rains, the fair will be held indoors.",
        "If it rains, the fair will be held outdoors.",
        "value",
    ),
    (
        "Unless it rains, the fair will be held outdoors.",
        "If it rains, the fair will be held outdoors.",
        "negation",
    ),
    ("The plant needs no water in winter.", "The plant needs water in winter.", "negation"),
    (
        "Children are not allowed in the bar without an adult.",
        "Children are allowed in the bar without an adult.",
        "negation",
    ),
    ("The tenant lost the case.", "The tenant won the case.", "opposite"),
    ("Both sisters play the piano.", "One of the sisters does not play the piano.", "negation"),
    ("Neither sister plays the piano.", "One of the sisters plays the piano.", "negation"),
    ("Not quite all of the seats were taken.", "All of the seats were taken.", "negation"),
    ("Almost all members came.", "No members came.", "negation"),
    ("Lena, who was to have opened the fair, fell ill.", "Lena opened the fair.", "negation"),
    ("Lena did not only open the fair.", "Lena did not open the fair.", "negation"),
    ("Contrary to reports, Lena opened the fair.", "Lena did not open the fair.", "negation"),
    ("Lena opened the fair in a way.", "Lena closed the fair.", "opposite"),
    ("Maria rarely smokes.", "Maria often smokes.", "value"),
]
COORDINATED: list[Any] = [
    ("The baker opened the shop, swept the floor and lit the oven.", "The baker opened the shop."),
    ("The baker opened the shop, swept the floor and lit the oven.", "The baker swept the floor."),
    ("The baker opened the shop, swept the floor and lit the oven.", "The baker lit the oven."),
    ("The well was repaired by the mason and the smith.", "The well was repaired by the mason."),
    ("The well was repaired by the mason and the smith.", "The well was repaired by the smith."),
    ("The crew repaired the mast, the keel and the rudder.", "The crew repaired the mast."),
    ("The crew repaired the mast, the keel and the rudder.", "The crew repaired the keel."),
    ("The crew repaired the mast, the keel and the rudder.", "The crew repaired the rudder."),
    ("Ana plays the flute and Bruno the drums.", "Ana plays the flute."),
    ("Ana plays the flute and Bruno the drums.", "Bruno plays the drums."),
    ("The tanker sailed to Bergen and the ferry to Malmo.", "The tanker sailed to Bergen."),
    ("The tanker sailed to Bergen and the ferry to Malmo.", "The ferry sailed to Malmo."),
    ("Every bus and every tram stops at the mill.", "Every bus stops at the mill."),
    ("Every bus and every tram stops at the mill.", "Every tram stops at the mill."),
    ("Ana and Bruno tuned the piano and the harp respectively.", "Ana tuned the piano."),
    ("Ana and Bruno tuned the piano and the harp respectively.", "Bruno tuned the harp."),
    (
        "The choir sang in Rome in 2011, and the band played in Paris in 2013.",
        "The choir sang in Rome in 2011.",
    ),
    (
        "The choir sang in Rome in 2011, and the band played in Paris in 2013.",
        "The band played in Paris in 2013.",
    ),
    ("The road is closed to cars but open to cyclists.", "The road is closed to cars."),
    ("The road is closed to cars but open to cyclists.", "The road is open to cyclists."),
    ("Members may swim in the lake or in the pool.", "Members may swim in the lake."),
    ("Members may swim in the lake or in the pool.", "Members may swim in the pool."),
    ("The nurse weighed the child and measured the pulse.", "The nurse weighed the child."),
    ("The nurse weighed the child and measured the pulse.", "The nurse measured the pulse."),
    pytest.param(
        "The clinic does not offer scans or massages.",
        "The clinic does not offer scans.",
    ),
    ("The clinic does not offer scans or massages.", "The clinic does not offer massages."),
    ("Although the well was dry, the goats survived.", "The well was dry."),
    ("Although the well was dry, the goats survived.", "The goats survived."),
    pytest.param(
        "The court may impose a fine or a warning.",
        "The court may impose a fine.",
    ),
    ("The court may impose a fine or a warning.", "The court may impose a warning."),
]
UNREAD: list[Any] = [
    pytest.param(
        "According to the union, the factory is unsafe.",
    ),
    pytest.param(
        "Loans are renewed subject to approval by the bursar.",
    ),
    pytest.param(
        "The choir sang in Rome in 2011 and in Paris in 2013.",
    ),
    pytest.param("The harvest was worth 30 million kroner."),
    "The fee increased from 20 to 35 euros.",
]
BOUND: list[Any] = [
    ("The sluice opens if the dam is full.", "The sluice opens.", "if the dam is full"),
    (
        "The grant is paid unless the school closes.",
        "The grant is paid.",
        "unless the school closes",
    ),
    (
        "Members may borrow skis when the hut is staffed.",
        "Members may borrow skis.",
        "when the hut is staffed",
    ),
    ("Parking is free on Sundays.", "Parking is free.", "on Sundays"),
    ("The guard probably locked the gate.", "The guard locked the gate.", "probably"),
    ("Students from Norway must pay a deposit.", "Students must pay a deposit.", "from Norway"),
    (
        "The gate is unlocked only if the guard is present.",
        "The gate is unlocked.",
        "only if the guard is present",
    ),
    pytest.param(
        "Provided that the roof is dry, the tiles may be laid.",
        "The tiles may be laid.",
        "roof is dry",
    ),
    (
        "The tiles may be laid provided that the roof is dry.",
        "The tiles may be laid.",
        "roof is dry",
    ),
]
NEIGHBOUR = "The lighthouse keeper paints his boat every spring."


@pytest.mark.parametrize(("source", "statement"), SUPPORTED)
def test_what_a_source_says_in_other_words_is_supported(source: str, statement: str) -> None:
    result = found(source, statement)
    assert result.supports
    assert not result.kind
    assert not result.added


@pytest.mark.parametrize(("source", "statement"), OPEN)
def test_what_goes_beyond_a_source_is_not_supported(source: str, statement: str) -> None:
    assert not found(source, statement).supports


@pytest.mark.parametrize(("source", "statement", "kind"), REFUTED)
def test_what_cannot_be_beside_a_source_is_refuted_by_its_kind(
    source: str, statement: str, kind: str
) -> None:
    result = found(source, statement)
    assert not result.supports
    assert result.kind == kind


@pytest.mark.parametrize(
    "source",
    [*sorted({source for source, *_ in map(plain, SUPPORTED) if "|" not in source}), *UNREAD],
)
def test_a_source_supports_itself_and_is_not_refuted_by_itself(source: str) -> None:
    result = found(source, source)
    assert not result.kind
    if "\n" not in source:
        assert result.supports


@pytest.mark.parametrize(("source", "clause"), COORDINATED)
def test_each_clause_of_a_coordinated_sentence_is_supported_by_it(source: str, clause: str) -> None:
    assert found(source, clause).supports


@pytest.mark.parametrize(
    ("source", "statement", "kind"),
    [
        ("Ann Roe, the clerk, left on 4 May.", "Ann Roe is no longer the clerk.", ""),
        ("Ann Roe is the clerk.", "Ann Roe is no longer the clerk.", "negation"),
        ("Ann Roe is no longer the clerk.", "Ann Roe is the clerk.", "negation"),
        ("Ann Roe is not the clerk any more.", "Ann Roe is the clerk.", "negation"),
    ],
)
def test_what_is_no_longer_so_is_denied_of_now_and_not_of_a_past_deed(
    source: str, statement: str, kind: str
) -> None:
    assert found(source, statement).kind == kind


@pytest.mark.parametrize(
    ("source", "statement"),
    [plain(row)[:2] for row in (*SUPPORTED, *OPEN, *REFUTED)],
)
def test_a_neighbour_that_has_nothing_to_do_with_a_statement_changes_nothing(
    source: str, statement: str
) -> None:
    alone = found(source, statement)
    for more in (f"{NEIGHBOUR}\n\n{source}", f"{source}\n\n{NEIGHBOUR}"):
        result = found(more, statement)
        assert (result.supports, result.kind) == (alone.supports, alone.kind)


@pytest.mark.parametrize(("source", "statement", "added"), BOUND)
def test_what_is_added_quotes_the_words_of_the_source(
    source: str, statement: str, added: str
) -> None:
    result = found(source, statement)
    assert result.finding.relation is Relation.ENTAILED
    assert added in result.added
    assert result.added in source


def test_what_is_supported_stands_where_its_place_says() -> None:
    source = "The hut is old.\n\nTwo hikers painted the red tent."
    start, end = found(source, "The red tent was painted by two hikers.").place or (0, 0)
    assert "painted" in source[start:end]


def test_what_is_told_from_the_other_side_stands_where_its_place_says() -> None:
    source = "The hut is old.\n\nTwo hikers bought the red tent."
    start, end = found(source, "The red tent was bought by two hikers.").place or (0, 0)
    assert "bought" in source[start:end]


def test_what_lies_outside_of_the_places_is_not_read() -> None:
    source = "The hut is old.\n\nTwo hikers bought the red tent."
    assert deduce("The hut is old.", source, [(0, 10)]).supports
    assert not deduce("Two hikers bought the red tent.", source, [(0, 10)]).supports


def test_a_pronoun_of_a_statement_stands_for_what_was_stated_before() -> None:
    source = "The potter fires the vases."
    places = [(0, len(source))]
    assert deduce("She fires them.", source, places, ["The potter sells vases."]).supports
    assert not deduce("She fires them.", source, places, ["The weaver sells vases."]).supports


def test_a_part_of_a_statement_that_no_source_says_leaves_it_open() -> None:
    source = "The baker opened the shop."
    assert found(source, "The baker opened the shop.").supports
    assert not found(source, "The baker opened the shop and swept the floor.").supports


def test_a_part_of_a_statement_that_a_source_denies_refutes_it() -> None:
    source = "The baker opened the shop and did not sweep the floor."
    result = found(source, "The baker opened the shop and swept the floor.")
    assert result.kind == "negation"


@given(texts(), texts())
@examples(40)
def test_no_text_however_odd_breaks_a_deduction(statement: str, source: str) -> None:
    result = deduce(statement, source, [(0, len(source))])
    assert not (result.supports and result.kind)
    for place in (result.place, result.claimed):
        assert place is None or place[0] <= place[1]


@given(st.one_of(texts(), st.text(max_size=40)))
@examples(40)
def test_no_text_however_odd_breaks_a_reading(text: str) -> None:
    for term in read_propositions(text):
        assert 0 <= term.place[0] <= term.place[1] <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "The key " + "of the box " * 300 + "is lost.",
        "Ann said that " * 150 + "it rained.",
        "The club has " + ", ".join(f"a boat{n}" for n in range(300)) + " and a hut.",
        "They gave it to them and they gave it to her. " * 80,
    ],
)
def test_a_text_that_is_nested_or_repeated_without_end_is_read_within_bounds(text: str) -> None:
    assert not deduce("The mill is old.", text, [(0, len(text))]).supports
    assert len(read_propositions(text)) <= 2000


def test_a_pronoun_that_nothing_stands_for_leaves_a_statement_open() -> None:
    one = found("Mary left.", "Mary said that he picks no friends.")
    assert not one.finding.relation.supports


def test_a_sentence_beside_one_that_is_written_otherwise_is_read_as_if_that_were_not() -> None:
    beside, plain = (
        read_propositions(f"The barn is old. The mill{aside} is sold. It is shut on 3 May 2019.")
        for aside in (" (built in 1810)", "")
    )

    assert [one.head for one in beside if one.head != "build"] == [one.head for one in plain]


@pytest.mark.parametrize(
    ("source", "statement", "refuted"),
    [
        ("The complaint was filed before the lease ended.",
         "The complaint was filed after the lease ended.", True),
        ("A guest called before a guest left.", "A guest left before a guest called.", False),
        ("The museum bought the vase before it sold the chair.",
         "The museum sold the chair after it bought the vase.", False),
    ],
)  # fmt: skip
def test_what_was_before_another_was_not_after_it(
    source: str, statement: str, refuted: bool
) -> None:
    assert found(source, statement).finding.relation.refutes == refuted


@pytest.mark.parametrize(
    ("source", "statement", "refuted"),
    [
        ("The deposit is at least 400 crowns.", "The deposit is at most 400 crowns.", True),
        ("Guests may stay at most three nights.", "Guests may stay at least three nights.", True),
        ("Lamps burn if the voltage is at least 12 volts.",
         "Lamps burn if the current is at most 12 volts.", False),
        ("At least four pupils share a boat.", "At most four teachers share a boat.", False),
        ("The deposit is at least 400 crowns.", "The deposit is at most 500 crowns.", False),
    ],
)  # fmt: skip
def test_a_lower_limit_is_no_upper_one_at_the_same_number(
    source: str, statement: str, refuted: bool
) -> None:
    assert found(source, statement).finding.relation.refutes == refuted


@pytest.mark.parametrize(
    ("source", "statement", "refuted"),
    [
        ("The jury found for a buyer.", "The jury found for a seller.", False),
        ("The letter went to the buyer.", "The letter went to the seller.", False),
    ],
)
def test_who_decides_for_one_side_does_not_for_its_opposite(
    source: str, statement: str, refuted: bool
) -> None:
    assert found(source, statement).finding.relation.refutes == refuted


def test_what_alone_is_denied_is_no_aside_of_the_denial() -> None:
    source = "Ann's talk is in Hall D, not in Hall B as printed in the leaflet."
    assert not found(source, "Ann's talk is in Hall D.").finding.relation.refutes
    assert found(source, "Ann's talk is in Hall B.").finding.relation.refutes


def test_what_a_source_says_of_a_proposition_is_found_once_whatever_precedes_it() -> None:
    source, statement = "The mill burned down in 1906.", "The mill burned down in 1907."
    deductions._found.cache_clear()

    first, again = (
        deduce(statement, source, [(0, len(source))], before)
        for before in (("The dam held.",), ("The dam broke.", "It rained."))
    )

    assert first == again
    assert deductions._found.cache_info().hits == deductions._found.cache_info().misses == 1
