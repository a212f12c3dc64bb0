"""The step-size rules, one function each: baselines, and our reconstruction of the paper's.

The step sizes of Kale et al. (arXiv 2602.18946) are not known to us, only their abstract: the
"reconstructed" rules are ours. Whoever has the paper adds its rule here, so:

>>> import numpy as np
>>> from deeplimits.kale2026 import schedules
>>> @schedules.rule("paper")
... def paper(gamma, power=0.5):
...     \"\"\"η_t = (1 + γ²t)^power.\"\"\"
...
...     def log_step(t, seen):
...         return power * np.log1p(gamma**2 * t)
...
...     return log_step
>>> schedules.get("paper(2)").start(np.array([[0.1]]))(100, None).round(3)
array([[1.386]])

and every driver and experiment takes "paper" or "paper(2)" wherever it takes the name of a rule.
What a rule is given, and must return, stands in `step_rules`.
"""

import math

import numpy as np

from deeplimits.kale2026.step_rules import (
    LogStep,
    Observation,
    Rule,
    RuleName,
    Searchable,
    SgdRuleName,
    get,
    names,
    rule,
)

__all__ = ["Rule", "RuleName", "SgdRuleName", "get", "names", "rule"]

# Constants of Armijo backtracking: the demanded share of η|∇L|², and the factor between trials.
ARMIJO_SHARE = 0.5
ARMIJO_FACTOR = 2.0

WINDOW_POWER = 2 / 3
"""The running mean of sampled losses reaches back over about t^WINDOW_POWER steps."""


@rule("constant")
def constant(gamma: np.ndarray, eta: float) -> LogStep:
    """η_t = eta: small, or large and then unstable first (Wu et al. 2024, arXiv 2402.15926)."""
    log_eta = np.full(gamma.shape, math.log(eta))
    return lambda t, seen: log_eta


@rule("horizon_tuned")
def horizon_tuned(gamma: np.ndarray, horizon: float) -> LogStep:
    """η = γ²T, constant, for a run that is meant to end at T (Wu et al. 2024)."""
    log_eta = np.log(gamma**2 * horizon)
    return lambda t, seen: log_eta


@rule("inverse_sqrt")
def inverse_sqrt(gamma: np.ndarray, eta: float) -> LogStep:
    """η_t = eta/√(t+1), the classical choice for SGD."""
    log_eta = np.full(gamma.shape, math.log(eta))
    return lambda t, seen: log_eta - 0.5 * math.log(t + 1)


@rule("large_adaptive")
def large_adaptive(gamma: np.ndarray, eta: float) -> LogStep:
    """η_t = eta/(1 − e^{−L(w_t)}) (Zhang, Wu, Lin, Bartlett 2025, arXiv 2504.04105)."""
    tail = 40.0  # 1 − e^{−L} = L to rounding for L < e^{−tail}

    def log_step(t: int, seen: Observation) -> np.ndarray:
        near = np.maximum(seen.log_loss, -tail)
        return math.log(eta) - np.log(-np.expm1(-np.exp(near))) + (near - seen.log_loss)

    return log_step


@rule("loss_normalized")
def loss_normalized(gamma: np.ndarray, eta: float = 1.0) -> LogStep:
    """η_t = eta/L(w_t) (Ji & Telgarsky 2021); with SGD eta/ℓ_{i_t}(w_t), without any cap."""
    return lambda t, seen: math.log(eta) - seen.log_loss


@rule("gradient_normalized")
def gradient_normalized(gamma: np.ndarray, eta: float = 1.0) -> LogStep:
    """η_t = eta/(|∇L(w_t)| √(t+1)) (Nacson et al. 2019)."""
    return lambda t, seen: math.log(eta) - 0.5 * math.log(t + 1) - seen.log_gradient_norm


