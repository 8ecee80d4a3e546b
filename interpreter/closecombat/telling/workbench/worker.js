// Runs Python and this program in it, apart from the page. It is given the parts as blobs, once; then questions as
// text, one after the other, each of which `closecombat.cli.desk` answers as text. It fetches nothing: whatever the
// runtime asks for by address is one of the parts.
"use strict";
let most = 100_000_000; // bytes of Python's memory: what wants more is told that there is none; each question says anew
const NOWHERE = "https://nowhere.invalid/";
const HERE = "/desk";
const BEGIN = `
import os
from pathlib import Path
import closecombat
os.environ["CLOSECOMBAT_CACHE"] = str(Path(closecombat.__file__).parent / "_data" / "kept")
os.makedirs("${HERE}", exist_ok=True)
os.chdir("${HERE}")
from closecombat.cli.desk import answer
def ask(question, tell):
    return answer(question, Path("${HERE}"), tell)
ask
`;

const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65536 > most) throw new RangeError("no more memory");
  return grow.call(this, pages);
};
self.importScripts = () => { throw new TypeError("this worker has modules"); }; // or Pyodide takes it for an old one

let ask, heap;

async function begin(parts) {
  const text = (name, type) => URL.createObjectURL(new Blob([parts[name]], { type }));
  const [loader, machine, lock] = await Promise.all([
    import(text("pyodide.mjs", "text/javascript")),
    import(text("pyodide.asm.mjs", "text/javascript")),
    parts["pyodide-lock.json"].text(),
  ]);
  const fetched = self.fetch;
  self.fetch = (what, how) => String(what.url || what).endsWith("/pyodide.asm.wasm")
    ? Promise.resolve(new Response(parts["pyodide.asm.wasm"], { headers: { "content-type": "application/wasm" } }))
    : fetched.call(self, what, how);
  const python = await loader.loadPyodide({
    indexURL: NOWHERE,
    packageBaseUrl: NOWHERE,
    stdLibURL: text("python_stdlib.zip", "application/zip"),
    createPyodideModule: machine.default,
    lockFileContents: JSON.stringify({ info: JSON.parse(lock).info, packages: {} }),
    checkAPIVersion: false,
  });
  self.fetch = fetched;
  const [major, minor] = python.runPython("import sys; list(sys.version_info[:2])").toJs();
  python.unpackArchive(await parts["site.zip"].arrayBuffer(), "zip", { extractDir: `/lib/python${major}.${minor}/site-packages` });
  ask = await python.runPythonAsync(BEGIN);
  heap = () => python._module.HEAPU8.length;
  postMessage({ ready: true, heap: heap() });
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
  } catch (why) {
    postMessage({ id, failed: String((why && why.message) || why), heap: heap ? heap() : 0 });
  }
};
