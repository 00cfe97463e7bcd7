"""What a large protobuf dump costs: time, and memory at its highest, of reading it and of writing it in other forms.

In: a size in megabytes, given to `ge.py --proto`.  Out: a table.  Each step runs in a process of its own that reads the file first; "lines"
reads it and splits it into lines, which no reader does without.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time

#: Stands for the number of an operation, and for that of the one before.
THIS, BEFORE = "777001", "777000"
_ATTRIBUTES = {
    "_fe_imply_type": "i: 6",
    "_input_name_key": 'list { s: "filter" s: "x" val_type: VT_LIST_STRING }',
    "_input_name_value": "list { i: 1 i: 0 val_type: VT_LIST_INT }",
    "_is_first_layer_conv": "b: true",
    "data_format": 's: "NHWC"',
    "dilations": "list { i: 1 i: 1 i: 1 i: 1 val_type: VT_LIST_INT }",
    "groups": "i: 1",
    "pads": f"list {{ i: 3 i: 3 i: 3 i: {THIS} val_type: VT_LIST_INT }}",
    "scale": f"f: {THIS}.5e-07",
    "strides": "list { i: 1 i: 1 i: 2 i: 2 val_type: VT_LIST_INT }",
}
_SHAPE = f"dtype: DT_FLOAT16 shape {{ dim: {THIS} dim: 224 dim: 224 dim: 3 }}"
_DESC = f'{{ {_SHAPE} layout: "NC1HWC0" attr {{ key: "origin_format" value {{ s: "NHWC" }} }} size: {THIS} }}'
STEPS = ("lines", "read", "readable", "lost", "json", "dot")


def text(megabytes: float) -> str:
    """The text of a dump of about that size: convolutions in a chain, one field a line as protobuf prints it."""
    from linnet_ge.prototext.read import read
    from linnet_ge.prototext.write import write

    attributes = " ".join(f'attr {{ key: "{key}" value {{ {value} }} }}' for key, value in _ATTRIBUTES.items())
    head = f'name: "layers/conv_{THIS}" type: "Conv2D" input: "layers/conv_{BEFORE}:0" input: "layers/conv_0:0" id: {THIS}'
    document = read(f"op {{ {head} {attributes} input_desc {_DESC} input_desc {_DESC} output_desc {_DESC} }}", "-")
    if document.problems:
        raise SystemExit(str(document.problems[0]))
    pattern = write(document.root)
    count = int(megabytes * 1e6 / len(pattern)) + 1
    ops = [pattern.replace(THIS, str(number)).replace(BEFORE, str(max(0, number - 1))) for number in range(count)]
    return "".join(['graph {\nname: "large"\n', *ops, "}\n"])


def child(step: str, path: str) -> None:
    """One step; prints seconds of the processor, megabytes at the highest, what came out."""
    begin = time.process_time()
    if step == "lines":
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            result = len(file.read().split("\n"))
    else:
        result, begin = _step(step, path)
    seconds = time.process_time() - begin
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, result)


def _step(step: str, path: str) -> tuple[int, float]:
    """What came out of a step, and when it began: for all but `read` after reading."""
    from linnet_ge.convert import document, drawn, readable
    from linnet_ge.convert.dot import dot_text
    from linnet_ge.formats.files import open_dump

    begin = time.process_time()
    opened = open_dump(path)
    if opened.dump.notes:
        raise SystemExit(str(opened.dump.notes[0]))
    if step == "read":
        return len(opened.dump.graphs[0].nodes), begin
    begin = time.process_time()
    match step:
        case "readable":
            return len(readable.readable_text(opened)), begin
        case "json":
            return len(document.document_text([opened])), begin
        case "dot":
            return len(dot_text(drawn.drawings(opened.dump, list(opened.dump.graphs)))), begin
    return sum(1 for _ in readable.lost(opened)), begin


def measure(megabytes: float) -> dict[str, dict[str, float]]:
    """Run every step."""
    found: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "large.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text(megabytes))
        for step in STEPS:
            done = subprocess.run([sys.executable, __file__, step, path], capture_output=True, text=True, check=True)
            seconds, memory, result = done.stdout.split()
            found[step] = {"seconds": float(seconds), "memory": float(memory), "result": float(result)}
    return found


if __name__ == "__main__":
    child(*sys.argv[1:3])
