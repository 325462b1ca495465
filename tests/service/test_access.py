"""Keys and hosts: what lets others ask, and what is refused before the service starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundrules.errors import ConfigError
from groundrules.service.access import KEYS, admits, listen, read_keys

ONE, OTHER = "one-key-of-some-length", "another-key-of-a-length"


def test_keys_are_read_from_a_file_and_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEYS, f"{OTHER}, {ONE}")
    file = tmp_path / "keys.txt"
    file.write_text(f"# of the team\n{ONE}  # until May\n\n")
    assert read_keys(str(file)) == (ONE, OTHER)
    monkeypatch.delenv(KEYS)
    assert read_keys() == ()


@pytest.mark.parametrize("text", ["short", f"{ONE} {OTHER}", "ключ-из-многих-знаков"])
def test_a_key_that_is_no_good_is_told_and_not_repeated(tmp_path: Path, text: str) -> None:
    file = tmp_path / "keys.txt"
    file.write_text(f"{ONE}\n{text}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="a key is no good") as caught:
        read_keys(str(file))
    assert caught.value.line == 2
    assert text not in str(caught.value)


def test_a_file_without_a_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "keys.txt").write_text("# none\n")
    with pytest.raises(ConfigError, match="has no key"):
        read_keys(str(tmp_path / "keys.txt"))
    with pytest.raises(ConfigError, match="cannot be read"):
        read_keys(str(tmp_path / "none.txt"))


def test_every_key_admits_and_nothing_else_does() -> None:
    for key in (ONE, OTHER):
        assert admits((ONE, OTHER), f"Bearer {key}")
        assert admits((ONE, OTHER), f"bearer {key} ")
    for header in (
        "",
        ONE,
        f"Basic {ONE}",
        f"Bearer {ONE[:-1]}",
        "Bearer ",
        f"Bearer {ONE},{OTHER}",
    ):
        assert not admits((ONE, OTHER), header)
    assert not admits((), "Bearer ")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
def test_others_may_ask_only_with_a_key(host: str) -> None:
    with pytest.raises(ConfigError, match="--keys FILE"):
        listen(host, 0, ())


@pytest.mark.enable_socket
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_this_machine_may_ask_without_a_key(host: str) -> None:
    with listen(host, 0, ()):
        pass
