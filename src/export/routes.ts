/** `GET /api/v1/export/...`: the records of a project as files (docs/contract.md, Exports). */
import type { Readable } from 'node:stream';
import Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Postgres } from '../db/postgres';
import { readQuery } from '../db/sql';
import { ApiError } from '../errors';
import { type Access, caller, callerOf, requireActiveBilling } from '../http/auth';
import { formatOf, sendFile } from '../http/files';
import { withRateLimit } from '../http/limits';
import { requestIdIn } from '../http/request-id';
import { queryOf } from '../http/target';
import { daysInRange, isDay, MINUTE_MS } from '../time';
import type { ExportRunner } from './export-runner';
import { FORMATS, type Column, type Format } from './formats';

export interface ExportOptions {
  readonly access: Access;
  readonly files: ExportRunner;
  readonly postgres: Postgres;
  /** Up to which receipt time, in milliseconds, everything that any process has accepted is in ClickHouse. */
  readonly settled: () => Promise<number>;
  readonly limiter: RateLimiterAbstract | undefined;
  readonly now: () => number;
}

/** What can be had, and the view of analytics that shows it. */
const VIEWS = {
  clicks: 'clicks',
  impressions: 'impressions',
  'ctv-impressions': 'ctv_impressions',
  installs: 'installs',
  'app-events': 'app_events',
  'web-events': 'web_events',
  spend: 'ad_spend',
  postbacks: 'postbacks',
} as const;
export type RecordKind = keyof typeof VIEWS;
export const RECORD_KINDS = Object.keys(VIEWS) as RecordKind[];

export const MAX_DAYS = 31;
/** An attempt to deliver is in ClickHouse so long after it began. */
const ATTEMPT_MS = 5 * MINUTE_MS;

const texts = Object.fromEntries(
  RECORD_KINDS.map((kind) => [kind, readQuery('clickhouse', `export.${kind}`)]),
) as Record<RecordKind, string>;
const decidedText = readQuery('sql', 'export.decided-until');
const columnsText = readQuery('clickhouse', 'export.columns');

/** In order: the key, billing, what is asked for, the limit of the key, then the file. */
export function exportRoutes({ access, files, postgres, settled, limiter, now }: ExportOptions): Router {
  const router = new Router({ prefix: '/api/v1' });
  /** Attempts come from no ingest log; installs are records once they are decided. */
  const completeUntilOf = async (kind: RecordKind) => {
    if (kind === 'postbacks') return now() - ATTEMPT_MS;
    return Math.min(await settled(), kind === 'installs' ? await decidedUntil(postgres) : Infinity);
  };
  router.get('/export/:kind', caller(access, 'installs'), requireActiveBilling, async (ctx) => {
    const { project, key } = callerOf(ctx);
    const kind = RECORD_KINDS.find((one) => one === ctx.params.kind);
    if (!kind) throw new ApiError(404, `There is no export of that name. Legal: ${RECORD_KINDS.join(', ')}.`);
    const query = queryOf(ctx);
    const range = readRange(query);
    const format = formatOf(ctx, query) ?? 'ndjson';
    const name = `${kind}-${range.from}-${range.to}`;
    const { stream, completeUntil } = await withRateLimit(limiter, key, async () => ({
      // Before the statement begins: what is there by now is in the file.
      completeUntil: await completeUntilOf(kind),
      stream: await files.open({ kind, name, requestId: requestIdIn(ctx.res) }, () =>
        start(files, kind, format, { project_id: project.id, ...range }),
      ),
    }));
    sendFile(ctx, name, format, stream, new Date(completeUntil).toISOString());
  });
  return router;
}

/** Up to which receipt time installs are decided. */
async function decidedUntil(postgres: Postgres): Promise<number> {
  const [row] = await postgres.rows<{ settled: number }>(decidedText);
  return row?.settled ?? 0;
}

/** @throws ApiError 400 that names the parameter. */
function readRange(query: URLSearchParams): { from: string; to: string } {
  const [from, to] = ['from', 'to'].map((name) => {
    const day = query.get(name);
    if (!day) throw new ApiError(400, `${name} is missing: a day of receipt, UTC, written YYYY-MM-DD.`);
    if (!isDay(day)) throw new ApiError(400, `Invalid ${name} '${day}'. A date is written YYYY-MM-DD.`);
    return day;
  }) as [string, string];
  if (from > to) throw new ApiError(400, 'from must not be after to.');
  if (daysInRange(from, to) > MAX_DAYS)
    throw new ApiError(400, `from and to must be at most ${MAX_DAYS} days apart, both included.`);
  return { from, to };
}

type Parameters = { readonly project_id: number; readonly from: string; readonly to: string };

/** Numbers are given digit by digit, as they are stored. */
async function start(
  { clickhouse, limits }: ExportRunner,
  kind: RecordKind,
  format: Format,
  params: Parameters,
): Promise<Readable> {
  // Every reader of Parquet knows Snappy.
  const snappy = { ...limits, output_format_parquet_compression_method: 'snappy' as const };
  if (format === 'parquet') return clickhouse.file(texts[kind], params, 'Parquet', snappy);
  if (format === 'ndjson') return clickhouse.file(texts[kind], params, 'JSONEachRow', limits);
  const columns = await clickhouse.rows<{ name: string; is_number: number }>(columnsText, { view: VIEWS[kind] });
  const rows = await clickhouse.tuples(texts[kind], params, { ...limits, output_format_json_quote_decimals: 1 });
  return FORMATS.csv.encode(
    columns.map(({ name, is_number }): Column => ({ name, type: is_number ? 'number' : 'text' })),
    rows,
  );
}
