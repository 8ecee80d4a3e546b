"""The tables of R1, R2, R3 and R6 in other rule engines, each in the best of the forms that it has and we tried.

Rules are compiled before anything is timed. The whole question begins with a nested dictionary and holds whatever the
engine makes of it; who can keep the converted situation is ready with it. Expressions are put together to one of forty
rows, several where there are more; the chart of odds becomes nested choices, and the quotient is given to all.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

from contest import Contest
from tables import CASES, TABLES, TYPES, Row, Test, cases, columns, rows

TOGETHER = 40  # rows in one expression


def contest(engine: str, workload: str) -> Contest:
    enter = MAKERS[engine]()
    first = cases()[0]
    keep, decide = enter.chart() if workload == "r3" else enter.sums(rows(TABLES[workload]))

    def ready() -> Callable[[], list]:
        known = [keep(case) for case in cases()]
        return lambda: [decide(one) for one in known]

    def ends(answers: list) -> list:
        return [int(answer) for answer in answers]

    return Contest(
        lambda: [decide(keep(first))], ready, check=lambda: ends([decide(keep(case)) for case in cases()]), times=CASES
    )


def as_it_is(case: dict) -> dict:
    return case


def flat(case: dict) -> dict:
    return {f"{who}_{fact}": value for who, facts in case.items() for fact, value in facts.items()}


def spaces(case: dict) -> SimpleNamespace:
    return SimpleNamespace(**{who: SimpleNamespace(**facts) for who, facts in case.items()})


def name(test: Test) -> str:
    return f"{test.who}_{test.fact}"


class Expressions:
    """Engines whose rules are expressions: how one is said, and `compiled`, which makes a function of it."""

    AND, NOT, CHOICE, WORDS = " and ", "not {}", "({so} if {test} else {other})", "[{}]"
    keep = staticmethod(as_it_is)

    def compiled(self, text: str) -> Callable[[Any], Any]:
        raise NotImplementedError

    def test(self, test: Test) -> str:
        said = f"{test.who}.{test.fact}"
        match test.how:
            case "is":
                return said if test.what else self.NOT.format(said)
            case "in":
                return f"{said} in {self.WORDS.format(', '.join(json.dumps(word) for word in test.what))}"
        return f"{said} {({'=': '==', 'at least': '>=', 'at most': '<='})[test.how]} {test.what}"

    def sums(self, rows: tuple[Row, ...]) -> tuple[Callable, Callable]:
        terms = [
            self.CHOICE.format(so=row.add, test=self.AND.join(self.test(test) for test in row.tests), other=0)
            for row in rows
        ]
        parts = [self.compiled(balanced(terms[at : at + TOGETHER])) for at in range(0, len(terms), TOGETHER)]
        if len(parts) == 1:
            return self.keep, parts[0]
        return self.keep, lambda one: sum(int(part(one)) for part in parts)

    def chart(self) -> tuple[Callable, Callable]:
        return self.keep, self.compiled(self.choice(columns()[:-1]))

    def choice(self, left: tuple[tuple[int, int], ...], otherwise: int = 1) -> str:
        """The columns that are left, the best first, halved again and again."""
        if not left:
            return str(otherwise)
        half = len(left) // 2
        least, number = left[half]
        return self.CHOICE.format(
            test=f"place.odds >= {least}",
            so=self.choice(left[:half], number),
            other=self.choice(left[half + 1 :], otherwise),
        )


def balanced(terms: list[str]) -> str:
    """A sum in brackets, since some read no more than so many levels."""
    while len(terms) > 1:
        terms = [f"({' + '.join(terms[at : at + 2])})" for at in range(0, len(terms), 2)]
    return terms[0]


class SimpleEval(Expressions):
    def compiled(self, text: str) -> Callable[[Any], Any]:
        from simpleeval import EvalWithCompoundTypes

        reader = EvalWithCompoundTypes()
        tree = reader.parse(text)

        def decide(case: dict) -> Any:
            reader.names = case
            return reader.eval("", previously_parsed=tree)

        return decide


class AstEval(Expressions):
    keep = staticmethod(spaces)

    def compiled(self, text: str) -> Callable[[Any], Any]:
        from asteval import Interpreter

        reader = Interpreter(use_numpy=False)
        tree = reader.parse(text)

        def decide(case: SimpleNamespace) -> Any:
            reader.symtable.update(vars(case))
            return reader.run(tree)

        return decide


class RuleEngine(Expressions):
    CHOICE = "({test} ? {so} : {other})"
    keep = staticmethod(spaces)

    def compiled(self, text: str) -> Callable[[Any], Any]:
        import rule_engine

        return rule_engine.Rule(text, context=rule_engine.Context(resolver=rule_engine.resolve_attribute)).evaluate


class Zen(Expressions):
    CHOICE = "({test} ? {so} : {other})"

    def compiled(self, text: str) -> Callable[[Any], Any]:
        import zen

        return zen.compile_expression(text).evaluate


class Cel(Expressions):
    AND, NOT, CHOICE = " && ", "!{}", "({test} ? {so} : {other})"


class CelInPython(Cel):
    def __init__(self) -> None:
        import celpy

        self.keep = celpy.json_to_cel
        self.reader = celpy.Environment(runner_class=celpy.CompiledRunner)

    def compiled(self, text: str) -> Callable[[Any], Any]:
        return self.reader.program(self.reader.compile(text)).evaluate


class CelInRust(Cel):
    def __init__(self) -> None:
        import cel

        self.keep, self.compile = cel.Context, cel.compile

    def compiled(self, text: str) -> Callable[[Any], Any]:
        return self.compile(text).execute


class CelInCpp(Cel):
    def __init__(self) -> None:
        from cel_expr_python import cel

        every = cel.Type.Map(cel.Type.STRING, cel.Type.DYN)
        self.reader = cel.NewEnv(variables=dict.fromkeys(("attacker", "target", "place"), every))
        self.keep = self.reader.Activation

    def compiled(self, text: str) -> Callable[[Any], Any]:
        evaluate = self.reader.compile(text).eval
        return lambda case: evaluate(case).value()


class JsonLogic:
    """Rules are JSON; nothing is compiled."""

    def test(self, test: Test) -> dict:
        said = {"var": f"{test.who}.{test.fact}"}
        if test.how == "is":
            return said if test.what else {"!": [said]}
        sign = {"in": "in", "=": "==", "at least": ">=", "at most": "<="}[test.how]
        return {sign: [said, list(test.what) if test.how == "in" else test.what]}

    def decide(self, logic: dict) -> tuple[Callable, Callable]:
        from json_logic import jsonLogic

        return as_it_is, lambda case: jsonLogic(logic, case)

    def sums(self, rows: tuple[Row, ...]) -> tuple[Callable, Callable]:
        return self.decide({"+": [{"if": [{"and": [self.test(t) for t in row.tests]}, row.add, 0]} for row in rows]})

    def chart(self) -> tuple[Callable, Callable]:
        steps = [part for least, at in columns()[:-1] for part in ({">=": [{"var": "place.odds"}, least]}, at)]
        return self.decide({"if": [*steps, 1]})


class Facts:
    """Engines that hold rules against facts: of the chart each column is a rule of its own."""

    def chart(self) -> tuple[Callable, Callable]:
        best, out = 10**6, []
        for least, at in columns():
            low = least if at > 1 else 0
            out.append(Row((Test("place", "odds", "at least", low), Test("place", "odds", "at most", best - 1)), at))
            best = least
        return self.sums(tuple(out))

    def sums(self, rows: tuple[Row, ...]) -> tuple[Callable, Callable]:
        raise NotImplementedError


class BusinessRules(Facts):
    def sums(self, rows: tuple[Row, ...]) -> tuple[Callable, Callable]:
        from business_rules import run_all
        from business_rules.actions import BaseActions, rule_action
        from business_rules.fields import FIELD_NUMERIC
        from business_rules.variables import (
            BaseVariables,
            boolean_rule_variable,
            numeric_rule_variable,
            string_rule_variable,
        )

        def variable(fact: str, type: Any) -> Callable:
            def value(self: Any) -> Any:
                return self.case[fact]

            value.__name__ = fact
            kind = (
                boolean_rule_variable
                if type == "flag"
                else numeric_rule_variable
                if isinstance(type, range)
                else string_rule_variable
            )
            return kind()(value)

        def known(self: Any, case: dict) -> None:
            self.case = case

        facts = {f"{who}_{fact}": type for (who, fact), type in TYPES.items()} | {"place_odds": range(1)}
        situation = type(
            "Situation", (BaseVariables,), {"__init__": known} | {fact: variable(fact, t) for fact, t in facts.items()}
        )

        class Adding(BaseActions):
            total = 0

            @rule_action(params={"number": FIELD_NUMERIC})
            def add(self, number: int) -> None:
                self.total += number

        rules = [
            {
                "conditions": {"all": [self.test(test) for test in row.tests]},
                "actions": [{"name": "add", "params": {"number": row.add}}],
            }
            for row in rows
        ]

        def decide(case: dict) -> int:
            adding = Adding()
            run_all(rules, situation(case), adding)
            return adding.total

        return flat, decide

    def test(self, test: Test) -> dict:
        if test.how == "in":
            return {"any": [{"name": name(test), "operator": "equal_to", "value": word} for word in test.what]}
        if test.how == "is":
            return {"name": name(test), "operator": "is_true" if test.what else "is_false", "value": True}
        sign = {"=": "equal_to", "at least": "greater_than_or_equal_to", "at most": "less_than_or_equal_to"}[test.how]
        return {"name": name(test), "operator": sign, "value": test.what}


class Durable(Facts):
    def sums(self, rows: tuple[Row, ...]) -> tuple[Callable, Callable]:
        from durable import lang
        from durable.engine import MessageNotHandledException

        hits: list[int] = []

        def adding(number: int) -> Callable:
            return lambda _: hits.append(number)

        with lang.ruleset("table"):
            for row in rows:
                test, *more = [self.test(lang, test) for test in row.tests]
                for other in more:
                    test = test & other
                lang.when_all(test)(adding(row.add))
        number = 0

        def decide(case: dict) -> int:
            nonlocal number
            number += 1
            hits.clear()
            fact = {**case, "id": number}
            for act in (lang.assert_fact, lang.retract_fact):
                with suppress(MessageNotHandledException):  # no rule holds
                    act("table", fact)
            return sum(hits)

        return as_it_is, decide

    def test(self, lang: Any, test: Test) -> Any:
        def said() -> Any:
            return getattr(getattr(lang.m, test.who), test.fact)

        match test.how:
            case "in":
                first, *more = test.what
                found = said() == first
                for word in more:
                    found = found | (said() == word)
                return found
            case "at least":
                return said() >= test.what
            case "at most":
                return said() <= test.what
        return said() == test.what


class Experta(Facts):
    def sums(self, rows: tuple[Row, ...]) -> tuple[Callable, Callable]:
        import collections
        import collections.abc

        for old in ("Mapping", "MutableMapping", "Sequence", "Callable", "Hashable", "Iterable"):
            setattr(collections, old, getattr(collections.abc, old))  # where a library that it needs looks for them
        import experta

        def rule(row: Row) -> Any:
            def add(self: Any) -> None:
                self.total += row.add

            tests: dict[str, Any] = {}
            for test in row.tests:
                so = self.test(experta.P, test)
                tests[name(test)] = tests[name(test)] & so if name(test) in tests else so
            return experta.Rule(experta.Fact(**tests))(add)

        engine = type("Table", (experta.KnowledgeEngine,), {f"row_{at}": rule(row) for at, row in enumerate(rows)})()

        def decide(case: dict) -> int:
            engine.reset()
            engine.total = 0
            engine.declare(experta.Fact(**case))
            engine.run()
            return engine.total

        return flat, decide

    def test(self, p: Any, test: Test) -> Any:
        what = test.what
        match test.how:
            case "in":
                return p(lambda value: value in what)
            case "at least":
                return p(lambda value: value >= what)
            case "at most":
                return p(lambda value: value <= what)
        return what


class Rego:
    def rules(self, text: str) -> tuple[Callable, Callable]:
        import regopy

        rego = regopy.Interpreter()
        rego.add_module("table.rego", f"package table\nimport rego.v1\n{text}")
        bundle = rego.build(None, ["table/answer"])

        def decide(case: Any) -> Any:
            rego.set_input(case)
            return rego.query_bundle_entrypoint(bundle, "table/answer").results[0].expressions[0]

        return regopy.Input, decide

    def sums(self, rows: tuple[Row, ...]) -> tuple[Callable, Callable]:
        lines = []
        for at, row in enumerate(rows):
            tests = "; ".join(self.test(test) for test in row.tests)
            lines.append(f"row[{at}] := {row.add} if {{ {tests} }}")
        return self.rules("\n".join([*lines, "answer := sum([number | number := row[_]])"]))

    def test(self, test: Test) -> str:
        said = f"input.{test.who}.{test.fact}"
        if test.how == "is":
            return said if test.what else f"not {said}"
        if test.how == "in":
            return f"{said} in {{{', '.join(json.dumps(word) for word in test.what)}}}"
        return f"{said} {({'=': '==', 'at least': '>=', 'at most': '<='})[test.how]} {test.what}"

    def chart(self) -> tuple[Callable, Callable]:
        steps = " else := ".join(f"{at} if input.place.odds >= {least}" for least, at in columns()[:-1])
        return self.rules(f"answer := {steps} else := 1")


class DecisionTable:
    """Engines of tables in the form of DMN: a column for each fact that some row asks, and a cell for each row."""

    def sums(self, rows: tuple[Row, ...]) -> tuple[Callable, Callable]:
        facts = list(dict.fromkeys(name(test) for row in rows for test in row.tests))
        cells = [({name(test): self.cell(test) for test in row.tests}, row.add) for row in rows]
        return self.table(facts, cells, True)

    def chart(self) -> tuple[Callable, Callable]:
        lines = [
            ({"place_odds": self.cell(Test("place", "odds", "at least", least))}, at) for least, at in columns()[:-1]
        ]
        return self.table(["place_odds"], [*lines, ({}, 1)], False)

    def cell(self, test: Test) -> Any:
        raise NotImplementedError

    def table(self, facts: list[str], lines: list, adds: bool) -> tuple[Callable, Callable]:
        raise NotImplementedError


class Spiff(DecisionTable):
    def cell(self, test: Test) -> str:
        match test.how:
            case "is":
                return str(test.what)
            case "in":
                return f"? in {test.what!r}"
            case "=":
                return str(test.what)
        return f"{'>=' if test.how == 'at least' else '<='} {test.what}"

    def table(self, facts: list[str], lines: list, adds: bool) -> tuple[Callable, Callable]:
        from lxml.etree import fromstring
        from SpiffWorkflow.bpmn.script_engine import PythonScriptEngine
        from SpiffWorkflow.dmn.engine.DMNEngine import DMNEngine
        from SpiffWorkflow.dmn.parser.DMNParser import DMNParser

        uri = "https://www.omg.org/spec/DMN/20191111/MODEL/"
        parts = [f'<definitions xmlns="{uri}" id="d"><decision id="x" name="x">']
        parts.append(f'<decisionTable id="t" hitPolicy="{"COLLECT" if adds else "UNIQUE"}">')
        for fact in facts:
            parts.append(f'<input id="{fact}"><inputExpression id="of-{fact}"><text>{fact}</text>')
            parts.append("</inputExpression></input>")
        parts.append('<output id="o" name="value"/>')
        for at, (cells, number) in enumerate(lines):
            parts.append(f'<rule id="r{at}">')
            for fact in facts:
                text = cells.get(fact, "-").replace("<", "&lt;").replace(">", "&gt;")
                parts.append(f'<inputEntry id="{fact}-{at}"><text>{text}</text></inputEntry>')
            parts.append(f'<outputEntry id="o{at}"><text>{number}</text></outputEntry></rule>')
        parts.append("</decisionTable></decision></definitions>")
        parser = DMNParser(None, fromstring("".join(parts)), {"dmn": uri})
        parser.parse()
        engine = DMNEngine(parser.decision.decisionTables[0])
        task = SimpleNamespace(data=None, workflow=SimpleNamespace(script_engine=PythonScriptEngine()))

        def decide(case: dict) -> int:
            task.data = case
            found = engine.result(task).get("value", 0)
            return sum(found) if isinstance(found, list) else found

        return flat, decide


class PyDmn(DecisionTable):
    def cell(self, test: Test) -> Any:
        match test.how:
            case "in":
                return ",".join(json.dumps(word) for word in test.what)
            case "at least":
                return f">= {test.what}"
            case "at most":
                return f"<= {test.what}"
        return test.what

    def table(self, facts: list[str], lines: list, adds: bool) -> tuple[Callable, Callable]:
        """A workbook, whose double lines say where the conditions end."""
        import pyDMNrules
        from openpyxl import Workbook
        from openpyxl.styles import Border, Side

        thin, double = Side(style="thin"), Side(style="double")
        book = Workbook()
        glossary = book.active
        glossary.title = "Glossary"
        glossary.append(["Glossary"])
        glossary.append(["Variable", "Business Concept", "Attribute"])
        for at, fact in enumerate([*facts, "answer"]):
            glossary.append([fact, "Situation" if not at else None, fact])
        table = book.create_sheet("Table")
        table.append(["table"])
        table.append(["C+" if adds else "F", *facts, "answer"])
        for at, (cells, number) in enumerate(lines, 1):
            table.append([at, *(cells.get(fact, "-") for fact in facts), number])
        decision = book.create_sheet("Decision")
        decision.append(["Decision"])
        decision.append(["Decisions", "Execute Decision Tables"])
        decision.append(["table", "table"])
        for sheet, high, wide in ((table, len(lines) + 4, len(facts) + 4), (decision, 6, 6)):
            for row in range(1, high):
                for column in range(1, wide):
                    sheet.cell(row, column).border = Border(left=thin, right=thin, top=thin, bottom=thin)
        for column in range(1, len(facts) + 3):
            right = double if column == len(facts) + 1 else thin
            table.cell(2, column).border = Border(left=thin, right=right, top=thin, bottom=double)
        rules = pyDMNrules.DMN()
        status = rules.use(book)
        if status.get("errors"):
            raise ValueError(status["errors"][0])

        def known(case: dict) -> dict:
            """It refuses whatever the glossary does not name."""
            every = flat(case)
            return {fact: every[fact] for fact in facts}

        def decide(case: dict) -> int:
            status, found = rules.decide(case)
            wrong = [error for error in status.get("errors", ()) if not error.startswith("No rules matched")]
            if wrong:
                raise ValueError(wrong[0])
            return (found["Result"].get("answer") if found else None) or 0

        return known, decide


MAKERS = {
    "zen-engine": Zen,
    "cel-expr-python": CelInCpp,
    "common-expression-language": CelInRust,
    "cel-python": CelInPython,
    "panzi-json-logic": JsonLogic,
    "simpleeval": SimpleEval,
    "asteval": AstEval,
    "business-rules": BusinessRules,
    "durable_rules": Durable,
    "rule-engine": RuleEngine,
    "regopy": Rego,
    "experta": Experta,
    "SpiffWorkflow": Spiff,
    "pyDMNrules": PyDmn,
}
