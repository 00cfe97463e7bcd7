"""The documents of every entry of the examples: they validate, replay to the bytes of a direct export, and depend on no hash seed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import pytest
from running import program
from tiny import ENTRIES, EXAMPLES, named

from linnet_core.graph.document import decode, encode
from linnet_core.graph.replay import replay
from linnet_core.schema.validate import validate_text

TARGETS = ["numpy", "torch"]
CASES = [pytest.param(package, entry, id=f"{package}-{entry}") for package, entry, _ in ENTRIES]

#: Prints one digest of the graph documents and sources of every entry, in a process of its own.
DIGEST = f"""
import hashlib, sys
sys.path[:0] = {[path for path in sys.path if path.endswith(("tests/std", "tests/examples"))]!r}
from running import program
from tiny import ENTRIES, EXAMPLES, named
from linnet_core.graph.document import encode
found = hashlib.sha256()
for package, entry, _ in ENTRIES:
    for target in ("numpy", "torch"):
        one = program(target, str(EXAMPLES / package), preset="tiny", **named(entry))
        text = encode(one.graph)
        found.update(text if isinstance(text, bytes) else text.encode())
        found.update(one.source.encode())
print(found.hexdigest())
"""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("package", "entry"), CASES)
def test_the_graph_validates_and_reads_back(package: str, entry: str, target: str) -> None:
    graph = program(target, str(EXAMPLES / package), preset="tiny", **named(entry)).graph
    text = encode(graph)
    assert validate_text(text)[0] == "graph-1"
    assert encode(decode(text)) == text


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("package", "entry"), CASES)
def test_a_replay_prints_the_bytes_of_an_export(package: str, entry: str, target: str) -> None:
    one = program(target, str(EXAMPLES / package), preset="tiny", **named(entry))
    own = {option.name: option.default for option in one.plugin.options}
    fresh = one.plugin.make({"numerics": "equivalent", **own})
    replay(decode(encode(one.graph)), fresh)
    assert fresh.source() == one.source


def test_no_document_depends_on_the_hash_seed() -> None:
    digests = set()
    for seed in range(5):
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        done = subprocess.run([sys.executable, "-c", DIGEST], capture_output=True, text=True, env=environment, check=True)
        digests.add(done.stdout.strip())
    assert len(digests) == 1
    assert len(digests.pop()) == hashlib.sha256().digest_size * 2


#: The command line in a process that may have 900 MiB; it limits itself, since a process in which JAX has run should not fork.
LIMITED = """
import resource, runpy
resource.setrlimit(resource.RLIMIT_DATA, (900 << 20, 900 << 20))
runpy.run_module("linnet_core", run_name="__main__", alter_sys=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the limit on memory is POSIX")
@pytest.mark.parametrize("target", TARGETS)
def test_an_8b_model_exports_without_allocating_a_weight(target: str) -> None:
    """Its largest weight alone is 1 GB in bf16; the process may have less than that."""
    arguments = ["graph", "--target", target, "--entry", "decode", "--preset", "8b", str(EXAMPLES / "llama")]
    done = subprocess.run([sys.executable, "-c", LIMITED, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "[128256,4096]" in done.stdout
