"""Lines are as long as their kind allows, and shorter on a narrow terminal."""

from __future__ import annotations

from contextvars import copy_context

import pytest

from fairdeal.codes import Code
from fairdeal.explain import page
from fairdeal.render.explained import page_text
from fairdeal.render.lines import COLUMNS, LEAST, width


@pytest.mark.parametrize(("columns", "wide"), [(None, 100), (200, 100), (80, 80), (3, LEAST), (0, LEAST)])
def test_a_line_is_no_longer_than_its_terminal(columns: int | None, wide: int) -> None:
    def seen() -> int:
        COLUMNS.set(columns)
        return width(100)

    assert copy_context().run(seen) == wide
    assert COLUMNS.get() is None


def test_a_page_fits() -> None:
    def shown(columns: int | None) -> list[str]:
        COLUMNS.set(columns)
        return page_text(page(Code.TRIBUTE)).splitlines()[1:]

    wide, narrow = (copy_context().run(shown, columns) for columns in (None, 60))
    assert max(map(len, narrow)) <= 60 < max(map(len, wide))
    assert " ".join(narrow).split() == " ".join(wide).split()
