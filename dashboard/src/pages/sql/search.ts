/** The statement, and how its result is shown. */
import { choice, optionalText, texts, Type } from '../../search';

/** A longer statement does not fit into a URL: it runs, and its link is not shared. */
export const MAX_IN_URL = 3_000;
export const VIEWS = ['table', 'line', 'bar', 'pivot'] as const;
export const sqlSearch = Type.Object({
  query: optionalText(`^[^]{1,${MAX_IN_URL}}$`),
  view: choice(VIEWS),
  x: optionalText(),
  /** Columns of numbers that are drawn; of a pivot the first one. */
  y: texts(8),
  /** The columns of a pivot are the values of this one. */
  across: optionalText(),
  /** The place of a column and its name, with `-` before it for greatest first. */
  sort: optionalText(),
});
