"""The chain of a configuration, stage by stage in this process."""

import importlib
from pathlib import Path
from typing import Any

from deeplimits import config
from deeplimits.plan import Plan, Step


class Chain:
    """The plan of a configuration, and its steps run on demand in the working folder."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.plan = Plan(config.validate(raw))

    def make(self, stage: str, *name: str) -> tuple[Path, ...]:
        """Run the steps of `stage` whose names start so; returns their outputs."""
        steps = [step for key, step in self.plan.steps[stage].items() if key[: len(name)] == name]
        return tuple(output for step in steps for output in self.run(stage, step))

    def run(self, stage: str, step: Step, **changes: Any) -> tuple[Path, ...]:
        outputs = tuple(map(Path, step.outputs))
        module = importlib.import_module(f"deeplimits.stages.{stage}")
        module.run({**step.specification, **changes}, *outputs)
        return outputs

    def jobs(self, experiment: str) -> list[Step]:
        return [step for name, step in self.plan.steps["simulate"].items() if name[1] == experiment]

    def until(self, stage: str) -> None:
        """Run every step of the stages before `stage`."""
        for earlier in self.plan.steps:
            if earlier == stage:
                return
            if earlier not in ("plot", "typeset"):
                self.make(earlier)
