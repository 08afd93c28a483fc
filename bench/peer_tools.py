"""What the benchmarks beside other engines share: the program with Asperity and Rapier, and a Python with the others."""
import json, pathlib, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "bench" / "peers"
ONE_THREAD = {"RAYON_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def build():
    """Path of the program, and of the target directory."""
    subprocess.run(["cargo", "build", "--release", "--locked", "--quiet"], cwd=PACKAGE, check=True)
    command = ["cargo", "metadata", "--format-version=1", "--no-deps", "--locked"]
    metadata = json.loads(subprocess.run(command, cwd=PACKAGE, check=True, capture_output=True, text=True).stdout)
    target = pathlib.Path(metadata["target_directory"])
    return target / "release" / "peers", target


def environment(target, engines):
    """A Python with those of the engines that can be had, and their names."""
    python = target / "peers-venv" / "bin" / "python"
    if engines and not python.exists():
        subprocess.run([sys.executable, "-m", "venv", target / "peers-venv"], check=True)
    have = []
    for engine in engines:
        imports = [python, "-c", f"import {engine}"]
        if subprocess.run(imports, capture_output=True).returncode:
            print(f"installing {engine} …", file=sys.stderr, flush=True)
            pip = subprocess.run([python, "-m", "pip", "install", "--quiet", engine, "numpy"], capture_output=True, text=True)
            if pip.returncode or subprocess.run(imports, capture_output=True).returncode:
                reason = (pip.stderr.strip().splitlines() or ["it cannot be imported"])[-1]
                print(f"{engine} is NOT INSTALLED and left out: {reason}", flush=True)
                continue
        have.append(engine)
    return python, have
