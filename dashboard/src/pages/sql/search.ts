/** The statement, and how its result is shown. */
import { choice, optionalText, Type } from '../../search';

/** A longer statement does not fit into a URL: it runs, and its link is not shared. */
export const MAX_IN_URL = 3_000;
export const VIEWS = ['table', 'line', 'bar'] as const;
export const sqlSearch = Type.Object({
  query: optionalText(`^[^]{1,${MAX_IN_URL}}$`),
  view: choice(VIEWS),
  x: optionalText(),
  y: optionalText(),
});
