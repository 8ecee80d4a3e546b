// The page of the workbench: what stands in it, what is asked of the program, and who works. It holds one state (which
// game, what was changed of its rules, the fight), which is also what a link carries. Every text of a person is put in
// as text and never as HTML; what is worked out comes from the program alone (`closecombat.cli.desk`).
"use strict";
(() => {
const FIRST = JSON.parse(document.getElementById("first").textContent);
const RULE = "house-rule.yaml";
const VERSION = "1";
const LONGEST_LINK = 30000, LONGEST_STATE = 300000; // letters, packed and unpacked
// Bytes of Python's memory. Beside all else that a browser needs for itself and for this page they keep it below 700 MB.
const ROOM = 165000000; // that the first worker may have at most
const LARGE = 80000000; // whoever grows beyond this works alone, and is replaced when it has done so: none gives memory back
const SPARE = 75000000; // that the second may have
const WHILE_TYPING = 200, A_WHILE = 700, BARS_ALONE = 1500, LONG = 4000, TOO_LONG = 5000, QUIET = 1000, SOON = 300; // milliseconds
const $ = (id) => document.getElementById(id);

// ---- small things ----------------------------------------------------------------------------------------
function make(name, given = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && key !== "list" && key !== "style") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...inside.filter((one) => one !== null && one !== undefined));
  return made;
}
// A text with what stands between backticks in it, as letters of a file.
const coded = (text) => text.split(/`([^`]+)`/).map((one, at) => at % 2 ? make("code", {}, one) : one);
const put = (where, ...what) => where.replaceChildren(...what.filter((one) => one !== null && one !== undefined));
const percent = (share) => share === 0 ? "-" : share < 0.005 ? "<0.01%" : `${share.toFixed(2)}%`;
const copyOf = (said) => JSON.parse(JSON.stringify(said));
const isMap = (said) => typeof said === "object" && said !== null && !Array.isArray(said);
function flow(said) {
  if (Array.isArray(said)) return `[${said.map(flow).join(", ")}]`;
  if (isMap(said)) return `{${Object.entries(said).map(([key, value]) => `${key}: ${flow(value)}`).join(", ")}}`;
  return String(said);
}
function optionsFor(select, groups, chosen) {
  put(select, ...groups.flatMap(([title, options]) => {
    const made = options.map(([value, text]) => make("option", { value, selected: value === chosen }, text));
    return title ? [make("optgroup", { label: title }, ...made)] : made;
  }));
}
function keepPlace(where, draw) { // a form that is drawn anew keeps the hand where it was
  const at = where.contains(document.activeElement) ? document.activeElement.dataset.at : "";
  draw();
  if (at) [...where.querySelectorAll("[data-at]")].find((one) => one.dataset.at === at)?.focus();
}

// ---- the parts -------------------------------------------------------------------------------------------
function packed(text) { // as a blob, which stays as small as it comes: whoever uses it unpacks it
  return new Blob([Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : Uint8Array.from(atob(text), (one) => one.charCodeAt(0))]);
}
const unpacked = (text) => new Response(packed(text).stream().pipeThrough(new DecompressionStream("gzip"))).blob();
const FOR_WORKER = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json", "site.zip"];
// A browser clears away what nobody needs when much has been asked for. What is asked for here is not written to, and so
// takes no memory.
function swept() {
  for (let number = 0; number < 8; number += 1) new ArrayBuffer(64_000_000);
}
// A module of the parts, once each; the names that it imports become the addresses of those parts.
const modules = new Map();
function address(name) {
  if (!modules.has(name)) modules.set(name, (async () => {
    let text = await (await unpacked(self.PARTS[name])).text();
    const imported = /^((?:import|export)\b[^'"]*?\bfrom\s*|import\s*)(['"])([^'"]+)\2/gm;
    const wanted = [...new Set([...text.matchAll(imported)].map((found) => found[3]))].filter((one) => one in self.PARTS);
    const known = new Map(await Promise.all(wanted.map(async (one) => [one, await address(one)])));
    text = text.replace(imported, (all, head, quote, one) => known.has(one) ? head + quote + known.get(one) + quote : all);
    return URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  })());
  return modules.get(name);
}

// ---- who works -------------------------------------------------------------------------------------------
// Two workers, each with one question after the other. The first answers what moves the bars; the second, which begins
// later, looks for faults and for what else is to be said, and takes the place of the first if that has to be ended.
// Of each sort of question only the newest waits: what was typed over is not worked out.
const FIRST_ORDER = ["told", "odds", "before", "offers", "form", "change", "text", "written", "warm"];
const SECOND_ORDER = ["findings", "rolled", "rest", "changes", "rows"];
const DOING = { odds: "Working out the chances", before: "Working out what they were before", rest: "Working out what else there is to say", rolled: "Rolling", findings: "Looking for faults", told: "Telling the fight" };
const crew = { parts: null, script: "", number: 0, first: null, second: null };
const nobodyYet = () => ({ worker: null, ready: false, now: null, since: 0, heap: 0, answered: 0, waiting: new Map() });
const roomFor = (hand) => Math.max(hand.heap, hand === crew.first ? ROOM : SPARE);
const alone = () => crew.first.heap > LARGE; // no second beside the first

function hire(hand) {
  const worker = new Worker(crew.script);
  hand.worker = worker;
  worker.onmessage = ({ data }) => {
    if (hand.worker !== worker) return;
    if (data.heap) { hand.heap = data.heap; if (alone()) makeRoom(); }
    if (data.machine) crew.parts["pyodide.asm.wasm"] = data.machine; // made once, whoever comes later has it ready
    if (data.ready) { hand.ready = true; relieve(); next(hand); }
    else if (data.broken) broken(data.broken);
    else if (hand.now && hand.now.id === data.id) heard(hand, data);
  };
  worker.onerror = (event) => { event.preventDefault(); broken(event.message || "there is no worker"); };
  worker.postMessage({ parts: crew.parts });
}
function broken(why) { say(`The workbench cannot start: ${why}. Try a newer browser.`); }
const tooLarge = { severity: "error", message: "this takes more memory than a page should", help: "fewer units, fewer attacks, or one close combat and not to the end; `closecombat chances` has more room for the fight as a file" };

function heard(hand, data) {
  const { now } = hand;
  if (data.said !== undefined) { now.said = data.said; return; }
  hand.now = null;
  if (data.failed === undefined) { hand.answered += 1; now.yes(JSON.parse(data.answer)); }
  else {
    const full = /MemoryError|memory/.test(data.failed), isWorn = hand === crew.second && hand.answered > 0;
    if (full || !data.failed.startsWith("Traceback")) end(hand); // else it is Python that said so, and Python goes on
    if (full && isWorn) later(hand, now); // it may have been full of what it answered before
    else now.yes({ findings: [full ? tooLarge : { severity: "error", message: `a fault of the workbench itself: ${data.failed.trim().split("\n").pop()}`, help: "please report it, with a link to this page" }] });
  }
  relieve();
  next(hand);
  next(crew.second);
}
// Ends the first if it has grown large and has nothing to do.
function relieve() {
  const { first } = crew;
  if (first.ready && alone() && !first.now && !first.waiting.size) end(first);
}
// The first has grown large: what the second does waits until somebody small is there again.
function makeRoom() {
  const { second } = crew, { now } = second;
  if (!second.worker) return;
  end(second);
  if (now) later(second, now);
}
// A question that must be begun anew, unless it has been asked anew since.
function later(hand, asked) {
  if (hand.waiting.has(asked.sort)) { asked.yes(null); return; }
  hand.waiting.set(asked.sort, asked);
  next(hand);
}
// Ends a worker, whatever it does. In the place of the first comes the second, if it is there.
function end(hand) {
  const { now } = hand;
  hand.worker.terminate();
  Object.assign(hand, { worker: null, ready: false, now: null, heap: 0, answered: 0 });
  if (hand === crew.first && crew.second.ready) {
    const { waiting } = hand;
    crew.first = crew.second;
    crew.second = hand;
    [crew.first.waiting, crew.second.waiting] = [waiting, crew.first.waiting];
    next(crew.first);
  }
  if (hand === crew.first) hire(hand);
  return now;
}
// The second is hired when the first has had nothing to do for a while.
let quietSince = 0, sweptAt = 0;
const warmed = new Set(); // what has been tried of each game, so that somebody's own first change is as quick as others
function tendCrew() {
  const { first, second } = crew, at = performance.now();
  if (!first) return;
  if (!first.ready || first.now || first.waiting.size) quietSince = at;
  if (at - quietSince > QUIET && crew.number > sweptAt) { sweptAt = crew.number; swept(); }
  if (!second.worker && !alone() && (at - quietSince > (second.waiting.size ? 0 : QUIET) || (first.now && at - first.since > LONG))) hire(second);
  if (state && form && at - quietSince > SOON) warm();
  next(second);
  const slow = [first, second].find((hand) => hand.ready && hand.now && hand.now.sort !== "warm" && at - hand.since > (hand === first ? A_WHILE : LONG));
  $("stop").hidden = !slow;
  const said = !first.ready ? "Getting ready …" : slow ? `${DOING[slow.now.sort] ?? "At work"} …${slow.now.said ? ` ${slow.now.said}` : ""}` : "";
  if ($("status").textContent !== said) $("status").textContent = said;
}
// What a change of a rule and a larger fight need is tried while there is nothing else to do, one at a time.
function warm() {
  const { ruleset, texts } = state, isChanged = Object.keys(texts).length > 0, [tried] = game().variants;
  const rules = isChanged || !tried ? texts : { [RULE]: tried.text };
  const fights = [isChanged || !tried ? null : copyOf(state.fight), largerFight()];
  const at = fights.findIndex((fight, number) => fight && !warmed.has(`${ruleset} ${number}`));
  if (at < 0) return;
  warmed.add(`${ruleset} ${at}`);
  ask("warm", { ruleset, texts: rules, fight: fights[at] });
}
function ask(sort, question) {
  // what is worked out with patience takes room: the second has none
  const who = () => !question.patient && (SECOND_ORDER.includes(sort) || (sort === "before" && crew.second.ready && !question.alone)) ? crew.second : crew.first, hand = who();
  for (const one of [crew.first, crew.second]) { one.waiting.get(sort)?.yes(null); one.waiting.delete(sort); }
  if (hand === crew.first && hand.now?.sort === sort && performance.now() - hand.since > TOO_LONG && crew.second.ready) end(hand).yes(null);
  return new Promise((yes) => {
    const place = who();
    place.waiting.set(sort, { sort, yes, question: { ask: sort, ...question } });
    next(place);
  });
}
// The bars come first: for a while nobody beside them takes from what the machine has.
const atTheBars = () => crew.first.now?.sort === "odds" && performance.now() - crew.first.since < BARS_ALONE;
function next(hand) {
  if (hand.now || !hand.ready || !hand.waiting.size || (hand === crew.second && atTheBars())) return;
  const order = [...FIRST_ORDER, ...SECOND_ORDER];
  const sort = [...hand.waiting.keys()].sort((one, two) => order.indexOf(one) - order.indexOf(two))[0];
  hand.now = hand.waiting.get(sort);
  hand.waiting.delete(sort);
  hand.now.id = ++crew.number;
  hand.since = performance.now();
  hand.worker.postMessage({ id: hand.now.id, question: JSON.stringify(hand.now.question), most: roomFor(hand) });
}
crew.first = nobodyYet();
crew.second = nobodyYet();
$("stop").addEventListener("click", () => {
  const busy = [crew.first, crew.second].filter((hand) => hand.now);
  for (const { sort, yes } of busy.map(end)) {
    yes(null);
    if (sort === "odds") trouble([{ severity: "warning", message: "stopped", help: "change something, or let it work on", patient: true }]);
  }
  tendCrew();
});
function say(text) { $("notice").textContent = text; $("notice").hidden = !text; }

// ---- the state -------------------------------------------------------------------------------------------
let state = null, editor = null, form = null, drawn = false;
const game = () => FIRST.rulesets.find((one) => one.name === state.ruleset);
const asked = () => ({ ruleset: state.ruleset, texts: state.texts });

function isState(said) { // whatever comes in a link is held against what a state can be
  if (!isMap(said) || !FIRST.rulesets.some((one) => one.name === said.ruleset)) return false;
  const files = [RULE, ...FIRST.rulesets.find((one) => one.name === said.ruleset).files];
  if (!isMap(said.texts) || !Object.entries(said.texts).every(([name, text]) => files.includes(name) && typeof text === "string")) return false;
  const plain = (one, depth) => depth < 12 && (typeof one === "string" || (Array.isArray(one) ? one.every((each) => plain(each, depth + 1)) : isMap(one) && Object.values(one).every((each) => plain(each, depth + 1))));
  return isMap(said.fight) && isMap(said.fight.situation) && plain(said.fight, 0) && typeof said.until === "boolean" && typeof said.start === "string";
}
async function packedState() {
  const { ruleset, texts, fight, until, start } = state;
  const bytes = new TextEncoder().encode(JSON.stringify({ ruleset, texts, fight, until, start }));
  const small = new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
  return `${VERSION}.${btoa(String.fromCharCode(...small)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}
async function unpackedState(text) {
  const refused = (why) => { say(`This link cannot be opened: ${why}. The workbench begins with its own example.`); return null; };
  if (!text) return null;
  if (text.length > LONGEST_LINK) return refused("it is too long");
  const found = /^1\.([A-Za-z0-9_-]+)$/.exec(text);
  if (!found) return refused("it is not one of this workbench, or a part of it is missing");
  try {
    const bytes = Uint8Array.from(atob(found[1].replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const pieces = [];
    for (let size = 0; ;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > LONGEST_STATE) { reader.cancel().catch(() => {}); return refused("it holds too much"); }
      pieces.push(value);
    }
    const said = JSON.parse(await new Blob(pieces).text());
    return isState(said) ? said : refused("it does not hold a fight of these games");
  } catch { return refused("it is damaged"); }
}
let written = "", saving = 0;
function remember() {
  clearTimeout(saving);
  saving = setTimeout(async () => {
    const packed = await packedState();
    if (packed.length > LONGEST_LINK) return;
    written = packed;
    try { history.replaceState(null, "", `#${packed}`); } catch { location.replace(`#${packed}`); }
  }, 300);
}
window.addEventListener("hashchange", async () => {
  const text = location.hash.slice(1);
  if (text === written) return;
  const said = await unpackedState(text);
  if (said) { say(""); await show(said); }
});
$("share").addEventListener("click", async () => {
  const packed = await packedState();
  if (packed.length > LONGEST_LINK) { say("This is too much for a link: save the rule as a file instead."); return; }
  written = packed;
  try { history.replaceState(null, "", `#${packed}`); } catch { location.replace(`#${packed}`); }
  const link = location.href.replace(/#.*/, "") + `#${packed}`;
  try { await navigator.clipboard.writeText(link); $("share").textContent = "Copied"; } catch { $("share").textContent = "It is in the address line"; }
  setTimeout(() => { $("share").textContent = "Copy a link to this"; }, 2000);
});

// ---- the rule --------------------------------------------------------------------------------------------
const shippedTexts = new Map(); // of files of a ruleset, as they are shipped
let file = RULE, typing = 0;

async function shippedText(name) {
  const key = `${state.ruleset}/${name}`;
  if (!shippedTexts.has(key)) {
    const found = await ask("text", { ruleset: state.ruleset, texts: {}, file: name });
    if (found?.text !== undefined) shippedTexts.set(key, found.text);
  }
  return shippedTexts.get(key) ?? "";
}
function drawRule() {
  const changed = (name) => state.texts[name] !== undefined;
  optionsFor($("ruleset"), [["", FIRST.rulesets.map((one) => [one.name, one.title])]], state.ruleset);
  optionsFor($("file"), [
    ["", [[RULE, "my house rule"]]],
    ["the game's own files", game().files.map((name) => [name, (changed(name) ? "● " : "") + name])],
  ], file);
  optionsFor($("begin"), [
    ["", [["", "…"], ["nothing", "no house rule"]]],
    ["house rules that are shipped", game().variants.map((one) => [one.name, one.title])],
  ], "");
  $("begin").disabled = file !== RULE;
}
const labelOf = (name) => name === RULE ? "The house rule, as YAML" : `The file ${name} of the game, as YAML`;
async function openFile(name) {
  file = name;
  drawRule();
  const text = state.texts[name] ?? (name === RULE ? "" : await shippedText(name));
  if (file === name) showText(text, labelOf(name));
}
function showText(text, label) {
  if (editor) { quiet = true; editor.show(text, label); quiet = false; }
  else $("plain").value = text;
}
let quiet = false;
function typed(text) {
  if (quiet) return;
  for (const one of ["odds", "story"]) $(one).classList.add("old");
  const shipped = file === RULE ? "" : shippedTexts.get(`${state.ruleset}/${file}`);
  if (text === shipped || (file === RULE && !text.trim())) delete state.texts[file];
  else state.texts[file] = text;
  remember();
  clearTimeout(typing);
  typing = setTimeout(rulesChanged, WHILE_TYPING);
}
function rulesChanged() {
  drawRule();
  refresh({ rules: true });
}
$("plain").addEventListener("input", () => typed($("plain").value));
$("file").addEventListener("change", () => openFile($("file").value));
function write(text) { // as if it had been typed: the editor can take it back
  if (editor) editor.write(text);
  else { $("plain").value = text; typed(text); }
}
$("undo").addEventListener("click", async () => write(file === RULE ? FIRST.opening[state.ruleset].texts[RULE] ?? "" : await shippedText(file)));
$("begin").addEventListener("change", () => {
  const variant = game().variants.find((one) => one.name === $("begin").value);
  write(variant ? variant.text : "");
});
$("row").addEventListener("focus", async () => {
  if ($("rows").dataset.of === state.ruleset) return;
  const of = state.ruleset, found = await ask("rows", { ruleset: of, texts: {} });
  if (!found?.rows || of !== state.ruleset) return;
  $("rows").dataset.of = of;
  put($("rows"), ...found.rows.map((one) => make("option", { value: one.path }, one.reads.slice(0, 110))));
});
$("row").addEventListener("change", async () => {
  const path = $("row").value.trim();
  if (!path) return;
  const found = await ask("change", { ruleset: state.ruleset, texts: {}, path });
  if (!found) return;
  if (found.findings) { findings(found.findings); return; }
  $("row").value = "";
  const before = (state.texts[RULE] ?? "").trimEnd();
  const text = before ? `${before}\n${before.endsWith("changes:") ? "" : "\n"}${found.change}` : `${found.head}${found.change}`;
  if (file !== RULE) await openFile(RULE);
  write(text);
  editor?.go(text.split("\n").length - found.change.split("\n").length + 1);
});
$("save").addEventListener("click", async () => {
  const text = state.texts[file] ?? (file === RULE ? "" : await shippedText(file));
  const at = URL.createObjectURL(new Blob([text], { type: "text/yaml" }));
  make("a", { href: at, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(at), 1000);
});
function findings(found) {
  const mine = found.filter((one) => one.file === file);
  editor?.mark(mine);
  put($("findings"), ...found.slice(0, 12).map((one) => {
    const line = one.range?.start.line, where = one.file ? `${one.file}${line ? `, line ${line}` : ""}: ` : "";
    const go = make("button", { type: "button", className: "small", onclick: async () => { if (one.file !== file) await openFile(one.file); editor?.go(line); } }, "Go there");
    const known = one.file === RULE || game().files.includes(one.file);
    return make("p", { className: one.severity }, make("b", {}, where), ...coded(one.message), " ", line && known && editor ? go : null, one.help ? make("span", { className: "soft" }, ...coded(one.help)) : null);
  }), found.length > 12 ? make("p", {}, `and ${found.length - 12} more`) : null);
}
async function drawChanged() {
  const where = $("changed").querySelector("div");
  if (!$("changed").open) return;
  if (!Object.keys(state.texts).length) { put(where, make("p", {}, "Nothing is changed.")); return; }
  const found = await ask("changes", asked());
  if (!found) return;
  if (!found.rules) { put(where, make("p", {}, "That can be told once no finding is left.")); return; }
  put(where, make("dl", {}, ...found.rules.flatMap((one) => {
    const cells = one.cells.length ? one.cells.map((cell) => `${cell.column}: ${cell.old || "nothing"} → ${cell.new || "nothing"}`) : [`${one.old || "nothing"} → ${one.new || "nothing"}`];
    return [make("dt", {}, `${one.path} (${one.how})`), ...cells.map((cell) => make("dd", {}, cell))];
  })), found.rules.length ? null : make("p", {}, "It says the same."));
}
$("changed").addEventListener("toggle", drawChanged);

// ---- the chances -----------------------------------------------------------------------------------------
function trouble(found) {
  put($("trouble"), ...found.slice(0, 6).map((one) => {
    const patient = one.code === "takes-long" || one.patient;
    const on = patient ? make("button", { type: "button", className: "small", onclick: () => refresh({ patient: true }) }, "Work it out") : null;
    return make("p", { className: one.severity }, ...coded(one.message), " ", on, one.help && one.code !== "takes-long" ? make("span", { className: "soft" }, ...coded(one.help)) : null);
  }));
}
function bars(is, was) {
  const bar = (share, kind) => make("i", { className: kind, style: `--share: ${share.toFixed(2)}%` });
  return make("div", { className: "bars", "aria-hidden": "true" }, was === null ? null : bar(was, ""), bar(is, "is"));
}
// One table: groups of rows, each row with how likely it is, and if a rule is changed how likely it was.
const PENDING = Symbol("not known yet");
function oddsTable(title, groups, changed) {
  const number = (text, exact) => make("td", { className: "number", title: exact || "" }, text);
  const wide = changed ? 5 : 3;
  const row = ({ what, is, was }) => {
    const isKnown = changed && changed !== PENDING;
    const now = is?.percent ?? 0, then = isKnown ? was?.percent ?? 0 : null, by = now - (then ?? now);
    return make("tr", {}, make("th", { scope: "row", className: "what" }, what), make("td", { className: "wide" }, bars(now, then)), number(percent(now), is?.probability),
      ...(changed ? [number(isKnown ? percent(then) : "…", was?.probability), number(isKnown ? signed(by) : "…")] : []));
  };
  return make("div", { className: "scroll", role: "region", tabIndex: 0, "aria-label": title }, make("table", { className: changed ? "odds changed" : "odds" },
    make("caption", {}, title),
    make("colgroup", {}, make("col", { className: "what" }), make("col"), ...Array.from({ length: wide - 2 }, () => make("col", { className: "number" }))),
    make("thead", { className: changed ? "" : "unseen" }, make("tr", {}, ...["end", "bar"].map((one) => make("th", { scope: "col" }, make("span", { className: "unseen" }, one))), ...["chance", ...(changed ? ["before", "change"] : [])].map((one) => make("th", { scope: "col", className: "number" }, one)))),
    ...groups.map((group) => make("tbody", {}, group.title ? make("tr", { className: "group" }, make("th", { scope: "rowgroup", colSpan: wide }, group.title, group.more ? make("span", { className: "soft" }, ` ${group.more}`) : null)) : null, ...group.rows.map(row)))));
}
const signed = (by) => Math.abs(by) < 0.005 ? "=" : `${by > 0 ? "+" : "−"}${Math.abs(by).toFixed(2)}`;
function rowsOf(is, was) {
  const words = [...new Set([...Object.keys(is || {}), ...Object.keys(was || {})])];
  return words.filter((word) => is?.[word]?.percent || was?.[word]?.percent).map((word) => ({ what: word, is: is?.[word], was: was?.[word] }));
}
const MOST_AMOUNTS = 6;
const size = (said) => { const [top, bottom] = String(said).split("/"); return Number(top) / Number(bottom ?? 1); };
function amountsOf(is, was) { // of what is lost: the likeliest amounts in their order, and all others as one
  const by = (loss) => Object.fromEntries((loss?.distribution ?? []).map((one) => [String(one.lost), one]));
  const [now, then] = [by(is), by(was)], most = (one) => Math.max(now[one]?.percent ?? 0, then[one]?.percent ?? 0);
  const all = [...new Set([...Object.keys(now), ...Object.keys(then)])].sort((one, two) => most(two) - most(one));
  const rows = all.slice(0, MOST_AMOUNTS).sort((one, two) => size(one) - size(two)).map((one) => ({ what: one.includes("/") ? size(one).toFixed(2) : one, is: now[one], was: then[one] }));
  const rest = all.slice(MOST_AMOUNTS), sum = (known) => ({ percent: rest.reduce((so_far, one) => so_far + (known[one]?.percent ?? 0), 0) });
  return rest.length ? [...rows, { what: "others", is: sum(now), was: sum(then) }] : rows;
}
function drawOdds(is, was) { // by the rules as they are, and as they were before: nothing, or not yet known
  const pending = was === PENDING, changed = pending ? PENDING : !!was;
  if (pending) was = null;
  const sides = [...new Set([...Object.keys(is.verdicts), ...Object.keys(was?.verdicts ?? {})])];
  const unit = Object.values(is.losses)[0]?.unit ?? "strength";
  const parts = [];
  if (changed) parts.push(make("p", { className: "soft" }, make("span", { className: "key" }), "as the game has it", make("span", { className: "key is" }), "with your change"));
  if (sides.length) parts.push(oddsTable("How each side ends", sides.map((side) => ({ title: side, rows: rowsOf(is.verdicts[side], was?.verdicts[side]) })), changed));
  parts.push($("held") ?? make("div", { id: "held", className: "old" }));
  const losses = Object.entries(is.losses).map(([side, loss]) => {
    const before = was?.losses[side], more = `on average ${loss.about.toFixed(2)}${before ? `, before ${before.about.toFixed(2)}` : ""}`;
    return { title: side, more, rows: amountsOf(loss, before) };
  });
  if (losses.length) parts.push(oddsTable(`Lost, in ${unit}`, losses, changed));
  const ends = is.outcomes.slice(0, 12);
  parts.push(make("details", {}, make("summary", {}, "All ends, exactly"), make("div", { className: "scroll", role: "region", tabIndex: 0, "aria-label": "All ends, exactly" }, make("table", {},
    make("thead", {}, make("tr", {}, ...["chance", "exactly", ...Object.keys(ends[0].sides), ...Object.keys(ends[0].lost).map((side) => `${side} lost`)].map((one) => make("th", { scope: "col" }, one)))),
    make("tbody", {}, ...ends.map((one) => make("tr", {}, make("td", { className: "number" }, percent(one.percent)), make("td", {}, one.probability.length > 24 ? "a long fraction" : one.probability), ...Object.values(one.sides).map((word) => make("td", {}, word)), ...Object.values(one.lost).map((lost) => make("td", {}, String(lost)))))))),
    is.outcomes.length > ends.length ? make("p", { className: "soft" }, `and ${is.outcomes.length - ends.length} less likely ends`) : null));
  const rests = $("rests") ?? make("div", { id: "rests" });
  parts.push(rests);
  const open = [...$("odds").querySelectorAll("details")].map((one) => one.open);
  put($("odds"), ...parts);
  [...$("odds").querySelectorAll("details")].forEach((one, at) => { one.open = !!open[at]; });
  $("odds").classList.remove("old");
  put($("brief"), sides.map((side) => `${side}: ${Object.entries(is.verdicts[side] ?? {}).filter(([, one]) => one.percent >= 0.5).map(([word, one]) => `${word} ${Math.round(one.percent)}%`).join(", ")}`).join(" · "));
  $("brief").hidden = !sides.length;
  drawn = true;
}

function drawRest({ is, was }) { // what is asked for after the bars: it takes as long again
  put($("held"), Object.keys(is.place).length ? oddsTable("Who holds the place", [{ rows: rowsOf(is.place, was?.place) }], !!was) : null);
  $("held").classList.remove("old");
  const rests = [...is.remarks, ...is.assumptions.map((one) => `${one.id}: ${one.text}`)], open = !!$("rests").querySelector("details")?.open;
  put($("rests"), rests.length ? make("details", { open }, make("summary", {}, `Rests on ${rests.length} ${rests.length === 1 ? "reading" : "readings and remarks"}`), make("ul", {}, ...rests.map((one) => make("li", {}, ...coded(one))))) : null);
}

function drawNoRest(rest) { // stopped, or more than a page does unasked
  const on = make("button", { type: "button", className: "small", onclick: () => refresh({ patient: true }) }, "Work it out");
  put($("held"), make("p", { className: "soft" }, `Who holds the place, and what this rests on: ${rest?.findings?.[0]?.message ?? "stopped"}. `, on));
  $("held").classList.remove("old");
}

// ---- one playing -----------------------------------------------------------------------------------------
let rolls = 0, rolled = false; // a playing is told, and of an earlier one no answer counts any more
async function roll(fresh) {
  if (fresh) $("seed").value = String(1 + Math.floor(Math.random() * 999999));
  const seed = Math.min(Math.max(Math.round(Number($("seed").value)) || 1, 1), 999999);
  const mine = ++rolls, found = await ask("rolled", { ...asked(), fight: state.fight, "until-resolved": state.until, seed });
  if (!found || mine !== rolls) return;
  rolled = true;
  $("story").classList.remove("old");
  if (found.findings) { put($("story"), ...found.findings.map((one) => make("p", {}, ...coded(one.message)))); return; }
  const line = (one, depth) => {
    const [, said, cites] = /^([^]*?)(?:  \[([^\]]*)\])?$/.exec(one.said);
    const text = [said, cites ? make("span", { className: "clause" }, ` ${cites}`) : null];
    return make("li", {}, one.inside.length ? make("details", { open: depth < 1 }, make("summary", {}, ...text.filter(Boolean)), make("ul", {}, ...one.inside.map((each) => line(each, depth + 1)))) : make("span", { className: "leaf" }, ...text.filter(Boolean)));
  };
  const ends = Object.entries(found.sides).map(([side, word]) => `${side} ${word}${side in found.lost ? `, lost ${found.lost[side]}` : ""}`).join("; ");
  const units = Object.entries(found.units).map(([who, facts]) => make("li", {}, `${who}: ${Object.entries(facts).map(([name, value]) => value === true ? name : value === false ? `not ${name}` : `${name} ${flow(value)}`).join(", ")}`));
  put($("story"), make("p", {}, make("b", {}, "Dice "), found.dice.join(", ") || "none"), make("p", {}, make("b", {}, "End "), ends || "nothing has changed"),
    units.length ? make("ul", {}, ...units) : null, make("div", { className: "story", tabIndex: 0, role: "region", "aria-label": "What happened, and by which rows" }, make("ul", {}, ...found.story.map((one) => line(one, 0)))));
}
function rollAgain() { // what is told of a playing is of the fight and the rules as they are now
  if (!rolled) return;
  if ($("roll").open) { roll(false); return; }
  rolled = false;
  put($("story"));
}
$("dice").addEventListener("click", () => roll(true));
$("seed").addEventListener("change", () => roll(false));
const inView = new Set(); // the line below says in short what stands there: it is not laid over that
const seen = new IntersectionObserver((those) => {
  for (const one of those) { if (one.isIntersecting) inView.add(one.target); else inView.delete(one.target); }
  $("brief").classList.toggle("away", inView.size > 0);
});
for (const one of ["odds", "roll"]) seen.observe($(one));

// ---- the fight as a form ---------------------------------------------------------------------------------
const fieldsOf = (kind) => form.kinds.find((one) => one.kind === kind);
function named(kind, inside = state.fight.situation, found = []) { // the things of a kind, wherever they stand
  const look = (things, sheet) => {
    for (const [name, facts] of Object.entries(things)) {
      if (sheet.kind === kind) found.push(name);
      if (isMap(facts)) for (const field of sheet.fields) if (field.sort === "members" && isMap(facts[field.name])) look(facts[field.name], fieldsOf(field.of));
    }
  };
  for (const sheet of form.kinds) if (!sheet.only_one && isMap(inside[sheet.plural])) look(inside[sheet.plural], sheet);
  return found;
}
const allNames = () => new Set(form.kinds.flatMap((sheet) => named(sheet.kind)));
function fightChanged(drawn) {
  $("told").textContent = "";
  state.start = "";
  optionsForStart();
  remember();
  if (drawn) drawForm();
  refresh({});
}
function firstValue(field) {
  switch (field.sort) {
    case "flag": return field.first === "yes" ? "no" : "yes";
    case "word": return field.words.find((one) => one !== field.first) ?? field.words[0];
    case "number": return field.first && field.first !== "nobody" ? field.first : String(field.low ?? 0);
    case "somebody": return named(field.of)[0] ?? "nobody";
    case "counter": return Object.keys(form.kinds.find((one) => Object.keys(one.counters).length)?.counters ?? { nobody: 1 })[0];
    case "each": return { [field.words[0]]: "1" };
    case "dice": return "1d6";
    default: return [];
  }
}
function control(field, facts, at, label) {
  const now = facts[field.name], common = { "data-at": at, "aria-label": label };
  const set = (value) => { facts[field.name] = value; fightChanged(false); };
  const choose = (words) => make("select", { ...common, onchange: (event) => set(event.target.value) }, ...(words.includes(now) ? words : [now, ...words]).map((one) => make("option", { value: one, selected: one === now }, one)));
  switch (field.sort) {
    case "flag": return make("input", { ...common, type: "checkbox", checked: now === "yes" || now === "true", onchange: (event) => set(event.target.checked ? "yes" : "no") });
    case "word": return choose(field.words);
    case "somebody": return choose([...named(field.of), "nobody"]);
    case "counter": return choose(form.kinds.flatMap((one) => Object.keys(one.counters)));
    case "number": return field.low === undefined
      ? make("input", { ...common, value: now, size: 5, onchange: (event) => set(event.target.value.trim()) })
      : make("input", { ...common, type: "number", min: field.low, max: field.high, value: String(now).replace("+", ""), oninput: (event) => { if (event.target.value !== "" && event.target.validity.valid) set(event.target.value); } });
    case "each": return make("span", { className: "each" }, ...field.words.map((word) => make("label", {}, word, make("input", { type: "number", min: field.low, max: field.high, value: isMap(now) ? now[word] ?? "0" : "0", "data-at": `${at}.${word}`, oninput: (event) => {
      if (event.target.value === "" || !event.target.validity.valid) return;
      const each = { ...(isMap(facts[field.name]) ? facts[field.name] : {}), [word]: event.target.value };
      if (event.target.value === "0") delete each[word];
      set(each);
    } }))));
    case "members": return make("span", { className: "each" }, ...named(field.of).map((name) => make("label", {}, make("input", { type: "checkbox", checked: [].concat(now).includes(name), "data-at": `${at}.${name}`, onchange: (event) => set(named(field.of).filter((one) => one === name ? event.target.checked : [].concat(facts[field.name]).includes(one))) }), name)));
    default: return make("input", { ...common, value: flow(now), size: 6, onchange: (event) => set(event.target.value.trim()) });
  }
}
function factsOf(sheet, facts, at, owner, ...buttons) {
  const unsay = (name) => make("button", { type: "button", className: "small", "aria-label": `say nothing of ${name}`, title: "say nothing of this", onclick: () => { delete facts[name]; fightChanged(true); } }, "×");
  const said = [];
  if ("counter" in facts || Object.keys(sheet.counters).length) {
    const names = Object.keys(sheet.counters), now = facts.counter ?? "";
    said.push(make("label", {}, "counter", make("select", { "data-at": `${at}.counter`, onchange: (event) => { if (event.target.value) facts.counter = event.target.value; else delete facts.counter; fightChanged(true); } },
      ...[["", "none"], ...(now && !names.includes(now) ? [[now, now]] : []), ...names.map((one) => [one, one])].map(([value, text]) => make("option", { value, selected: value === now, title: sheet.counters[value] ?? "" }, text)))));
  }
  const shown = sheet.fields.filter((field) => field.name in facts && !(field.sort === "members" && isMap(facts[field.name])));
  for (const field of shown) {
    const here = `${at}.${field.name}`, hint = [field.note, ...(field.cites ?? [])].filter(Boolean).join(" ");
    const inner = ["each", "members"].includes(field.sort) ? make("span", { title: hint }, field.name) : make("label", { title: hint }, field.name, control(field, facts, here, `${field.name} of ${at.split(".").pop()}`));
    said.push(make("span", { className: "said" }, inner, ["each", "members"].includes(field.sort) ? control(field, facts, here, field.name) : null, field.first || facts.counter || field.sort === "each" || field.sort === "members" || field.later ? unsay(field.name) : null));
  }
  for (const name of Object.keys(facts)) if (name !== "counter" && !sheet.fields.some((field) => field.name === name)) said.push(make("span", { className: "said" }, `${name}: ${flow(facts[name])}`, unsay(name)));
  const left = sheet.fields.filter((field) => !(field.name in facts) && field.sort !== "members" && !(field.sort === "somebody" && (!named(field.of).length || field.name === owner)));
  const option = (field) => make("option", { value: field.name, title: field.note ?? "" }, field.name);
  const more = make("select", { className: "more", "data-at": `${at}+`, "aria-label": `say more of ${at.split(".").pop()}`, onchange: (event) => {
    const field = left.find((one) => one.name === event.target.value);
    if (field) { facts[field.name] = firstValue(field); fightChanged(true); }
  } }, make("option", { value: "" }, "say more"), ...left.filter((one) => !one.later).map(option));
  const later = left.filter((one) => one.later).map(option);
  if (later.length) more.append(make("optgroup", { label: "settled in the fight" }, ...later));
  return make("div", { className: "tools" }, ...said, left.length ? more : null, ...buttons);
}
function forget(name) { // whoever is no longer there is in no answer either
  const without = (said) => {
    if (Array.isArray(said)) return said.map(without).filter((one) => one !== undefined);
    if (!isMap(said)) return said === name ? undefined : said;
    const kept = Object.entries(said).filter(([key]) => key !== name).map(([key, value]) => [key, without(value)]);
    const lost = kept.some(([key, value]) => value === undefined || (Array.isArray(value) && !value.length && said[key].length));
    return lost ? undefined : Object.fromEntries(kept);
  };
  const rows = Object.entries(state.fight.choices ?? {}).map(([row, answers]) => [row, isMap(answers) ? Object.fromEntries(Object.entries(answers).filter(([who]) => who !== name).map(([who, said]) => [who, without(said)]).filter(([, said]) => said !== undefined && !(isMap(said) && !Object.keys(said).length))) : answers]);
  state.fight.choices = Object.fromEntries(rows.filter(([, answers]) => !isMap(answers) || Object.keys(answers).length));
  if (!Object.keys(state.fight.choices).length) delete state.fight.choices;
  const clear = (sheet, facts) => {
    for (const field of sheet.fields) {
      if (field.sort === "somebody" && facts[field.name] === name) delete facts[field.name];
      if (field.sort === "members" && Array.isArray(facts[field.name])) facts[field.name] = facts[field.name].filter((one) => one !== name);
      if (field.sort === "members" && isMap(facts[field.name])) for (const each of Object.values(facts[field.name])) if (isMap(each)) clear(fieldsOf(field.of), each);
    }
  };
  for (const sheet of form.kinds) {
    const said = state.fight.situation[sheet.only_one ? sheet.kind : sheet.plural];
    if (isMap(said)) for (const facts of sheet.only_one ? [said] : Object.values(said)) if (isMap(facts)) clear(sheet, facts);
  }
}
function oneMore(things, sheet, owner) {
  const names = Object.keys(things), model = names.length ? things[names[names.length - 1]] : null, taken = allNames();
  const stem = names.length ? names[names.length - 1].replace(/-?\d+$/, "") : (owner || sheet.kind).slice(0, 1);
  let number = 1;
  while (taken.has(`${stem}${number}`)) number += 1;
  let facts = model ? copyOf(model) : {};
  const nested = (one, of) => of.fields.forEach((field) => { if (field.sort === "members" && isMap(one[field.name])) one[field.name] = Object.fromEntries(Object.entries(one[field.name]).map(([name, said]) => [`${stem}${number}-${name.replace(/^.*?-/, "")}`, said])); });
  if (model) nested(facts, sheet);
  else {
    const counter = Object.keys(sheet.counters)[0];
    if (counter) facts.counter = counter;
    else for (const field of sheet.fields) if (!field.later && field.first === undefined && !["members", "somebody", "each"].includes(field.sort)) facts[field.name] = firstValue(field);
  }
  things[`${stem}${number}`] = facts;
}
function another(things, sheet, owner) {
  oneMore(things, sheet, owner);
  fightChanged(true);
}
function largerFight() { // with one more of what stands below the last side; none if nothing does
  const fight = copyOf(state.fight);
  for (const sheet of form.kinds) {
    const things = sheet.only_one ? {} : fight.situation[sheet.plural];
    for (const facts of Object.values(isMap(things) ? things : {}).reverse()) {
      const field = sheet.fields.find((one) => one.sort === "members" && isMap(facts[one.name]) && fieldsOf(one.of));
      if (field) { oneMore(facts[field.name], fieldsOf(field.of), ""); return fight; }
    }
  }
  return null;
}
function thingBox(sheet, name, facts, things, at, owner = "") { // the owner's kind needs no saying
  if (!isMap(facts)) facts = things[name] = {};
  const here = `${at}.${name}`;
  const declared = (kind) => fieldsOf(kind).fields.some((field) => field.later && field.sort === "members"); // what players name, not who is there
  const inside = sheet.fields.filter((field) => field.sort === "members" && !field.later && (isMap(facts[field.name]) || !declared(field.of)) && (isMap(facts[field.name]) || (!(field.name in facts) && fieldsOf(field.of)))).filter((field) => isMap(facts[field.name]) || sheet.kind !== field.of).map((field) => {
    const mine = facts[field.name], one = fieldsOf(field.of);
    const add = make("button", { type: "button", className: "small", "data-at": `${here}.${field.name}+`, onclick: () => { if (!isMap(facts[field.name])) facts[field.name] = {}; another(facts[field.name], one, name); } }, `Add ${/^[aeio]/.test(one.kind) ? "an" : "a"} ${one.kind}`);
    return [isMap(mine) ? Object.entries(mine).map(([who, said]) => thingBox(one, who, said, mine, here, sheet.kind)) : [], add, isMap(mine) && Object.keys(mine).length];
  });
  const used = inside.filter(([, , some]) => some), unused = inside.filter(([, , some]) => !some);
  const remove = things && at !== "all" ? make("button", { type: "button", className: "small", "aria-label": `remove ${name}`, onclick: () => { delete things[name]; forget(name); fightChanged(true); } }, "Remove") : null;
  return make("fieldset", { className: "thing" }, make("legend", {}, name), factsOf(sheet, facts, here, owner, ...unused.map(([, add]) => add), remove),
    ...used.flatMap(([boxes, add]) => [...boxes, make("div", { className: "tools" }, add)]));
}
function drawForm() {
  if (!form) return;
  const { situation } = state.fight;
  keepPlace($("form"), () => {
    const parts = [];
    for (const sheet of form.kinds) {
      if (sheet.only_one) parts.push(thingBox(sheet, sheet.kind, situation[sheet.kind] ??= {}, null, "all"));
      else if (isMap(situation[sheet.plural])) parts.push(...Object.entries(situation[sheet.plural]).map(([name, facts]) => thingBox(sheet, name, facts, situation[sheet.plural], "all")));
    }
    const orders = Object.entries(state.fight.choices ?? {});
    if (orders.length) parts.push(make("fieldset", { className: "thing" }, make("legend", {}, "decided beforehand"), make("p", { className: "soft" }, "What is not decided here is left to the game's own answers."),
      ...orders.map(([row, answers]) => make("div", { className: "tools" }, make("span", { className: "said" }, make("b", {}, row), isMap(answers) ? Object.entries(answers).map(([who, said]) => `${who}: ${flow(said)}`).join("; ") : flow(answers),
        make("button", { type: "button", className: "small", "aria-label": `leave ${row} to the game`, onclick: () => { delete state.fight.choices[row]; if (!Object.keys(state.fight.choices).length) delete state.fight.choices; fightChanged(true); } }, "×"))))));
    put($("form"), ...parts);
  });
  const readings = form.options.map((one) => make("p", {}, make("label", {}, `${one.title || one.name.replaceAll("-", " ")} `, make("select", { onchange: (event) => {
    const options = { ...(state.fight.options ?? {}), [one.name]: event.target.value };
    if (event.target.value === one.first) delete options[one.name];
    if (Object.keys(options).length) state.fight.options = options; else delete state.fight.options;
    fightChanged(false);
  } }, ...one.readings.map((word) => make("option", { value: word, selected: word === (state.fight.options?.[one.name] ?? one.first) }, word)))), make("span", { className: "soft" }, ` ${one.why}`)));
  put($("readings").querySelector("div"), ...(readings.length ? readings : [make("p", {}, "This game has none.")]));
}
async function drawFile() {
  if (!$("asfile").open) return;
  const found = await ask("written", { ...asked(), fight: state.fight });
  if (found?.text) put($("asfile").querySelector("div"), make("p", { className: "soft" }, "Keep it as fight.yaml: closecombat chances fight.yaml"), make("pre", { tabIndex: 0 }, found.text));
}
$("asfile").addEventListener("toggle", drawFile);

function optionsForStart() {
  optionsFor($("start"), [
    ["", [...(state.start ? [] : [["", "… as below"]]), ["words", "a fight in my own words"]]],
    ["fights that every game knows", game().starts.map((one) => [`engagement ${one.name}`, one.title])],
    ...game().examples.map(([name, examples]) => [`examples: ${name}`, examples.map((one) => [`example ${name}#${one}`, one.replaceAll("-", " ")])]),
  ], state.start);
}
const storyOf = (start) => game().starts.find((one) => `engagement ${one.name}` === start)?.story ?? "";
async function tell(fight, start) {
  const found = await ask("told", { ...asked(), fight });
  if (!found) return;
  if (found.findings) { trouble(found.findings); return; }
  state.fight = found.fight;
  state.start = start;
  optionsForStart();
  $("told").textContent = [storyOf(start), ...found.remarks].filter(Boolean).join(" ");
  remember();
  drawForm();
  refresh({});
}
$("start").addEventListener("change", () => {
  const [sort, name] = $("start").value.split(" ");
  $("words").hidden = sort !== "words";
  if (sort === "words") $("words").querySelector("input").focus();
  else if (name) tell({ [sort]: name }, $("start").value);
});
$("words").addEventListener("submit", (event) => {
  event.preventDefault();
  tell(Object.fromEntries(["first", "second", "ground", "state"].map((name) => [name, event.target.elements[name].value])), "");
});
$("until").addEventListener("change", () => { state.until = $("until").checked; remember(); refresh({}); });
const kept = new Map(); // what was done with each game: whoever comes back to it finds it
$("ruleset").addEventListener("change", async () => {
  const wanted = $("ruleset").value, before = state.start, opening = FIRST.opening[wanted];
  kept.set(state.ruleset, state);
  const texts = kept.get(wanted)?.texts ?? {}, same = before && FIRST.rulesets.find((one) => one.name === wanted).starts.some((one) => `engagement ${one.name}` === before);
  if (!same && kept.has(wanted)) { await show(kept.get(wanted)); return; }
  await show({ ...copyOf(opening), until: state.until, texts });
  if (same && before !== opening.start) tell({ engagement: before.split(" ")[1] }, before);
});

// ---- all of it -------------------------------------------------------------------------------------------
const fightKey = () => JSON.stringify([state.ruleset, state.fight, state.until]);
let before = { key: "", is: null }; // the chances of the last fight by the rules as they are shipped
async function askBefore(of) {
  const answer = await ask("before", of), full = answer?.findings?.some((one) => one.message === tooLarge.message);
  return full && !of.patient ? ask("before", { ...of, alone: true }) : answer; // the second has less room
}
let turns = 0, rulings = 0; // of an earlier turn no answer counts any more, nor what was said of earlier rules
async function refresh({ rules = false, patient = false, known = false }) {
  for (const one of ["odds", "story"]) $(one).classList.toggle("old", !known);
  rolls++;
  const mine = ++turns, of = { ...asked(), fight: copyOf(state.fight), "until-resolved": state.until, patient };
  const key = fightKey(), isChanged = Object.keys(state.texts).length > 0;
  const odds = ask("odds", of), found = rules ? ask("findings", asked()) : null;
  let is = null, was = isChanged ? (before.key === key ? before.is : PENDING) : null, why = [];
  const draw = () => { if (is && mine === turns) { drawOdds(is, was); trouble(why); } };
  if (was === PENDING) {
    askBefore({ ...of, texts: {} }).then((answer) => {
      if (answer?.is) before = { key, is: answer.is };
      was = answer?.is ?? null;
      why = (answer?.findings ?? []).map((one) => ({ ...one, severity: "warning", message: `before your change: ${one.message}` }));
      draw();
    });
  }
  odds.then((answer) => {
    if (!answer || mine !== turns) return;
    if (answer.is) {
      is = answer.is;
      if (!isChanged) before = { key, is };
      $("held")?.classList.add("old");
      draw();
      rollAgain();
      ask("rest", of).then((rest) => {
        if (mine !== turns || !$("held")) return;
        if (rest?.is) drawRest(rest); else drawNoRest(rest);
      });
      return;
    }
    const ours = answer.findings.filter((one) => one.file === RULE || game().files.includes(one.file));
    if (ours.length) { trouble([{ severity: "error", message: "The rule cannot be played as it stands: see its findings. The bars are those of before.", help: "" }]); if (!found) findings(ours); }
    else trouble(answer.findings);
  });
  if (rules) {
    const form_ = ask("form", asked()), ruling = ++rulings;
    found.then((answer) => { if (answer?.findings && ruling === rulings) findings(answer.findings); });
    form_.then((answer) => { if (answer?.kinds && ruling === rulings && JSON.stringify(answer) !== JSON.stringify(form)) { form = answer; drawForm(); } });
    drawChanged();
  }
  drawFile();
}
async function show(said) {
  state = said;
  form = FIRST.forms[state.ruleset] ?? null;
  file = Object.keys(state.texts).find((name) => name !== RULE && !state.texts[RULE]) ?? RULE;
  $("until").checked = state.until;
  $("told").textContent = storyOf(state.start);
  $("words").hidden = true;
  put($("findings")); put($("trouble")); put($("story"));
  optionsForStart();
  drawForm();
  remember();
  const opened = openFile(file);
  const known = FIRST.answer.key === JSON.stringify([state.ruleset, state.texts, state.fight, state.until]);
  if (known) {
    const was = FIRST.answer.rest.was && FIRST.answer.before.is;
    before = { key: fightKey(), is: FIRST.answer.before.is };
    drawOdds(FIRST.answer.odds.is, was);
    drawRest(FIRST.answer.rest);
  } else if (!drawn) put($("odds"), make("p", { className: "soft" }, "The chances come as soon as the workbench is ready."));
  refresh({ rules: true, known });
  await opened;
}
async function begin() {
  const own = copyOf(FIRST.opening[FIRST.first]);
  const said = await unpackedState(location.hash.slice(1));
  show(said ?? own);
  if (!self.PARTS) { say("parts.js is missing: keep all files of the workbench in one folder."); return; }
  crew.parts = Object.fromEntries(FOR_WORKER.map((name) => [name, packed(self.PARTS[name])]));
  crew.script = URL.createObjectURL(await unpacked(self.PARTS["worker.js"]).then((blob) => new Blob([blob], { type: "text/javascript" })));
  hire(crew.first);
  setInterval(tendCrew, 100);
  const { makeEditor } = await import(await address("editor.js"));
  self.PARTS = null; // as text they are no longer needed
  document.querySelector("script[src='parts.js']")?.remove();
  const plain = $("plain"), text = plain.value, hadHand = document.activeElement === plain;
  put($("editor"));
  editor = makeEditor($("editor"), text, labelOf(file), typed, async (at) => (await ask("offers", { ...asked(), texts: { ...state.texts, [file]: editor.text() }, file, at }))?.offers ?? []);
  if (hadHand) editor.go(1);
}
begin();
})();
