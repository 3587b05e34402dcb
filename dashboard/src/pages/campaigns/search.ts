/** What the URL of the list of campaigns says. */
import {
  filterSearch,
  choice,
  horizonSearch,
  optionalText,
  pageNumber,
  periodSearch,
  tableSearch,
  texts,
  Type,
} from '../../search';

export const campaignsSearch = Type.Object({
  ...periodSearch,
  ...filterSearch,
  ...tableSearch,
  ...horizonSearch,
  state: choice(['all', 'active', 'paused']),
  search: optionalText(),
  page: pageNumber(),
  /** Rows that show what they consist of: a campaign, or a campaign and an ad set (`rows.ts`). */
  open: texts(),
});
