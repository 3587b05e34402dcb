/** What the URL of a partner's installs says. */
import { optionalText, periodSearch, Type } from '../../search';

export const partnerInstallsSearch = Type.Object({
  ...periodSearch,
  project: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  sort: optionalText(),
});
