"""A page as PDF. What makes one of it, WeasyPrint, is asked for here and nowhere else."""

from __future__ import annotations

from closecombat.text.faults import Faulty


def pdf_of(html: str) -> bytes:
    """The page as it is printed; the same page gives the same bytes. Raises Faulty where WeasyPrint, or the library of
    the system that it draws letters with, is not there."""
    try:
        from weasyprint import HTML
    except (ImportError, OSError):
        raise Faulty.one(
            "cannot-read",
            "PDF is made by weasyprint, which is not installed, or does not find pango",
            None,
            help="`pip install 'closecombat[pdf]'`, and the system's pango; a page, -f html, prints from any browser",
        ) from None
    made: bytes = HTML(string=html).write_pdf()
    return made
