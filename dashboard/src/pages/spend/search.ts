/** What the URL of the page of spend says. */
import { oneOf, periodSearch, tableSearch, Type } from '../../search';

export const spendSearch = Type.Object({
  ...periodSearch,
  ...tableSearch,
  tab: oneOf(['spent', 'upload']),
  rows: oneOf(['campaigns', 'days']),
});
