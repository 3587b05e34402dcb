/** What the URL of a partner's credentials says. */
import { optionalText, Type } from '../../search';

export const credentialsSearch = Type.Object({ campaign: optionalText('^[A-Za-z0-9_-]{1,64}$') });
