"""The card in a real browser, wide and narrow: nothing stands out of the page.

The page's style is plainer than the Hub's, whose tables scroll: what fits here fits there.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess

import pytest
from markdown_it import MarkdownIt
from published import body_of

from cards.plots import DPI, LETTERS

pytestmark = pytest.mark.slow

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
STYLE = """
body { font: 16px/1.5 sans-serif; margin: 0 auto; padding: 16px; max-width: 860px }
img { max-width: 100% } pre { overflow-x: auto } table { border-collapse: collapse; margin: 0 0 16px }
td, th { border: 1px solid #ccc; padding: 4px 6px }
"""
MEASURE = """
addEventListener("load", () => {
  const wide = document.documentElement.clientWidth;
  const name = (one) => one.rows ? "table of " + one.rows[0].cells[0].textContent : one.outerHTML;
  const box = (one) => one.getBoundingClientRect();
  const all = [...document.querySelectorAll("table, img, pre, p, summary")];
  const out = all.filter((one) => box(one).right > wide || one.tagName != "PRE" && one.scrollWidth > wide);
  const images = [...document.images].map((one) => [one.naturalWidth, box(one).width]);
  parent.document.body.dataset.found = JSON.stringify({
    wide, page: document.documentElement.scrollWidth, out: out.map(name), images });
});
"""


def look(place, width, tmp_path):
    """Open every fold of a card in a frame of a width, in pixels, and measure."""
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    body = parser.render(body_of((place / "README.md").read_text(encoding="utf-8")))
    inner = (
        f'<base href="{place.as_uri()}/"><style>{STYLE}</style>'
        f"{body.replace('<details>', '<details open>')}<script>{MEASURE}</script>"
    )
    page = tmp_path / "page.html"
    page.write_text(
        f'<meta charset="utf-8"><iframe width="{width}" height="900" frameborder="0" '
        f'srcdoc="<!doctype html>{html.escape(inner)}"></iframe>',
        encoding="utf-8",
    )
    # A frame, as a window of a browser may not be as narrow as a telephone.
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,1000"]
    options = [f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri()]
    done = subprocess.run(
        [*command, *options], capture_output=True, text=True, timeout=120, check=True
    )
    return json.loads(html.unescape(re.search(r'data-found="([^"]*)"', done.stdout)[1]))


@pytest.mark.skipif(CHROMIUM is None, reason="NO CHROMIUM HERE: the card was not looked at")
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_of_a_card_is_wider_than_the_page(width, prepared, tmp_path):
    found = look(prepared, width, tmp_path)
    assert found["wide"] in range(width - 20, width + 1)
    assert found["out"] == []
    assert found["page"] <= found["wide"]
    # Pictures were loaded, are drawn with enough points for a sharp screen, and can be read.
    assert found["images"]
    assert all(points >= 1000 and shown >= 300 for points, shown in found["images"])
    letters = [LETTERS / 72 * DPI * shown / points for points, shown in found["images"]]
    assert min(letters) >= 10
    assert max(letters) <= 26
