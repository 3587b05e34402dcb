/** What the URL of the test bench says. Never the request: it may hold IDs of a device. */
import { choice, optionalText, Type } from '../../search';
import { KINDS } from './requests';

export const testBenchSearch = Type.Object({
  kind: choice(KINDS),
  mode: choice(['url', 'form', 'batch']),
  /** A refused request that is tried again. */
  sample: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  campaign: optionalText('^[A-Za-z0-9_-]{1,64}$'),
});
