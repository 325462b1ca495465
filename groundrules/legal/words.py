"""Words of contracts and suits that matter in any text: who has which part, and what rivals it."""

from __future__ import annotations

from groundrules.domain import Words

_RIVALS = """
landlord tenant
lessor lessee
sublessor sublessee
licensor licensee
mortgagor mortgagee
assignor assignee
transferor transferee
grantor grantee
franchisor franchisee
guarantor guarantee
trustor trustee
principal agent
plaintiff defendant
claimant respondent
appellant appellee
petitioner respondent
offeror offeree
promisor promisee
indemnitor indemnitee
disclosing receiving
discloser recipient
"""
_MEANINGS = """
landlord lessor owner freeholder
tenant lessee occupier renter
court judge* tribunal
"""

WORDS = Words(
    roles=frozenset(
        "landlord tenant lessor lessee licensor licensee buyer seller purchaser vendor supplier "
        "customer client contractor subcontractor consultant employer employee franchisor "
        "franchisee distributor manufacturer agent principal borrower lender guarantor trustee "
        "assignor assignee plaintiff defendant appellant appellee petitioner respondent company "
        "owner operator servicer sponsor provider recipient discloser party parties insurer "
        "insured mortgagor mortgagee grantor grantee affiliate".split()
    ),
    papers=frozenset("agreement contract lease amendment license party parties".split()),
    rivals=tuple(tuple(line.split()) for line in _RIVALS.strip().splitlines()),
    opposites={
        "party": (
            ("plaintiff", "claimant", "petitioner", "prosecution"),
            ("defendant", "respondent", "accused", "defence"),
        ),
        "landlord": (("landlord", "lessor", "owner"), ("tenant", "lessee")),
        "licensor": (("licensor", "franchisor"), ("licensee", "franchisee")),
    },
    meanings=tuple(tuple(line.split()) for line in _MEANINGS.strip().splitlines()),
)
