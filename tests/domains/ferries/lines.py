"""An output format: a line each violation."""


def render(reports, look):
    """Return the violations of reports, a line each."""
    rows = [(report.source, one) for report in reports for one in report.violations]
    return "".join(f"{name}\t{one.rule}\t{one.message}\n" for name, one in rows)
