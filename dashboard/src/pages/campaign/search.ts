/** What the URL of a campaign's page says. */
import { choice, optionalText, periodSearch, Type } from '../../search';

export const HORIZONS = ['auto', '3', '7', '14', '30', '60', '90'] as const;
export const PARTS = ['ad', 'ad_set', 'keyword', 'platform', 'country'] as const;

export const campaignSearch = Type.Object({
  ...periodSearch,
  /** The metric that the chart shows. */
  metric: optionalText('^[a-z_0-9]{1,60}$'),
  /** Payback: which figure, and up to which day since install; `auto` is what the period allows. */
  payback: choice(['ltv', 'roas']),
  horizon: choice(HORIZONS),
  /** What its figures are broken down by. */
  by: choice(PARTS),
  sort: optionalText(),
});
