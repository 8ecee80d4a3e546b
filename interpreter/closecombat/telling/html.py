"""Answers as pages: one file each, in which nothing is fetched and nothing runs.

The pages are templates in `pages/`; what stands in them is text, never HTML, and escaped as it is put in. What a page
says is made by the module of its answer, beside the same answer as text.
"""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

from closecombat import __version__

PAGES = Path(__file__).parent / "pages"
HEADING, TAG = re.compile(r'<h2(?: id="([^"]+)")?>(.*?)</h2>', re.DOTALL), re.compile(r"<[^>]*>")
MANY = 4  # headings, so many that whoever looks for one is helped by a list
TOO_MANY = 50  # so many that the list is folded
CONTENTS = """\
<a class="skip" href="#begins">Skip the contents</a>
<nav class="contents" aria-label="Contents">{}</nav>
<div id="begins" tabindex="-1"></div>"""


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

    def with_contents(main: Markup) -> Markup:
        """The page with a list of its headings, and a way past it, where there are many of them."""
        heads = [(found[1], found[2]) for found in HEADING.finditer(main)]
        if len(heads) < MANY:
            return main
        ids = [id or f"part-{at}" for at, (id, _) in enumerate(heads, 1)]
        told = (f'<a href="#{id}">{TAG.sub("", said).strip()}</a>' for id, (_, said) in zip(ids, heads, strict=True))
        left = iter(ids)
        text = HEADING.sub(lambda found: f'<h2 id="{next(left)}">{found[2]}</h2>', str(main))
        listed = f"<p>{', '.join(told)}</p>"
        if len(heads) > TOO_MANY:
            listed = f"<details><summary>Contents: {len(heads)}</summary>{listed}</details>"
        return Markup(text.replace("</h1>", f"</h1>\n{CONTENTS.format(listed)}", 1))

    pages.filters["in_code"] = in_code
    pages.filters["with_contents"] = with_contents
    pages.policies["json.dumps_kwargs"] = {"sort_keys": False}  # data for a script keeps its order
    return pages.get_template(f"{name}.html.jinja").render(said, version=__version__)


def share(chance: Fraction) -> str:
    """A chance as the length of a bar, in hundredths."""
    return f"{float(chance * 100):.2f}"


def whole(chance: Fraction) -> str:
    """A chance as it stands in a part of a strip."""
    return f"{round(chance * 100)}%"