@rule("armijo", line_search=True)
def armijo(gamma: np.ndarray) -> LogStep:
    """Armijo backtracking (Vaswani & Babanezhad 2025, arXiv 2503.00229).

    The first trial is twice the last accepted step (2 at t = 0); it is halved until
    L(w − η∇L) ≤ L(w) − ½η|∇L|².
    """
    log_eta = np.zeros(gamma.shape)

    def log_step(t: int, seen: Searchable) -> np.ndarray:
        nonlocal log_eta
        log_eta = log_eta + math.log(ARMIJO_FACTOR)
        rejected = np.ones(gamma.shape, dtype=bool)
        while rejected.any():
            wanted = ARMIJO_SHARE * np.exp(log_eta + 2 * seen.log_gradient_norm - seen.log_loss)
            with np.errstate(divide="ignore", invalid="ignore"):
                bound = np.where(wanted < 1, seen.log_loss + np.log1p(-wanted), -np.inf)
            rejected &= ~(seen.log_loss_after(log_eta, rejected) <= bound)
            log_eta = np.where(rejected, log_eta - math.log(ARMIJO_FACTOR), log_eta)
        return log_eta

    return log_step


class _Growth:
    """u = ln(γ²S) of S₀ = 1/γ², S_{t+1} = S_t + η_t, η_t = γ²S_t/(1 + ½ln²(γ²S_t)) [ours].

    In u the schedule is η = e^u/(1 + ½u²), and u grows by log1p(γ²/(1 + ½u²)): in continuous time
    u + u³/6 = γ²t, which is the law predicted for −ln L.
    """

    def __init__(self, gamma: np.ndarray) -> None:
        self._gamma2 = gamma**2
        self._u = np.zeros(gamma.shape)

    def log_step(self) -> np.ndarray:
        """Return ln η_t."""
        return self._u - np.log1p(0.5 * self._u**2)

    def advance(self, log_step: np.ndarray) -> None:
        """S ← S + η for the η of `log_step`."""
        self._u = self._u + np.log1p(self._gamma2 * np.exp(log_step - self._u))


@rule("reconstructed")
def reconstructed(gamma: np.ndarray) -> LogStep:
    """S₀ = 1/γ², η_t = γ²S_t/(1 + ½ln²(γ²S_t)), S_{t+1} = S_t + η_t: our reconstruction.

    Increasing and not adaptive: only γ and t enter.
    """
    growth = _Growth(gamma)

    def log_step(t: int, seen: Observation) -> np.ndarray:
        log_eta = growth.log_step()
        growth.advance(log_eta)
        return log_eta

    return log_step


@rule("reconstructed_capped")
def reconstructed_capped(gamma: np.ndarray) -> LogStep:
    """η_t = min(η, 1/ℓ_{i_t}(w_t)) with η of "reconstructed", S advanced by the η_t used: ours."""
    growth = _Growth(gamma)

    def log_step(t: int, seen: Observation) -> np.ndarray:
        log_eta = np.minimum(growth.log_step(), -seen.log_loss)
        growth.advance(log_eta)
        return log_eta

    return log_step


class _RunningMean:
    """ln L̂ of the running mean L̂ ← (1 − ρ)L̂ + ρℓ with ρ = (t+1)^{−2/3} [ours].

    The window of about t^{2/3} steps grows without bound, so that it comes to hold every point of
    the set many times over, however rare; and it stays short against t/y, the time in which a loss
    e^{−y} with y ~ t^{1/3} falls by a factor e, so that L̂ does not lag behind.
    """

    def __init__(self, gamma: np.ndarray) -> None:
        self._log_mean = np.zeros(gamma.shape)

    def update(self, t: int, log_loss: np.ndarray) -> np.ndarray:
        """Take in ℓ_{i_t}(w_t) and return ln L̂."""
        if t == 0:
            self._log_mean = log_loss
        else:
            log_share = -WINDOW_POWER * math.log(t + 1)
            kept = math.log1p(-math.exp(log_share)) + self._log_mean
            self._log_mean = np.logaddexp(kept, log_share + log_loss)
        return self._log_mean


@rule("reconstructed_averaged")
def reconstructed_averaged(gamma: np.ndarray) -> LogStep:
    """η_t = 1/(L̂_t(1 + ½ln²L̂_t)), L̂ ≤ 1 the running mean of sampled losses; no γ: ours.

    The reconstructed schedule is e^u/(1 + ½u²) with −ln L following u; here −ln L̂ takes the place
    of u, so that −ln L obeys the same law without being told γ, but for the lag of the mean
    (`theory.averaged_lag`). Only sampled losses enter: no full loss, no line search.
    """
    mean = _RunningMean(gamma)

    def log_step(t: int, seen: Observation) -> np.ndarray:
        u = np.maximum(-mean.update(t, seen.log_loss), 0.0)
        return u - np.log1p(0.5 * u**2)

    return log_step
