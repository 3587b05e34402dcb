/** What the URL of the page of scheduled reports says. */
import { optionalText, Type } from '../../search';

/** Which report is edited, its ID or `new`, and the board that a new one begins with. */
export const schedulesSearch = Type.Object({
  edit: optionalText('^(new|\\d{1,9})$'),
  board: optionalText('^\\d{1,9}$'),
});
