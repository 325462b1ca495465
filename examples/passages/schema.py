"""What to extract from a lease: `groundrules.extract("lease.txt", Lease)`, as lease.json has it.

Each value is an object with `value` and `context`, the words of the lease that state it. What is a
date or an amount of money is declared as one, so that nothing else passes for it.
"""

import datetime

from pydantic import BaseModel, Field


class Entity(BaseModel):
    """A value and the passage that it was copied from."""

    value: str
    context: str


class Party(Entity):
    """A person or company that signs the lease."""


class Date(BaseModel):
    """A calendar date."""

    value: datetime.date
    context: str


class Money(Entity):
    """An amount of money with its currency."""

    value: str = Field(json_schema_extra={"format": "money"})


class Rent(BaseModel):
    """What is paid for the use of the premises."""

    monthly: Money = Field(title="Monthly base rent")
    late_fee: Entity = Field(title="Late fee")


class Lease(BaseModel):
    """A lease of commercial premises."""

    landlord: Party
    tenants: list[Party]
    agreement_date: Date
    commencement_date: Date
    expiration_date: Date
    rent: Rent
    security_deposit: Money
    insurance: Money = Field(title="Minimum liability insurance")
    insurer: Party = Field(title="Insurer of the building")
    renewal_notice: Entity = Field(title="Notice of renewal")
    governing_law: Entity
