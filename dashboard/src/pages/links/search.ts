/** What the URLs of the pages of links say. */
import { flag, choice, optionalText, periodSearch, tableSearch, Type } from '../../search';

export const linksSearch = Type.Object({
  ...tableSearch,
  state: choice(['ALL', 'ACTIVE', 'INACTIVE']),
  search: optionalText(),
  /** Whether the form for a new link is open. */
  create: flag(),
  tag: optionalText('^.{1,40}$'),
  /** Which other form is open. */
  form: choice(['none', 'file', 'rules']),
});

export const linkSearch = Type.Object({ ...periodSearch, edit: flag(), settings: flag() });
