/** What the URL of the page of exports says. */
import { optionalText, Type } from '../../search';

/** Which form is open: of a new export, of a back-fill or of other keys, those two with the ID of the export. */
export const exportsSearch = Type.Object({
  form: optionalText('^(new|(backfill|keys)-\\d{1,9})$'),
});
