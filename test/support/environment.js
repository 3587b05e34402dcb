/**
 * Node's environment of tests, with three things done for all test files of a worker that Jest would do for each.
 */
const { AsyncLocalStorage } = require('node:async_hooks');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Modules are loaded anew for each test file, but compiled once for all: a script can run in any number of contexts.
 * Tests have no `import()`, which Jest knows only behind a flag: to answer it, a script would keep its first test file
 * in memory.
 */
const compiled = new Map();
vm.compileFunction = (code, parameters, { filename, parsingContext }) => {
  let known = compiled.get(filename);
  if (known?.code !== code) {
    const head = `(function (${parameters.join(', ')}) {`;
    known = { code, script: new vm.Script(`${head}${code}\n})`, { filename, columnOffset: -head.length }) };
    compiled.set(filename, known);
  }
  return known.script.runInContext(parsingContext);
};

/**
 * Connections that are idle for some seconds are not used again: fetch would keep them for as long as the service says,
 * less a second, and a machine that is busy is not on time to the second. A request on a connection that the service
 * closes in that moment fails, as it does for any client that is not on time.
 */
async function keepConnectionsBriefly() {
  // Makes the first dispatcher.
  await globalThis.fetch('data:,');
  const { constructor: Agent } = globalThis[DISPATCHER];
  globalThis[DISPATCHER] = new Agent({ keepAliveMaxTimeout: MAX_IDLE_MS });
}
/** Under which Node and undici find what fetch sends through. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const MAX_IDLE_MS = 10_000;
let isBrief = false;

/**
 * A storage that was used once is handed on to each promise of the process for ever after. Those of a test file end
 * with it.
 */
const used = new Set();
for (const method of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function (...values) {
    used.add(this);
    return original.apply(this, values);
  };
}

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    if (!isBrief) await keepConnectionsBriefly();
    isBrief = true;
  }

  async teardown() {
    for (const storage of used) storage.disable();
    used.clear();
    await super.teardown();
  }
};
