/**
 * Node's environment of tests. Connections that are idle for some seconds are not used again: fetch would keep them for
 * as long as the service says, less a second, and a machine that is busy is not on time to the second. A request on a
 * connection that the service closes in that moment fails, as it does for any client that is not on time.
 */
const { TestEnvironment } = require('jest-environment-node');

/** Under which Node and undici find what fetch sends through. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const MAX_IDLE_MS = 10_000;
let isShort = false;

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    if (isShort) return;
    isShort = true;
    // Makes the first one.
    await globalThis.fetch('data:,');
    const { constructor: Agent } = globalThis[DISPATCHER];
    globalThis[DISPATCHER] = new Agent({ keepAliveMaxTimeout: MAX_IDLE_MS });
  }
};
