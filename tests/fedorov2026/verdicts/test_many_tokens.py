"""The rules about many tokens, on shares whose answer is known."""

import pandas as pd
import pytest

from deeplimits.fedorov2026.verdicts import many_tokens
from deeplimits.fedorov2026.verdicts.many_tokens import (
    formations_persist,
    noise_prevents_one_cluster,
)

ONE, ANTIPODAL = 1, 2


def row(t: float, item: int, share: float, runs: int, quantity: str = "outcome", **cell) -> dict:
    place = {"dynamics": "noise", "n": 4, "d": 3, "beta": 2.0, "horizon": 256.0, "dt": 0.05}
    what = {"t": t, "quantity": quantity, "item": item, "count": round(share * runs), "runs": runs}
    return {**place, **cell, **what, "share": round(share * runs) / runs}


def judge(claim, rows: list[dict]):
    return claim.judge({"many_tokens_estimates": pd.DataFrame(rows)})


def contrast(
    *, noise: float = 0.8, flow: float = 1.0, runs: int = 600, odd: float = 1.0, **first
) -> list[dict]:
    """Shares in one cluster; `first` holds those of n = 4 at β = 2 that differ from the others."""
    rows = []
    for n, beta in [(n, beta) for n in (2, 4, 5, 6, 8, 32) for beta in (1.0, 2.0)]:
        own = first if (n, beta) == (4, 2.0) else {}
        asked = n in many_tokens.SMALL_EVEN
        shares = {"noise": own.get("noise_4", noise if asked else odd)}
        shares["flow"] = own.get("flow_4", flow)
        for dynamics, share in shares.items():
            cell = {"dynamics": dynamics, "n": n, "beta": beta}
            rows += [row(t, ONE, share, runs, **cell) for t in (160.0, 256.0)]
            rows.append(row(8.0, ONE, 0.2, runs, **cell))  # too early for the flow
            rows.append(row(160.0, ANTIPODAL, 0.0, runs, **cell))
    return rows


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "reproduced"),
        ({"odd": 0.0}, "reproduced"),  # neither odd nor large n are asked about
        ({"noise_4": 0.92}, "reproduced"),
        ({"noise_4": 0.97}, "inconclusive"),
        ({"noise_4": 1.0}, "contradicted"),
        ({"flow_4": 0.8}, "contradicted"),
        ({"flow_4": 0.9}, "inconclusive"),
        ({"noise": 0.8, "runs": 20}, "inconclusive"),
        ({"noise": 1.0, "runs": 60}, "inconclusive"),
    ],
)
def test_noise_prevents_one_cluster(changes, expected):
    assert judge(noise_prevents_one_cluster, contrast(**changes)).verdict == expected


def test_flow_is_asked_only_when_it_has_had_time():
    """From t = 138.99 on at β = 2: the first depth from there on decides, not a later one."""
    rows = contrast(noise_4=0.8)
    late = [{**r, "count": r["runs"]} if r["t"] == 256.0 else r for r in rows]
    assert judge(noise_prevents_one_cluster, late).verdict == "reproduced"
    early = [{**r, "t": 138.0} if r["t"] == 160.0 else r for r in late]
    assert judge(noise_prevents_one_cluster, early).verdict == "contradicted"
    nothing = [r for r in rows if r["t"] == 8.0 and r["beta"] == 2.0]
    found = judge(noise_prevents_one_cluster, nothing)
    assert (found.verdict, found.setting) == ("inconclusive", "no cell")


def test_cells_without_attraction_are_not_asked_about():
    """d − 2 = 4 > cosh 2 = 3.76: no antipodal formation is predicted at d = 6, β = 1."""
    others = [{**r, "d": 6} for r in contrast(noise=1.0) if r["beta"] == 1.0]
    assert judge(noise_prevents_one_cluster, contrast() + others).verdict == "reproduced"
    others = [{**r, "d": 5} for r in contrast(noise=1.0) if r["beta"] == 1.0]
    assert judge(noise_prevents_one_cluster, contrast() + others).verdict == "contradicted"


def test_noise_needs_four_cells():
    few = [r for r in contrast() if r["beta"] == 2.0]
    assert judge(noise_prevents_one_cluster, few).verdict == "inconclusive"


def formed(
    *, share: float = 0.5, kept: float = 0.9, runs: int = 200, sizes=(3, 4, 8, 32), d: int = 3
) -> list[dict]:
    """Antipodal shares at t = 16, and of those of t = 4; all antipodal later."""
    rows = []
    for n in sizes:
        cell = {"n": n, "d": d, "beta": 3.0, "horizon": 64.0}
        rows.append(row(16.0, ANTIPODAL, share, runs, **cell))
        rows.append(row(16.0, ONE, 1 - share, runs, **cell))
        rows.append(row(64.0, ANTIPODAL, 1.0, runs, **cell))
        if share:
            rows.append(row(16.0, ANTIPODAL, kept, round(runs * share), "kept", **cell))
            rows.append(row(16.0, ONE, 1 - kept, round(runs * share), "kept", **cell))
    return rows


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "reproduced"),
        ({"share": 0.25, "kept": 0.8, "runs": 400}, "reproduced"),
        ({"share": 0.12}, "inconclusive"),
        ({"share": 0.02, "runs": 400}, "contradicted"),
        ({"share": 0.0}, "contradicted"),
        ({"kept": 0.3}, "contradicted"),
        ({"kept": 0.55}, "inconclusive"),
        ({"runs": 12}, "inconclusive"),
        ({"sizes": (3, 4, 8)}, "inconclusive"),
    ],
)
def test_formations_persist(changes, expected):
    assert judge(formations_persist, formed(**changes)).verdict == expected


def test_every_number_of_tokens_needs_a_formation_that_persists():
    """Another d may provide it; one n without any is enough to contradict."""
    none = formed(share=0.0, d=16)
    assert judge(formations_persist, formed() + none).verdict == "reproduced"
    assert judge(formations_persist, formed() + formed(share=0.0, sizes=[64])).verdict == (
        "contradicted"
    )
    short = formed(kept=0.3, sizes=[64]) + formed(kept=0.55, sizes=[64], d=2)
    assert judge(formations_persist, formed() + short).verdict == "inconclusive"


def test_cells_near_the_threshold_and_two_tokens_are_not_asked_about():
    near = [{**r, "beta": 1.0} for r in formed(share=0.0)]
    two = formed(share=0.0, sizes=[2])
    flow = [{**r, "dynamics": "flow"} for r in formed(share=0.0)]
    assert judge(formations_persist, formed() + near + two + flow).verdict == "reproduced"
    assert judge(formations_persist, near + two + flow).verdict == "inconclusive"
