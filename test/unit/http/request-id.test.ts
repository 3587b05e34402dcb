/** Which IDs of requests are taken from whoever sends them. */
import { newRequestId, chooseRequestId } from '../../../src/http/request-id';

const OURS = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const read = (id: unknown) => chooseRequestId({ headers: { 'x-request-id': id as string } });

test.each(['a', 'Root=1-67891233-abcdef012345678912345678', 'aB0._:/+=-'.padEnd(128, 'z')])('%s is taken', (id) =>
  expect(read(id)).toBe(id),
);

test.each([undefined, '', 'a'.repeat(129), 'a b', 'a"b', 'caf\xe9', 'a, b', 'a\nb', ['a', 'b']])(
  '%j is not: it has one of ours',
  (id) => expect(read(id)).toMatch(OURS),
);

test('those of ours are all different', () => {
  expect(new Set(Array.from({ length: 50 }, newRequestId)).size).toBe(50);
});
