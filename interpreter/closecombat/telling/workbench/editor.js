// The editor of the rule: CodeMirror, with the findings and the names that the program knows. Its modules are made of
// the parts by the page; it gives back what the page needs of it and knows nothing of the page.
import { EditorState, Compartment } from "@codemirror/state";
import {
  EditorView, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, drawSelection, placeholder,
} from "@codemirror/view";
import { syntaxHighlighting, HighlightStyle, bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { history, historyKeymap, defaultKeymap } from "@codemirror/commands";
import { autocompletion, completionKeymap, closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { setDiagnostics, lintGutter, lintKeymap } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { yaml } from "@codemirror/lang-yaml";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--key)" },
  { tag: [tags.string, tags.special(tags.string), tags.attributeValue], color: "var(--string)" },
  { tag: [tags.comment, tags.meta], color: "var(--note)", fontStyle: "italic" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "var(--note)" },
]);
const look = EditorView.theme({
  "&": { height: "100%", fontSize: "0.86rem", backgroundColor: "var(--paper)", color: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--is)", outlineOffset: "-2px" },
  ".cm-content": { fontFamily: "ui-monospace, 'Noto Sans Mono', monospace", caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--soft)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--band)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "light-dark(#cfe0ee, #2c4660)" },
  ".cm-tooltip": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--soft)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--is)", color: "var(--paper)" },
  ".cm-completionDetail": { color: "inherit", opacity: "0.8" },
  ".cm-panels": { backgroundColor: "var(--band)", color: "var(--ink)" },
  ".cm-panels input, .cm-panels button": { color: "var(--ink)", backgroundColor: "var(--paper)", backgroundImage: "none" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad)" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--warn)" },
});

// Lines and columns of the program count letters from 1, and those of a browser units of UTF-16 from 0.
export const unitsOf = (text, letters) => Array.from(text).slice(0, letters).join("").length;
export const lettersOf = (text) => Array.from(text).length;

function placed(doc, { line, column }) {
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(at.from + unitsOf(at.text, column - 1), at.to);
}

export function makeEditor(parent, text, label, changed, offers) {
  const names = async (context) => {
    const word = context.matchBefore(/[\w.-]*/);
    if (!context.explicit && (!word || word.from === word.to)) return null;
    const found = await offers(lettersOf(context.state.doc.sliceString(0, context.pos)));
    if (!found.length || context.aborted) return null;
    const from = word ? word.from : context.pos, line = context.state.doc.lineAt(from);
    const isKey = /^\s*$/.test(context.state.sliceDoc(line.from, from)); // at the beginning of a line
    const options = found.map((one) => ({ label: one.name, detail: one.told, boost: one.fits ? 1 : 0, ...(isKey ? { apply: `${one.name}: ` } : {}) }));
    return { from, options, validFor: /^[\w.-]*$/ };
  };
  const named = new Compartment();
  const attributes = (said) => EditorView.contentAttributes.of({ "aria-label": said, tabindex: "0" });
  const begin = (said, called) => EditorState.create({
    doc: said,
    extensions: [
      placeholder("Nothing is changed: this is the game as it is. Begin with a house rule that is shipped, or change one row."),
      lineNumbers(), lintGutter(), highlightSpecialChars(), history(), drawSelection(), indentOnInput(), bracketMatching(),
      closeBrackets(), autocompletion({ override: [names] }), highlightActiveLine(), highlightActiveLineGutter(), search(),
      indentUnit.of("  "), yaml(), syntaxHighlighting(colours), look, EditorView.lineWrapping, named.of(attributes(called)),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
      EditorView.updateListener.of((update) => { if (update.docChanged) changed(update.state.doc.toString()); }),
    ],
  });
  const view = new EditorView({ parent, state: begin(text, label) });
  return {
    show(said, called) { view.setState(begin(said, called)); },
    text: () => view.state.doc.toString(),
    write(said) { // all of it anew, in a way that can be undone
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: said }, selection: { anchor: 0 } });
    },
    mark(findings) {
      const doc = view.state.doc;
      view.dispatch(setDiagnostics(view.state, findings.filter((one) => one.range).map((one) => {
        const from = placed(doc, one.range.start), to = Math.max(placed(doc, one.range.end), from);
        const message = one.help ? `${one.message}\n${one.help}` : one.message;
        return { from, to: to > from ? to : Math.min(from + 1, doc.length), severity: one.severity === "error" ? "error" : "warning", message };
      })));
    },
    go(line) {
      const at = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      view.dispatch({ selection: { anchor: at.from }, scrollIntoView: true });
      view.focus();
    },
  };
}
