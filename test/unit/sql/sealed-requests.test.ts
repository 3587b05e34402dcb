/** What erasure hides from PostgreSQL can be read again. */
import { sealRequests } from '../../../src/erasure/sealed';
import { createSeal, createSeals } from '../../../src/lib/seal';

test('what is sealed does not show it, opens with the secret alone, and differs each time', () => {
  const { seal, open } = sealRequests(createSeals('secret', ['former']));
  const sealed = seal('user-1');
  expect(sealed).not.toContain('user-1');
  expect(Buffer.from(sealed.slice(7), 'base64').toString('latin1')).not.toContain('user-1');
  expect(open(sealed)).toBe('user-1');
  expect(seal('user-1')).not.toBe(sealed);
  expect(open('38400000-8cf0-11bd-b23e-10b96e40000d')).toBe('38400000-8cf0-11bd-b23e-10b96e40000d');
  expect(open(createSeal('former', 'erasure requests').seal('user-2'))).toBe('user-2');
  expect(() => sealRequests(createSeals('other', [])).open(sealed)).toThrow('SEAL_KEY');
});
