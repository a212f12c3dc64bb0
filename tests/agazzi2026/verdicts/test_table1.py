"""The rule of Table 1 on the paper's own numbers and on wrong ones."""

import csv
from importlib import resources

import pandas as pd

from deeplimits.agazzi2026.verdicts import table1

QUANTITIES = table1.QUANTITIES


def printed() -> pd.DataFrame:
    file = resources.files("deeplimits.agazzi2026").joinpath("reference/table1.csv")
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    data = {name: [float(row[name]) for row in rows] for name in QUANTITIES}
    return pd.DataFrame({**data, **{f"paper_{name}": data[name] for name in QUANTITIES}})


def judge(table: pd.DataFrame) -> str:
    return table1.table1_values.judge({"table1": table}).verdict


def test_all_equal_is_reproduced():
    assert judge(printed()) == "reproduced"


def test_one_unit_in_the_last_digit_contradicts():
    table = printed()
    table.loc[3, "kappa1"] *= 1.01
    assert judge(table) == "contradicted"


def test_a_part_of_the_table_is_inconclusive():
    assert judge(printed().iloc[:5]) == "inconclusive"


def test_cells_without_printed_value_do_not_count():
    extra = printed().iloc[:1].assign(**{f"paper_{name}": float("nan") for name in QUANTITIES})
    assert judge(pd.concat([printed(), extra])) == "reproduced"
