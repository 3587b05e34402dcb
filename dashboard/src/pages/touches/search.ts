/** What the URL of the page of single clicks says. */
import { optionalText, Type } from '../../search';

export const touchesSearch = Type.Object({
  search: optionalText('^[^\\u0000]{1,512}$'),
  reason: optionalText('^[a-z_]{1,64}$'),
});
