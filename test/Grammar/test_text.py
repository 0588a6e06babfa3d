"""The text itself: literals, lines, encodings, names, as CPython's tokenizer reads them."""
import ast
import unicodedata

import compare
import pytest
from notation import block

NUMBERS = ["1_000", "0xFF", "0Xff_ff", "0b1_01", "0O17", "00", "0_0", "1e5", "1E-5", "1_0.5_0e1_0", ".5", "5.", "1.e3", "10j", "1.5J", "0_7j",
           "1e400", "1e-400", "9007199254740993.0", "18446744073709551615", "18446744073709551616", "0xFFFFFFFFFFFFFFFF", "0x1_0000_0000_0000_0000",
           "9223372036854775808", "123456789012345678901234567890", "0.1", "1e22", "1e16", "123456789.123456789", "5e-324", "1.7976931348623157e308",
           "077.5", "077e1", "09j", "1 if 1else 2", "0x1or 2"]
BAD_NUMBERS = ["1__0", "1_", "0x", "0b2", "0o8", "077", "1e", "1_.5", "1._5", "0_", "0xG", "1a", "1.5.2", "0b", "0_x1"]
STRINGS = [r"'a' 'b'", r"'a' " + '"b"', r"'\n\t\\'", r"'\x41\u00e9\U0001F600'", r"'\101\7'", r"r'\n'", r"u'x'", r"R'\''", "'''a'b'''", r"'\a\b\f\v\0'",
           r"('a'  'b')", r"'é'", r"'\''", '"""q"r"""', r"rb'x'", r"f'x'", r"'a' f'{b}'", r"'a' b'b'", r"Rb'\x'", r"'\N{BULLET}'", r"'\ud800'", r"'\x4'", r"'\u12'",
           r"'\U00110000'", r"'\N'", r"'a\q'"]
MAY_BE_REFUSED = [r"'\N{BULLET}'", r"'\ud800'"]  # characters by name, halves of characters


def statements_of(texts):
    return [f"    v = {text}" for text in texts]


@pytest.mark.filterwarnings("ignore")
def test_numbers():
    assert compare.differences(statements_of(NUMBERS)) == []


@pytest.mark.filterwarnings("ignore")
def test_strings():
    for text in STRINGS:
        try:
            compare.of_python(f"    v = {text}")
        except SyntaxError:
            assert compare.run(compare.file_of(statements_of([text]))[0])[1], text
        else:
            found = compare.differences(statements_of([text]))
            assert not found or text in MAY_BE_REFUSED and "escape" in found[0][1], text


@pytest.mark.parametrize("text", BAD_NUMBERS)
def test_no_numbers(text):
    with pytest.raises(SyntaxError):
        ast.parse(text)
    assert compare.run(compare.file_of(statements_of([text]))[0])[1]


LINES = ["    v = a + \\\n        b", "    v = (a\n  + b)", "    v = 1; w = 2", "    v = 1;", "    if a: v = 1; w = 2", "\tv = a\n\tw = b", "    v = [\n1,\n# c\n2]",
         "    if a:\n\tv = 1", "  if a:\n      v = 1\n  else:\n   v = 2", "\f    v = 1", "    v = 1\f", "    v =\f 1", "    \fv = 1", "    v = 1\n\f\n    w = 2", "    if a:\n\f        v = 1",
         "    v = a \\\n\n    w = 2", "    v = 'a\\\nb'", "    v = 1 # c \\\n    w = 2", "    v = '''a\n  b'''", "        v = 1\n        w = 2", " v = 1\n # c\n w = 2",
         "    if a:\n        v = 1\n    \tw = 2", "\tif a:\n\t\tv = 1\n        w = 2", "    x = 1\n\ty = 2", "\tx = 1\n        y = 2", "        x = 1\n\ty = 2",
         "    x = 1\n    \n  # c\n\n    y = 2", "    x = 1\r\n    y = 2", "    if a:\n        x = 1\n    elif b: x = 2\n    else:\n        x = 3", "    v = a \\\n# c\n    w = 2",
         "    if a:\\\n        v = 1", "    v = {}\n".format("1" + " + 1" * 50)]


@pytest.mark.parametrize("text", LINES)
def test_lines(text):
    """A body of several lines: the same statements, or an error on both sides."""
    source = f"def f0(a: f64, b: f64):\n{text}\n"
    try:
        body = ast.parse(source).body[0].body
    except SyntaxError:
        assert compare.run(source)[1]
        return
    printed, messages = compare.run(source)
    assert not messages
    assert compare.trees(printed)[0].removesuffix("))") == block(body).strip()


@pytest.mark.parametrize("coding", ["utf-8", "latin-1", "ascii", "cp1252", "utf-16", "shift_jis", "no-such-coding"])
@pytest.mark.parametrize("content", [b"", "é".encode(), b"\xe9", "Ω".encode("cp1253")])
def test_encodings(coding, content):
    """What a file declares itself to be: read so, or refused, never read as something else."""
    data = b"# coding: " + coding.encode() + b"\ndef f0(a: 'f64'):\n    v = '" + content + b"'\n"
    printed, messages = compare.run(data)
    try:
        body = ast.parse(data).body[0].body
    except SyntaxError:
        assert messages
        return
    if not messages:
        assert compare.trees(printed)[0].removesuffix("))") == block(body).strip()
    else:
        assert coding == "shift_jis" or content and coding != "utf-8"
        assert "coding" in str(messages)


def test_names_are_as_nfkc_leaves_them():
    """Python compares names as NFKC; appyc takes the letters that it leaves alone and refuses the others."""
    numbers = [*range(0x80, 0x3400), *range(0x3400, 0x30000, 37)]
    letters = [chr(c) for c in numbers if ("a" + chr(c)).isidentifier()]
    messages = compare.run("def f0(a: f64):\n" + "".join(f"    a{c} = 1\n" for c in letters))[1]
    taken = [c for line, c in enumerate(letters, 2) if line not in messages]
    assert all(unicodedata.is_normalized("NFKC", f"a{c}") for c in taken)
    for c in taken:  # nothing composes with what stands before it
        assert unicodedata.combining(c) == 0
    assert set("éüñçøßαβγδελμπρσφωΔΣΩжяЖ") <= set(taken)
