"""Documents without indentation and comments: what does something is all there, and the policy fits it."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.html.assemble import document, part
from fairdeal.html.lean import KEPT, lean

SCRIPTS = sorted(one.name for one in files("fairdeal.html").joinpath("parts").iterdir() if one.name.endswith(".js"))


def around(script: str, style: str) -> str:
    """Return a document with a script and a style sheet, and the hashes of both as its policy has them."""
    sums = [b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii") for text in (script, style)]
    return f"<p>{' '.join(sums)}</p><style>{style}</style><b>  // text</b><script>{script}</script>"


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("  const a = 1; // one\n\n  f(a);", "const a = 1; // one\nf(a);"),
        ("// why\na();\n   // because\nb();", "a();\nb();"),
        ("/* one */ a();", "a();"),
        ("/* one\n * two */\na();", "a();"),
        ("/** one\n\n two\n*/ a(); /* three */\nb();", "a(); /* three */\nb();"),
        (f"a();\n  {KEPT}\nb();", f"a();\n{KEPT}\nb();"),
        ("a {\n  b: c;\n}", "a {\nb: c;\n}"),
        ("const text = 'x /* y';\na();", "const text = 'x /* y';\na();"),
        ("/* never closed\na();", ""),
    ],
)
def test_only_comments_and_indentation_go(written: str, sent: str) -> None:
    """They go from scripts and styles alike, and nothing else of the document changes but the hashes."""
    expected = f"\n{sent}\n" if sent else "\n"
    assert lean(around(written, "a {}")) == around(expected, "\na {}\n")
    assert lean(around("a();", written)) == around("\na();\n", expected)


@given(st.lists(st.sampled_from(["a();", "  b = 'c';", "// d", "/* e", "f */ g();", "", "h // i"])))
def test_what_is_lean_stays_as_it_is(lines: list[str]) -> None:
    """A second time nothing is left to go, unless a comment was never closed."""
    once = lean(around("\n".join(lines), "a {}"))
    assert lean(once) == once


def test_data_is_no_script() -> None:
    """A text in a document's data may look like a comment and stays."""
    text = "  // text\n  /* more"
    made = lean(document("title", "en", ["base.css"], [], "<main></main>", {"text": text}))
    assert r"  // text\n  /* more" in made


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_text_in_a_script_goes_over_a_line_end(name: str) -> None:
    """A line of such a text could look like a comment or lose blanks that belong to it."""
    for line in part(name).splitlines():
        if not line.lstrip().startswith(("//", "*", "/*")):
            assert len(re.findall(r"(?<!\\)`", line)) % 2 == 0, line
            assert not line.endswith("\\"), line
