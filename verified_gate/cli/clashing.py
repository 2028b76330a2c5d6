"""Documents of one `ingest` that cannot both be stored. Imported only when it runs."""

from verified_gate.ingest import SourceDocument


class Names:
    """The documents of one call that cannot both be stored. Asked of the whole, since batches do not see each other."""

    def __init__(self) -> None:
        self._versions: dict[tuple[str | None, str, str], str] = {}
        self._numbered: dict[tuple[str | None, str], str] = {}
        self._current: dict[tuple[str | None, str], str] = {}

    def clash(self, source: SourceDocument, shown: str) -> str | None:
        """Why this one cannot be stored beside those before; else None, and it is one of them."""
        name = (source.access.tenant, source.id)
        if (first := self._versions.get((*name, source.version), shown)) != shown:
            return f"has the same tenant, id and version as {first}"
        if (first := self._numbered.get(name, shown)) != shown:
            return f"has the same tenant and id as {first}, and one of them names no version"
        if source.status == "current" and (first := self._current.get(name, shown)) != shown:
            return f"is current, as is another version of it, {first}: mark the older superseded"
        self._versions[*name, source.version] = shown
        if source.numbered:
            self._numbered[name] = shown
        if source.status == "current":
            self._current[name] = shown
        return None
