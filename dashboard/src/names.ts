/** What the rows of a report are called. */
import type { Question, ReportRow } from './api/queries';
import { countryName } from './format';
import { texts, valueTexts } from './texts';

/** Dimensions whose values are codes. */
const CODED = ['channel', 'network', 'platform', 'device', 'touch_type'];
/** Campaigns may have none of these, as organic installs have none: both are one row. */
const OF_SOME_CAMPAIGNS = ['network', 'partner', 'channel'];

/** What a value of a dimension is called; `label` is what the API calls it. */
export function valueName(source: Question['source'], dimension: string, value: string, label = value): string {
  if (dimension === 'country') return countryName(value);
  const isOrganic = source === 'app' && dimension === 'campaign' && (value === '' || value === 'organic');
  if (isOrganic) return texts.organic;
  if (source === 'app' && OF_SOME_CAMPAIGNS.includes(dimension) && value === '') return texts.without(dimension);
  const known = CODED.includes(dimension) && Object.hasOwn(valueTexts, value) ? valueTexts[value] : undefined;
  return known ?? (label || texts.unknown);
}

/** The name of a row in one of the question's dimensions, by default the first. */
export function rowName(
  { source, dimensions = [] }: Pick<Question, 'source' | 'dimensions'>,
  row: ReportRow,
  at = 0,
): string {
  return valueName(source, dimensions[at] ?? '', row.dimensions[at] ?? '', row.labels[at]);
}
