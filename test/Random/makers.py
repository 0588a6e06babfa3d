"""The makers of programs of one construct, by name."""

from __future__ import annotations

from maker_draws import Draws
from maker_leaving import Leaving
from maker_lists import Lists
from maker_nones import Nones
from maker_products import Products
from maker_records import Records
from maker_sizes import Sizes
from maker_views import Views

MAKERS = {"lists": Lists, "records": Records, "products": Products, "sizes": Sizes, "draws": Draws, "views": Views, "leaving": Leaving, "nones": Nones}


def maker_of(seed):
    """The name of the maker of a wild seed; most are drawn from the grammar and have none."""
    return list(MAKERS)[seed // 8 % len(MAKERS)] if seed % 8 == 7 else None
