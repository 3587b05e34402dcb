/** What the URL of the page of web visits says. */
import { filterSearch, choice, optionalText, periodSearch, tableSearch, Type } from '../../search';

export const webSearch = Type.Object({
  ...periodSearch,
  ...filterSearch,
  ...tableSearch,
  tab: choice(['channel', 'source', 'campaign', 'landing_page', 'page', 'exit_page', 'country', 'device', 'browser']),
  model: choice(['both', 'last_touch', 'first_touch']),
  /** The figure that the chart shows; by default the first. */
  metric: optionalText('^[a-z_]{1,60}$'),
  search: optionalText(),
});
