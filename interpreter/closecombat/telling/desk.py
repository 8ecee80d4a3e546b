"""Answers for the page of the workbench, as data: the form of a fight, and its chances, each as a share and exactly."""

from __future__ import annotations

from typing import Any

from closecombat.asking.exact.answers import Chances
from closecombat.asking.fights.forms import Field, Fields, Form
from closecombat.telling.chances import chances_object
from closecombat.telling.page import json_chance


def form_object(form: Form) -> dict[str, Any]:
    return {
        "kinds": [_fields(one) for one in form.kinds],
        "options": [
            {"name": one.name, "title": one.title, "readings": list(one.readings), "first": one.first, "why": one.why}
            for one in form.options
        ],
    }


def _fields(fields: Fields) -> dict[str, Any]:
    return {
        "kind": fields.kind,
        "plural": fields.plural,
        "only_one": fields.only_one,
        "counters": dict(fields.counters),
        "fields": [_field(one) for one in fields.fields],
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
    """The chances of a fight by sides."""
    found = chances_object(chances)
    return {key: found[key] for key in ("ruleset", "title", "outcomes", "verdicts", "losses")}


def rest_object(chances: Chances) -> dict[str, Any]:
    """Who holds the place at the end, nobody of whom a ruleset does not tell, and what the result rests on."""
    found, place = chances_object(chances), dict[str, Any]()
    if (ends := chances.ends) is not None:
        place = {side: json_chance(chance) for side, chance in ends.place.held.items()}
        place |= {"contested": json_chance(ends.place.contested), "nobody": json_chance(ends.place.nobody)}
    return {"place": place, "assumptions": found["assumptions"], "remarks": found["remarks"]}
