"""The store: documents with their versions, passages, access labels and hashes, and the index over them.

Comes in: text or files with the operator's labels; questions with an actor; pins and citations of earlier runs.
Goes out: hits, passages, reason codes, resolutions: only what the actor may read. May fail: `CorpusError` for a
store that cannot be read or written, `IngestError` for documents that are unfit, `QueryError` for a question no
search can take; a citation, however hostile, gives a status. Must not import release, audit or the engine.
"""
