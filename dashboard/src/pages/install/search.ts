/** What the URL of an install says. */
import { choice, Type } from '../../search';

export const installSearch = Type.Object({
  scale: choice(['log', 'linear']),
  /** The partner that is asked about. */
  partner: Type.Optional(Type.Integer({ minimum: 1, maximum: 0xffffffff })),
});
