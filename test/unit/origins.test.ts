/** What is told from the address and the user agent of a record as it arrives. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ipaddr from 'ipaddr.js';
import { countryOf } from '../../src/net/country';
import { parseIp } from '../../src/net/ip';
import { readUserAgent } from '../../src/net/user-agent';

const packageDir = path.dirname(require.resolve('@ip-location-db/dbip-country/package.json'));

describe('the country of an address', () => {
  test.each([
    ['8.8.8.8', 'US'],
    ['217.80.10.1', 'DE'],
    ['2003:de::1', 'DE'],
    // The address inside counts.
    ['::ffff:217.80.10.1', 'DE'],
    ['10.0.0.1', ''],
    ['', ''],
    ['abc0123456789abcdef', ''],
  ])('%s: %s', (ip, country) => expect(countryOf(ip)).toBe(country));

  // The dotted files, though the build reads the numeric ones: so the two are checked against each other.
  test.each(['dbip-country-ipv4.csv', 'dbip-country-ipv6.csv'])('is that of the list at every edge: %s', (csv) => {
    const rows = readFileSync(path.join(packageDir, csv), 'utf8').trim().split('\n');
    const wrong: string[] = [];
    let checked = 0;
    for (let i = 0; i < rows.length; i += 97) {
      const [first = '', last = '', country = ''] = (rows[i] as string).split(',');
      for (const address of [first, last]) {
        const ip = parseIp(ipaddr.parse(address).toString())?.ip ?? '';
        // Of an address that holds another one the inner one counts, which is on other lines.
        if (ip.startsWith('2002:') || ip.startsWith('2001::') || ip.startsWith('2001:0:') || ip.startsWith('64:'))
          continue;
        checked += 1;
        if (countryOf(ip) !== country) wrong.push(`${address}: ${countryOf(ip)}, not ${country}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(5_000);
  });
});

describe('the device and the browser of a user agent', () => {
  const IPAD =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_6) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.0 ' +
    'Mobile/15E148 Safari/604.1';
  test.each([
    ['', ['', '', '']],
    ['curl/8.0', ['', '', '']],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Mobile ' +
        'Safari/537.36',
      ['mobile', 'Android', 'Chrome'],
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0',
      ['desktop', 'Windows', 'Firefox'],
    ],
    [IPAD, ['tablet', 'iOS', 'Safari']],
    // The parser takes anything before a slash for the name of a browser.
    [`${'x'.repeat(900)}/1.0 (anything) y`, ['', '', '']],
  ])('%p', (ua, [deviceType, os, browser]) => {
    expect(readUserAgent(ua)).toMatchObject({ deviceType, os, browser, isBot: expect.any(Boolean) as boolean });
    expect(readUserAgent(ua)).toBe(readUserAgent(ua));
  });

  test('of a longer one the beginning is read, nothing is kept, and a bot is found all the same', () => {
    const long = `${IPAD}${' Mobile-'.repeat(10_000)} Googlebot/2.1`;
    expect(readUserAgent(long)).toEqual({ deviceType: 'tablet', os: 'iOS', browser: 'Safari', isBot: true });
    expect(readUserAgent(long)).not.toBe(readUserAgent(long));
  });
});
