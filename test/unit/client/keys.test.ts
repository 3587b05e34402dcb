/** The key that the typed client sends is one that the OpenAPI document names for the operation. */
import { listKeys } from '../../../clients/typescript/src/keys';
import { paths } from '../../support/http/openapi';

/** Keys in headers; parameters say the same, and sessions are for browsers. */
const KEYS = ['serviceKey', 'partnerToken', 'adminToken', 'appKey', 'webKey'];

test.each(Object.entries(paths))('%s', (at, methods) => {
  const taken = Object.values(methods).flatMap(({ security }) => security.flatMap((one) => Object.keys(one)));
  const keys = KEYS.filter((key) => taken.includes(key));
  // People alone administer people: a path that takes no key at all may be sent one that is not looked at.
  if (taken.includes('session') && keys.length === 0) return;
  expect([...listKeys(at)].sort()).toEqual([...keys].sort());
});
