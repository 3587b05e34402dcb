/** What the URL of the page of spend says. */
import { choice, periodSearch, tableSearch, Type } from '../../search';

export const spendSearch = Type.Object({
  ...periodSearch,
  ...tableSearch,
  tab: choice(['spent', 'upload']),
  rows: choice(['campaigns', 'days']),
});
