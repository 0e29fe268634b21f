"""The data of a model, as its pickle holds it: MessagePack with named fields.

The native classes show links, joints and poses; a Klampt program also asks for the shapes of links, the names of
drivers, and changes limits and masses. All of it is in the bytes from which a model is restored.
"""

from __future__ import annotations

import struct
from typing import Any, Protocol, TypeVar

_NUMBERS = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q",
            0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}  # fmt: skip
_SIZES = {0xC4: ">B", 0xC5: ">H", 0xC6: ">I", 0xD9: ">B", 0xDA: ">H", 0xDB: ">I",
          0xDC: ">H", 0xDD: ">I", 0xDE: ">H", 0xDF: ">I"}  # fmt: skip

T = TypeVar("T", bound="Restorable")


# the number of the format of pickles, their first byte
FORMAT = 2


class Restorable(Protocol):
    """A native class that is restored from bytes."""

    def __reduce__(self) -> Any: ...


def fields(model: Restorable) -> dict[str, Any]:
    """The fields of a native model."""
    data: bytes = model.__reduce__()[1][0]
    value, _ = _read(data, 1)
    if not isinstance(value, dict):
        raise TypeError(f"expected a model with named fields, found {type(value).__name__}")
    return value


def build(kind: type[T], data: dict[str, Any]) -> T:
    """A native model of a class from its fields."""
    out = bytearray([FORMAT])
    _write(out, data)
    model: T = kind._from_bytes(bytes(out))  # type: ignore[attr-defined]
    return model


def _read(data: bytes, at: int) -> tuple[Any, int]:
    """The value at a position, and the position after it."""
    tag = data[at]
    at += 1
    if tag <= 0x7F:
        return tag, at
    if tag >= 0xE0:
        return tag - 0x100, at
    if tag in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[tag], at
    if tag in _NUMBERS:
        form = _NUMBERS[tag]
        return struct.unpack_from(form, data, at)[0], at + struct.calcsize(form)
    if tag in _SIZES:
        form = _SIZES[tag]
        size = struct.unpack_from(form, data, at)[0]
        at += struct.calcsize(form)
        kind = {0xC: "bytes", 0xD: "text"}[tag >> 4] if tag < 0xDC else "list"
        if tag >= 0xDE:
            kind = "map"
    elif tag <= 0x8F:
        kind, size = "map", tag & 0x0F
    elif tag <= 0x9F:
        kind, size = "list", tag & 0x0F
    elif tag <= 0xBF:
        kind, size = "text", tag & 0x1F
    else:
        raise ValueError(f"the data of a model has an unknown tag 0x{tag:02x}")
    if kind == "text":
        return data[at : at + size].decode(), at + size
    if kind == "bytes":
        return data[at : at + size], at + size
    items = []
    for _ in range(size * (2 if kind == "map" else 1)):
        item, at = _read(data, at)
        items.append(item)
    if kind == "map":
        return dict(zip(items[::2], items[1::2])), at
    return items, at


def _head(out: bytearray, size: int, short: int, limit: int, long: int) -> None:
    if size < limit:
        out.append(short | size)
    else:
        out += struct.pack(">BI", long, size)


def _write(out: bytearray, value: Any) -> None:
    """Appends a value."""
    if value is None or value is False or value is True:
        out.append(0xC0 if value is None else 0xC3 if value else 0xC2)
    elif isinstance(value, float):
        out += struct.pack(">Bd", 0xCB, value)
    elif isinstance(value, int):
        if 0 <= value < 128:
            out.append(value)
        else:
            out += struct.pack(">BQ" if value >= 0 else ">Bq", 0xCF if value >= 0 else 0xD3, value)
    elif isinstance(value, str):
        text = value.encode()
        _head(out, len(text), 0xA0, 32, 0xDB)
        out += text
    elif isinstance(value, bytes):
        out += struct.pack(">BI", 0xC6, len(value)) + value
    elif isinstance(value, dict):
        _head(out, len(value), 0x80, 16, 0xDF)
        for key, item in value.items():
            _write(out, key)
            _write(out, item)
    elif isinstance(value, (list, tuple)):
        _head(out, len(value), 0x90, 16, 0xDD)
        for item in value:
            _write(out, item)
    else:
        raise TypeError(f"expected None, a number, text, a list or a map, found {type(value).__name__}")
