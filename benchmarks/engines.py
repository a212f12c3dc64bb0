"""Cost of a layer of the engines of fedorov2026, against drawing V and against their own numbers.

`direct n×d` is the model as the paper writes it, one matrix V a layer and replica (numpy, BLAS).
`numbers` is the time that numpy needs for the random numbers that the engine asks for, no more.
One BLAS thread, float64; a unit is one layer of one replica. Run by `make bench`.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import timing

from deeplimits import sphere
from deeplimits.fedorov2026 import gram, model, pair

OUTPUT = Path(__file__).resolve().parent.parent / "results" / "bench_engines.md"
MODEL = {"beta": 1.0, "dt": 1e-3}
MANY = 4096
Task = tuple[Callable[[], object], int]


def main() -> None:
    """Time all engines in one interleaved run and write the ratios as a Markdown table."""
    seconds = timing.interleaved(tasks())
    rows = [
        _row(f"two tokens, d = 512, batch {MANY}", "direct 2×512/pair 512", seconds, "≥ 1000"),
        _row("two tokens, d = 10⁶ against d = 8", "pair 10⁶/pair 8", seconds, "≤ 1.3"),
        _row(
            "two tokens, against its random numbers", "pair 512/numbers of a pair", seconds, "≤ 2"
        ),
        _row("Gram chain, n = 8, d = 512", "direct 8×512/gram 8×512", seconds, "≥ 100"),
        _row("Gram chain, n = 64, d = 1024", "direct 64×1024/gram 64×1024", seconds, "≥ 30"),
        _row("Gram chain, n = 3, against its numbers", "gram 3×512/numbers of 3", seconds, "≤ 4"),
        _row("Gram chain, n = 4, against its numbers", "gram 4×512/numbers of 4", seconds, "≤ 4"),
    ]
    head = ["| engine | ratio | median | range of rounds | target |", "|---|---|---|---|---|"]
    costs = [
        f"| {name} | {1e9 * cost.median:.4g} | {1e9 * cost.least:.4g}–{1e9 * cost.largest:.4g} |"
        for name, cost in seconds.items()
    ]
    table = [*head, *rows, "", "| task | ns a layer and replica | range |", "|---|---|---|", *costs]
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text("\n".join(table) + "\n", encoding="utf-8")
    print("\n".join(table))


def tasks() -> dict[str, Task]:
    """What is timed, with the layers times replicas that one call makes."""
    return {
        "pair 512": _pair(512),
        "direct 2×512": _direct(2, 512, replicas=16),
        "pair 10⁶": _pair(10**6),
        "pair 8": _pair(8),
        "numbers of a pair": _numbers(normals=5, degrees=(510, 509), replicas=MANY),
        "gram 8×512": _gram(8, 512, replicas=256),
        "direct 8×512": _direct(8, 512, replicas=16),
        "gram 64×1024": _gram(64, 1024, replicas=16),
        "direct 64×1024": _direct(64, 1024, replicas=4),
        "gram 3×512": _gram(3, 512, replicas=2048),
        "numbers of 3": _numbers(normals=9 + 3, degrees=(509, 508, 507), replicas=2048),
        "gram 4×512": _gram(4, 512, replicas=1024),
        "numbers of 4": _numbers(normals=16 + 6, degrees=(508, 507, 506, 505), replicas=1024),
    }


def _pair(d: int) -> Task:
    rng, layer = np.random.default_rng(1), pair.PairLayer(d=d, **MODEL)
    state = pair.at_cosine(np.zeros(MANY))
    return lambda: layer(rng, state), MANY


def _gram(n: int, d: int, replicas: int) -> Task:
    rng, layer = np.random.default_rng(2), gram.GramLayer(d=d, **MODEL)
    x = gram.uniform(rng, replicas, n, d)
    return lambda: layer(rng, x), replicas


def _direct(n: int, d: int, replicas: int) -> Task:
    rng, layer = np.random.default_rng(3), model.DirectLayer(**MODEL)
    x = sphere.normalize(rng.standard_normal((replicas, n, d)))
    return lambda: layer(rng, x), replicas


def _numbers(normals: int, degrees: tuple[int, ...], replicas: int) -> Task:
    rng = np.random.default_rng(4)

    def draw() -> None:
        rng.standard_normal((normals, replicas))
        for nu in degrees:
            rng.chisquare(nu, replicas)

    return draw, replicas


def _row(engine: str, ratio: str, seconds: dict[str, timing.Timing], target: str) -> str:
    above, below = (seconds[name] for name in ratio.split("/"))
    ends = f"{above.least / below.largest:.3g}–{above.largest / below.least:.3g}"
    return f"| {engine} | {ratio} | {above.median / below.median:.3g} | {ends} | {target} |"


if __name__ == "__main__":
    main()
