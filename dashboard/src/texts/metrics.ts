/**
 * What the metrics and dimensions of queries are called and how they are written: as the API says
 * (`GET /api/v1/reporting/model`), which is asked before the first page of a project is shown.
 */
export type Kind = 'count' | 'money' | 'percent' | 'ratio' | 'seconds';

export interface MetricText {
  readonly label: string;
  readonly kind: Kind;
  /** Whether more of it is good news, bad news or neither. */
  readonly better: 'more' | 'less' | 'neither';
  readonly about?: string;
}

interface Described {
  readonly name: string;
  readonly label: string;
  readonly about?: string;
}
interface DescribedModel {
  readonly metrics: readonly (Described & { readonly format: Kind })[];
  readonly dimensions: readonly Described[];
}

const metrics = new Map<string, Omit<MetricText, 'better'>>();
const dimensions = new Map<string, string>();

/** From now on these are the names and formats. Of metrics of both sources both meanings are told. */
export function learnModel({ app, web }: { readonly app: DescribedModel; readonly web: DescribedModel }): void {
  for (const { name, label, format, about } of [...app.metrics, ...web.metrics]) {
    const known = metrics.get(name)?.about;
    const both =
      known !== undefined && about !== undefined && known !== about ? `${known}; of visits: ${about}` : about;
    metrics.set(name, { label, kind: format, about: both ?? known });
  }
  for (const { name, label } of [...app.dimensions, ...web.dimensions]) dimensions.set(name, label);
}

const LESS_IS_BETTER = [
  'suspicious',
  'uninstalls',
  'refunds',
  'refund_amount',
  'cpi',
  'cpa',
  'blended_cpi',
  'bounce_rate',
];

function findBetter(name: string): MetricText['better'] {
  if (name === 'spend') return 'neither';
  return LESS_IS_BETTER.includes(name) ? 'less' : 'more';
}

/** `ad_set` as `Ad set`: for what nobody told. */
const worded = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

/** What a name is described as, with what stands for its day or its event. */
function describedAs(name: string): readonly [described: string, placeholder: string, part: string] {
  const [, kind, day] = /^([a-z_]+)_d(\d+)$/.exec(name) ?? [];
  if (day !== undefined) return [`${kind}_dN`, 'N', day];
  const [, of, event] = /^([a-z_]+):(.+)$/s.exec(name) ?? [];
  return event === undefined ? [name, '', ''] : [`${of}:<name>`, '<name>', event];
}

/** The text of any metric, those by day or by event too. */
export function metricText(name: string): MetricText {
  const better = findBetter(name);
  const [described, placeholder, part] = describedAs(name);
  const known = metrics.get(described);
  if (!known) return { label: worded(name), kind: 'count', better };
  // What stands for a day or an event is last, or first where it is the event.
  const written = (text: string) => {
    const at = placeholder === '' ? -1 : placeholder === 'N' ? text.lastIndexOf('N') : text.indexOf(placeholder);
    return at < 0 ? text : text.slice(0, at) + part + text.slice(at + placeholder.length);
  };
  const about = known.about && (placeholder === 'N' ? known.about.replace(/\bN\b/, part) : written(known.about));
  return { label: written(known.label), kind: known.kind, better, ...(about && { about }) };
}

/** What a dimension is called. */
export const dimensionText = (name: string): string => dimensions.get(name) ?? worded(name);
