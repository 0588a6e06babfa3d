"""The machinery is that of test/Execution."""
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "Execution"), str(Path(__file__).resolve().parent)]
