/** What the URL of the list of installs says. */
import { flag, choice, optionalText, Type } from '../../search';

const DAY = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$';

export const installsSearch = Type.Object({
  search: optionalText('^[^]{1,255}$'),
  show: choice(['all', 'credited', 'organic']),
  suspicious: flag(),
  /** A display ID. */
  campaign: optionalText('^[^]{1,64}$'),
  partner: Type.Optional(Type.Integer({ minimum: 1, maximum: 0xffffffff })),
  from: optionalText(DAY),
  to: optionalText(DAY),
  paused: flag(),
  /** The place from which older installs are listed. */
  before: optionalText('^[A-Za-z0-9_-]{1,500}$'),
});
