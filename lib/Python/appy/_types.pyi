# To a type checker a number or array of these types is anything: what may be done with it is appyc's to judge.
from typing import Any

type f32[*Extents] = Any
type f64[*Extents] = Any
type i8[*Extents] = Any
type i16[*Extents] = Any
type i32[*Extents] = Any
type i64[*Extents] = Any
type u8[*Extents] = Any
type u16[*Extents] = Any
type u32[*Extents] = Any
type u64[*Extents] = Any
type bool[*Extents] = Any
type c64[*Extents] = Any
type c128[*Extents] = Any

def dim(name: str) -> Any: ...
