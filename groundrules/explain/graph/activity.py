"""The run of a report as a prov:Activity: what it used, in which versions, set how."""

from __future__ import annotations

from rdflib.term import URIRef

from groundrules.explain.graph.sheet import PUBLISHER, Sheet
from groundrules.explain.vocabulary import OWN, hash_of, literal, moment, plain, term


def add_run(sheet: Sheet) -> None:
    """Say what was run, by what, with what."""
    node, run = sheet.run, sheet.report.run
    engine = sheet.engine()
    sheet.add(
        node,
        ("rdf:type", term("prov:Activity")),
        ("prov:startedAtTime", moment(run.at)),
        ("prov:wasAssociatedWith", engine),
        ("gr:question", plain(run.question)),
        *(("rdfs:comment", plain(note)) for note in run.notes),
        ("gr:logHead", literal(logged.head) if (logged := sheet.report.logged) else None),
    )
    sheet.add(
        engine,
        ("rdf:type", term("prov:SoftwareAgent")),
        ("rdf:type", term("schema:SoftwareApplication")),
        ("schema:name", literal("groundrules")),
        ("schema:softwareVersion", plain(run.version)),
    )
    sheet.add(
        PUBLISHER,
        ("rdf:type", term("schema:Organization")),
        ("schema:name", literal("groundrules")),
        ("schema:url", PUBLISHER),
    )
    for place, one in enumerate(run.inputs):
        document = sheet.document(one.name)
        if one.role == "question":
            document = URIRef(f"{OWN}document:{one.sha256}")
            sheet.add(document, ("rdf:type", term("prov:Entity")))
        usage = sheet.own("input", str(place))
        sheet.add(node, ("prov:used", document), ("prov:qualifiedUsage", usage))
        sheet.add(
            usage,
            ("rdf:type", term("prov:Usage")),
            ("prov:entity", document),
            ("gr:role", plain(one.role)),
            ("schema:name", plain(one.name)),
        )
    for kind, pairs in (("pack", run.packs), ("model", run.models)):
        for name, digest in pairs:
            used = URIRef(f"{OWN}{kind}:{hash_of(name, digest)}")
            sheet.add(node, ("prov:used", used))
            sheet.add(
                used,
                ("rdf:type", term("prov:Entity")),
                ("gr:kind", literal(kind)),
                ("schema:name", plain(name)),
                ("schema:version", plain(digest)),
            )
    for kind, settings in (("setting", run.settings), ("parameter", run.params)):
        for place, (name, value) in enumerate(settings):
            one_node = sheet.own(kind, str(place))
            sheet.add(node, (f"gr:{kind}", one_node))
            sheet.add(
                one_node,
                ("rdf:type", term("schema:PropertyValue")),
                ("schema:name", plain(name)),
                ("schema:value", plain(value)),
            )
