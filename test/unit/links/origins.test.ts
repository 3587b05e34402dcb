/** What is told from the address and the user agent of a record as it arrives. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ipaddr from 'ipaddr.js';
import { findCountry } from '../../../src/net/country';
import { parseIp } from '../../../src/net/ip';
import { readUserAgent } from '../../../src/net/user-agent';

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
  ])('%s: %s', (ip, country) => expect(findCountry(ip)).toBe(country));

  // The dotted files, though the build reads the numeric ones: so the two are checked against each other.
  test.each(['dbip-country-ipv4.csv', 'dbip-country-ipv6.csv'])('is that of the list at every edge: %s', (csv) => {
    const rows = readFileSync(path.join(packageDir, csv), 'utf8').trim().split('\n');
    const wrong: string[] = [];
    let checked = 0;
    for (let i = 0; i < rows.length; i += 97) {
      const [first = '', last = '', country = ''] = (rows[i] as string).split(',');
      for (const address of [first, last]) {
        const ip = parseIp(ipaddr.parse(address).toString())?.ip ?? '';
        // Where an address holds another one, the inner one counts, which is on other lines.
        if (ip.startsWith('2002:') || ip.startsWith('2001::') || ip.startsWith('2001:0:') || ip.startsWith('64:'))
          continue;
        checked += 1;
        if (findCountry(ip) !== country) wrong.push(`${address}: ${findCountry(ip)}, not ${country}`);
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

  const LINUX_TV = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/88.0.4324.182 Safari/537.36';
  test.each([
    [
      'Tizen',
      'Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 76.0.3809.146/6.0 TV Safari/537.36',
      'Tizen',
    ],
    ['webOS', `Mozilla/5.0 (Web0S; Linux/SmartTV) ${LINUX_TV} WebAppManager`, 'WebOS'],
    ['NetCast', 'Mozilla/5.0 (DirectFB; U; Linux mips) AppleWebKit LG NetCast.TV-2011', 'Linux'],
    ['Roku', 'Roku/DVP-12.5 (12.5.0.4178-88)', 'Roku'],
    ['Roku, a newer one', 'Roku4640X/DVP-7.70 (297.70E04154A)', ''],
    ['Fire TV', 'Mozilla/5.0 (Linux; Android 9; AFTMM Build/PS7633; wv) Chrome/96.0 Mobile Safari/537.36', 'Android'],
    ['Fire TV Silk', 'Mozilla/5.0 (Linux; Android 7.1.2; AFTS) Silk/108.4 like Chrome/108.0 Safari/537.36', 'Android'],
    ['Fire TV Dalvik', 'Dalvik/2.1.0 (Linux; U; Android 9; AFTKA Build/PS7624.3337N)', 'Android'],
    ['Fire TV, a longer model', 'Dalvik/2.1.0 (Linux; U; Android 11; AFTDEC012E Build/RS8101)', 'Android'],
    ['BRAVIA', `Mozilla/5.0 (Linux; Andr0id 9; BRAVIA 4K UR2) ${LINUX_TV} OPR/46.0.2207.0 OMI/4.20`, 'Linux'],
    [
      'BRAVIA Android',
      'Mozilla/5.0 (Linux; Android 10; BRAVIA 4K VH2; wv) Chrome/115.0 Mobile Safari/537.36',
      'Android',
    ],
    ['Apple TV', 'AppleTV11,1/11.1', 'tvOS'],
    ['Apple TV, its player', 'AppleCoreMedia/1.0.0.21L227 (Apple TV; U; CPU OS 17_4 like Mac OS X; en_us)', 'tvOS'],
    ['tvOS', 'Acme/4.2 (AppleTV11,1; tvOS 17.4; Scale/1.00)', 'tvOS'],
    ['Chromecast', `Mozilla/5.0 (X11; Linux armv7l) ${LINUX_TV} CrKey/1.56.500000 DeviceType/Chromecast`, 'Linux'],
    ['Chromecast with Google TV', 'Dalvik/2.1.0 (Linux; U; Android 12; Chromecast Build/STTE.230319.008)', 'Android'],
    ['Android TV', 'Mozilla/5.0 (Linux; Android 11; Android TV) Chrome/96.0 Safari/537.36', 'Android'],
    ['SHIELD', 'Dalvik/2.1.0 (Linux; U; Android 11; SHIELD Android TV Build/RQ1A.210105.003)', 'Android'],
    [
      'Google TV of Philips',
      'Mozilla/5.0 (Linux; Android 11; PHILIPS Google TV TA1; wv) Mobile Safari/537.36',
      'Android',
    ],
    ['PlayStation 4', 'Mozilla/5.0 (PlayStation 4 11.00) AppleWebKit/605.1.15 Safari/605.1.15', 'PlayStation 4'],
    ['PlayStation 5', 'Mozilla/5.0 (PlayStation; PlayStation 5/6.50) AppleWebKit/605.1.15 Safari/605.1.15', ''],
    ['Xbox', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) Chrome/58.0 Edge/44.18363.8131', 'Windows'],
    ['Nintendo Switch', 'Mozilla/5.0 (Nintendo Switch; WifiWebAuthApplet) AppleWebKit/609.4 NintendoBrowser/5.1', ''],
    ['VIDAA', `Mozilla/5.0 (Linux; Andr0id 4.4; VIDAA) ${LINUX_TV} VIDAA/6.0 (Hisense;SmartTV;50A6GV)`, 'Linux'],
    ['Hisense', 'Mozilla/5.0 (Linux; U; Android 9; HiSmartTV A4; Hisense) Chrome/90 Safari/537.36', 'Android'],
    ['Vizio', `Mozilla/5.0 (X11; Linux armv7l) ${LINUX_TV} SmartTV/10.0 Colt/2.0 (VIZIO; M65Q7; Conjure)`, 'Linux'],
    ['Vizio, an older one', 'Mozilla/5.0 (Linux; U; Linux; en) VIZIO-DTV/V55E Conjure-4.1.61.1 FW/2.0.21.2', 'Linux'],
    ['HbbTV', 'HbbTV/1.4.1 (+DRM;Samsung;SmartTV2019:UE50RU7172;;) WebKit', ''],
    ['Philips', 'Opera/9.80 (Linux mips; U; HbbTV/1.1.1 (; Philips; ; ; PhilipsTV; ) NETTV/4.5.1; en) Presto', 'Linux'],
    ['Panasonic', 'Mozilla/5.0 (X11; FreeBSD; U; Viera; de-DE) AppleWebKit/537.11 Viera/3.10.14 Safari/537.11', ''],
    ['Xiaomi', 'Mozilla/5.0 (Linux; Android 9; MiTV-AXFR0 Build/PI; wv) Chrome/95 Mobile Safari/537.36', 'Android'],
    ['TCL', 'Mozilla/5.0 (Linux; Android 11; Smart TV Build/AR2101; wv) Chrome/95 Mobile Safari/537.36', 'Android'],
    ['a box', 'Dalvik/2.1.0 (Linux; U; Android 12; onn. 4K Streaming Box Build/SGZ1)', 'Android'],
  ])('a television: %s', (_, ua, os) => expect(readUserAgent(ua)).toMatchObject({ deviceType: 'tv', os }));

  test.each([
    ['Dalvik on a phone', 'Dalvik/2.1.0 (Linux; U; Android 13; SM-S911B Build/TP1A.220624.014)', 'mobile', 'Android'],
    ['Dalvik on a tablet', 'Dalvik/2.1.0 (Linux; U; Android 13; SM-X700 Build/TP1A.220624.014)', 'tablet', 'Android'],
    ['an app on Android', 'Acme/4.2.1 (Linux; Android 13; SM-S911B) okhttp/4.12.0', 'mobile', 'Android'],
    ['a player on Android', 'AcmePlayer/2.1 (Linux;Android 13) ExoPlayerLib/2.19.1', 'mobile', 'Android'],
    ['a tablet', 'Mozilla/5.0 (Linux; Android 13; SM-X700) Chrome/124.0.0.0 Safari/537.36', 'tablet', 'Android'],
    [
      'a Fire tablet',
      'Mozilla/5.0 (Linux; Android 9; KFMAWI) Silk/108.4.6 like Chrome Safari/537.36',
      'tablet',
      'Android',
    ],
    [
      'UC Browser Mini',
      'UCWEB/2.0 (MIDP-2.0; U; Adr 9.0.0; en-US; SM-J400F) UCBrowser/10.9 Mobile',
      'mobile',
      'Android',
    ],
    [
      'UC Browser',
      'Mozilla/5.0 (Linux; U; Adr 4.4.2; en-US) Mobile Safari/525.20.1 UCBrowser/9.4',
      'mobile',
      'Android',
    ],
    [
      'UC Browser on iOS',
      'UCWEB/2.0 (iOS; U; iPh OS 9_3_2; en-US; iPh7,2) UCBrowser/10.7.5.780 Mobile',
      'mobile',
      'iOS',
    ],
    ['an app on iOS', 'Acme/4.2 (com.acme.shop; build:1; iOS 17.4.0) Alamofire/5.9.0', '', 'iOS'],
    ['a remote control', 'SmartTV Remote/1.0 (iPhone; iOS 17.4; Scale/3.00)', 'mobile', 'iOS'],
    ['no more than Darwin', 'Acme/105 CFNetwork/1494.0.7 Darwin/23.4.0', '', ''],
    [
      'a Windows Phone',
      'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1) Mobile Edge/15.15254',
      'mobile',
      'Windows Phone',
    ],
    ['KaiOS', 'Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Firefox/48.0 KAIOS/2.5', 'mobile', 'KaiOS'],
    ['HarmonyOS', 'Mozilla/5.0 (Phone; OpenHarmony 5.0) Safari/537.36 ArkWeb/4.1.6.1 Mobile', 'mobile', 'HarmonyOS'],
    ['a Tizen phone', 'Mozilla/5.0 (Linux; Tizen 2.3; SAMSUNG SM-Z130H) Mobile Safari/537.3', 'mobile', 'Tizen'],
    [
      'a handheld console',
      'Mozilla/5.0 (New Nintendo 3DS like iPhone) NX/3.0 Mobile NintendoBrowser/1.12',
      'mobile',
      '',
    ],
    ['a Chromebook', 'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/124.0 Safari/537.36', 'desktop', 'Chrome OS'],
    ['Linux', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/124.0.0.0 Safari/537.36', 'desktop', 'Linux'],
    [
      'a Sharp phone',
      'Mozilla/5.0 (Linux; Android 11; AQUOS sense4) Chrome/96.0 Mobile Safari/537.36',
      'mobile',
      'Android',
    ],
  ])('no television: %s', (_, ua, deviceType, os) => expect(readUserAgent(ua)).toMatchObject({ deviceType, os }));

  test('of a longer one the beginning is read, nothing is kept, and a bot is found all the same', () => {
    const long = `${IPAD}${' Mobile-'.repeat(10_000)} Googlebot/2.1`;
    expect(readUserAgent(long)).toEqual({ deviceType: 'tablet', os: 'iOS', browser: 'Safari', isBot: true });
    expect(readUserAgent(long)).not.toBe(readUserAgent(long));
  });
});
