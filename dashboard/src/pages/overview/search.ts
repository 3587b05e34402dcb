/** What the URL of the overview says. */
import { choice, optionalText, periodSearch, Type } from '../../search';

export const overviewSearch = Type.Object({
  ...periodSearch,
  source: choice(['app', 'web']),
  /** The metric that the chart shows; by default the first figure. */
  metric: optionalText('^[a-z_0-9:]{1,120}$'),
});
