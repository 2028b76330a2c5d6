"""The mutation bank: each operator makes one dishonest quote from an honest one.

An operator takes a seeded `random.Random` and an `Honest` quote and returns the mutated quote, or None where it does not
apply. The same seed gives the same mutation. Whether the result happens to be a true quote is for the judge to say.
"""

from tests.mutation import mutate_ends, mutate_numbers, mutate_words
from tests.mutation.mutant import OPERATORS, Honest, Operator

__all__ = ["OPERATORS", "Honest", "Operator", "mutate_ends", "mutate_numbers", "mutate_words"]
