/** What the URL of the page of a value says: a country, a partner, a network, a creative, a browser. */
import { choice, optionalText, paybackSearch, periodSearch, Type } from '../../search';

export const valueSearch = Type.Object({
  ...periodSearch,
  ...paybackSearch,
  source: choice(['app', 'web']),
  /** The value of the dimension that the path names. */
  value: optionalText(),
  metric: optionalText('^[a-z_0-9]{1,60}$'),
  /** What its figures are broken down by. */
  by: optionalText('^[a-z_]{1,60}$'),
  sort: optionalText(),
});
