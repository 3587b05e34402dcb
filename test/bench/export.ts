/**
 * `make bench-export`: ten days of clicks of one project as NDJSON, Parquet and CSV by the export endpoint, against the
 * same bytes from ClickHouse alone, with the peak memory of the service and of ClickHouse; then a day as a scheduled
 * export to a bucket (s3rver, on the same cores). CLICKS=1000000 makes it smaller, ROUNDS=0 is the bucket alone.
 */
import fs from 'node:fs';
import path from 'node:path';
import S3rver from 's3rver';
import { FORMAT_NAMES, type Format } from '../../src/files/formats';
import { readPostgres } from '../support/postgres';
import { CLICKHOUSE_PASSWORD, eventually, freePort, startService, temporaryFolder } from '../support/service';
import type { RunningService } from '../support/service';
import { dayAgo, DAYS, documentWith, fillClicks, KEY } from './export-clicks';
import { count, median, say } from './ingest-setup';

const CLICKS = Number(process.env.CLICKS ?? 10_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const S3_KEY = 'S3RVER';
/** What ClickHouse is asked for by itself: the rows as they are exported, on one thread. */
const BARE: Readonly<Record<Format, string>> = { ndjson: 'JSONEachRow', parquet: 'Parquet', csv: 'CSV' };

interface Taken {
  readonly seconds: number;
  readonly bytes: number;
}

/** Reads an answer to its end. */
async function take(answer: Response): Promise<Taken> {
  const started = performance.now();
  if (answer.status !== 200) throw new Error(await answer.text());
  let bytes = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
  return { bytes, seconds: (performance.now() - started) / 1000 };
}

/** The processes whose memory counts. */
const listProcesses = (service: RunningService) => ({
  service: [service.child.pid as number],
  ClickHouse: service.enginePids().clickhouse,
});

/** The most memory that processes have had since `forgetPeaks`, in MB. */
const readPeak = (pids: readonly number[]) =>
  pids
    .map((pid) => Number(/^VmHWM:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000)
    .reduce((sum, one) => sum + one, 0);
const forgetPeaks = (pids: readonly number[]) => {
  for (const pid of pids) fs.writeFileSync(`/proc/${pid}/clear_refs`, '5');
};

const fetchFile = (service: RunningService, format: Format, days: number) =>
  service.request(`/api/v1/export/clicks?from=${dayAgo(days)}&to=${dayAgo(1)}&format=${format}`, {
    headers: { 'service-key': KEY },
  });
const fetchBare = (service: RunningService, format: Format) =>
  fetch(`${service.clickhouseUrl}/?max_threads=1&date_time_output_format=iso`, {
    method: 'POST',
    headers: { 'X-ClickHouse-Key': CLICKHOUSE_PASSWORD },
    body: `SELECT * FROM analytics.clicks WHERE project_id = 1 AND bucket >= '${dayAgo(DAYS)}' FORMAT ${BARE[format]}`,
  });

async function compare(service: RunningService, format: Format): Promise<void> {
  const processes = listProcesses(service);
  const rates = { exported: [] as number[], bare: [] as number[] };
  let size = 0;
  let peaks: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++) {
    Object.values(processes).forEach(forgetPeaks);
    const { seconds, bytes } = await take(await fetchFile(service, format, DAYS));
    // What ClickHouse by itself needs for its larger groups, it keeps: later rounds would count it.
    if (round === 0)
      peaks = Object.fromEntries(Object.entries(processes).map(([name, pids]) => [name, readPeak(pids)]));
    rates.exported.push(CLICKS / seconds);
    size = bytes;
    rates.bare.push(CLICKS / (await take(await fetchBare(service, format))).seconds);
  }
  const [exported, bare] = [median(rates.exported), median(rates.bare)];
  const peak = Object.entries(peaks).map(([name, mb]) => `${name} ${count(mb)} MB`);
  say(
    `  ${format.padEnd(8)} ${count(exported)} rows/s, ${(exported / bare).toFixed(2)} of ClickHouse alone, ` +
      `${count(bare)}; ${count(size / CLICKS)} bytes a row; peak ${peak.join(', ')}`,
  );
}

/** Where a file is written from by ClickHouse: nothing but the rows, then with what they are joined with. */
async function explain(service: RunningService): Promise<void> {
  const time = async (sql: string) => {
    const started = performance.now();
    await service.clickhouse.command({ query: `${sql} FORMAT Null SETTINGS max_threads = 1` });
    return (performance.now() - started) / 1000;
  };
  const stored = `FROM adtrail.clicks`;
  const where = `WHERE project_id = 1 AND bucket >= '${dayAgo(DAYS)}'`;
  for (const [what, sql] of [
    ['the stored columns', `SELECT * ${stored} ${where}`],
    ['each row once (FINAL)', `SELECT * ${stored} FINAL ${where}`],
    ['as the view shows them', `SELECT * FROM analytics.clicks ${where}`],
  ] as const)
    say(`  read, ${what.padEnd(24)} ${(await time(sql)).toFixed(1)} s`);
}

/** Has a day written to a bucket, and resolves with the seconds that it took. */
async function writeDay(service: RunningService, format: Format): Promise<number> {
  const postgres = readPostgres(service);
  try {
    const asked = performance.now();
    const destination = { type: 's3', bucket: 'lake', prefix: format };
    await service.apply(documentWith([{ name: format, kind: 'clicks', format, every: 'day', destination }]));
    const answer = await service.request('/api/v1/exports', { headers: { 'service-key': KEY } });
    const { exports } = (await answer.json()) as { exports: { id: number; name: string }[] };
    const id = exports.find(({ name }) => name === format)?.id as number;
    const day = { from: dayAgo(1), to: dayAgo(1) };
    await service.request(`/api/v1/exports/${id}/backfill`, {
      method: 'POST',
      headers: { 'service-key': KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify(day),
    });
    await postgres.rows('UPDATE export_states SET due_at = now()');
    await eventually(
      `a day as ${format}`,
      async () => {
        const rows = await postgres.rows(
          `SELECT FROM export_periods WHERE export_id = ${id} AND period = '${day.from}' AND state = 'written'`,
        );
        return rows.length > 0 ? true : undefined;
      },
      600_000,
    );
    return (performance.now() - asked) / 1000;
  } finally {
    await postgres.close();
  }
}

async function main(): Promise<void> {
  const folder = temporaryFolder();
  const port = await freePort();
  const bucket = new S3rver({
    port,
    address: '127.0.0.1',
    silent: true,
    directory: path.join(folder, 'bucket'),
    configureBuckets: [{ name: 'lake', configs: [] }],
  });
  await bucket.run();
  const env = {
    ROLES: 'api,collect,attribution',
    LIMIT_QUERY: 'off',
    EXPORT_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    EXPORT_S3_KEY: S3_KEY,
    EXPORT_S3_SECRET: S3_KEY,
  };
  const service = await startService({ ...env, ROLES: 'api' });
  try {
    await fillClicks(service, CLICKS);
    say(`${count(CLICKS)} clicks over ${DAYS} days`);
    await explain(service);
    if (ROUNDS > 0) for (const format of FORMAT_NAMES) await compare(service, format);
    await service.stop();
    await service.restart(env);
    // What follows from so many clicks is no part of an export.
    await eventually(
      'all clicks are taken in',
      async () => {
        const { status } = await service.admin('POST', '/catch-up');
        return status === 200 ? true : undefined;
      },
      600_000,
    );
    for (const format of FORMAT_NAMES)
      say(`  a day to a bucket as ${format.padEnd(8)} ${(await writeDay(service, format)).toFixed(1)} s`);
  } finally {
    await service.dispose();
    await bucket.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

void main();
