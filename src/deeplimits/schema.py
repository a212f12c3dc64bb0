"""The vocabulary of an experiment: its axes, its settings and the columns of its tables.

Axes and settings are closed pydantic models: an unknown key, a value of another type, outside its
range or not finite is refused. Columns say what a table holds, in which unit.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Dimension = Annotated[int, Field(ge=2)]
Positive = Annotated[float, Field(gt=0)]
NonNegative = Annotated[float, Field(ge=0)]
PositiveInt = Annotated[int, Field(ge=1)]

Dtype = Literal["float64", "int64", "string", "bool"]


class Closed(BaseModel):
    """A frozen model that refuses unknown keys, coercions, NaN and infinities."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Axes(Closed):
    """The coordinates of one cell of a grid: one field an axis."""


class Settings(Closed):
    """What all cells of an experiment share."""


@dataclass(frozen=True)
class Column:
    """One column of a table: name, type, unit ("1" where dimensionless) and meaning."""

    name: str
    dtype: Dtype
    unit: str
    meaning: str
    nullable: bool = False
