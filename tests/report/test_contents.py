"""Numbers, and where the code of the real papers stands."""

import pytest

from deeplimits import digest, registry
from deeplimits.errors import UserError
from deeplimits.report import sources
from deeplimits.report.contents import number
from deeplimits.report.page import values

NAN = float("nan")


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (1.00349, 0.0084, "1.0035 ± 0.0084"),
        (-0.003689, 0.00086, "−0.00369 ± 0.00086"),
        (45.97, 1.0, "46.0 ± 1.0"),
        (12345.6, 240.0, "12346 ± 240"),
        (1.69412, NAN, "1.694"),
        (2.5, 0.0, "2.5"),
        (3.2e-9, 1e-10, "3.200e−09 ± 1.0e−10"),
    ],
)
def test_a_number_has_two_digits_of_its_error(value, error, text):
    assert number(value, error) == text


def test_long_axes_are_shortened():
    assert values(["a", 1.5]) == "a, 1.5"
    assert values(range(100)) == "0, 1, …, 99 (100 values)"


@pytest.mark.parametrize("paper", registry.papers())
def test_every_claim_has_one_rule_in_the_repository(paper):
    for claim in registry.load(paper, "claims").CLAIMS:
        path = digest.SOURCE.parent / sources.rule(paper, claim.name)
        assert f"\ndef {claim.name}(" in path.read_text(encoding="utf-8")


def test_a_claim_without_a_rule_is_named():
    with pytest.raises(UserError, match="kale2026: 0 modules define the claim no_such"):
        sources.rule("kale2026", "no_such")


@pytest.mark.parametrize("paper", registry.papers())
def test_every_paper_says_what_it_is(paper):
    about = digest.literal(registry.name(paper, "about"), "PAPER")
    assert sorted(about) == ["arxiv", "authors", "title"]
    readme = (digest.SOURCE.parent / "README.md").read_text(encoding="utf-8")
    assert f"*{about['title']}*, arXiv {about['arxiv']}" in readme
    assert f"{about['authors']}: " in readme


@pytest.mark.parametrize("paper", registry.papers())
def test_interactive_plots_stand_beside_figures(paper):
    assert set(registry.members(paper, "interactive")) <= set(registry.members(paper, "figures"))
