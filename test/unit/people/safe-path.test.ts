/** Where somebody is led after signing in is on this host, whatever a link says (docs/contract/people.md). */
import { readSafePath } from '../../../src/lib/safe-path';

test.each([
  '/',
  '/projects/1/overview',
  '/projects/1/campaigns?sort=-spend&q=a%2Fb#top',
  '/profile?to=https://evil.example/',
  '/sign-inside',
])('%j stays', (path) => expect(readSafePath(path)).toBe(path));

test.each([
  ['/a/../projects/1', '/projects/1'],
  ['projects/1', '/projects/1'],
  ['?x=1', '/?x=1'],
  ['https:evil.example', '/evil.example'],
  ['/ä b', '/%C3%A4%20b'],
])('%j is %j', (to, path) => expect(readSafePath(to)).toBe(path));

test.each<unknown>([
  undefined,
  null,
  7,
  { to: '/' },
  '',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/%09/../\t/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/\n/evil.example',
  '/\r\n//evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/./\\evil.example',
  'https://evil.example/',
  'https:/\\evil.example',
  'http://adtrail.invalid/x',
  'https://user@adtrail.invalid//evil.example',
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,x',
  'blob:https://adtrail.invalid/x',
  '/sign-in',
  '/sign-in/',
  '/sign-in?to=/sign-in',
  '/x/../sign-in',
  `/${'x'.repeat(2_000)}`,
])('%j leads home', (to) => expect(readSafePath(to)).toBe('/'));

test('a browser comes to the same place from any page, and the result is stable', () => {
  for (const to of ['/.//x', '/a//b', '//x', '/a\\..\\\\b', '/%5cx', '/..//x', '/a/%2e%2e//x']) {
    const path = readSafePath(to);
    expect(new URL(path, 'http://127.0.0.1:8080/sign-in?to=x').origin).toBe('http://127.0.0.1:8080');
    expect(readSafePath(path)).toBe(path);
  }
});
