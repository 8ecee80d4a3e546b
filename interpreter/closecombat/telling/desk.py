"""Answers for the page of the workbench, as data: the form of a fight, and its chances, each as a share and exactly."""

from __future__ import annotations

from typing import Any

from closecombat.asking.answers import Chances
from closecombat.asking.forms import Field, Form, Sheet
from closecombat.telling.chances import chances_object
from closecombat.telling.compare import ends_object


def form_object(form: Form) -> dict[str, Any]:
    return {
        "sheets": [_sheet(one) for one in form.sheets],
        "options": [
            {"name": one.name, "readings": list(one.readings), "first": one.first, "why": one.why}
            for one in form.options
        ],
    }


def _sheet(sheet: Sheet) -> dict[str, Any]:
    return {
        "kind": sheet.kind,
        "plural": sheet.plural,
        "only_one": sheet.only_one,
        "counters": dict(sheet.counters),
        "fields": [_field(one) for one in sheet.fields],
    }


def _field(field: Field) -> dict[str, Any]:
    """Without what there is nothing to say of: a form has hundreds."""
    said = {
        "name": field.name,
        "sort": field.sort,
        "words": list(field.words),
        "low": field.low,
        "high": field.high,
        "of": field.of,
        "first": field.first,
        "note": field.note,
        "cites": list(field.cites),
        "later": not field.is_before,
    }
    return {
        key: value for key, value in said.items() if value is not None and value is not False and value not in ("", [])
    }


def odds_object(chances: Chances) -> dict[str, Any]:
    """The chances of a fight by sides, and what all rulesets tell alike of its end."""
    ends = chances.ends
    return {
        **chances_object(chances),
        "scale": list(chances.scale),
        "ends": None if ends is None else ends_object(ends),
        "readings": dict(chances.readings),
    }
