"""Hypothesis profiles: `dev` while writing, `ci` where CI is set (the same examples on every run), `nightly` for depth.

Choose one with HYPOTHESIS_PROFILE. No test has a deadline: time is measured by benchmarks, in ratios.
"""

import os

from hypothesis import HealthCheck, settings

_SLOW = [HealthCheck.too_slow]
settings.register_profile("dev", deadline=None, max_examples=60, suppress_health_check=_SLOW)
settings.register_profile(
    "ci", deadline=None, max_examples=100, derandomize=True, database=None, print_blob=True, suppress_health_check=_SLOW
)
settings.register_profile("nightly", deadline=None, max_examples=5_000, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))
