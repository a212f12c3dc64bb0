"""The part of the README, and the badges."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from deeplimits.errors import UserError
from deeplimits.gallery import badges, block
from deeplimits.gallery.record import Record


def claim(
    paper: str, verdict: str, joint: str, reason: str = "", origin: str = "paper"
) -> dict[str, str]:
    return {
        "paper": paper,
        "claim": "name",
        "statement": f"Stated {joint}.",
        "origin": origin,
        "measured": "one | two",
        "verdict": verdict,
        "joint_verdict": joint,
        "joint_reason": reason,
    }


CLAIMS = [
    claim("one", "reproduced", "reproduced"),
    claim("one", "reproduced", "inconclusive", "reproduced here, contradicted under stress"),
    claim("two", "contradicted", "contradicted", "contradicted here and under stress", "ours"),
]


def text(claims: list[dict[str, str]]) -> str:
    return block.text(Record("c", "v", 3, {}, claims), {"one": {}, "two": {}}, "docs")


def test_claims_are_counted_by_paper_and_by_who_states_them() -> None:
    lines = text(CLAIMS).splitlines()
    assert lines[0] == (
        "| claims reproduced | stated by the paper | stated by the paper, made precise by us "
        "| stated by us |"
    )
    assert lines[2:5] == [
        "| `one` | 1 of 2 | none stated | none stated |",
        "| `two` | none stated | none stated | 0 of 1 |",
        "| all | 1 of 2 | none stated | 0 of 1 |",
    ]


def test_what_does_not_hold_is_listed_and_a_flip_says_why() -> None:
    lines = text(CLAIMS).splitlines()
    assert lines[-2:] == [
        "- `one`: Stated inconclusive. **inconclusive** "
        "(reproduced here, contradicted under stress)",
        "- `two`: Stated contradicted. **contradicted**",
    ]


def test_nothing_is_listed_where_every_claim_holds() -> None:
    assert "Not reproduced" not in text(CLAIMS[:1])


@pytest.mark.parametrize(
    "readme",
    [
        "",
        block.START,
        block.END,
        f"{block.END}{block.START}",
        f"{block.START}{block.END}{block.START}",
        f"{block.START}{block.END}{block.END}",
    ],
)
def test_a_readme_needs_one_place_for_it(readme: str) -> None:
    with pytest.raises(UserError, match=r"^README\.md: needs the lines"):
        block.put(readme, "text", Path("README.md"))


def test_the_rest_of_a_readme_stays() -> None:
    put = block.put(f"before{block.START}old{block.END}after", "new", Path("README.md"))
    assert put == f"before{block.START}\n\nnew\n{block.END}after"


def test_a_badge_is_svg_that_says_in_words_what_it_shows() -> None:
    root = ET.fromstring(badges.badge("a < b", "1 & 2", "#123456"))
    assert root.get("aria-label") == "a < b: 1 & 2"
    assert [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")] == [
        "a < b",
        "1 & 2",
    ]


def test_the_badge_of_claims_is_green_only_if_all_hold() -> None:
    assert "3 of 3" in badges.claims(3, 3)
    assert "2 of 3" in badges.claims(2, 3)
    assert badges.claims(3, 3).count("#1f6f43") == 1
    assert "#1f6f43" not in badges.claims(2, 3)


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("svg", [badges.claims(1, 1), badges.claims(0, 1), badges.figures(2)])
def test_white_letters_stand_out_on_every_badge(svg: str) -> None:
    for node in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}rect"):
        assert 1.05 / (luminance(node.get("fill")) + 0.05) >= 4.5
