"""Figures with one small panel a model, for the experiments on two tokens."""

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deeplimits import plotstyle
from deeplimits.agazzi2026 import two_tokens

COLUMNS = 4
NAMES = {"relu": "ReLU", "silu": "SiLU", "gelu": "GELU"}


def panels(table: pd.DataFrame) -> tuple[Figure, list[tuple[Axes, pd.DataFrame]]]:
    """A page-wide figure, and for every model its panel, titled, and its rows."""
    models = list(table.groupby(two_tokens.AXES, sort=True))
    rows = math.ceil(len(models) / COLUMNS)
    figure, axes = plotstyle.subplots(rows, COLUMNS, width=plotstyle.PAGE, height=0.6 + 1.5 * rows)
    for ax in axes.flat[len(models) :]:
        ax.remove()
    result = []
    for ax, (model, part) in zip(axes.flat, models, strict=False):
        ax.set_title(title(*model))
        result.append((ax, part))
    return figure, result


def title(activation: str, d: int, sigma_u: float, sigma_w: float) -> str:
    """The model in words."""
    bias = rf"\sigma = {sigma_u:g}"
    if sigma_u != sigma_w:
        bias = rf"\sigma_U = {sigma_u:g}, \sigma_W = {sigma_w:g}"
    return rf"{NAMES.get(activation, activation)}, $d = {d}$, ${bias}$"
