"""The steps of the toy papers by name, and which of them a change of the configuration moves."""

from collections.abc import Callable
from typing import Any

from deeplimits import digest

Raw = dict[str, Any]


def job(**fixed: Any) -> str:
    """The simulation job of the toy's walks with these values of the split axes."""
    return f"simulate toy2026 walks {digest.key(fixed)[:12]}"


WHOLE = digest.key({})[:12]  # name of the job of a grid that is not split

LAST = {"summarize", "report"}  # what follows from the tables of every paper
JUDGE = {"judge toy2026", *LAST}
AFTER_ENDS = {"plot toy2026 ends", *JUDGE}
AFTER_WALKS = {"aggregate toy2026 walks", "estimate toy2026 walks", *AFTER_ENDS}
WALKS = {"grid toy2026 walks", job(drift=0.5), job(drift=1.0), *AFTER_WALKS}
AFTER_POWERS = {
    *("aggregate toy2026 powers", "plot toy2026 powers", "typeset toy2026 powers"),
    *LAST,
}
POWERS = {"grid toy2026 powers", f"simulate toy2026 powers {WHOLE}", *AFTER_POWERS}
AFTER_SQUARES = {"aggregate tiny2027 squares", *LAST}
SQUARES = {"grid tiny2027 squares", f"simulate tiny2027 squares {WHOLE}", *AFTER_SQUARES}
EVERY_AFTER = AFTER_WALKS | AFTER_POWERS | AFTER_SQUARES
EVERYTHING = WALKS | POWERS | SQUARES


def walks(raw: Raw) -> Raw:
    """The block of the walks."""
    return raw["papers"]["toy2026"]["walks"]


def axes(raw: Raw) -> dict[str, list]:
    """The only product of the walks' grid."""
    return walks(raw)["grid"][0]


def reorder(raw: Raw) -> None:
    walks(raw)["grid"] = [{axis: values[::-1] for axis, values in reversed(axes(raw).items())}]


def swap_settings(raw: Raw) -> None:
    settings = walks(raw)["settings"]
    settings["scale"], settings["offset"] = settings["offset"], settings["scale"]


def swap_axes(raw: Raw) -> None:
    product = axes(raw)
    product["drift"], product["spread"] = product["spread"], product["drift"]


def other_paper(raw: Raw) -> None:
    raw["papers"]["tiny2027"]["squares"]["grid"][0]["size"] = [1, 3]


# change of the configuration → the steps that run again, all of them with another result
CHANGES: dict[str, tuple[Callable[[Raw], Any], set[str]]] = {
    "order of axes and values": (reorder, set()),
    "1 written as 1.0": (lambda raw: axes(raw).update(drift=[0.5, 1.0]), set()),
    "a default, written": (lambda raw: walks(raw).update(paired=[]), set()),
    "limits": (lambda raw: raw.update(limits={"cells": 500, "jobs": 50}), set()),
    "resources": (lambda raw: raw["resources"]["simulate"].update(mem_mb=7), set()),
    "resources of an experiment": (
        lambda raw: walks(raw).update(resources={"mem_mb": 7, "runtime": 7}),
        set(),
    ),
    "folder of the logs": (lambda raw: raw["folders"].update(logs="other"), set()),
    "seed": (lambda raw: raw.update(seed=2), EVERYTHING),
    "setting": (
        lambda raw: walks(raw)["settings"].update(steps=5),
        WALKS - {"grid toy2026 walks"},
    ),
    "settings that swap their values": (swap_settings, WALKS - {"grid toy2026 walks"}),
    "split value added": (
        lambda raw: axes(raw).update(drift=[0.5, 0.7, 1]),
        {"grid toy2026 walks", job(drift=0.7), *AFTER_WALKS},
    ),
    "split value dropped": (
        lambda raw: axes(raw).update(drift=[1]),
        {"grid toy2026 walks", *AFTER_WALKS},
    ),
    "inner value added": (lambda raw: axes(raw)["replica"].append(3), WALKS),
    "inner value dropped": (lambda raw: axes(raw)["replica"].pop(), WALKS),
    "axes that swap their values": (
        swap_axes,
        {"grid toy2026 walks", job(drift=0.1), job(drift=2.0), *AFTER_WALKS},
    ),
    "paired axis": (lambda raw: walks(raw).update(paired=["kind"]), WALKS),
    "scale": (lambda raw: raw.update(scale="reduced"), EVERY_AFTER),
    "block of the other paper": (other_paper, SQUARES),
}
