"""The faults of scripts/selftest still fit the sources; that each is caught takes it ten minutes."""
from pathlib import Path

import pytest
from faults import FAULTS

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_fits_the_sources(fault):
    assert (ROOT / fault.file).read_text(encoding="utf-8").count(fault.text) == 1
    assert fault.text != fault.replacement
