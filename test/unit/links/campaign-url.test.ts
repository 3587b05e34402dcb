/** Tracking links of campaigns, and the campaign that a link means. */
import { displayIdOfLink, shareableLink, trackingLink, withParameter } from '../../../src/configuration/campaign-url';
import { DEEPLINKS } from '../../support/workspace/campaigns';

const campaign = { domain: 'go.acme.example', displayId: 'AbC_1', deeplink: null, isShortlink: false };

test('the short form needs a domain', () => {
  expect(shareableLink('go.acme.example', 'AbC_1')).toBe('https://go.acme.example/?c=AbC_1');
  expect(shareableLink(null, 'AbC_1')).toBe('');
});

describe('trackingLink', () => {
  test('without a deeplink it is the short form', () =>
    expect(trackingLink(campaign)).toBe('https://go.acme.example/?c=AbC_1'));
  test('with one it is the deeplink, with or without a domain', () => {
    expect(trackingLink({ ...campaign, deeplink: 'acme://shop' })).toBe('acme://shop?c=AbC_1');
    expect(trackingLink({ ...campaign, domain: null, deeplink: 'acme://shop' })).toBe('acme://shop?c=AbC_1');
  });
  test.each(DEEPLINKS)('of %s it is %s, which names the campaign', (deeplink, expected) => {
    const link = trackingLink({ ...campaign, deeplink });
    expect(link).toBe(expected.replace('c=ID', 'c=AbC_1'));
    expect(displayIdOfLink(link, () => false)).toBe('AbC_1');
  });
  test('of a short link it is the short form all the same', () =>
    expect(trackingLink({ ...campaign, deeplink: 'acme://shop', isShortlink: true })).toBe(
      'https://go.acme.example/?c=AbC_1',
    ));
  test('without either it is empty', () => expect(trackingLink({ ...campaign, domain: null })).toBe(''));
});

describe('withParameter', () => {
  test.each([
    ['acme://shop', 'acme://shop?c=1'],
    ['acme://shop#top', 'acme://shop?c=1#top'],
    ['acme://shop?x=1#top', 'acme://shop?x=1&c=1#top'],
    ['acme://shop?', 'acme://shop?c=1'],
    ['acme://shop#a?b', 'acme://shop?c=1#a?b'],
    // What is there already is replaced where it is, however it is written.
    ['acme://shop?c=0&x=1', 'acme://shop?c=1&x=1'],
    ['acme://shop?x=1&c', 'acme://shop?x=1&c=1'],
    ['acme://shop?%63=0', 'acme://shop?c=1'],
    ['acme://shop?c=0&c=2', 'acme://shop?c=1&c=1'],
    ['acme://shop?cc=0&C=0', 'acme://shop?cc=0&C=0&c=1'],
    // Every other byte stays.
    ['acme://Shop/%7e?a=%20+&&b=ü', 'acme://Shop/%7e?a=%20+&&b=ü&c=1'],
  ])('%s', (url, expected) => expect(withParameter(url, 'c', '1')).toBe(expected));

  test('the value is encoded', () => expect(withParameter('x:y', 'c', 'a b&c')).toBe('x:y?c=a%20b%26c'));
});

describe('displayIdOfLink', () => {
  const isOwn = (host: string) => host === 'go.acme.example';
  test.each([
    ['https://go.acme.example/?c=one', 'one'],
    ['https://elsewhere.example/any/path?c=one', 'one'],
    ['acme://shop?x=1&c=one#top', 'one'],
    ['https://go.acme.example/two?c=one', 'one'],
    ['https://go.acme.example/two?c=', 'two'],
    ['https://GO.acme.example/two/', 'two'],
    ['https://elsewhere.example/two', undefined],
    // Escapes and empty segments, and the rest of an escaped ampersand.
    ['https://go.acme.example/%74wo', 'two'],
    ['https://go.acme.example//two//', 'two'],
    ['https://go.acme.example/./two', 'two'],
    ['https://go.acme.example/%2Ftwo%2F', 'two'],
    ['https://go.acme.example/%zz', undefined],
    ['https://go.acme.example/?x=1&amp;c=one', 'one'],
    ['https://go.acme.example/?x=1&amp;amp;c=one', 'one'],
    ['https://go.acme.example/?c=&c=one', 'one'],
    ['https://go.acme.example/?c=one?utm_source=x', 'one'],
    ['https://go.acme.example/?C=one', undefined],
    ['https://go.acme.example/?x=c=one?y', undefined],
    ['https://go.acme.example/a/b', undefined],
    ['https://go.acme.example/', undefined],
    [`https://go.acme.example/${'x'.repeat(65)}`, undefined],
    ['https://go.acme.example/no%20id', undefined],
    ['https://go.acme.example/-dash', '-dash'],
    ['https://go.acme.example/_under?utm_source=x#y', '_under'],
    ['acme:product/1?c=one', 'one'],
    ...['no link', '', 'plain', '?c=plain', '/plain', '//go.acme.example/plain', 'https://', '\0'].map(
      (link): [string, undefined] => [link, undefined],
    ),
    ...['https://go.acme.example', 'https://go.acme.example/?c=', 'acme://product#c=one', 'acme://product#?c=one'].map(
      (link): [string, undefined] => [link, undefined],
    ),
    ...['#/plain', '%00', '%E0%A4%A', '?C=plain'].map((end): [string, undefined] => [
      `https://go.acme.example/${end}`,
      undefined,
    ]),
  ])('%j names %j', (link, displayId) => expect(displayIdOfLink(link, isOwn)).toBe(displayId));
});
