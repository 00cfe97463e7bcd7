"""The table of diagnostic codes.

In: nothing.  Out: `CODES`, one row a code: its severity and its meaning in one line.  A code never changes its meaning and
is never used again for another one.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Code(Struct, frozen=True):
    """One row: `E2202`, how bad it is, and what it says about a program."""

    code: str
    severity: Literal["error", "warning"]
    meaning: str


_ERRORS = (
    ("E1001", "a character that cannot appear"),
    ("E1002", "an unclosed block comment"),
    ("E1003", "a malformed string or escape"),
    ("E1004", "a reserved word as a name"),
    ("E1005", "a malformed number"),
    ("E1101", "an unexpected token"),
    ("E1102", "no `module` line first"),
    ("E1103", "reserved syntax that is not supported"),
    ("E1104", "nested too deeply"),
    ("E1201", "an unknown name"),
    ("E1202", "an unknown module"),
    ("E1203", "a private item"),
    ("E1204", "two items of one name"),
    ("E1205", "two generics, parameters, fields, members or variants of one name"),
    ("E1206", "modules that import each other in a cycle"),
    ("E1207", "a prelude name declared again"),
    ("E1208", "a name of the wrong kind"),
    ("E2101", "a value of the wrong type"),
    ("E2102", "wrong arguments"),
    ("E2103", "dtypes that differ"),
    ("E2104", "an operator on a type it does not take"),
    ("E2105", "a literal that does not fit its dtype"),
    ("E2106", "a call of something that is no function"),
    ("E2107", "no such field, member, method or variant"),
    ("E2108", "an assignment to something that is not a `var` or own state"),
    ("E2109", "an assignment that changes the type"),
    ("E2110", "a generic that cannot be inferred"),
    ("E2111", "wrong generic arguments"),
    ("E2112", "a dtype outside the class that is needed"),
    ("E2113", "`none` without a type"),
    ("E2114", "a condition that is no scalar bool"),
    ("E2115", "branches of different types"),
    ("E2116", "`&&`, `||` or `!` on something that is no scalar bool"),
    ("E2117", "a pattern that cannot match"),
    ("E2118", "a match that misses a case"),
    ("E2119", "recursion"),
    ("E2120", "a function without a final return, or a return in a loop"),
    ("E2121", "`static for` over something that is no array and no compile-time range"),
    ("E2122", "a constant, alias, struct or block that contains itself"),
    ("E2123", "a value that is no compile-time integer where one is needed"),
    ("E2124", "`for` or `yield` out of place"),
    ("E2125", "a `grad` clause that cannot be"),
    ("E2126", "a kernel and its op that do not match, or a kernel called"),
    ("E2127", "a rule of kernels broken"),
    ("E2190", "not implemented"),
    ("E2201", "one index with two extents"),
    ("E2202", "a wrong shape"),
    ("E2203", "a `reshape` whose element counts are not proved equal"),
    ("E2204", "a wrong number of indices"),
    ("E2205", "a divisor that is not proved positive"),
    ("E2206", "a `where` clause that is not proved at a call"),
    ("E2207", "a broadcast that is not proved"),
    ("E2208", "a negative dimension"),
    ("E2209", "a bad index or slice bound"),
    ("E2210", "a bad axis or permutation"),
    ("E2211", "`where` clauses that contradict each other"),
    ("E3101", "an index that nothing binds"),
    ("E3102", "a reduction index that indexes nothing"),
    ("E3103", "an output index that indexes nothing"),
    ("E3104", "something that index notation does not take"),
    ("E3105", "an index listed twice"),
    ("E3106", "a pack index and a plain one mixed up"),
    ("E4101", "a member of a type it cannot have"),
    ("E4102", "a param with a value"),
    ("E5001", "a bad `linnet.toml`"),
    ("E6001", "an entry that cannot be exported"),
    ("E6002", "a binding that is missing or does not fit"),
    ("E6003", "a documented limit that is exceeded"),
)

_WARNINGS = (
    ("W1001", "an import that is never used"),
    ("W1002", "a local that is never used"),
    ("W1003", "a block member that is never used"),
)

#: Every code there is, in order.
CODES: dict[str, Code] = {code: Code(code, "error", meaning) for code, meaning in _ERRORS} | {
    code: Code(code, "warning", meaning) for code, meaning in _WARNINGS
}
