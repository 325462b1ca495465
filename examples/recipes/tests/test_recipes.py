"""recipes, as it is installed: `pip install -e .` first."""

from groundrules import Config, check
from groundrules.cli.main import main

CONFIG = Config(ontology="recipes")


def test_a_fault_is_found():
    report = check("Lot 7 weighs 0 kg. Lot 8 weighs 40 kg.", config=CONFIG)

    assert [found.message for found in report.violations] == ["Lot 7 weighs 0 kg"]


def test_what_the_lexicon_words_is_read():
    report = check("Acme Corp. supplies Birch Holdings.", config=CONFIG)

    assert any("recipes: 1 assertions" in note for note in report.run.notes)


def test_the_rules_pass_their_tests():
    assert main(["test", "recipes"]) == 0
