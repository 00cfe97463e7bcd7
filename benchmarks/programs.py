"""Programs of any size: what grows is in the name.

In: a number.  Out: the text of one module, which checks without an error.  `SHAPES` holds them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

#: Thirty facts as a large model would state them, over ten generics.
_FACTS = """B > 0, S > 0, Heads > 0, Kv > 0, D > 0, P > 0, H % Heads == 0, Heads % Kv == 0, D % 2 == 0, D == H / Heads, S <= Max, Q <= S,
    P <= Max, Max - P >= S, H > 0, H % P == 0, H / Heads > 1, H % Kv == 0, V % 8 == 0, V > 0, Max > 0, Q > 0, H <= 4 * V, S < V, Heads <= H,
    Kv <= Heads, min(S, Max) > 0, B * S > 0, 2 * D <= 2 * H, V / 8 > 0"""
_GENERICS = "B: Dim, S: Dim, H: Dim, Heads: Dim, Kv: Dim, D: Dim, P: Dim, Max: Dim, Q: Dim, V: Dim"

_STEPS = (
    "let a{i} = reshape(x{i}, [B, S, Heads, H / Heads])\n    let x{j} = reshape(a{i}, [B, S, H])",
    "let a{i} = x{i}[:, 0:Q, :]\n    let x{j} = concat(a{i}, x{i}[:, Q:S, :], axis = 1)",
    "let a{i} = x{i}[:, :, 0:H / 2]\n    let x{j} = concat(a{i}, x{i}[:, :, H / 2:H], axis = 2)",
    "let a{i}[b, s] = sum[h] x{i}[b, s, h] * x{i}[b, s, h]\n    let x{j}[b, s, h] = x{i}[b, s, h] * rsqrt(a{i}[b, s])",
    "let a{i} = scaled<B, S, H, D>(x{i})\n    let x{j} = a{i} + x{i} * 0.5",
    "let a{i} = reshape(x{i}, [B * S, Heads * (H / Heads)])\n    let x{j} = exp(reshape(a{i}, [B, S, H]))",
    "let a{i} = reshape(x{i}, [B, S, Kv, Heads / Kv, D])\n    let x{j} = reshape(permute(a{i}, [0, 1, 2, 3, 4]), [B, S, H])",
)

_SCALED = """fn scaled<B: Dim, S: Dim, H: Dim, D: Dim>(x: Tensor[B, S, H; f32]) -> Tensor[B, S, H; f32] where D > 0, H % D == 0, S > 0 {
    return x * 2.0
}
"""

_REGROUPED = "\n".join(f"    let y{i + 1} = reshape(reshape(y{i}, [G1 / G0, G0]), [G1])" for i in range(20))
_VECTOR = "<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32]"


def _body(n: int) -> str:
    return "\n".join("    " + _STEPS[i % len(_STEPS)].format(i=i, j=i + 1) for i in range(n))


def _entry(head: str, body: str, result: str, before: str = "") -> str:
    """A module with one entry: what stands before it, its head, its statements, what it returns."""
    return f"module grown\n{before}pub entry {head} {{\n{body}\n    return {result}\n}}\n"


def statements(n: int) -> str:
    """One function of 2n statements under thirty facts."""
    head = f"f<{_GENERICS}>(x0: Tensor[B, S, H; f32]) -> Tensor[B, S, H; f32]\nwhere {_FACTS}, H % D == 0"
    return _entry(head, _body(n), f"x{n}", _SCALED)


def functions(n: int) -> str:
    """n functions, each calling the one before and proving its `where`."""
    head = "<N: Dim, D: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] where D > 0, N % D == 0"
    lines = [f"fn step0{head} {{ return x }}"]
    lines += [
        f"fn step{i}{head} {{\n    let y = reshape(x, [N / D, D])\n    return step{i - 1}<N, D>(reshape(y, [N])) + x\n}}"
        for i in range(1, n)
    ]
    return _entry(
        "main<N: Dim>(x: Tensor[8 * N; f32]) -> Tensor[8 * N; f32]",
        f"    let y = step{n - 1}<8 * N, 8>(x)",
        "y",
        "\n".join(lines) + "\n",
    )


def facts(n: int) -> str:
    """One function with n generics, n facts about two of them each, and twenty statements."""
    generics = ", ".join(f"G{i}: Dim" for i in range(n))
    where = ", ".join(f"G{i} > 0" if i % 2 == 0 else f"G{i} % G{i - 1} == 0" for i in range(n))
    return _entry(f"f<{generics}>(y0: Tensor[G1; f32]) -> Tensor[G1; f32]\nwhere {where}", _REGROUPED, "y20")


def chained_facts(n: int) -> str:
    """n facts that are all connected: every generic is a multiple of the first and at most the next."""
    generics = ", ".join(f"G{i}: Dim" for i in range(n // 2 + 1))
    where = ", ".join(f"G{i} % G0 == 0, G{i} <= G{i + 1}" for i in range(1, n // 2))
    return _entry(f"f<{generics}>(y0: Tensor[G1; f32]) -> Tensor[G1; f32]\nwhere G0 > 0, {where}", _REGROUPED, "y20")


def facts_of_one(n: int) -> str:
    """A `where` of n facts that all speak of the same two generics."""
    where = ", ".join(f"A + {i} <= B + {2 * i + 1}" for i in range(n))
    body = "\n".join(f"    let y{i + 1} = concat(y{i}[0:A], y{i}[A:A + B], axis = 0)" for i in range(20))
    return _entry(f"f<A: Dim, B: Dim>(y0: Tensor[A + B; f32]) -> Tensor[A + B; f32]\nwhere {where}", body, "y20")


def generics(n: int) -> str:
    """Two functions with n generics, one calling the other."""
    names = ", ".join(f"G{i}: Dim" for i in range(n))
    parameters = ", ".join(f"x{i}: Tensor[G{i}; f32]" for i in range(n))
    arguments = ", ".join(f"x{i}" for i in range(n))
    head = f"<{names}>({parameters}) -> Tensor[G{n - 1}; f32]"
    return _entry(f"f{head}", f"    let y = g({arguments})", "y", f"fn g{head} {{ return x{n - 1} }}\n")


def blocks(n: int) -> str:
    """n blocks, each a weight and a method, and one block that holds them all."""
    lines = [
        f"block L{i}<H: Dim> where H > 0 {{\n    param w: Tensor[H; f32]\n"
        f"    fn forward<B: Dim>(x: Tensor[B, H; f32]) -> Tensor[B, H; f32] {{ return x * w }}\n}}"
        for i in range(n)
    ]
    subs = "\n".join(f"    sub l{i}: L{i}<H>" for i in range(n))
    body = "\n".join(f"        let x{i + 1} = l{i}.forward(x{i})" for i in range(n))
    lines.append(
        f"pub block Root<H: Dim> where H > 0 {{\n{subs}\n"
        f"    pub entry run<B: Dim>(x0: Tensor[B, H; f32]) -> Tensor[B, H; f32] {{\n{body}\n        return x{n}\n    }}\n}}"
    )
    return "module grown\n" + "\n".join(lines) + "\n"


def members(n: int) -> str:
    """One block of n weights, n states and one entry that uses them."""
    weights = "\n".join(f"    param w{i}: Tensor[H; f32]\n    state s{i}: Tensor[H; f32]" for i in range(n))
    body = "\n".join(f"        s{i} = s{i} + w{i}" for i in range(n))
    total = "\n".join(f"        let x{i + 1} = x{i} + s{i}" for i in range(n))
    return (
        f"module grown\npub block Root<H: Dim> {{\n{weights}\n    pub entry run(x0: Tensor[H; f32]) -> Tensor[H; f32] {{\n{body}\n{total}\n"
        f"        return x{n}\n    }}\n}}\n"
    )


def arms(n: int) -> str:
    """An enum of n cases with a match of n arms over it, and n matches on an optional."""
    cases = ", ".join(f"C{i}" for i in range(n))
    match = "\n".join(f"        C{i} => {i}.5" for i in range(n))
    option = "\n".join(f"    let y{i + 1} = match o {{\n        some(v) => v + y{i}\n        none => y{i}\n    }}" for i in range(n))
    factor = f"enum Mode {{ {cases} }}\nfn factor(m: Mode) -> f32 {{\n    return match m {{\n{match}\n    }}\n}}\n"
    return _entry("f(o: f32?, y0: f32) -> f32", option, f"y{n}", factor)


def entries(n: int) -> str:
    """A block with n entries over the same weights."""
    made = "\n".join(
        f"    pub entry run{i}<B: Dim>(x: Tensor[B, H; f32]) -> Tensor[B, H; f32] {{ return x * w + {i}.0 }}" for i in range(n)
    )
    return f"module grown\npub block Root<H: Dim> {{\n    param w: Tensor[H; f32]\n{made}\n}}\n"


def long_concat(n: int) -> str:
    """A concat of n tensors of eight lengths."""
    names = ", ".join(f"G{i}: Dim" for i in range(8))
    parameters = ", ".join(f"x{i}: Tensor[G{i}; f32]" for i in range(8))
    parts = ", ".join(f"x{i % 8}" for i in range(n))
    times = [n // 8 + (i < n % 8) for i in range(8)]
    length = " + ".join(f"{count} * G{i}" for i, count in enumerate(times) if count)
    return _entry(f"f<{names}>({parameters}) -> Tensor[{length}; f32]", f"    let y = concat({parts}, axis = 0)", "y")


def wide_tuple(n: int) -> str:
    """A tuple of n tensors made, taken apart and summed."""
    types = ", ".join("Tensor[N; f32]" for _ in range(n))
    values = ", ".join(f"x + {i}.0" for i in range(n))
    names = ", ".join(f"y{i}" for i in range(n))
    total = "\n".join(f"    let t{i + 1} = t{i} + y{i}" for i in range(n))
    made = f"fn g<N: Dim>(x: Tensor[N; f32]) -> ({types}) {{ return ({values}) }}\n"
    return _entry(f"f{_VECTOR}", f"    let ({names}) = g(x)\n    let t0 = x\n{total}", f"t{n}", made)


def uses(n: int) -> str:
    """One import under n names, each called once."""
    names = ", ".join(f"gelu as gelu{i}" for i in range(n))
    body = "\n".join(f"    let x{i + 1} = gelu{i}(x{i})" for i in range(n))
    return _entry(f"f{_VECTOR}", f"    let x0 = x\n{body}", f"x{n}", f"use std.nn.activations::{{{names}}}\n")


def constants(n: int) -> str:
    """n constants, each made of the one before, all used."""
    lines = ["const C0 = 1", *(f"const C{i} = C{i - 1} + {i % 3}" for i in range(1, n))]
    body = "\n".join(f"    let y{i + 1} = y{i} * C{i}" for i in range(n))
    return _entry(f"f(y0: Tensor[C{n - 1}; f32]) -> Tensor[C{n - 1}; f32]", body, f"y{n}", "\n".join(lines) + "\n")


def terms(n: int) -> str:
    """A size that is a sum of quotients, used by n statements."""
    size = "(A / 2 + B / 3 + (A + B) / 4 + max(A, B) + A * B)"
    body = "\n".join(f"    let y{i + 1} = reshape(reshape(y{i}, [{size} * 2]), [{size}, 2])" for i in range(n))
    return _entry(f"f<A: Dim, B: Dim>(y0: Tensor[{size}, 2; f32]) -> Tensor[{size}, 2; f32]", body, f"y{n}")


def branches(n: int) -> str:
    """n runtime ifs, each assigning a `var`."""
    body = "\n".join(f"    y = if c {{ y + {i}.0 }} else {{ y * 2.0 }}" for i in range(n))
    return _entry("f<N: Dim>(c: bool, x: Tensor[N; f32]) -> Tensor[N; f32]", f"    var y = x\n{body}", "y")


def struct_fields(n: int) -> str:
    """A struct of n fields, made and read field by field."""
    fields = "\n".join(f"    a{i}: Tensor[N; f32]" for i in range(n))
    made = ", ".join(f"a{i} = x" for i in range(n))
    total = "\n".join(f"    let t{i + 1} = t{i} + s.a{i}" for i in range(n))
    struct = f"struct Many<N: Dim> {{\n{fields}\n}}\n"
    return _entry(f"f{_VECTOR}", f"    let s = Many({made})\n    let t0 = x\n{total}", f"t{n}", struct)


SHAPES: dict[str, Callable[[int], str]] = {
    made.__name__: made
    for made in (
        statements,
        functions,
        facts,
        chained_facts,
        facts_of_one,
        generics,
        blocks,
        members,
        arms,
        entries,
        long_concat,
        wide_tuple,
        uses,
        constants,
        terms,
        branches,
        struct_fields,
    )
}
