/** What can be chosen as figures, in groups. */
import { metricText } from '../../texts';
import { explore as text } from '../../texts/explore';

interface Described {
  readonly name: string;
  readonly label: string;
}
export interface MetricGroup {
  readonly group: string;
  readonly items: { readonly value: string; readonly label: string }[];
}

/** Days since install that are offered; any other can stand in the URL. */
const DAYS = [0, 1, 3, 7, 14, 30, 60, 90];
const EVENT_KINDS = {
  event: text.event,
  event_users: text.eventUsers,
  event_amount: text.eventAmount,
} as const;
type EventKind = keyof typeof EVENT_KINDS;

const toItem = (value: string) => ({ value, label: metricText(value).label });

/** @param chosen what is chosen already: it is named, whatever it is */
export function listMetricGroups(
  metrics: readonly Described[],
  chosen: readonly string[],
  typed: string,
): MetricGroup[] {
  const plain = metrics.filter(({ name }) => !name.includes('_dN') && !name.includes('<'));
  const cohorts = metrics.filter(({ name }) => name.endsWith('_dN'));
  const kinds = metrics.flatMap(({ name }) => (name.endsWith(':<name>') ? [name.replace(':<name>', '')] : []));
  const event = typed.trim();
  const groups: MetricGroup[] = [
    { group: text.groups.figures, items: plain.map(({ name }) => toItem(name)) },
    ...cohorts.map(({ name, label }) => ({
      group: text.cohorts(label.replace(/ ?D?N$/, '')),
      items: DAYS.filter((day) => day > 0 || !name.includes('retention')).map((day) =>
        toItem(name.replace(/N$/, String(day))),
      ),
    })),
    {
      group: text.groups.events,
      items:
        event === ''
          ? []
          : kinds.map((kind) => ({ value: `${kind}:${event}`, label: EVENT_KINDS[kind as EventKind](event) })),
    },
  ];
  const known = new Set(groups.flatMap(({ items }) => items.map(({ value }) => value)));
  const others = chosen.filter((one) => !known.has(one)).map(toItem);
  return [
    ...groups.filter(({ items }) => items.length > 0),
    ...(others.length > 0 ? [{ group: ' ', items: others }] : []),
  ];
}
