/** What the URL of a partner's overview says. */
import { choice, optionalText, periodSearch, Type } from '../../search';

export const partnerOverviewSearch = Type.Object({
  ...periodSearch,
  granularity: choice(['day', 'hour']),
  project: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  figure: optionalText('^[a-z_]{1,40}$'),
});
