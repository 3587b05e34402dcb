/**
 * Loaded into a service with `node --require`: kills it while ClickHouse is at a statement. Which one is written in the
 * file of KILL_FILE, as the name of a statement of clickhouse/queries; while there is none, nothing happens.
 */
const fs = require('node:fs');
const http = require('node:http');
const { readQuery } = require('../../../dist/db/sql');

/** Long enough for ClickHouse to have begun, and shorter than any statement takes on a busy machine. */
const INTO_STATEMENT_MS = 15;

const request = http.request;

/** The first line of the statement that the process is to die in. */
function awaited() {
  const { KILL_FILE } = process.env;
  const name = fs.existsSync(KILL_FILE) ? fs.readFileSync(KILL_FILE, 'utf8') : '';
  return name && readQuery('clickhouse', name).split('\n')[0];
}

http.request = (...args) => {
  const sent = request(...args);
  const line = awaited();
  if (!line) return sent;
  const end = sent.end;
  const write = sent.write;
  const look = (text) => {
    if (typeof text === 'string' && text.includes(line))
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), INTO_STATEMENT_MS);
  };
  sent.write = (text, ...more) => {
    look(text);
    return write.call(sent, text, ...more);
  };
  sent.end = (text, ...more) => {
    look(text);
    return end.call(sent, text, ...more);
  };
  return sent;
};
