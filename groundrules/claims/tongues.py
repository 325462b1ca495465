"""Tongues: the language of a text, told from English by its function words and letters."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from groundrules.claims.english.fillers import ONLY_ENGLISH
from groundrules.models.encoder import FOLDER

LETTERS = re.compile(r"[^\W\d_]+")
BEYOND_LATIN = re.compile(r"[\u0370-\u1cff\u1f00-\u1fff\u2c00-\ua6ff\ua800-\U00032fff]")
#: By language: what only it has, also capitalised at the beginning; what English or a name has
#: too; words that tell a language though they are no function words; its own letters.
_TONGUES: dict[str, tuple[str, str, str, str]] = {
    "German": (
        """
        nicht ist wird werden wurde wurden worden dass daß eine einer einem einen eines für
        mit auf sich auch nach bei oder aus zum zur vom beim kein keine keiner keinen keinem
        keines haben sind durch über unter bis nur wenn aber wie sein seine seiner seinen
        seinem ihre ihrer ihren ihrem wir sie ihr ihm ihn uns mich dich diese dieser dieses
        diesem diesen jede jeder jedes jedem jeden welche welcher welches können kann konnte
        konnten müssen muss muß musste soll sollen sollte darf dürfen durfte wollen möchte
        hatte hatten waren wäre hätte würde würden gegen ohne zwischen während wegen seit
        noch schon sehr mehr immer nie niemals weil damit sowie sondern jedoch bereits
        spätestens mindestens höchstens innerhalb gemäß etwa zwei drei vier fünf sechs
        sieben acht neun zehn bist seid ich nichts etwas dort dann denn doch daher dabei
        danach davon dazu hierzu soweit sofern ob wo wer wem wen deren dessen denen beträgt
        gilt erhält zahlt zahlen erfolgt liegt steht gibt geht macht kommt bleibt endet
        beginnt haftet verpflichtet berechtigt gehört nimmt lässt
        """,
        """
        der die das den dem des und ein zu im in an am was so war also hat man es von als
        will hier um bin du er falls
        """,
        """
        mieter mieterin vermieter vermieterin miete mietvertrag vertrag kündigung kaution
        tage tagen monat monate monaten jahr jahre jahren gesellschaft firma kosten uhr euro
        prozent januar februar märz mai juni juli oktober dezember montag dienstag mittwoch
        donnerstag freitag samstag sonntag verboten monatlich jährlich schriftlich
        """,
        "äöüß",
    ),
    "French": (
        """
        est une dans que qui pas sont avec ce cette ces mais ont été être avoir fait leur
        leurs nous vous ils elles elle je tu nos vos ses mes ou où donc ni ne sans sous
        entre depuis pendant avant après chez vers très aussi alors comme plusieurs tous
        tout toute toutes même si lorsque quand puis ainsi cela ceci quel quelle aucun
        aucune jamais rien moins peut peuvent doit doivent sera seront était étaient avait
        avaient auront soit fut celui celle ceux afin lors selon contre jusqu deux trois
        quatre cinq sept huit neuf dix aujourd qu ayant étant paie payer paye
        """,
        """
        de la le il du et en au a à par sur un on se son l d s c j m n lui me moi toi les des
        pour aux sa dont plus aura y
        """,
        """
        bailleur locataire loyer contrat jours mois ans année années janvier février mars
        avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi
        jeudi vendredi samedi dimanche société interdit garantie mensuel préavis
        """,
        "àâçèéêëîïôùûœ",
    ),
    "Spanish": (
        """
        una que por para como más pero sus fue este esta estos estas ese esa eso esto está
        están ser han había muy sobre entre hasta desde cuando donde quien porque cual
        también nos unos unas todo todos toda todas otro otra otros otras ni él ella ellos
        ellas sí puede pueden debe deben deberá deberán será serán tiene tienen hay hace
        según durante contra antes después cada dos tres cuatro cinco seis siete ocho nueve
        diez nunca siempre nada algo mientras aunque así si ningún ninguna ninguno fueron
        sido siendo estaba eran cuyo cuya dicho dicha paga pagar pagará
        """,
        """
        de la el en y a un es se con del no me te mi tu o e solo sea los las son ha sin ya
        le les lo al su era
        """,
        """
        arrendador arrendatario inquilino alquiler renta contrato días mes meses año años
        enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre
        diciembre lunes martes miércoles jueves viernes sábado domingo empresa sociedad
        mensual
        """,
        "áéíóúñ¿¡",
    ),
    "Italian": (
        """
        il che dello degli nel nella nelle nei negli dal dalla dalle dai alla alle allo agli
        sul sulla sulle sui una uno gli è sono anche più questo questa questi queste quello
        quella essere stato stata stati hanno aveva avere perché quando dove chi cui suo sua
        suoi loro ogni tutti tutto tutta tutte altro altri altra dopo prima tra fra senza
        sotto sopra contro durante secondo entro fino ancora già sempre mai molto deve
        devono può possono sarà saranno viene vengono erano fu quattro cinque sei sette otto
        nove dieci nessun nessuna nessuno qualora oppure dell nell dall sull paga pagare
        """,
        """
        di la lo i e a un in con per su da del al se si le o ne ci della delle dei non
        come ha ma solo era due ed
        """,
        """
        locatore conduttore inquilino affitto canone contratto giorni mese mesi anno anni
        gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre
        dicembre lunedì martedì mercoledì giovedì venerdì sabato domenica euro società
        mensile
        """,
        "àèéìòù",
    ),
    "Portuguese": (
        """
        não uma que para mais mas foi são está estão ser ter tem têm às aos pelo pela pelos
        pelas seu sua seus suas este esta estes estas esse essa isso isto ele ela eles elas
        quando onde quem porque também já sem sobre entre até desde muito muitos nos nas num
        numa dum duma das ao os outro outra outros outras todo toda todos todas pode podem
        deve devem deverá será serão havia tinha segundo durante contra antes depois cada
        dois duas três quatro cinco sete oito nove dez nunca sempre nada nem você nós nenhum
        nenhuma qualquer foram sido sendo eram cujo cuja ou paga pagar
        """,
        "de a o e em do da dos no na um se as é por eu me te com à era",
        """
        locador locatário inquilino aluguel arrendamento contrato dias mês meses ano anos
        janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro
        dezembro sábado domingo empresa sociedade mensal
        """,
        "ãõáâàçéêíóôú",
    ),
    "Dutch": (
        """
        het een niet zijn wordt worden werd werden voor aan bij uit naar ook maar hij zij
        wij jullie hun haar deze dit dat geen kan kunnen moet moeten zal zullen zou zouden
        mag mogen heeft hebben wanneer indien omdat dus toch nog wel zeer meer veel alle
        alleen tegen tussen onder tijdens zonder binnen tot vanaf sinds wie wat waar hoe
        twee drie vier vijf zes zeven acht negen tien nooit altijd iets niets iemand niemand
        elke ieder iedere welke wiens ervan hiervan daarvan waarbij echter volgens tenzij
        dient betaalt betalen bedraagt geldt
        """,
        """
        de van en in is op te ten ter er door om of als over dan den der u je ik me hem was
        die met want
        """,
        """
        huurder verhuurder huur huurovereenkomst overeenkomst dagen maand maanden jaar jaren
        januari februari maart juni juli augustus oktober maandag dinsdag woensdag donderdag
        vrijdag zaterdag zondag euro vennootschap maandelijks schriftelijk
        """,
        "ëï",
    ),
    "Polish": (
        """
        nie jest się że przez dla jak był była było były są będzie będą oraz lub czy który
        która które którzy którego której tej tego tych tym jego jej ich przed nad przy bez
        może mogą musi muszą powinien być został została zostało zostały tylko już także
        również więc jeśli jeżeli gdy kiedy gdzie bardzo wszystkie wszystkich każdy każda
        żaden żadnej nigdy zawsze dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć
        mnie jako wynosi płaci zgodnie według między podczas
        """,
        "i w z na do o to a po od za co ma we ze u ale pod",
        """
        najemca wynajmujący czynsz umowa umowy dni miesiąc miesięcy rok roku lat stycznia
        lutego marca kwietnia maja czerwca lipca sierpnia września października listopada
        grudnia złotych spółka
        """,
        "ąćęłńśźż",
    ),
    "Swedish": (
        """
        och att det som är på inte för med har ett kan skall ska från eller vid efter inom
        mellan utan över också ej alla denna detta dessa när där här hur vad vem vilken
        vilket vilka sitt sina hans hennes deras blir blev bli vara varit hade kunde skulle
        måste får fick mycket mot genom enligt tre fyra fem sju åtta nio tio aldrig alltid
        ingen inget inga något någon några bara jag ni han hon dem uppgår betalar betala
        gäller
        """,
        "en i de den om var man sig så vi du ut upp av till men sin",
        """
        hyresgästen hyresvärden hyran hyra avtalet avtal dagar månad månader år januari
        februari mars maj juni juli augusti oktober kronor måndag tisdag onsdag torsdag
        fredag lördag söndag bolaget
        """,
        "åäö",
    ),
    "Danish": (
        """
        og det som ikke til med på har kan skal eller ved efter inden mellem uden også alle
        denne dette disse når hvor hvad hvem hvilken hvilket hvilke sine hans hendes deres
        bliver blev blive være været havde kunne skulle må fik meget gennem ifølge hver
        hvert fem seks syv otte ni ti aldrig altid ingen intet noget nogen nogle jeg han hun
        dem udgør betaler betale gælder
        """,
        "en et i de den at for om var man sig så vi du fra under af er sin sit mere mod fire kun",
        """
        lejeren udlejeren lejer udlejer lejen husleje aftalen aftale dage måned måneder år
        januar februar marts maj juni juli august oktober kroner mandag tirsdag onsdag
        torsdag fredag lørdag søndag selskabet
        """,
        "åæø",
    ),
    "Norwegian": (
        """
        og det som ikke til med på har kan skal eller ved etter innen mellom uten også alle
        denne dette disse når hvor hva hvem hvilken hvilket hvilke sitt sine hans hennes
        deres blir ble bli være vært hadde kunne skulle må fikk mye mot gjennom ifølge hver
        hvert fem seks sju åtte ni ti aldri alltid ingen noe noen jeg han hun dem utgjør
        betaler betale gjelder
        """,
        "en et i de den at for om var man seg så vi du fra under av ei er sin fire bare",
        """
        leietaker leietakeren utleier utleieren husleie leien avtalen avtale dager måned
        måneder år januar februar mars mai juni juli august oktober desember kroner mandag
        tirsdag onsdag torsdag fredag lørdag søndag selskapet
        """,
        "åæø",
    ),
    "Finnish": (
        """
        ja ei että oli ovat olivat hän mutta tai kuin jos niin myös sekä mukaan joka jotka
        jonka joita tämä tämän tässä sen ne niiden hänen kanssa ennen jälkeen aikana ilman
        välillä vielä nyt koska voi voivat täytyy pitää saa saavat eivät ollut olla olisi
        sitä siitä kaikki kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen minä
        sinä mitä kuka missä koko vuonna maksaa
        """,
        "on se ole he me te kun vain",
        """
        vuokralainen vuokranantaja vuokra vuokran sopimus sopimuksen päivää päivän kuukausi
        kuukauden kuukautta vuosi vuoden vuotta euroa tammikuuta helmikuuta maaliskuuta
        huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta
        joulukuuta
        """,
        "äö",
    ),
    "Turkish": (
        """
        bir için ile olarak olan değil değildir çok daha sonra önce kadar gibi ancak veya
        ama fakat eğer hem bütün tüm bazı hiç hiçbir nasıl neden bunu bunun onun onlar siz
        var yok vardır yoktur olduğu olduğunu edilir edildi etmek etti eder edemez olur oldu
        olacak tarafından göre karşı üzerinde altında arasında içinde iki üç dört beş altı
        yedi sekiz dokuz şu şey ödenir öder ödemek
        """,
        "bu da de en o on mi ki her ne ve kim biz",
        """
        kiracı kiralayan kira bedeli sözleşme sözleşmesi gün ay yıl yılında ocak şubat mart
        nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık lira şirket
        """,
        "çğıöşü",
    ),
    "Czech": (
        """
        je že není jsou byl byla bylo byly být který která které kteří jeho její jejich nebo
        také jako když kde kdy jak při před mezi během podle bez nad může mohou musí nesmí
        bude budou tento tato toto této tohoto už jen pouze velmi více všechny všech každý
        každá žádný žádná nikdy vždy dva dvě tři čtyři pět šest sedm osm devět deset jsem
        jsme však aby protože pokud již činí platí
        """,
        "a i v z s k o u na do to po od za se si ve ze by ne co pro ale pod proto",
        """
        nájemce pronajímatel nájemné nájem smlouva smlouvy dny dnů měsíc měsíce měsíců rok
        roku ledna února března dubna května června července srpna září října listopadu
        prosince korun společnost
        """,
        "áčďéěíňóřšťúůýž",
    ),
    "Romanian": (
        """
        și şi nu este sunt din pentru mai fost sau dar când unde cum avea avut lui lor său
        prin până după înainte între fără asupra despre dintre acest această aceste acestui
        acestei acea toate toți tot foarte poate trebuie va vor fiind două trei patru cinci
        șase șapte nouă zece niciodată întotdeauna nimic ceva dacă deci însă numai doar
        orice fiecare unei unui unor într dintr plătește plăti
        """,
        "de la a în pe cu un o al ai se ce ca că e ei el ea le care fi au sub doi opt ale",
        """
        chiriaș chiriașul proprietar proprietarul chiria chirie contractul zile lună luni
        ani ianuarie februarie martie aprilie iunie iulie septembrie octombrie noiembrie
        decembrie lei societatea
        """,
        "ăâîșțşţ",
    ),
    "Hungarian": (
        """
        és nem hogy egy volt ez azt ezt csak már még vagy lesz kell lehet minden több után
        előtt között alatt miatt szerint nélkül által mert így úgy ami aki amely amelyek
        akkor amikor ahol nincs vannak voltak volna fogja neki nekik ő ők én kettő három
        négy öt hét nyolc kilenc tíz soha mindig semmi valami köteles fizet
        """,
        "a az is de ha meg el be ki fel le sem van mint fog",
        """
        bérlő bérbeadó bérleti díj szerződés nap napon napos hónap hónapon év évben forint
        társaság
        """,
        "áéíóöőúüű",
    ),
    "Latin": (
        """
        quod quae quam cum sed enim autem sunt esse fuit erat eius ejus ipse ipsa ille haec
        nunc tamen igitur ergo sicut atque neque nec aut vel ubi unde omnis omnes omnia quid
        quis quibus cuius quoque etiam apud sine propter ante semper nihil nisi erit potest
        debet dolor amet elit labore dolore magna aliqua eiusmod tempor consectetur
        adipiscing incididunt minim veniam
        """,
        "et in est non ut ad ex per qui si ab de pro se a e sit ipsum lorem illa hoc",
        "",
        "",
    ),
    "Indonesian": (
        """
        yang dan tidak untuk dengan dari pada dalam adalah akan telah oleh atau juga karena
        dapat tersebut kepada sebagai bahwa bagi lebih harus bukan belum sudah sejak antara
        setelah sebelum saat namun serta jika maka saya kami mereka ialah mempunyai kerana
        """,
        "di ini itu ke dia ada tak",
        """
        penyewa sewa perjanjian hari bulan tahun rupiah januari februari maret mei juni juli
        agustus
        """,
        "",
    ),
    "Catalan": (
        """
        amb dels més però també són és els una aquest aquesta aquests aquestes pel pels fins
        entre sobre quan perquè seva seu seus seves molt tot tots totes poden cal cada dos
        tres quatre cinc sis vuit nou deu mai sempre ni això
        """,
        "de la el i a en un del al per les es va no que ha com hi sense",
        "arrendatari lloguer contracte mes mesos anys gener febrer març",
        "àçèéíïòóúü",
    ),
    "Vietnamese": (
        """
        và của là được không trong cho các một những này với người có đã sẽ tại từ đến khi
        về năm ngày tháng phải hoặc nếu để vào ra trên dưới theo
        """,
        "",
        "",
        "ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
    ),
    "Croatian or Serbian": (
        """
        nije koji koja koje kojih bila bilo bili biti će ili kao sve svih samo još već može
        mogu mora moraju nakon prije između tijekom tokom prema bez kod iz što gdje gde kada
        kako ovaj ova ovo taj njegov njegova njihov nema dva tri četiri šest sedam osam
        devet deset nikad uvijek uvek jer ako dok također takođe
        """,
        "i u na je da se za od s o do sa a to te ne su bio ali pet",
        "najmoprimac najmodavac zakupac ugovor ugovora dana mjeseca mjesec meseca godine godina",
        "čćđšž",
    ),
}
#: What a word says that only a language has, and one that English or a name has too.
_SURE, _UNSURE = 2, 1


def _by_word(which: slice) -> dict[str, dict[str, int]]:
    """Return for each word how much it says for which languages."""
    table: dict[str, dict[str, int]] = {}
    for name, columns in _TONGUES.items():
        for column in range(3)[which]:
            for word in columns[column].split():
                table.setdefault(word, {})[name] = _UNSURE if column else _SURE
    return table


_FOREIGN = _by_word(slice(None, None, -1))
#: What counts though it is capitalised within a sentence, as every German noun is.
_TOPICS = _by_word(slice(2, None))
_OWN = frozenset(_by_word(slice(1)))
_SHARED = frozenset(_by_word(slice(1, 2))) - _OWN
_PLAINLY_ENGLISH = ONLY_ENGLISH - set(_FOREIGN)
#: Words of English that are written with foreign letters.
_LOANS = frozenset(
    """
    café cafés naïve naïvely naïveté résumé résumés façade façades fiancé fiancée cliché clichés
    clichéd entrée entrées protégé protégée protégés über déjà voilà crème brûlée sautéed sauté
    touché exposé décor début débuts détente précis régime rôle soirée tête élan élite émigré
    émigrés attaché attachés soufflé communiqué piñata jalapeño jalapeños señor señora mañana
    coöperate coöperation naïf château châteaux crêpe crêpes purée pâté rosé café-bar blasé passé
    matinée née né outré risqué fête fêtes à la smörgåsbord doppelgänger jäger führer ångström
    vis-à-vis maté açaí são el niño niña
    """.split()
)
#: Words of Latin and French that lawyers and scholars use in English.
_LATIN_TERMS = frozenset(
    """
    alia mutatis mutandis pari passu bona fide fides fidei res ipsa loquitur judicata ex parte pro
    rata annum capita diem se prima facie quid quo ultra vires vis major majeure habeas corpus mens
    rea actus reus nemo dat quod habet caveat emptor stare decisis obiter dictum dicta ratio
    decidendi sui juris generis locus standi amicus curiae certiorari mandamus nunc tunc lex loci
    fori contractus ab initio ad hoc litem hominem valorem absurdum infinitum nauseam de facto jure
    novo minimis bonis non rem personam camera situ vivo vitro silico absentia loco parentis
    terrorem forma bono tempore tanto hac vice versa et al seq cetera sine qua die post mortem ante
    nolo contendere nolle prosequi nisi per curiam stirpes ibid supra infra viz ipso ejusdem
    noscitur sociis expressio unius exclusio alterius contra proferentem pacta sunt servanda volenti
    fit injuria audi alteram partem uberrima uberrimae delicto inter vivos mortis causa terra
    nullius quantum meruit scienter sub judice poena rosa mala malum prohibitum damnum absque novus
    interveniens restitutio integrum rebus sic stantibus jus cogens erga omnes opinio lis pendens
    alibi forum conveniens culpa modus operandi vivendi magna carta cum laude aequo bono idem ibidem
    passim sic vide versus circa verbatim seriatim arguendo dehors voir dire cy pres laches estoppel
    profit prendre feme sole oyer terminer venire facias fieri quo warranto quantum ne exeat
    allegata probata ignorantia legis neminem excusat habere possessionem cestui que trust autre vie
    bene esse
    """.split()
)
_BORROWED = ONLY_ENGLISH | _LATIN_TERMS
_SHAPES = {name: frozenset(letters) for name, (*_, letters) in _TONGUES.items() if letters}
_ADDRESS = re.compile(r"[@/\\_]|\w[.:=]\w")
_STOPPED = re.compile(r"[.?!…][\"'”’»)]{0,2}\s*\Z")
#: The least a text must score: one that ends as a sentence does; another, a title may be; and the
#: part of an English sentence between two English function words.
_ENOUGH_STOPPED, _ENOUGH, _ENOUGH_WITHIN = 3, 4, 8
#: The least it must score a word, and for each English function word.
_A_WORD, _AN_ENGLISH_WORD = 0.3, 6
OTHER = "a language other than English"


def tongue(text: str, around: str = "", *, whole: bool = False) -> str:
    """Return the other language that a text is in, "" if it is English or nothing tells.

    Its function words must be many and the English ones few: English has names, titles, terms of
    Latin and quotations with some of the former, but among its own.
    """
    words = LETTERS.findall(text)
    if not words:
        return ""
    shouted = text.isupper()
    said = [word.lower() for word in words] if shouted else [words[0].lower(), *words[1:]]
    if _OWN.isdisjoint(said) and not _PLAINLY_ENGLISH.isdisjoint(said):
        return ""
    points, sure, _ = _scores(said)
    stopped = _STOPPED.search(text) is not None
    for name in sorted(points, key=lambda name: -points[name]):
        if points[name] < max(_ENOUGH_STOPPED, _A_WORD * len(words)):
            continue
        english = _english(said, name)
        least = _ENOUGH_STOPPED if stopped and not english else _ENOUGH
        known = 3 if whole or name == "Latin" else 2 if english else 1
        if (
            points[name] >= max(least, _AN_ENGLISH_WORD * english)
            and len(sure.get(name, ())) >= known
        ):
            return name
    if not whole:
        for name, own in sure.items():
            if len(own) >= 3 and _within(said, name):
                return name
    if points.get(around, 0) > 2 * _english(said, around):
        return around
    if around and ONLY_ENGLISH.isdisjoint(said) and max(map(len, words)) > 1:
        return around
    return "" if shouted else _unknown(text, said, stopped)


def _unknown(text: str, said: list[str], stopped: bool) -> str:
    """Return the language of a text, or that it is none we know, where its words are not English.

    What English and legal Latin have too is no evidence here.
    """
    points, sure, strange = _scores([word for word in said if word not in _BORROWED])
    points.pop("Latin", None)
    name = max(points, key=lambda name: points[name]) if points else ""
    english = _english(said, name)
    if english > len(said) // 8:
        return ""
    content, ours = _vocabulary_share(text)
    evidence = max(points[name] if name else 0, strange)
    listed = text.count(",") * 3 > content  # names of drugs, of plants
    if (
        # a title or a name of two or three words that no dictionary has may well be in English
        (stopped and evidence >= 2 and content >= 2 and 3 * ours <= content and not english)
        or (evidence >= 1 and content >= 4 and 4 * ours <= content and not listed)
        or (stopped and content >= 6 and 5 * ours <= content and not listed)
    ):
        return name if sure.get(name) else OTHER
    return ""


def _english(said: list[str], name: str) -> int:
    """Return how many words are function words of English and not of another language."""
    return sum(word in ONLY_ENGLISH and name not in _FOREIGN.get(word, ()) for word in said)


def _scores(said: list[str]) -> tuple[dict[str, int], dict[str, set[str]], int]:
    """Return what words score by language, which only that language has, and how many are strange.

    Strange is a word with a letter that English lacks.
    """
    points: dict[str, int] = {}
    sure: dict[str, set[str]] = {}
    strange = 0
    for word, times in Counter(said).items():
        odd = not word.isascii() and word.islower() and max(word) < "\u1f00" and word not in _LOANS
        odd = odd and not BEYOND_LATIN.search(word)
        strange += odd * times
        says = _FOREIGN.get(word) or _TOPICS.get(word.lower())
        if says is not None:
            for name, worth in says.items():
                points[name] = points.get(name, 0) + worth * times
                if worth == _SURE:
                    sure.setdefault(name, set()).add(word)
        elif odd:
            letters = {letter for letter in word if letter > "\x7f"}
            for name, own in _SHAPES.items():
                if letters <= own:
                    points[name] = points.get(name, 0) + _UNSURE * times
    return points, sure, strange


def _within(said: list[str], name: str) -> bool:
    """Return whether a language has a whole clause between two English function words."""
    score = 0
    for word in said:
        worth = _FOREIGN.get(word, {}).get(name, 0)
        if not worth and word in ONLY_ENGLISH:
            score = 0
        score += worth
        if score >= _ENOUGH_WITHIN:
            return True
    return False


def _vocabulary_share(text: str) -> tuple[int, int]:
    """Return how many words of a text tell by their sense, and how many of them are English.

    Capitalised words are names, words of two letters are anything, addresses are no words.
    """
    content = {
        word.lower()
        for place, chunk in enumerate(text.split())
        if not _ADDRESS.search(chunk)
        for word in LETTERS.findall(chunk)
        if len(word) > 2 and (not place or word.islower())
    }
    content -= {word for word in content if word in ONLY_ENGLISH or word in _SHARED}
    return len(content), sum(_is_english(word) for word in content)


_ENDINGS = (
    ("s", ""), ("es", ""), ("d", ""), ("ed", ""), ("ing", ""), ("ing", "e"), ("ly", ""),
    ("er", ""), ("ies", "y"), ("ied", "y"), ("ness", ""), ("able", ""), ("ment", ""), ("less", ""),
    ("ful", ""), ("ation", "e"), ("al", ""),
)  # fmt: skip
_BEGINNINGS = ("un", "re", "non", "pre", "in", "over", "sub", "co", "dis", "mis", "inter", "under",
               "out", "anti", "multi", "micro", "bio")  # fmt: skip


def _is_english(word: str) -> bool:
    if word in _LOANS or word in _LATIN_TERMS:
        return True
    if word in _FOREIGN:
        return False
    known = _vocabulary()
    if word in known:
        return True
    if any(
        word.endswith(ending)
        and len(word) > len(ending) + 2
        and word[: -len(ending)] + instead in known
        for ending, instead in _ENDINGS
    ):
        return True
    return any(word.startswith(begin) and word[len(begin) :] in known for begin in _BEGINNINGS)


@lru_cache(maxsize=1)
def _vocabulary() -> frozenset[str]:
    """Return the whole words of the embedded model's vocabulary: the common words of English."""
    lines = (FOLDER / "vocab.txt").read_text("utf-8").split("\n")
    return frozenset(line for line in lines if len(line) > 2 and line.isascii() and line.isalpha())
