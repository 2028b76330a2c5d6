"""Values that only one function makes: no copy, pickle, state or subclass gives a second one.

The seal itself is a private object of the module that makes them. It guards against our own mistakes and against
untyped callers; hostile Python in the same process can do anything.
"""

from typing import NoReturn, TypeVar

_T = TypeVar("_T")


def sealed(cls: type[_T]) -> type[_T]:
    """Close every way back in to a class whose constructor wants a seal."""

    def refuse(self: object, *_: object) -> NoReturn:
        raise TypeError(
            f"a {type(self).__name__} cannot be copied or stored; keep to_dict() or the proposal and verify it again"
        )

    def refuse_subclass(_: type, /, **__: object) -> NoReturn:
        raise TypeError(f"{cls.__name__} has no subclasses")

    for name in ("__reduce__", "__reduce_ex__", "__setstate__", "__copy__", "__deepcopy__", "__replace__"):
        setattr(cls, name, refuse)
    setattr(cls, "__init_subclass__", classmethod(refuse_subclass))  # noqa: B010  # mypy knows the name
    return cls
