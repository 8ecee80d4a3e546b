"""Every fault's code and what it means: the text of `closecombat explain CODE`.

One paragraph each: what is wrong, then what mends it. The message at the guilty place says the particulars.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

CODES: Mapping[str, str] = MappingProxyType({
    # ---- files and YAML --------------------------------------------------------------------------------
    "file-not-found":
        "No file has this name. Paths count from the current folder, or from the folder of the file that "
        "names them. Correct the path; the help line names the nearest file in the same folder, if any.",
    "not-a-file":
        "A file is wanted here and the path names a folder. Name a file in it, or use a command that "
        "takes folders.",
    "outside-project":
        "A file names another that lies outside its project, or a link leads out of it. What a file names "
        "(`extends:`, `ruleset:`, the fights of a plan) must lie in the folder that holds `.git`, `pyproject.toml` or "
        "`.closecombat.yaml`, or be shipped: so rules of a stranger cannot have another file of this machine read and "
        "quoted. Where there is no such folder, the current folder and the one above that of the file count. Copy the "
        "file there, name it at the command line, or name the folder that holds both: CLOSECOMBAT_PROJECT=FOLDER.",
    "cannot-read":
        "Something outside the rules stands in the way. The system does not open a file, or lets nobody write it; what "
        "would be written is there already, and nothing is overwritten; or a program or library is not installed. The "
        "message says which.",
    "not-text":
        "The file is not UTF-8 text, or holds a control character that no text has. Save it as UTF-8 from "
        "a text editor, or name the file that was meant.",
    "empty-file":
        "The file holds nothing, or nothing but comments. Write something into it, or leave it out.",
    "too-large":
        "The file is larger than 2 MB; no rulebook chapter is. Split it: all files of a ruleset's folder "
        "are read together. Or a sentence is longer than 2,000 letters: give parts of it names, as one-line tables. Or "
        "a folder has more than is read: a ruleset 200 files with 8 million letters in all, a folder that "
        "`check` looks through 10,000 files.",
    "too-deep":
        "Mappings and lists are nested more than 40 levels deep, which is nearly always a bracket that "
        "was never closed. Close it, or give the inner part a name of its own. Or more than 40 tables are "
        "worked out from one another in a row: write the value of one of them into a `noted` fact. Or a sentence has "
        "more than 30 brackets: give parts of it names, as one-line tables.",
    "too-many-nodes":
        "A file holds more than 100,000 keys and values, or a variant more than 1,000 changes. Split it: all files of "
        "a ruleset's folder are read together, and variants can be stacked.",
    "too-many-faults":
        "More than a hundred findings: the rest are counted and not shown. Mend the first ones and run "
        "again; one mistake often causes many.",
    "yaml-syntax":
        "The file is not well-formed YAML, so nothing after this place can be read. Usual causes: "
        "indentation that does not line up, a quote or bracket that is never closed, a second `: ` in one "
        "line, a tab, or a text that begins with one of the signs that YAML keeps for itself. Mend it or "
        "quote the text.",
    "duplicate-key":
        "The same key is written twice in one mapping; YAML would silently keep one of them. Keep one, or "
        "give the other its own name.",
    "empty-key":
        "A key inside braces has no value. Inside braces a comma starts a new column, so `{when: a is b, "
        "c}` has the two columns `when` and `c`. Join words by `or`, or write the row over several lines, "
        "where a comma stays in its cell.",
    "alias-not-allowed":
        "Anchors (`&name`), aliases (`*name`) and merge keys (`<<`) make one place of a file depend on "
        "another unseen. Write the text out where it is needed; what is shared deserves a table of its "
        "own.",
    "tag-not-allowed":
        "A YAML tag (`!something`) says how to read a value. Here that follows from where the value "
        "stands: leave the tag out.",
    "several-documents":
        "A line of three dashes begins a second document in the same file. One file holds one document: "
        "put the second into a file of its own.",
    # ---- shape and sentences ---------------------------------------------------------------------------
    "wrong-shape":
        "Something of another form should stand here: lines or braces with `name: ..`, a list, a text, or one of a "
        "few words. "
        "The message says what; the language reference in grammar/reference.md shows where each key stands.",
    "unknown-key":
        "A key that nobody reads here. It may be misspelled, or belong one level up or down. Correct it "
        "or take it out; a remark belongs in `note` or in a comment.",
    "missing-key":
        "A key that must be here is not. Add it; the message names it.",
    "duplicate-id":
        "Two things of the same sort have the same id, perhaps in two files of the folder. Ids address "
        "rows, tables and facts everywhere, so each must be one of its kind. Rename one.",
    "sentence-syntax":
        "The words of a cell do not form a sentence. The message says what is wrong with the part that is underlined, "
        "and the help line how it is said. The forms are in grammar/README.md and grammar/reference.md, section 3 of "
        "each; what is often written otherwise is in grammar/slips.md.",
    "missing-claim":
        "`every unit where (fit)` does not say what every one of them is. Say it with `is`: `every unit where "
        "(fit) is armed`. `any` and `no` may stand alone: whether there is such a unit, or none.",
    "two-readings":
        "People hear this sentence in two ways, so it is not guessed which was meant: `not broken or pinned`, "
        "`not 0 or at least 5`, `a or b and c`, `a + b / 2 rounded down`. The help line writes both out; take the "
        "one that the rule means. Brackets, or the other order, settle most of them. Or a row does not say which "
        "of two things the sequence that it plays is about: give the row's thing the name that the sequence asks "
        "for.",
    "two-spellings":
        "What is not so is said in one way: `no`, and not `not yes`; `not broken`, and not `not (broken)`; `no unit "
        "is broken`, and not `not (any unit is broken)`. Nothing else is meant, so the short form, which the help line "
        "writes out, is the only one. Brackets follow `not` around `and`, `or`, `every` and what is said with `is`.",
    "unknown-name":
        "A name that is no fact, table, option or member here. Correct the spelling, declare it, or say "
        "whose it is with `of`.",
    "unknown-word":
        "A word that the value it is compared with can never be. Use one of the words of its list, or add "
        "the word to the list.",
    "ambiguous-name":
        "A name means two things. In a sentence, two of the things that speak have a fact of this name: say "
        "whose is meant, `name of thing`. In a ruleset, a fact or a table hides another of the same name, so "
        "that a bare name never means the hidden one: rename one of them. Or a variant adds something, or takes it "
        "out, and a sentence of what it extends means something else by the same word: give what is new another name.",
    "reserved-word":
        "A word that the language gives a meaning stands where a name is given. `yes`, `no`, `nobody` and what is "
        "built in, such as `in-play`, can be no names, nor is a fact, a table or an option called as a key of "
        "every row, such as `title` or `when`, nor a die as dice are written, `d6`: find another. `and`, `or`, `not`, "
        "`is`, `any`, `every`, `of`, `for`, `where` and `in` can, but a sentence quotes it: `unit is \"in\"`. Other "
        "words, such as `total` or `down`, are names wherever the language does not want the word.",
    "circular":
        "A table is worked out from itself, by way of the tables it asks, a sequence plays itself, a "
        "variant extends itself, by way of the variants it extends, or rows count in the place of each other "
        "(`instead-of`), so that none is left. Break the circle: what must be "
        "remembered from one moment to the next is a `noted` fact that a row sets.",
    "wrong-type":
        "A value of one type stands where another is wanted, such as a number where a yes or no is. The "
        "message says what it is and what is wanted; compare it, count it or ask for a fact of it.",
    "illegal-declaration":
        "A player's choice breaks a rule of the ruleset. The message names the rows that forbid it and "
        "the rules they come from. Change the choice.",
    "never-asked":
        "A choice is answered that nobody is asked to make: the row is not reached, its `when` does not hold, the one "
        "who answers has left or is not among those whom the row asks, or it asks fewer times than there are answers. "
        "Nothing was done with the answer. Take it out, or mend what keeps the row from asking.",
    # ---- rulesets and situations -----------------------------------------------------------------------
    "unknown-ruleset":
        "No ruleset has this name. `closecombat list` shows the ones that are shipped; a path must lead "
        "to a ruleset's folder or file.",
    "missing-fact":
        "The situation does not say something that the rules need and that has no default. Add the fact "
        "to the thing that the message names.",
    "unknown-fact":
        "The situation states a fact that things of this kind do not have. Correct the spelling, or "
        "declare the fact under `kinds`.",
    "unknown-counter":
        "No line of the counter sheet has this name. Correct the spelling, or add a line under "
        "`counters`.",
    "unknown-thing":
        "A thing is named that the situation does not have. Correct the name, or add the thing.",
    "unknown-option":
        "The ruleset has no option of this name, or the option no such reading. The ruleset lists its "
        "options with their readings under `options`.",
    # ---- what a ruleset rests on, and what it could do without ----------------------------------------
    "unknown-source":
        "A cited clause begins with no key under `sources`, so nobody can tell which document it is in. "
        "Correct the id, or add the document: `{A11: the chapter on close combat}` is for A11.16b.",
    "unknown-clause":
        "A cited clause is not listed under `clauses`. Correct the id, or write the clause down in our own "
        "words.",
    "cited-yet-left-out":
        "A row rests on a clause of which `left-out` says that the ruleset leaves it out. One of the two is "
        "wrong: take out the `left-out`, or the citation.",
    "unknown-assumption":
        "Something is marked `assumed` with an id that is not listed under `assumptions`, so a result could "
        "not say what was assumed. Correct the id, or add the assumption.",
    "unused-assumption":
        "An assumption that nothing rests on. Mark the rows, tables or facts that rest on it with `assumed`, "
        "or take it out.",
    "one-reading":
        "An assumption that could be read in no other way: no option hangs on it, no row of a sum or of what is "
        "forbidden that could be switched off, no number of a row. `weigh` cannot say how much it matters. Write what "
        "it would be `else`, as a variant would change it, or in a few words why there is no other reading, `only`.",
    "unused":
        "Something that no sentence asks for and no row that is reached plays, rolls or owes; examples count "
        "as asking. Often a name is misspelt where it should be used. Use it, or take it out. Or an effect makes of a "
        "fact what the tests of its row say that it is already, or adds nothing.",
    "unsaid":
        "A row that is printed for players (`sheet:`) would be read as no player says it: a name made for lists, with "
        "hyphens, stands in the sentence, or a bracket within a bracket. Say how people say it: `says:` on the fact or "
        "table, `is in a boat`, or on the row itself.",
    "never-settled":
        "A sentence reads dice that no row rolls, a card that no row deals, or a choice that nobody is asked to make. "
        "Such dice and cards are always nobody, and such a choice is what a silent situation makes it. Often a row "
        "was taken out, or its sequence is not played. Add the row, or take out what reads the fact. Or a row brings "
        "somebody in without a fact that a situation would have to say of him, or makes a third of those who are each "
        "the other of two.",
    "read-too-soon":
        "A row reads dice, a card or a choice that only a row behind it settles, or one that happens at the same "
        "time: under `at-once` every row is judged on what was so before. It reads as if it worked, and asks of "
        "nobody, or of the throw before. Put the row that settles it first. A row that asks whether there has been a "
        "throw, `dr is nobody`, is left alone. Or somebody leaves who has no hits left, at once with the row that "
        "takes them: he goes by what he had before.",
    "runs-out":
        "A row in a repetition without a bound deals from a deck that no row shuffles: sooner or later it is empty, "
        "and the next card is a fault. Let the deck say `when-empty: shuffle`, or shuffle it in a row.",
    "tells-a-secret":
        "A choice or declaration rests on what another has answered in secret and no row has shown yet: who is asked, "
        "what he may answer, or what the ruleset answers for him tells him of it. Ask it only of his own side, let all "
        "answer `at-once`, or put the choice before the secret or behind a row that goes by it.",
    "never-so":
        "A test or a part of a sentence that no value of its fact can pass, or that compares a flag or word with what "
        "it cannot be. The row never applies. Look at the range in the declaration, or at the number; if it is right, "
        "take the row out, or the part.",
    "never-otherwise":
        "A test that every value passes, so that it says nothing, or an `otherwise` below rows that leave nothing. A "
        "reader looks for the case that it excludes. Take it out, or correct what was meant.",
    "never-applies":
        "The tests of a row exclude each other: each may hold, but not all at once. Mend one of them, or take the row "
        "out. Or a row multiplies what the rows above it have made, and they make nothing: put it below those that it "
        "is to multiply. It is a note where nothing is ever looked up under a heading of a chart, since what is looked "
        "up does not reach there: a printed chart may have such.",
    "hidden-row":
        "Under `first-of` the first row that holds counts, and wherever this one holds, a row above it does too. Put "
        "the narrower row first, or take it out. Under `highest-of` another row holds wherever this one does, and "
        "gives more, under `lowest-of` less: mend what one of them gives, or take this one out.",
    "rows-overlap":
        "Under `one-of` only one row may hold, and there are situations in which two do; a fight that comes to one "
        "stops with `several-rows-apply`. The message names the smallest, or `-v` shows a small fight that has come to "
        "one. Make the rows exclude each other, or use `first-of:`, under which the first of them counts.",
    "no-row-for":
        "There are situations for which a table has no row; a fight that comes to one stops with `no-row-applies`. The "
        "message names one of them and how many there are, or `-v` shows a small fight that has come to one. Add a "
        "row, or `otherwise:` for all that is left.",
    "bounds-cross":
        "The `at-least` of a table is more than its `at-most`, so that it has one value, whatever its rows say. The "
        "two were taken for each other, or one number is wrong.",
    "stays-behind":
        "A row says whose somebody is from now on, `set side to enemy of side`, and leaves him in the set of whom he "
        "stood with: whoever counts `units of side` counts him there. Remove him from one and put him into the other. "
        "Or a row puts him into the other, and no row removes anybody from where he stood.",
    "rows-clash":
        "Two rows of an `at-once` sequence hold in the same situation, and make the same fact of the same one two "
        "different things, or throw its dice twice. A fight that comes to it stops with `conflicting-writes`; a flag "
        "that one gains and the other loses is turned over, whatever it was. The message names the smallest such "
        "situation. It is a note where no small fight that was played came to it: a row that stands before may see to "
        "that. Make the rows exclude each other, or let one come after the other under `in-order`.",
    "no-legal-answer":
        "There are situations in which a row asks a player, and its `legal` table forbids every answer; what the row "
        "has under `otherwise` is forbidden too, so a fight that comes to it stops. The message names one, or a small "
        "fight that was played has come to it. It is a note where no small fight that was played comes to it: "
        "a row that stands before may see to that. Let the row ask only where an answer is left, or mend the table.",
    "may-stop":
        "A small fight was played, made up of what a situation may say, and stopped: a sentence asks for the highest "
        "of nobody, divides by 0, throws fewer dice than none. The message says what stopped it, and the situation is "
        "shown. Ask first whether there is anything, bound the value, or let a situation say less: `men: 1 to 9`. "
        "Nothing is told of it as long as something else is that may stop a fight.",
    "may-be-nobody":
        "A row changes somebody who may be nobody, and then does nothing, in silence; or lets a player choose where "
        "nobody may be left, so that no answer is allowed and the fight stops. The message shows a situation in which "
        "it comes to that. Ask first, in a column such as `target: not nobody`; let the row look `for:` him; or let "
        "what is chosen be `a unit or nobody`.",
    "rows-join":
        "Two rows, one after the other, say the same and differ in one thing alone: one row can ask both, `class: "
        "archer or scout`. It is no fault. Join them, or say in a `note` or with `cites` why there are two.",
    "never-matters":
        "A table asks something, and whatever the answer is, it says the same. Often a row was copied and its outcome "
        "never changed. Take the column out, or correct the outcome that was meant to differ.",
    "always-together":
        "Two modifiers apply in exactly the same situations. Often a row was copied and its test never changed; if "
        "not, one row with the sum says the same. It is a warning where both add the same and cite the same, for then "
        "it is counted twice.",
    "leaves-chart":
        "The sum of a list of modifiers can be more or less than any heading of the grid that it is looked up in; a "
        "fight that comes to it stops with `no-value`. The message names such a situation. Where what is looked up "
        "comes of more than a sum, small fights are played, and a chart by which one of them stops is told of. Add an "
        "open heading such as `above 12`, bound the sum with `at-least` and `at-most`, or say `ends: stay`.",
    "not-analysed":
        "The rows of a table ask too many different things to be held against each other one by one, so what is said "
        "of gaps, overlaps and hidden rows says nothing of this one. It is no fault. Give parts of a long condition "
        "names, as one-line tables.",
    "grid-gap":
        "A grid has no column or no row for something that it may be asked: a word of a list, a whole number "
        "between two bands, an end of the range that a fact, a roll or a sum of them has, longer odds. Add the "
        "heading, let a band reach further, or say `ends: stay`. Where the chart prints nothing a cell is `-`. What is "
        "0 may be left out, since nobody asks what is worth nothing. Of a throw a number may be missing among others "
        "that each have a heading: it would be read under its neighbour.",
    "word-never-given":
        "A table lists a word that none of its rows gives. Either a row is missing, or the word is not "
        "needed. A table that takes its words from a named list may leave some of them ungiven.",
    "never-given":
        "A test asks whether a table or a grid is what none of its rows or cells gives, so it is never so: a word of a "
        "named list that this chart never comes to, or a number between two that it gives. Ask for what it gives, or "
        "add the row or the cell. A chart that gives one thing alone is a setting: what is asked of it may wait for a "
        "variant.",
    "unused-ignore":
        "A comment `# closecombat: ignore[code] reason` ignores what is not there: its line has no such finding, or "
        "there is no such code. Take it out, so that it hides nothing later.",
    "ignore-without-reason":
        "A comment `# closecombat: ignore` does not say which code it ignores, or why. It ignores nothing until it "
        "does: `# closecombat: ignore[unused] the scenario book asks for it`.",
    # ---- variants --------------------------------------------------------------------------------------
    "missing-target":
        "A variant changes something that its base does not have. Correct the id; `closecombat show` "
        "lists the ids of the base.",
    "base-changed":
        "A variant was written against a base that has since changed at this place. Compare what was "
        "expected with what is there now, then bring the variant up to date.",
    "names-a-range":
        "A change of a variant says between which ends a number lies, `{from: -4, to: 0}`, and not what it is. Such a "
        "variant is a question, and no rules to play by: `closecombat tune FILE` answers it by the settings that reach "
        "its goals, and `--write` writes one of them into the file.",
    "was-left-out":
        "A change of a variant sets, replaces or removes something and does not say what it was. When the base is "
        "corrected at that very place, the variant takes the correction back and nobody is told. Write `was:` and what "
        "stands there now; `closecombat check --fix` writes it.",
    "variants-clash":
        "Two variants of the stack change the same thing and the later one is not written to come after the "
        "earlier. Say `over:` and the earlier one's name in the later, let it extend the earlier, or leave "
        "one out.",
    "locked":
        "A variant of the stack changes what another has locked, as the conventions of a tournament do. A lock holds "
        "whichever of the two comes first, and `over:` does not open it. Leave the change out, or the variant; what "
        "is agreed the locking variant extends, and locks as that leaves it.",
    "wrong-base":
        "A variant is put on a ruleset that it does not extend. Begin the stack with the ruleset that its "
        "`extends` names, or leave the variant out.",
    # ---- while playing ---------------------------------------------------------------------------------
    "dice-left-over":
        "More dice were given than the combat rolled. The trace shows what was rolled; take the rest out, "
        "or check that the combat went the way it was meant to.",
    "dice-missing":
        "The combat rolls dice that were not given. Add them, in rolling order; the message says for "
        "what.",
    "dice-grouped-wrongly":
        "Dice that stand together in brackets, or as a tally, are one roll; here the combat rolls fewer or more of "
        "them at this moment. Group them as they are rolled, or write the faces one after the other without brackets "
        "within.",
    "no-such-face":
        "The die rolled has no such face. Correct the number or the word.",
    "out-of-range":
        "A number lies outside the range it was declared with, or off the end of a grid that has no open "
        "end. Widen the range, bound the value with `at-least` and `at-most`, or add a heading such as "
        "`above 10-1`. It is a warning where what is taken from a number may be less than 0, and would be added.",
    "no-row-applies":
        "None of a table's rows holds, and it has no `otherwise`. Add the row that is missing, or an "
        "`otherwise`.",
    "several-rows-apply":
        "More than one row of a `one-of` table holds. Make the rows exclusive, write `instead-of` on the "
        "stronger one, or use `first-of` if the printed order decides.",
    "no-value":
        "A value is asked of nothing: the highest of an empty set, a fact of nobody, a division by zero. "
        "Ask first whether there is anything, in `when` or in a row above.",
    "conflicting-writes":
        "Two rows that happen at once give one fact two different values, or throw the same dice, of which nobody "
        "could say which throw counts. Make them exclusive, or put them `in-order`.",
    "tied-order":
        "Two who are to act one before the other have the same of that by which they are put in order, and the row "
        "says that this `never` happens. Say under `ties:` what they do: what counts next, `as-listed`, `lots`, or "
        "`at-once`.",
    "order-unknown":
        "A row goes through what was declared or created, one after the other, and which came first hangs on dice. Say "
        "in the row in what order, `first: highest initiative of side`, or let it all happen `at-once`. Likewise, of "
        "those who are level `whoever of .. has highest ..` means the first: rank them by what tells them apart.",
    "loop-without-end":
        "A repetition can never reach its end from here: whatever is rolled, nothing changes any more; or it has been "
        "played 10,000 times. Correct its `until`, or bound it with `at-most`.",
    "budget-exceeded":
        "The reading would need more states, steps or memory than it may use. Nothing was cut short "
        "silently: there is no result. Make the situation smaller, or raise the budget.",
    "takes-long":
        "The exact answer would take longer or more memory than is spent unasked: some ten seconds and half a "
        "gigabyte. How much it would take is told as far as it can be known beforehand, and nothing was cut short "
        "silently: there is no result. Go on with `--yes`, or make the question smaller. A repetition that is played "
        "asks so too, after hundreds of passes that have taken about a second.",
    "no-such-fight":
        "The system has no fight of this kind: its engagement says so, with the clause, or the plan of a sweep does. "
        "Choose another system; in a sweep the row says so and has no result.",
    # ---- an order of battle -----------------------------------------------------------------------------
    "not-translated":
        "A system fields nothing for a word of the order of battle, so a fight told with the word cannot be told "
        "there, or is told without it; the answer says which. Say what it fields, or `no-such-rule:` and why.",
    "unused-translation":
        "Something is fielded that nobody ever asks for: the word is none of the order of battle, or the row asks for "
        "what is never so. Correct the spelling, list the word, or take it out.",
    "words-clash":
        "Two words that are said together put different things in one place of a fight, such as picked men and green "
        "ones of the same unit. Say one of the two; or let the rows hold apart, with `when: .. and not ..`.",
    "other-plan":
        "The file that a sweep is to go on with holds rows of another plan or another share of the rows, or is no file "
        "of rows. A plan is another one when its text, a fight that it names, a rule or the program has changed. Name "
        "another file with -o, or take the old one away.",
    "fault-of-the-program":
        "A fault of closecombat itself has kept a situation of a sweep from being worked out; its row says what it "
        "was. Please report it with the plan. The other rows are not touched by it.",
    # ---- examples --------------------------------------------------------------------------------------
    "example-fails":
        "An example's combat came out otherwise than it expects. The message shows expected and got; "
        "either the rule or the expectation is wrong, and the trace shows which rows decided.",
    "nothing-found":
        "There was nothing to do: no ruleset, situation or example lies under the paths given. Check the "
        "paths.",
})  # fmt: skip

# Most codes are errors. A warning leaves a ruleset that can be played; some are one or the other, by how sure it is.
WARNINGS = frozenset(
    {"bounds-cross", "cited-yet-left-out", "hidden-row", "ignore-without-reason", "leaves-chart", "may-be-nobody",
     "may-stop", "never-given", "never-otherwise", "never-so", "no-row-for", "not-translated", "read-too-soon",
     "rows-overlap", "runs-out", "stays-behind", "tells-a-secret", "unknown-clause", "unknown-source", "unsaid",
     "unused", "unused-assumption", "unused-ignore", "unused-translation", "was-left-out", "word-never-given"}
)  # fmt: skip
EITHER = MappingProxyType({
    "always-together": "warning or note", "ambiguous-name": "error or warning", "grid-gap": "error or warning",
    "never-applies": "warning or note", "never-settled": "error or warning", "no-legal-answer": "warning or note",
    "out-of-range": "error or warning", "reserved-word": "error or note", "rows-clash": "warning or note",
})  # fmt: skip
NOTES = frozenset({"never-matters", "not-analysed", "one-reading", "rows-join", "too-many-faults"})


def severity_of(code: str) -> str:
    """How severe a finding of a code is where no settings say otherwise; of those that may be either, `either`."""
    return "warning" if code in WARNINGS else "either" if code in EITHER else "note" if code in NOTES else "error"
