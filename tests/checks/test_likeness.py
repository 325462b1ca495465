"""What a report calls the likeness of the graphs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from groundrules import Config, check
from groundrules.align.graphs.kernel import KERNELS, metric_of
from groundrules.explain.formats import Look, load


@pytest.mark.parametrize("kernel", KERNELS)
def test_only_the_kernel_of_weisfeiler_and_lehman_is_called_wl(kernel: str) -> None:
    assert (metric_of(kernel) == "WL") is (kernel in ("wl", "weisfeiler_lehman"))


def test_a_report_calls_the_likeness_by_the_kernel_that_is_set() -> None:
    pytest.importorskip("grakel")
    config = replace(Config(), align=replace(Config().align, kernel="shortest_path"))

    report = check("Ann owns the mill.", context="Ann owns the mill.", config=config)

    names = [one.name for one in report.metrics]
    assert "shortest_path" in names
    assert "WL" not in names
    assert "by the kernel of that name" in load("full")([report], Look())
