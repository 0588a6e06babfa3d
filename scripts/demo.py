"""The second half of scripts/demo: translates examples/mandelbrot.py, builds it, checks it, times it, draws it."""
import importlib.util
import shutil
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
APPYC = ROOT / "build/release/tools/appyc/appyc"
FOLDER = ROOT / "build/demo"
EXAMPLE = "mandelbrot"

ADD_NVCC = """No CUDA toolkit was found, so this runs on the CPU. To add nvcc from PyPI (no GPU needed to compile):
  python3 -m venv cuda && cuda/bin/pip install 'cuda-toolkit[nvcc,cudart,cccl]==13.0.*'
  N=$(cuda/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/nvidia/cu13
  ln -s lib $N/lib64; ln -s libcudart.so.13 $N/lib/libcudart.so; export PATH=$N/bin:$PATH"""


def has_gpu():
    tool = shutil.which("nvidia-smi")
    return bool(tool) and b"GPU" in subprocess.run([tool, "-L"], capture_output=True).stdout


def choose_target():
    if not shutil.which("nvcc"):
        print(ADD_NVCC)
        return "cpu"
    if not has_gpu():
        print("nvcc is there, but no GPU: this runs on the CPU.")
        return "cpu"
    return "cuda"


def run(command, folder):
    print("$", command)
    subprocess.run(command, shell=True, check=True, cwd=folder)


def translate_and_build(target):
    FOLDER.mkdir(parents=True, exist_ok=True)
    generated = FOLDER / (EXAMPLE + (".cu" if target == "cuda" else ".cpp"))
    output = generated.relative_to(ROOT)
    run(f"{APPYC.relative_to(ROOT)} examples/{EXAMPLE}.py --target={target} --fmad=off -o {output}", ROOT)
    build = next(line for line in generated.read_text().splitlines() if line.startswith("// build: "))
    run(build.removeprefix("// build: "), FOLDER)


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def grid(width, height, limit):
    return np.linspace(-2.2, 0.8, width), np.linspace(-1.125, 1.125, height), limit


def seconds(function, arguments, repeat):
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        result = function(*arguments)
        times.append(time.perf_counter() - start)
    return min(times), result


def write_png(path, rgb):
    """An array of (height, width, 3) bytes as a PNG file."""
    height, width, _ = rgb.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each row begins with its filter: none
    rows[:, 1:] = rgb.reshape(height, -1)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 6))
                     + chunk(b"IEND", b""))


def colours(counts, limit):
    """Waves of three colours along the logarithm of the count; black inside."""
    phase = 1.3 * np.log(counts + 1.0)[:, :, None] + np.array([0.0, 0.6, 1.2])
    rgb = 127.5 - 127.5 * np.cos(phase * 1.4)
    return np.where(counts[:, :, None] >= limit, 0, rgb).astype(np.uint8)


def main():
    target = choose_target()
    translate_and_build(target)
    compiled = load(FOLDER / f"{EXAMPLE}_host.py")
    python = load(ROOT / f"examples/{EXAMPLE}.py")

    arguments = grid(800, 600, 100)
    compiled.mandelbrot(*arguments)  # the first call also loads the kernels
    fast, counts = seconds(compiled.mandelbrot, arguments, 5)
    print("\nThe same grid with NumPy on whole arrays (the fastest way without a compiler) …", flush=True)
    slow, expected = seconds(python.mandelbrot_arrays, arguments, 1)
    if not np.array_equal(counts, expected):
        sys.exit(f"WRONG: {np.mean(counts != expected):.2%} of the points differ from NumPy's")
    print(f"Equal to NumPy's result in all {counts.size:,} points.")
    print(f"CPython + NumPy {slow * 1e3:9.1f} ms")
    print(f"{f'appyc, {target}':<15} {fast * 1e3:9.1f} ms")
    print(f"speed-up        {slow / fast:9.1f} x")

    limit = 500
    picture = FOLDER / f"{EXAMPLE}.png"
    write_png(picture, colours(compiled.mandelbrot(*grid(1600, 1200, limit)), limit))
    print(f"Picture: {picture.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
