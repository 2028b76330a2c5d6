"""The text of a streamed reply, while it comes: its whole claims are given away.

What the reply comes to is decided elsewhere, from all of it, as for one that was not streamed.
"""

from collections.abc import Callable
from dataclasses import replace

from verified_gate.synthesis.incremental import IncrementalReply
from verified_gate.synthesis.protocol import WholeClaim


class LiveReply:
    """Hears the text of one reply, of the call number `attempts`; `give` gets each claim. `given` counts them."""

    def __init__(self, reply: IncrementalReply, give: Callable[[WholeClaim], None], attempts: int) -> None:
        self._reply, self._give, self._attempts = reply, give, attempts
        self.given = 0

    def hear(self, text: str) -> None:
        """Take the next text."""
        for claim in self._reply.feed(text):
            self.given += 1
            self._give(replace(claim, attempts=self._attempts))
