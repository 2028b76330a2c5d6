"""For the operator: why something was refused.

Comes in: a gate and a refusal of it. Goes out: a diagnosis. May fail: wrong use raises `TypeError` or `ValueError`.
Must not import the engine or any interface; nothing here ever accepts a quote.
"""

from verified_gate.audit.explain import Diagnosis, explain

__all__ = ["Diagnosis", "explain"]
