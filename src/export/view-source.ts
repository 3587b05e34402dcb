/** The records of a view, by when they were received. */
import { readQuery } from '../db/sql';
import { VIEWS, type RecordKind } from '../files/kinds';
import type { Period } from './periods';
import { ARRIVALS, bindRecords, openRecords, readCompleteUntil, type Records } from './records';
import type { ExportRow } from './scheduled-queries';
import type { Source, SourceParts } from './source';

const FORMS = { hour: '%Y-%m-%dT%H', day: '%Y-%m-%d' } as const;
const read = (kind: RecordKind, name: string) =>
  readQuery('clickhouse', `scheduled-exports.${name}`, { records: `export.${ARRIVALS[kind]}` });
const columnsText = readQuery('clickhouse', 'scheduled-exports.columns');

export function openView(parts: SourceParts, row: ExportRow, kind: RecordKind): Source {
  const { clickhouse, limits } = parts.files;
  const bind = (from: number, to: number, more: object = {}) => ({
    ...bindRecords(kind, row.project_id, from, to),
    ...more,
  });
  const selectPart = ({ from, to }: Period, part: number, of: number): Records => ({
    text: read(kind, 'part'),
    params: bind(from, to, { part, parts: of }),
  });
  return {
    timezone: 'UTC',
    columns: () => clickhouse.rows(columnsText, { view: VIEWS[kind] }),
    completeUntil: () => readCompleteUntil(kind, parts),
    async sums(periods) {
      const [first, last] = [periods[0] as Period, periods.at(-1) as Period];
      const text = read(kind, `fingerprints-of-${ARRIVALS[kind]}`);
      const params = bind(first.from, last.to, { form: FORMS[row.every] });
      const rows = await clickhouse.rows<{ period: string; rows: number; fingerprint: string }>(text, params, limits);
      return new Map(
        rows.map(({ period, fingerprint, rows: count }) => [period, { fingerprint, rows: Number(count) }]),
      );
    },
    async countRows({ from, to }, of, all) {
      if (of <= 1) return of === 0 ? [] : [all];
      type Count = { part: number; rows: number };
      const counts = await clickhouse.rows<Count>(read(kind, 'part-rows'), bind(from, to, { parts: of }), limits);
      const byPart = new Map(counts.map(({ part, rows }) => [part, Number(rows)]));
      return Array.from({ length: of }, (_, part) => byPart.get(part) ?? 0);
    },
    open: (period, format, part, of) => openRecords(parts.files, kind, format, selectPart(period, part, of)),
    sample(period, most) {
      const { text, params } = selectPart(period, 0, 1);
      return clickhouse.rows(`SELECT * FROM (\n${text}) LIMIT {most:UInt32}`, { ...params, most }, limits);
    },
  };
}
