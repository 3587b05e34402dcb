/** What the URL of a partner's campaigns says. */
import { optionalText, pageNumber, Type } from '../../search';

export const partnerCampaignsSearch = Type.Object({
  search: optionalText('^[^\\u0000]{1,100}$'),
  page: pageNumber(),
  sort: optionalText(),
});
