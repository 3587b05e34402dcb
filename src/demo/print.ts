/** Writes reports as text (pure). */

export interface AppRow {
  readonly name: string;
  readonly clicks: string;
  readonly installs: string;
  readonly 'sign-ups': string;
  readonly spend: string;
  readonly revenue: string;
  readonly roas?: string;
  /** Percent, or `-` where nobody is that old. */
  readonly classic_retention: Readonly<Record<'d1' | 'd7' | 'd14' | 'd30', number | string>>;
}

export interface WebRow {
  readonly name: string;
  readonly visitors: number;
  readonly sessions: number;
  readonly page_views: number;
  readonly signups: number;
  readonly purchases: number;
  readonly revenue: number;
}

const BAR_WIDTH = 50;

const percent = (value: number | string) => (typeof value === 'number' ? `${value}%` : value);

/** Campaigns as a table. */
export function appTable(rows: readonly AppRow[]): string {
  const head = ['campaign', 'clicks', 'installs', 'sign-ups', 'spend', 'revenue', 'ROAS', 'D1', 'D7', 'D30'];
  const cells = rows.map(({ classic_retention: days, ...row }) => [
    row.name,
    row.clicks,
    row.installs,
    row['sign-ups'],
    row.spend,
    row.revenue,
    row.roas ?? '-',
    percent(days.d1),
    percent(days.d7),
    percent(days.d30),
  ]);
  return table([head, ...cells]);
}

/** Channels as a table. */
export function webTable(rows: readonly WebRow[]): string {
  const head = ['channel', 'visitors', 'sessions', 'page views', 'sign-ups', 'purchases', 'revenue'];
  return table([
    head,
    ...rows.map((row) => [
      row.name,
      ...[row.visitors, row.sessions, row.page_views, row.signups, row.purchases].map(String),
      row.revenue.toFixed(2),
    ]),
  ]);
}

const bar = (value: unknown) => '█'.repeat(typeof value === 'number' ? Math.round((value * BAR_WIDTH) / 100) : 0);

/** How many of a campaign's users are active on the Nth day, a bar a day. */
export function retentionCurve({ classic_retention: days }: AppRow): string {
  const lines = Object.entries(days).map(
    ([day, value]) => `  ${day.toUpperCase().padEnd(4)}${bar(value)} ${percent(value)}`,
  );
  return lines.join('\n');
}

/** The first row is the head, the first column text, all others numbers. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length)));
  const line = (row: readonly string[]) =>
    `  ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')}`;
  const [head = [], ...body] = rows;
  return [line(head), `  ${widths.map((width) => '-'.repeat(width)).join('  ')}`, ...body.map(line)].join('\n');
}
