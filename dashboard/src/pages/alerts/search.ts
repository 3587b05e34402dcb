/** What the URLs of the pages of alerts say. */
import { optionalText, Type } from '../../search';

/** Which alert is edited: its ID, or `new`. */
export const alertsSearch = Type.Object({ edit: optionalText('^(new|\\d{1,9})$') });
export const alertSearch = Type.Object({
  edit: optionalText('^\\d{1,9}$'),
  before: Type.Optional(Type.Integer({ minimum: 1 })),
});
