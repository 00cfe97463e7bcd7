"""Builds wheel and source distribution of each package and tries them in clean environments.

In: a folder to work in.  Out: exit status 0, or the first thing that does not hold.  Run by `tox -e package`, with `build` at hand.

Each of wheels and source distributions is installed into an environment of its own.  There `linnet --help` answers, the README's first
command exports an entry, a program runs on NumPy, and no framework was fetched; what is missing (torch, then linnet-torch) is told in
one line.  The schemas and the standard library are inside each artefact.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("linnet-core", "linnet-torch", "linnet-jax", "linnet-ge")
#: What must be inside both artefacts of linnet-core besides its modules.
DATA = [
    *(f"linnet_core/schema/documents/{path.name}" for path in (ROOT / "schemas").glob("*.schema.json") if not path.is_symlink()),
    *(
        f"linnet_core/std/{path.relative_to(ROOT / 'linnet-core/src/linnet_core/std').as_posix()}"
        for path in (ROOT / "linnet-core/src/linnet_core/std").rglob("*.linnet")
    ),
    "linnet_core/py.typed",
]
#: What must be inside those of linnet-ge.
GE_DATA = [f"linnet_ge/documents/{path.name}" for path in (ROOT / "linnet-ge/src/linnet_ge/documents").glob("*.schema.json")]
#: Names of distributions that printing source must not fetch.
FRAMEWORKS = {"torch", "jax", "jaxlib", "triton"}
#: A run of an example, without what it runs on.
RUN = ("--preset", "tiny", "--weights", "random", "--input", "tokens=zeros", "examples/gpt2")


def run(command: list[str], folder: Path) -> str:
    """Run a command that must succeed; what it prints."""
    print("+", shlex.join(command), flush=True)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LINNET_", "PYTHON"))}
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=kept, check=False)
    if done.returncode != 0:
        raise SystemExit(f"exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def built(folder: Path) -> dict[str, list[Path]]:
    """Wheels, and source distributions, of all packages; a wheel is made from the source distribution."""
    for package in PACKAGES:
        run([sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT / package)], ROOT)
    found = {"wheel": sorted(folder.glob("*.whl")), "sdist": sorted(folder.glob("*.tar.gz"))}
    for kind, files in found.items():
        expect(len(files) == len(PACKAGES), f"{len(PACKAGES)} of {kind} are due, there are {[f.name for f in files]}")
    return found


def expect(holds: bool, otherwise: str) -> None:
    """End here with the reason unless `holds`."""
    if not holds:
        raise SystemExit(otherwise)


def members(artefact: Path) -> list[str]:
    """The files inside a wheel or a source distribution, without the folder a source distribution begins with."""
    if artefact.suffix == ".whl":
        return zipfile.ZipFile(artefact).namelist()
    with tarfile.open(artefact) as archive:
        return [name.partition("/")[2].removeprefix("src/") for name in archive.getnames()]


def check_members(artefact: Path) -> None:
    """The data files, the licence and the typing marker are inside; tests and caches are not in a wheel."""
    names = members(artefact)
    if artefact.name.startswith("linnet_core"):
        expect(not any("ge-readable" in name for name in names), f"{artefact.name} holds what linnet-ge ships")
        missing = [name for name in DATA if name not in names]
        expect(not missing, f"{artefact.name} lacks {missing}")
    if artefact.name.startswith("linnet_ge"):
        missing = [name for name in GE_DATA if name not in names]
        expect(not missing, f"{artefact.name} lacks {missing}")
    expect(any(name.endswith("LICENSE") for name in names), f"{artefact.name} lacks its licence")
    expect(any(name.endswith("py.typed") for name in names), f"{artefact.name} lacks its typing marker")
    stray = [name for name in names if "__pycache__" in name or (artefact.suffix == ".whl" and name.startswith("tests/"))]
    expect(not stray, f"{artefact.name} holds {stray}")


def readme_command() -> list[str]:
    """The `linnet` part of the first command of the README."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    [line] = [line for line in lines if line.startswith("pip install ./linnet-core ./linnet-torch && linnet ")]
    return shlex.split(line.partition(" && ")[2])


def check_installed(artefacts: list[Path], folder: Path) -> None:
    """Install into a clean environment and try what a newcomer tries."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    scripts = python.parent
    run([str(python), "-m", "pip", "install", "--quiet", *map(str, artefacts)], folder)
    listed = run([str(python), "-m", "pip", "list", "--format=freeze"], folder)
    names = {line.partition("==")[0].lower() for line in listed.splitlines()}
    expect(not names & FRAMEWORKS, f"a framework was fetched: {names & FRAMEWORKS}")
    run([str(python), "-m", "pip", "check"], folder)
    program, *arguments = readme_command()
    linnet = str(scripts / program)
    expect("Usage: linnet" in run([linnet, "--help"], folder), "`linnet --help` shows no usage")
    graph = run([linnet, *arguments], ROOT)
    expect(graph.startswith('{"version":1,"target":"torch"'), "the first command of the README prints no graph")
    (folder / "graph.json").write_text(graph, encoding="utf-8")
    expect(run([linnet, "validate", "graph.json"], folder) == "graph.json: graph-1\n", "the graph does not validate")
    run([linnet, "run", "--entry", "forward", *RUN], ROOT)
    refused([linnet, "run", "--target", "torch", "--entry", "forward", *RUN], "linnet-torch[runtime]")
    run([str(python), "-m", "pip", "uninstall", "--quiet", "--yes", "linnet-torch"], folder)
    refused([linnet, *arguments], "pip install linnet-torch")


def refused(command: list[str], words: str) -> None:
    """Run a command that must end with status 2 and one line that holds `words`."""
    print("+", shlex.join(command), flush=True)
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    told = done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1
    expect(told, f"exit status 2 and `{words}` are due, there is {done.returncode} and {done.stderr!r}")


def main() -> None:
    """Build, look inside, install, try."""
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    artefacts = folder / "artefacts"
    for old in artefacts.glob("*") if artefacts.exists() else ():
        old.unlink()
    for kind, files in built(artefacts).items():
        for file in files:
            check_members(file)
        check_installed(files, folder / kind)
        print(f"{kind}: {', '.join(file.name for file in files)} install and run", flush=True)


if __name__ == "__main__":
    main()
