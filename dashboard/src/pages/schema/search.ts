/** Which table of the schema is shown, and what is looked for. */
import { optionalText, Type } from '../../search';

export const schemaSearch = Type.Object({ table: optionalText(), search: optionalText() });
