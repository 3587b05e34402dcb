/** The rows of a question, a day of its project at a time. */
import { readQuery } from '../db/sql';
import { listColumns, MAX_ROWS, queryFile } from '../questions/file';
import { prepare, type Prepared } from '../questions/answer';
import { readQueryInput, type Query } from '../questions/query-input';
import { buildStatement, type Part } from '../questions/statements';
import type { Period } from './periods';
import type { ExportRow } from './scheduled-queries';
import type { Source, SourceParts, Sum } from './source';

const SOME_DAY = '2026-01-01';
const sumText = readQuery('clickhouse', 'scheduled-exports.fingerprint');

export function openQuestion(parts: SourceParts, row: ExportRow): Source {
  const { files, partRows } = parts;
  const { clickhouse, limits } = files;
  const ask = (day: string): Query => readQueryInput({ ...row.query, from: day, to: day });
  let prepared: Promise<Prepared> | undefined;
  const ready = () => (prepared ??= prepare(parts, row.project_id, ask(SOME_DAY).source));
  const build = async ({ name }: Period, part: Part) => buildStatement(ask(name), (await ready()).about, part);
  const sum = async (period: Period): Promise<Sum> => {
    const { text, params } = await build(period, { limit: MAX_ROWS, offset: 0 });
    const [found] = await clickhouse.rows<{ rows: number; fingerprint: string }>(
      `WITH records AS (\n${text}\n)\n${sumText}`,
      params,
      limits,
    );
    return { rows: Number(found?.rows ?? 0), fingerprint: found?.fingerprint ?? '' };
  };
  return {
    timezone: row.timezone,
    columns: async () => listColumns(ask(SOME_DAY), buildStatement(ask(SOME_DAY), (await ready()).about).columns),
    completeUntil: async () => Date.parse((await ready()).completeUntil ?? '1970-01-01T00:00:00Z'),
    async sums(periods) {
      const sums = new Map<string, Sum>();
      for (const period of periods) sums.set(period.name, await sum(period));
      return sums;
    },
    countRows: (_, of, all) =>
      Promise.resolve(Array.from({ length: of }, (_, part) => Math.min(partRows, all - part * partRows))),
    open: async ({ name }, format, part) =>
      queryFile(
        (await ready()).about,
        files,
        ask(name),
        format,
        { exact: true },
        {
          limit: partRows,
          offset: part * partRows,
        },
      ),
    async sample(period, most) {
      const { text, params } = await build(period, { limit: most, offset: 0 });
      return clickhouse.rows(text, params, limits);
    },
  };
}
