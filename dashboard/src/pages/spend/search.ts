/** What the URL of the page of spend says. */
import { choice, periodSearch, tableSearch, Type } from '../../search';

export const TABS = ['spent', 'upload', 'history'] as const;

export const spendSearch = Type.Object({
  ...periodSearch,
  ...tableSearch,
  tab: choice(TABS),
  rows: choice(['campaigns', 'days']),
});
