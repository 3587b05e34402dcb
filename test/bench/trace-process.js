/**
 * Loaded before a service by `make bench-trace`: writes what its process does, and when, as JSON lines [kind, begin,
 * milliseconds] to the file TRACE_FILE; times are milliseconds since 1970. The processes of the engines, which get the
 * same flags but not that variable, are left alone.
 */
const { Buffer } = require('node:buffer');
const diagnostics = require('node:diagnostics_channel');
const fs = require('node:fs');
const { performance, PerformanceObserver } = require('node:perf_hooks');
const { setInterval } = require('node:timers');

/** Less is part of any process's day. */
const HELD_MS = 5;
const NO_CORE = 'the event loop has no core';

/** Reads how many milliseconds the process's first thread has waited for a core since it began; Linux counts it. */
function openSchedule() {
  const file = fs.openSync('/proc/self/schedstat');
  const buffer = Buffer.alloc(100);
  return () => Number(buffer.toString('latin1', 0, fs.readSync(file, buffer, 0, 100, 0)).split(' ')[1]) / 1e6;
}

function trace(file) {
  const out = fs.createWriteStream(file, { flags: 'a' });
  const now = () => performance.timeOrigin + performance.now();
  const note = (kind, begin, ms) => out.write(`${JSON.stringify([kind, begin, ms])}\n`);

  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      note('garbage collection', performance.timeOrigin + startTime, duration);
  }).observe({ entryTypes: ['gc'] });

  const readSchedule = openSchedule();
  let last = { at: now(), waited: readSchedule() };
  setInterval(() => {
    const here = { at: now(), waited: readSchedule() };
    const ms = here.at - last.at;
    if (ms > HELD_MS) note(here.waited - last.waited > ms / 2 ? NO_CORE : 'the event loop is busy', last.at, ms);
    last = here;
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
}

if (process.env.TRACE_FILE !== undefined) trace(process.env.TRACE_FILE);
