/** What the URLs of the partners of a project say. */
import { optionalText, periodSearch, Type } from '../../search';

export const partnersSearch = Type.Object({ ...periodSearch, sort: optionalText() });
export const partnerSearch = Type.Object(periodSearch);
