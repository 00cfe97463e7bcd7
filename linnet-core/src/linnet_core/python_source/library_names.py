"""Names of library calls, as the table of `ir/library_calls.py` spells them.

In: an implementation string.  Out: its base name and what is said of it.
"""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=256)  # an entry has few implementations, and its targets ask for each call whether and how to write it
def base_name(implementation: str) -> tuple[str, frozenset[str]]:
    """The implementation's name and the words in its parentheses: `F.gelu(tanh)` is `F.gelu`, {`tanh`}."""
    name, _, rest = implementation.partition("(")
    return name.strip(), frozenset(word.strip(" )") for word in rest.split("(") if word)
