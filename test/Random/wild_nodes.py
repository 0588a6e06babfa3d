"""Nodes of CPython's `ast`, kinds of values and types, for wild programs."""

from __future__ import annotations

import ast
import math

import numpy as np

DTYPES = "i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 f32 f64 f64 i64 i32 bool c128".split()
NUMPY_NAME = {"bool": "bool", "c128": "complex128"} | {
    letter + bits: word + bits for letter, word in (("i", "int"), ("u", "uint"), ("f", "float")) for bits in "8 16 32 64".split()
}


def load(name):
    return ast.Name(name, ast.Load())


def store(name):
    return ast.Name(name, ast.Store())


def constant(value):
    if isinstance(value, (int, float)) and not isinstance(value, bool) and (value < 0 or (value == 0 and math.copysign(1, value) < 0)):
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def attribute(*path):
    node = load(path[0])
    for name in path[1:]:
        node = ast.Attribute(node, name, ast.Load())
    return node


def kind_of(value):
    if isinstance(value, (bool, np.bool_)):
        return "bool"
    if isinstance(value, (int, np.integer)):
        return "int"
    if isinstance(value, (float, np.floating)):
        return "float"
    if isinstance(value, (complex, np.complexfloating)):
        return "complex"
    if isinstance(value, np.ndarray):
        return "array" if value.ndim else "float"
    return {tuple: "tuple", list: "list", type(None): "none", str: "str"}.get(type(value), "other")
