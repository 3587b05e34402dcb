/**
 * Loaded before a service by `make bench-trace`: writes what its process does, and when, as JSON lines [kind, begin,
 * milliseconds] to the file TRACE_FILE; times are milliseconds since 1970.
 */
const diagnostics = require('node:diagnostics_channel');
const fs = require('node:fs');
const { performance, PerformanceObserver } = require('node:perf_hooks');
const { setInterval } = require('node:timers');

/** Less is part of any process's day. */
const HELD_MS = 5;
const out = fs.createWriteStream(process.env.TRACE_FILE, { flags: 'a' });
const now = () => performance.timeOrigin + performance.now();
const note = (kind, begin, ms) => out.write(`${JSON.stringify([kind, begin, ms])}\n`);

new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries())
    note('garbage collection', performance.timeOrigin + startTime, duration);
}).observe({ entryTypes: ['gc'] });

let last = now();
setInterval(() => {
  const at = now();
  if (at - last > HELD_MS) note('the event loop is held', last, at - last);
  last = at;
}, 1).unref();

fs.promises.open(process.execPath).then(async (handle) => {
  const prototype = Object.getPrototypeOf(handle);
  const { datasync } = prototype;
  prototype.datasync = async function timed() {
    const begin = now();
    await datasync.call(this);
    note('sync of the log', begin, now() - begin);
  };
  await handle.close();
});

const begun = new WeakMap();
diagnostics.subscribe('http.client.request.start', ({ request }) => begun.set(request, now()));
diagnostics.subscribe('http.client.response.finish', ({ request, response }) => {
  const isInsert = /INSERT(\+|%20)INTO/.test(request.path);
  const kind = isInsert ? 'an insert' : 'another statement of ClickHouse';
  response.once('end', () => note(kind, begun.get(request), now() - begun.get(request)));
});
