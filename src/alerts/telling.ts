/** What is told when an alert fires or is over (pure). */
import { writeChange, writeFigure, writeName } from '../lib/figures-text';
import type { Content } from '../notices/content';
import type { Condition } from './condition';
import { HOUR_SECONDS } from './judge';
import type { Details, Told } from './model';

const KINDS = {
  click: 'clicks',
  impression: 'impressions',
  ctv_impression: 'CTV impressions',
  app_event: 'app events',
  web_event: 'web events',
} as const;
/** Values that a message names. */
const MOST_LINES = 20;

/** @param address where the alert is shown; undefined where the service does not know its own. */
export function tellEvent(
  { kind, at, details, alert_id, name, condition, project, project_id }: Told,
  address?: string,
) {
  const [shortName, shortProject] = [writeName(name), writeName(project)];
  const page = address && `${address}/projects/${project_id}/alerts/${alert_id}`;
  const lines = [
    kind === 'test' ? `This is a test of “${shortName}” in ${shortProject}: nothing has happened.` : undefined,
    kind === 'fired' ? `“${shortName}” has fired in ${shortProject}.` : undefined,
    kind === 'over' ? `“${shortName}” is over in ${shortProject}.` : undefined,
    '',
    ...explain(condition, details),
    ...(page ? ['', page] : []),
  ].filter((line) => line !== undefined);
  return {
    subject: `[${shortProject}] ${shortName}: ${kind}`,
    text: lines.join('\n'),
    type: `alert.${kind}`,
    timestamp: at.toISOString(),
    data: { alert_id, alert: name, project_id, project, condition, ...details },
  } satisfies Content;
}

/** Why: what was judged, and each value with what it was held against. */
export function explain(condition: Condition, { range, metric, values, count }: Details): string[] {
  const days = range.from === range.to ? range.from : `${range.from} to ${range.to}`;
  if (condition.type === 'nothing_received') {
    const isSilent = values[0]?.figure === 0;
    const what = KINDS[condition.kind];
    return [`${isSilent ? `No ${what}` : `Some ${what}`} were received from ${days}.`];
  }
  const more = count - Math.min(values.length, MOST_LINES);
  const rest = more > 0 ? [`and ${more} more`] : [];
  if (condition.type === 'export_late') {
    const say = (seconds: number) =>
      seconds > condition.hours * HOUR_SECONDS
        ? `fails or is behind, for ${Math.floor(seconds / HOUR_SECONDS)} h`
        : 'is written in time, or off';
    const lines = values
      .slice(0, MOST_LINES)
      .map(({ label, figure }) => `- ${writeName(label)}: ${say(figure ?? 0)} (limit: ${condition.hours} h)`);
    return [`${metric.label}, as of ${range.to}:`, ...lines, ...rest];
  }
  const write = (figure: number | null) => writeFigure(figure, metric.format, metric.currency);
  const held = (expected: number, deviation: number | undefined) => {
    if (condition.type === 'threshold') return `limit: ${condition.direction} ${write(expected)}`;
    if (condition.type === 'change') return `before: ${write(expected)}, ${writeChange(deviation ?? 0)}`;
    if (condition.type === 'unusual') return `median of this weekday: ${write(expected)}`;
    return `the day before: ${write(expected)}`;
  };
  const lines = values
    .slice(0, MOST_LINES)
    .map(
      ({ label, figure, expected, deviation }) =>
        `${label === '' ? '' : `${writeName(label)}: `}${write(figure)} (${held(expected, deviation)})`,
    );
  return [`${metric.label}, ${days} (${range.timezone}):`, ...lines.map((line) => `- ${line}`), ...rest];
}
