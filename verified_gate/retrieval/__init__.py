"""Ranks what an actor may read: tokens, BM25 scores, and the protocol that any other retriever can speak.

Comes in: a question, an actor, a limit. Goes out: passages in order of rank (a score is an order, never confidence or truth).
May fail: `QueryError` for a question no search can take.
Must not import: the corpus, synthesis, release or the engine.
"""
