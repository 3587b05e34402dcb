/** What the URL of a campaign's page says. */
import { choice, paybackSearch, optionalText, periodSearch, Type } from '../../search';

export const PARTS = ['ad', 'ad_set', 'keyword', 'platform', 'country'] as const;

export const campaignSearch = Type.Object({
  ...periodSearch,
  /** The metric that the chart shows. */
  metric: optionalText('^[a-z_0-9]{1,60}$'),
  ...paybackSearch,
  /** What its figures are broken down by. */
  by: choice(PARTS),
  sort: optionalText(),
});
