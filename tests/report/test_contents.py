"""Numbers, and where the code of the real papers stands."""

import pytest

from deeplimits import digest, registry
from deeplimits.errors import UserError
from deeplimits.report import sources
from deeplimits.report.contents import number
from deeplimits.report.page import maths, short, values
from deeplimits.report.references import PROJECT, references

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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("E[E_β] and u_t", "E[E<sub>β</sub>] and u<sub>t</sub>"),
        ("sup_t |X_L|, λ_max", "sup<sub>t</sub> |X<sub>L</sub>|, λ<sub>max</sub>"),
        ("N^{−1/2}, t^a, L^(−0.9)", "N<sup>−1/2</sup>, t<sup>a</sup>, L<sup>−0.9</sup>"),
        ("phase_diagram, ext_a, x_ab", "phase_diagram, ext_a, x_ab"),
        ("d < 4 & <b>_t^2", "d &lt; 4 &amp; &lt;b&gt;_t<sup>2</sup>"),
    ],
)
def test_indices_and_powers_are_set_and_all_else_stays_text(text, shown):
    assert maths(text) == shown


def test_a_commit_is_shortened_and_tells_of_changes():
    assert short("0123456789abcdef" + "0" * 24) == "0123456789ab"
    assert short("0123456789abcdef" + "0" * 24 + "+") == "0123456789ab+"
    assert short("unknown") == "unknown"


def test_the_project_itself_can_be_cited():
    reference = references()[PROJECT]
    assert reference.authors == "The deeplimits developers"
    assert reference.arxiv == ""


def test_a_claim_without_a_rule_is_named():
    with pytest.raises(UserError, match="kale2026: 0 modules define the claim no_such"):
        sources.rule("kale2026", "no_such")


@pytest.mark.parametrize("paper", registry.papers())
def test_every_paper_says_what_it_is(paper):
    reference = references()[paper]
    readme = (digest.SOURCE.parent / "README.md").read_text(encoding="utf-8")
    assert f"{reference.authors}: *{reference.title}*, arXiv {reference.arxiv}" in readme
    assert reference.bibtex in readme


@pytest.mark.parametrize("paper", registry.papers())
def test_interactive_plots_stand_beside_figures(paper):
    assert set(registry.members(paper, "interactive")) <= set(registry.members(paper, "figures"))
