/** What the URLs of the pages of links say. */
import { flag, choice, optionalText, tableSearch, Type } from '../../search';

export const linksSearch = Type.Object({
  ...tableSearch,
  state: choice(['ALL', 'ACTIVE', 'INACTIVE']),
  search: optionalText(),
  /** Whether the form for a new link is open. */
  create: flag(),
});

export const linkSearch = Type.Object({ edit: flag() });
