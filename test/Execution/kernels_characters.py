"""Texts by their characters: sequences of letters that are compared and counted, ciphers, texts that loops make."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 7, 31)


def word(size, rng, letters="ACGT"):
    return "".join(rng.choice(list(letters), size))


def aligned(a: str, b: str, match: int, mismatch: int, gap: int):
    """Needleman and Wunsch."""
    n, m = len(a), len(b)
    F = np.zeros((n + 1, m + 1), dtype=int)
    for i in range(n + 1):
        F[i, 0] = gap * i
    for j in range(m + 1):
        F[0, j] = gap * j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            s = match if a[i - 1] == b[j - 1] else mismatch
            F[i, j] = max(F[i - 1, j - 1] + s, F[i - 1, j] + gap, F[i, j - 1] + gap)
    return F[n, m], F


def inputs_aligned(size, rng):
    return word(size, rng), word(size + 2, rng), 2, -1, -2


def edits(s: str, t: str) -> int:
    """Levenshtein, with one row at a time."""
    previous = list(range(len(t) + 1))
    for i, c in enumerate(s):
        current = [i + 1]
        for j, d in enumerate(t):
            current.append(min(previous[j + 1] + 1, current[j] + 1, previous[j] + (c != d)))
        previous = current
    return previous[-1]


def inputs_edits(size, rng):
    return word(size, rng, "abé"), word(size // 2, rng, "abé")


def distance(s: str, t: str) -> int:
    if len(s) != len(t):
        raise ValueError("sequences of one length")
    return sum(a != b for a, b in zip(s, t))


def inputs_distance(size, rng):
    return word(size, rng), word(size + (size == 2), rng)


def composition(seq: str):
    counts = {"A": 0, "C": 0, "G": 0, "T": 0}
    for c in seq:
        counts[c] += 1
    others = {}
    for c in seq[::2]:
        others[c] = others.get(c, 0) + 1
    return counts, seq.count("G") + seq.count("C"), others, len(set(seq)), sorted(seq) == sorted(seq[::-1])


def inputs_composition(size, rng):
    return (word(size, rng),)


def places(s: str, part: str, mode: str):
    """Texts that are asked for characters beside one that is not."""
    if mode == "first":
        return s.find(part)
    if mode == "start codon":
        for i in range(0, len(s) - 2, 3):
            if s[i:i + 3] == "ATG":
                return i
        return -1
    return sum(1 for c in s if c in "AT") if part in s else -2


def inputs_places(size, rng):
    return word(3 * size, rng, "AAATG"), "G", ["first", "start codon", "else"][size % 3]


def hashes(s: str):
    h, a, b = 5381, 1, 0
    for c in s:
        h = (h * 33 + ord(c)) & 0xFFFFFFFF
        a = (a + ord(c)) % 65521
        b = (b + a) % 65521
    return h, b << 16 | a, [ord(c) - ord("a") for c in s.lower()], all("a" <= c <= "z" for c in s)


def inputs_hashes(size, rng):
    return (word(size, rng, "abyzAZ"),)


def checked(s: str) -> int:
    """Luhn's sum."""
    total = 0
    for i, c in enumerate(reversed(s)):
        d = int(c)
        if i % 2 == 1:
            d *= 2
            if d > 9:
                d -= 9
        total += d
    return total % 10


def inputs_checked(size, rng):
    return (word(size, rng, "0123456789") + ("x" if size == 2 else ""),)


def caesar(text: str, key: int) -> str:
    result = ""
    for c in text:
        if c.isalpha():
            base = ord("A") if c.isupper() else ord("a")
            result += chr((ord(c) - base + key) % 26 + base)
        else:
            result += c
    return result


def inputs_caesar(size, rng):
    return word(size, rng, "abyzAZ 1."), 3


def packed(s: str) -> str:
    """Run lengths."""
    out = ""
    i = 0
    while i < len(s):
        j = i
        while j < len(s) and s[j] == s[i]:
            j += 1
        out += s[i] + str(j - i)
        i = j
    return out


def inputs_packed(size, rng):
    return (word(size, rng, "ab"),)


def in_base(n: int, b: int) -> str:
    digits = "0123456789ABCDEF"
    s = ""
    while n:
        s = digits[n % b] + s
        n //= b
    return s


def inputs_in_base(size, rng):
    return int(rng.integers(0, 1 << size)), 16 if size % 2 else 2


def roman(num: int) -> str:
    val = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1]
    syb = ["M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"]
    s = ""
    i = 0
    while num > 0:
        for _ in range(num // val[i]):
            s += syb[i]
            num -= val[i]
        i += 1
    return s


def inputs_roman(size, rng):
    return (int(rng.integers(0, 4000)),)


def said(n: int) -> str:
    """Look and say."""
    s = "1"
    for _ in range(n % 8):
        out = ""
        i = 0
        while i < len(s):
            k = i
            while k < len(s) and s[k] == s[i]:
                k += 1
            out += str(k - i) + s[i]
            i = k
        s = out
    return s


def drawn(n: int):
    s = ""
    first = s
    for i in range(n):
        line = ""
        for j in range(n):
            line += "#" if (i * j) % 3 == 1 else "."
        print(line)
        s += line[::-1]
        if i == 0:
            first = s
    return first, s, len(s)


def inputs_said(size, rng):
    return (size % 11,)


inputs_drawn = inputs_said


def turned(s: str):
    return s[::-1], "".join(reversed(s)), "".join([chr(ord(c) + 1) for c in s]), s.upper(), s == s[::-1], s != "abc"


def among(s: str, n: int, x: list[int]):
    """What is made as the tuple's items are not."""
    return s[:2] in ("ab", "ba"), s in ("ab", "x"), str(n) in ("12", "31"), [n, 2] in ([1, 2], [7, 2]), s + "b" == "abb", x in ([1, 2], []), x[:1] in [[1], [5]]


def inputs_among(size, rng):
    return word(size, rng, "ab"), size, list(range(1, size + 1))


def inputs_turned(size, rng):
    return (word(size, rng, "ab") if size != 2 else "abc",)


def numbers_spelled(s: str):
    """Between commas, with signs, spaces and underscores as Python reads them."""
    found, start = [], 0
    for i in range(len(s) + 1):
        if i == len(s) or s[i] == ",":
            found.append(int(s[start:i]))
            start = i + 1
    return found


def inputs_numbers_spelled(size, rng):
    return ",".join(["12", " -7", "+3_4 ", "0012", "\t9\n"][i % 5] for i in range(size + 1)) + (",1__2" if size == 7 else "")


def in_other_bases(n: int, k: i64[N]):
    """Digits that are counted, compared, turned around and read again."""
    digits = bin(n)[2:]
    ones, palindromes = 0, []
    for v in k:
        ones += bin(v).count("1")
        if bin(v)[2:] == bin(v)[2:][::-1]:
            palindromes.append(int(v))
    letters = [ord(c) for c in hex(n * 2711 - 7)]
    return len(digits), [int(d) for d in digits], ones, palindromes, letters, len(oct(-n)), hex(10)[2] == "a", bin(0)[-1] == "0"


def inputs_in_other_bases(size, rng):
    return size, rng.integers(0, 100, size)
