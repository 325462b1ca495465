from pathlib import Path

import pytest

from groundrules.config import DEFAULT, AlignConfig, Config, LLMConfig, find, load, read
from groundrules.errors import ConfigError
from tests.rows import each
from tests.work import assert_linear


def write(folder: Path, text: str, name: str = "pyproject.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_the_defaults_hold(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load(isolated=True) == Config()
    assert Config().align == AlignConfig(threshold=0.35)
    assert {origin for _, _, origin in Config().values()} == {DEFAULT}


def test_every_key_is_read_and_knows_its_line(tmp_path):
    path = write(
        tmp_path,
        """[project]
name = "x"
[tool.groundrules]
packs = ["core", "./ours"]
disable = ["GR210"]
model = "en_core_web_lg"
not_enough_info = "fail"
unverifiable = 0.1
settled = 0.8
align.threshold = 0.3
[tool.groundrules.rules.GR101]
threshold = 0.85
severity = "warning"
[tool.groundrules.rules]
GR900 = { alpha = 0.2 }
""",
    )
    config = read(path)
    assert config.packs == ("core", "./ours")
    assert config.disable == ("GR210",)
    assert config.model == "en_core_web_lg"
    assert (config.policy, config.unverifiable) == (("not_enough_info",), 0.1)
    assert (Config().policy, Config().settled, config.settled) == ((), 0.5, 0.8)
    assert config.align == AlignConfig(threshold=0.3)
    assert config.rules == {
        "GR101": {"threshold": 0.85, "severity": "warning"},
        "GR900": {"alpha": 0.2},
    }
    assert config.base == tmp_path
    lines = {key: origin.rpartition(":")[2] for key, _, origin in config.values()}
    assert lines["packs"] == "4"
    assert lines["align.threshold"] == "10"
    assert lines["rules.GR101.severity"] == "13"
    assert lines["rules.GR900.alpha"] == "15"
    assert lines["select"] == DEFAULT


def test_a_file_of_our_own_needs_no_header(tmp_path):
    path = write(tmp_path, 'embedding = "x"\n[align]\nh = 3\n', "groundrules.toml")
    config = read(path)
    assert (config.embedding, config.align.h) == ("x", 3)
    assert config.origin("align.h") == f"{path}:3"


def test_a_language_model_is_a_table_of_its_own(tmp_path):
    text = "scorer = 'llm'\n[llm]\nmodel = 'http://x/v1'\nmax_cost = 1\nseed = 3\n"
    config = read(write(tmp_path, text, "groundrules.toml"))
    assert config.llm == LLMConfig(model="http://x/v1", max_cost=1.0, seed=3)
    assert config.scorer == "llm"
    assert {key: value for key, value, _ in config.values()}["llm.seed"] == 3
    assert config.origin("llm.seed").endswith("groundrules.toml:5")


def test_every_key_is_documented(tmp_path):
    page = (Path(__file__).parents[1] / "docs/reference/commands.md").read_text("utf-8")
    block = page.partition("```toml\n[tool.groundrules]")[2].partition("```")[0]
    told = read(write(tmp_path, f"[tool.groundrules]{block}"))
    keys = {key for key, *_ in told.values() if not key.startswith("rules.")}
    assert keys == {key for key, *_ in Config().values()}
    assert keys <= told.origins.keys() | {"context", "supersedes"}


def test_the_nearest_file_upward_wins_and_a_foreign_pyproject_is_passed_over(tmp_path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    outer = write(tmp_path, "[tool.groundrules]\nselect = ['GR1']\n")
    write(tmp_path / "a", "[tool.other]\nx = 1\n")
    assert find(inner) == outer
    own = write(tmp_path / "a", "select = ['GR2']\n", "groundrules.toml")
    assert find(inner) == own


@each("text line message")
def test_a_fault_is_named_with_its_line(tmp_path, text, line, message):
    with pytest.raises(ConfigError) as caught:
        read(write(tmp_path, text))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    if line is not None:
        assert caught.value.line == line


def test_a_file_that_cannot_be_read_is_one_line(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_bytes(b"x = '\xff'")
    with pytest.raises(ConfigError, match="not UTF-8"):
        load(tmp_path / "bad.toml")


def test_a_table_names_the_documents_of_texts_by_patterns(tmp_path):
    for name in ("a.md", "answers/b.md", "leases/x/one.txt", "leases/two.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    config = read(write(tmp_path, '[context]\n"**/*.md" = ["leases/**/*.txt"]', "groundrules.toml"))

    assert config.context == {"**/*.md": ("leases/**/*.txt",)}
    assert config.origin("context") == f"{tmp_path / 'groundrules.toml'}:1"
    assert config.matching("**/*.md") == {tmp_path / "a.md", tmp_path / "answers/b.md"}
    assert config.documents_of("**/*.md") == (
        tmp_path / "leases/two.txt",
        tmp_path / "leases/x/one.txt",
    )


@pytest.mark.parametrize("pattern", ["../secret.txt", "link.txt", "folder/../../secret.txt"])
def test_a_pattern_leads_to_nothing_outside_the_folder_of_the_file(tmp_path, pattern):
    folder = tmp_path / "repository"
    (folder / "folder").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("x")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    config = read(write(folder, f'[context]\n"a.md" = ["{pattern}"]', "groundrules.toml"))

    assert config.matching(pattern) == frozenset()
    with pytest.raises(ConfigError, match="is no file below") as caught:
        config.documents_of("a.md")
    assert str(caught.value).startswith(f"{folder / 'groundrules.toml'}:1: context: ")


@pytest.mark.parametrize("pattern", ["/etc/passwd", "a/**b", "\\u0000"])
def test_what_is_no_pattern_is_refused_in_a_line(tmp_path, pattern):
    config = read(write(tmp_path, f'[context]\n"a.md" = ["{pattern}"]', "groundrules.toml"))

    with pytest.raises(ConfigError, match=r"is no (pattern|file)") as caught:
        config.documents_of("a.md")
    assert "\n" not in str(caught.value)


def test_the_work_of_reading_is_linear_in_the_rules(tmp_path: Path) -> None:
    def run(count: int) -> None:
        path = tmp_path / "groundrules.toml"
        path.write_text("".join(f"[rules.GR{n}]\nseverity = 'error'\n" for n in range(count)))
        read(path)

    assert_linear(run, 100)


@pytest.mark.parametrize(
    ("kind", "given", "told"),
    [
        (Config, {"settled": 3}, "settled = 3; expected a number from 0 to 1"),
        (Config, {"kb": "wikidata"}, "kb = 'wikidata'; expected an array of strings"),
        (AlignConfig, {"h": 2.5}, "align.h = 2.5; expected a whole number from 0 to 20"),
        (LLMConfig, {"jobs": ("sums",)}, "llm.jobs = ('sums',); expected an array of triples"),
    ],
)
def test_a_program_may_set_what_a_file_may(kind, given, told):
    with pytest.raises(ConfigError) as caught:
        kind(**given)
    assert str(caught.value).startswith(told)
