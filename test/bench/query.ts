/**
 * `make bench-query`: what queries cost over the data of `adtrail demo` (3,000 installs, or INSTALLS of them). For each
 * of the typical questions its statement, the planning of it alone (`EXPLAIN`), and the answer over HTTP: the fastest
 * of ROUNDS (10), in milliseconds, the longest planning first.
 */
import fs from 'node:fs';
import path from 'node:path';
import { createClient } from '@clickhouse/client';
import { readQueryInput } from '../../src/questions/query-input';
import { buildStatement } from '../../src/questions/statements';
import { TYPICAL } from '../support/reports/typical-questions';
import { freePort, temporaryFolder } from '../support/service';
import { startDemo } from './demo-service';

const ROUNDS = Number(process.env.ROUNDS ?? 10);
const PASSWORD = 'password-of-the-benchmark';
const DAYS = 60;
const MS_A_DAY = 86_400_000;
const formatDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The fewest milliseconds that `work` takes. */
async function fastest(work: () => Promise<unknown>): Promise<number> {
  let best = Infinity;
  for (let i = 0; i < ROUNDS; i++) {
    const since = performance.now();
    await work();
    best = Math.min(best, performance.now() - since);
  }
  return best;
}

async function main(): Promise<void> {
  const folder = temporaryFolder();
  const port = await freePort();
  const { link, stop } = await startDemo(folder, {
    CLICKHOUSE_HTTP_PORT: String(port),
    CLICKHOUSE_PASSWORD: PASSWORD,
  });
  try {
    const clickhouse = createClient({ url: `http://127.0.0.1:${port}`, password: PASSWORD });
    const key = fs.readFileSync(path.join(folder, 'data', 'demo-server-key'), 'utf8').trim();
    const [today, from] = [formatDay(Date.now()), formatDay(Date.now() - DAYS * MS_A_DAY)];
    const about = { project_id: 1, today, timezone: 'Europe/Berlin', currency: 'EUR', pauses: [] };
    const measured = [];
    for (const [name, typical] of TYPICAL) {
      const question = { ...typical, from, to: today };
      const { text, params } = buildStatement(readQueryInput(question), about, { isPage: true });
      const ask = async (query: string) =>
        (await clickhouse.query({ query, query_params: { ...params }, format: 'JSONEachRow' })).text();
      const overHttp = async () => {
        const response = await fetch(new URL('/api/v1/reporting/query', link), {
          method: 'POST',
          headers: { 'service-key': key, 'Content-Type': 'application/json' },
          body: JSON.stringify(question),
        });
        if (!response.ok) throw new Error(`${name} answered ${response.status}: ${await response.text()}`);
        await response.text();
      };
      measured.push({
        name,
        whole: await fastest(() => ask(text)),
        planning: await fastest(() => ask(`EXPLAIN ${text}`)),
        http: await fastest(overHttp),
      });
    }
    const nothing = await fastest(async () => (await clickhouse.query({ query: 'SELECT 1' })).text());
    await clickhouse.close();
    process.stdout.write(`| question | statement | EXPLAIN | answer |\n| --- | --- | --- | --- |\n`);
    for (const { name, whole, planning, http } of measured.sort((a, b) => b.planning - a.planning))
      process.stdout.write(`| ${name} | ${whole.toFixed(0)} | ${planning.toFixed(0)} | ${http.toFixed(0)} |\n`);
    process.stdout.write(`SELECT 1: ${nothing.toFixed(0)} ms\n`);
  } finally {
    await stop();
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

void main();
