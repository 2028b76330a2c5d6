"""Who asks, and who may read: the access rule, stated once."""

from collections.abc import Iterable
from dataclasses import dataclass


def _group_set(groups: Iterable[str]) -> frozenset[str]:
    if isinstance(groups, str):
        raise TypeError("groups must be a collection of strings, not one string")
    names = frozenset(groups)
    if not all(type(name) is str and name for name in names):
        raise TypeError("each group must be a non-empty string")
    return names


def _require_tenant(tenant: object) -> None:
    if tenant is not None and (not isinstance(tenant, str) or not tenant):
        raise TypeError("tenant must be a non-empty string or None")
    if tenant is not None and any("\ud800" <= char <= "\udfff" for char in tenant):
        raise ValueError("tenant holds half a surrogate pair, which is no character")


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks. Trusted context of the application; never read from a request body.

    `groups` takes any iterable of names and is kept as a frozenset. An inactive actor may read nothing.
    Raises `ValueError` for a tenant with half a surrogate pair, which no tenant's name holds.
    """

    tenant: str | None = None
    groups: frozenset[str] = frozenset()
    active: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", _group_set(self.groups))
        _require_tenant(self.tenant)


@dataclass(frozen=True, slots=True)
class Access:
    """Who may read a document: no tenant is public; a tenant; a tenant and at least one of its groups.

    Raises `ValueError` for groups without a tenant, and for a tenant with half a surrogate pair.
    """

    tenant: str | None = None
    groups: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", _group_set(self.groups))
        _require_tenant(self.tenant)
        if self.groups and self.tenant is None:
            raise ValueError("groups without a tenant: name the tenant whose groups these are")

    def permits(self, actor: Actor | None) -> bool:
        """May `actor` read it? No actor reads what is public; an inactive one nothing."""
        if actor is None:
            return self.tenant is None
        if not actor.active:
            return False
        if self.tenant is None:
            return True
        return self.tenant == actor.tenant and (not self.groups or bool(self.groups & actor.groups))
