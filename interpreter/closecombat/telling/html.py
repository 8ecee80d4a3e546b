"""Answers as pages: one file each, in which nothing is fetched and nothing runs.

The pages are templates in `pages/`; what stands in them is text, never HTML, and escaped as it is put in. What a page
says is made by the module of its answer, beside the same answer as text.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from closecombat import __version__

PAGES = Path(__file__).parent / "pages"


def page_of(name: str, said: dict[str, Any]) -> str:
    """The page of that name with what it says: texts, numbers, and lists of them."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # what is printed has no need of it
    from markupsafe import Markup, escape

    def in_code(text: str) -> Markup:
        """What stands between two backticks as code; each part is escaped before anything is put around it."""
        parts = text.split("`") if text.count("`") % 2 == 0 else [text]
        code = Markup("<code>{}</code>")
        return Markup().join(code.format(part) if at % 2 else escape(part) for at, part in enumerate(parts))

    pages = Environment(
        loader=FileSystemLoader(PAGES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    pages.filters["in_code"] = in_code
    pages.policies["json.dumps_kwargs"] = {"sort_keys": False}  # data for a script keeps its order
    return pages.get_template(f"{name}.html.jinja").render(said, version=__version__)


def share(chance: Fraction) -> str:
    """A chance as the length of a bar, in hundredths."""
    return f"{float(chance * 100):.2f}"
