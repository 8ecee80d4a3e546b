// Runs Python and this program in it, apart from the page. It is given the parts as packed blobs, once, but Python's machine
// as a worker before it has compiled it, if there was one; then questions as text, one after the other, each of which
// `closecombat.cli.desk` answers as text. It fetches nothing: whatever the runtime asks for by address is one of the parts.
"use strict";
let most = 100_000_000; // bytes of Python's memory: what wants more is told that there is none; each question says anew
const NOWHERE = "https://nowhere.invalid/";
const HERE = "/desk";
const BEGIN = `
import gc
import os
from pathlib import Path
import closecombat
os.environ["CLOSECOMBAT_CACHE"] = str(Path(closecombat.__file__).parent / "_data" / "kept")
os.makedirs("${HERE}", exist_ok=True)
os.chdir("${HERE}")
from closecombat.cli.desk import answer
held = {}
def ask(question, tell):
    return answer(question, Path("${HERE}"), tell, held)
(ask, gc.collect)
`;

const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65536 > most) throw new RangeError("no more memory");
  const before = grow.call(this, pages);
  postMessage({ heap: this.buffer.byteLength }); // the page makes room
  return before;
};
self.importScripts = () => { throw new TypeError("this worker has modules"); }; // or Pyodide takes it for an old one

let ask, tidy, heap;

const unpacked = (part) => new Response(part.stream().pipeThrough(new DecompressionStream("gzip")));

async function begin(parts) {
  const address = async (name, type) => URL.createObjectURL(new Blob([await unpacked(parts[name]).arrayBuffer()], { type }));
  const wasm = parts["pyodide.asm.wasm"];
  const [loader, maker, lock, library, machine] = await Promise.all([
    address("pyodide.mjs", "text/javascript").then((one) => import(one)),
    address("pyodide.asm.mjs", "text/javascript").then((one) => import(one)),
    unpacked(parts["pyodide-lock.json"]).json(),
    address("python_stdlib.zip", "application/zip"),
    wasm instanceof WebAssembly.Module ? wasm : unpacked(wasm).arrayBuffer().then((bytes) => WebAssembly.compile(bytes)),
  ]);
  if (machine !== wasm) postMessage({ machine });
  const fetched = self.fetch, streamed = WebAssembly.instantiateStreaming;
  self.fetch = (what, how) => String(what.url || what).endsWith("/pyodide.asm.wasm") ? Promise.resolve(new Response("")) : fetched.call(self, what, how);
  WebAssembly.instantiateStreaming = async (nothing, imports) => ({ module: machine, instance: await WebAssembly.instantiate(machine, imports) });
  const python = await loader.loadPyodide({
    indexURL: NOWHERE,
    packageBaseUrl: NOWHERE,
    stdLibURL: library,
    createPyodideModule: maker.default,
    lockFileContents: JSON.stringify({ info: lock.info, packages: {} }),
    checkAPIVersion: false,
  });
  self.fetch = fetched;
  WebAssembly.instantiateStreaming = streamed;
  const [major, minor] = python.runPython("import sys; list(sys.version_info[:2])").toJs();
  python.unpackArchive(await unpacked(parts["site.zip"]).arrayBuffer(), "zip", { extractDir: `/lib/python${major}.${minor}/site-packages` });
  [ask, tidy] = await python.runPythonAsync(BEGIN);
  heap = () => python._module.HEAPU8.length;
  postMessage({ ready: true, heap: heap() });
  for (let number = 0; number < 8; number += 1) new ArrayBuffer(64_000_000); // so that what it began with is cleared away
}

let begun;
onmessage = async ({ data }) => {
  if (data.parts) {
    begun = begin(data.parts);
    begun.catch((why) => postMessage({ broken: String((why && why.message) || why) }));
    return;
  }
  const { id, question } = data;
  try {
    await begun;
    most = data.most;
    const tell = (said) => postMessage({ id, said, heap: heap() });
    postMessage({ id, answer: ask(question, tell), heap: heap() });
    tidy(); // what an answer leaves behind is in circles, and memory that has grown is never given back
  } catch (why) {
    postMessage({ id, failed: String((why && why.message) || why), heap: heap ? heap() : 0 });
  }
};
