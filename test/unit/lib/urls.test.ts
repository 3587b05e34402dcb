/** Which URLs are taken for pages, and which open apps. */
import { isDeeplink, isWebUrl } from '../../../src/lib/urls';

describe('isWebUrl', () => {
  test.each([
    'https://acme.example',
    'http://acme.example/a?b=c#d',
    'HTTPS://ACME.EXAMPLE/',
    'https://bücher.example/straße?q=größe',
    'http://127.0.0.1:8080/',
    'http://[2001:db8::1]/',
  ])('%s is one', (url) => expect(isWebUrl(url)).toBe(true));

  test.each([
    '',
    'acme.example',
    '//acme.example',
    'https:acme.example',
    'https:/acme.example',
    'https:///acme.example',
    'https:\\\\acme.example',
    'https://',
    'ftp://acme.example',
    'javascript:alert(1)',
    'https://user@acme.example/',
    'https://user:secret@acme.example/',
    ' https://acme.example',
    'https://acme.example/a b',
    'https://acme.example/\nX: y',
    'https://acme.example/\u0085',
    'https://acme.example:99999/',
    'https:// x',
    'not a url',
    '/path',
    'mailto:a@b.example',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'DATA:text/html;base64,PHNjcmlwdD4=',
    'vbscript:x',
    'blob:https://acme.example/x',
    'file:///etc/passwd',
    'about:blank',
    'https://:password@acme.example/',
    'https://acme.example%00.evil.example',
    'https://acme.example/\r\nX: y',
    'https://acme.example/a\tb',
    'https://acme.example ',
    '\nhttps://acme.example',
    'https://acme.example/\u0001',
    '\u{1F600}',
    '<b>https://acme.example</b>',
  ])('%j is none', (url) => expect(isWebUrl(url)).toBe(false));
});

describe('isDeeplink', () => {
  test.each(['acme://shop/1?x=1#y', 'acme:shop', 'com.acme.shop+1-a://x', 'https://acme.example/app', 'tel:+123'])(
    '%s is one',
    (url) => expect(isDeeplink(url)).toBe(true),
  );

  test.each([
    '',
    'shop',
    '/shop',
    '1acme://shop',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://acme.example/1',
    'file:///etc/passwd',
    'acme://user@shop',
    'acme://:secret@shop',
    'acme://shop/a b',
    'acme://shop\t',
    'acme://shop\0',
    ' acme://shop',
    'acme://shop\r\nX: y',
    'java\nscript:alert(1)',
    ' javascript:alert(1)',
    'DATA:text/html,x',
    '?x=1',
    '#x',
    '//shop.example/x',
    'shop.example',
    'https://',
    '://x',
    'https://user@shop.example/',
    '<b>acme://shop</b>',
  ])('%j is none', (url) => expect(isDeeplink(url)).toBe(false));
});

test('what is asked often is answered the same: Node 20 has a function that is not', () => {
  const answers = Array.from({ length: 20_000 }, () => isWebUrl('https://bücher.example/straße?q=größe'));
  expect(answers).not.toContain(false);
});
