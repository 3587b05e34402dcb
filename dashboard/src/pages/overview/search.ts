/** What the URL of the overview says. */
import { oneOf, optionalText, periodSearch, Type } from '../../search';

export const overviewSearch = Type.Object({
  ...periodSearch,
  source: oneOf(['app', 'web']),
  /** The metric that the chart shows; by itself the first figure. */
  metric: optionalText('^[a-z_0-9:]{1,120}$'),
});
