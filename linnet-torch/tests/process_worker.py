"""One of two processes of a gloo group that run printed modules on their own tensors; started by `test_processes.py`.

In: this process' number and a folder with `cases.json` (a source for each name) and `inputs.npz`.  Out: `results-NUMBER.npz` there: for
each case what `main` answers and the gradients of the sum of the first result, or the text of what it raised.
"""

from __future__ import annotations

import datetime
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed as dist

PROCESSES = 2


def main(rank: int, folder: Path) -> None:
    """Join the group, run every case in order, write the results."""
    torch.set_num_threads(1)
    store = f"file://{folder / 'store'}"
    dist.init_process_group("gloo", store, timeout=datetime.timedelta(seconds=60), rank=rank, world_size=PROCESSES)
    arrays = np.load(folder / "inputs.npz")
    found: dict[str, Any] = {}
    for name, case in json.loads((folder / "cases.json").read_text()).items():
        leaves = [torch.from_numpy(arrays[f"{key}.{rank}"]) for key in case["leaves"]]
        if case["kind"] == "dtensor":
            leaves = [leaves[0], *[_distributed(leaf) if leaf.ndim else leaf for leaf in leaves[1:]]]
        try:
            found.update(_run(name, case["source"], leaves, case["group"], backward=case["kind"] != "answers"))
        except RuntimeError as error:
            found[f"{name}.error"] = np.array(str(error))
    np.savez(folder / f"results-{rank}.npz", **found)
    dist.destroy_process_group()


def _distributed(part: torch.Tensor) -> torch.Tensor:
    """A parameter whose rows are spread over both processes."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import DTensor, Shard

    rows = torch.tensor([part.shape[0]])
    dist.all_reduce(rows)
    shape = (int(rows), *part.shape[1:])
    stride = torch.empty(shape).stride()
    return DTensor.from_local(part, init_device_mesh("cpu", (PROCESSES,)), [Shard(0)], shape=torch.Size(shape), stride=stride)


def _run(name: str, source: str, leaves: list[torch.Tensor], group: str, *, backward: bool) -> dict[str, np.ndarray]:
    module: dict[str, Any] = {"__name__": "printed"}
    exec(source, module)
    if group == "own":  # each process alone in a group
        groups = [dist.new_group([other]) for other in range(PROCESSES)]
        module["_GROUP"] = groups[dist.get_rank()]
    leaves = [leaf.requires_grad_(backward) for leaf in leaves]
    answers = module["main"](*leaves, *module["constants"](torch.device("cpu")))
    if backward:
        answers[0].sum().backward()
    found = {f"{name}.{at}": answer for at, answer in enumerate(answers)}
    found |= {f"{name}.gradient.{at}": leaf.grad for at, leaf in enumerate(leaves) if leaf.grad is not None}
    return {key: getattr(value, "to_local", lambda value=value: value)().detach().numpy() for key, value in found.items()}


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
