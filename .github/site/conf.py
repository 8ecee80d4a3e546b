"""The documentation as a site: the pages of this repository as they stand, one menu over them.

Nothing is written for the site alone. `build` makes it, with the sheets, the rulebooks, the comparisons and the
workbench beside it.
"""

from sphinx.application import Sphinx

from closecombat import __version__

project = "closecombat"
copyright = "MIT licence"
release = __version__
extensions = ["myst_parser"]
root_doc = "README"
include_patterns = [
    "*.md",
    *(
        f"{folder}/*.md"
        for folder in ("grammar", "schemas", "rulesets", "rulesets/**", "interpreter", "tests", "tests/benchmarks")
    ),
]
exclude_patterns = [".*", "**/.*", "**/_data", "CLAUDE.md", "AGENTS.md"]
myst_heading_anchors = 4
myst_links_external_new_tab = False
suppress_warnings = ["myst.header", "misc.highlighting_failure", "toc.not_included"]  # links lead everywhere
html_theme = "furo"
html_title = f"closecombat {release}"
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
templates_path = ["templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "pages.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
RULESETS = {"asl": "ASL", "squad-leader": "Squad Leader", "assault": "Assault!", "skirmish": "Skirmish"}
html_context = {
    "pages": [
        ("The workbench", "workbench/index.html"),
        ("A farmhouse, under four systems", "pages/farmhouse.html"),
        ("Concept by concept", "pages/crosswalk.html"),
        *((f"{title}: sheet", f"pages/sheet-{name}.html") for name, title in RULESETS.items()),
        *((f"{title}: rulebook", f"pages/rulebook-{name}.html") for name, title in RULESETS.items()),
    ]
}

MENU = """

```{toctree}
:hidden:

What it does <self>
rulesets/README
rulesets/variants/README
rulesets/engagements/README
rulesets/engagements/order-of-battle/README
rulesets/sweeps/README
rulesets/asl/README
rulesets/asl/examples/README
rulesets/squad-leader/README
rulesets/assault/README
rulesets/skirmish/README
rulesets/crosswalk
rulesets/ambiguities
grammar/README
grammar/reference
grammar/slips
grammar/findings
schemas/README
CHANGELOG
```

```{toctree}
:hidden:
:caption: For those who change the program

CONTRIBUTING
interpreter/README
tests/README
tests/benchmarks/README
```
"""


def with_menu(_: Sphinx, page: str, text: list[str]) -> None:
    """The menu stands on the first page of the site, not in the README that people read elsewhere."""
    if page == root_doc:
        text[0] += MENU


def setup(app: Sphinx) -> None:
    app.connect("source-read", with_menu)
