/**
 * Tracking links opened with real user agents: which platform each is, and which are bots (docs/contract.md, Tracking
 * links).
 */
import { APP_STORE, clickIdOf, DOMAIN, linksWorkspace, openLink, PLAY } from '../support/links';
import { ownNames } from '../support/own-names';
import { idByName } from '../support/s2s-client';
import { ADMIN_TOKEN, type RunningService } from '../support/service';
import { sharedService, startBeside } from '../support/shared-service';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const IOS = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X)';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0';

const IOS_AGENTS: Readonly<Record<string, string>> = {
  'iPhone Safari': `${IOS} ${WEBKIT} Version/17.4.1 Mobile/15E148 Safari/604.1`,
  'iPhone Chrome': `${IOS} ${WEBKIT} CriOS/124.0.6367.88 Mobile/15E148 Safari/604.1`,
  'iPhone Firefox': `${IOS} ${WEBKIT} FxiOS/125.0 Mobile/15E148 Safari/605.1.15`,
  'iPhone Edge': `${IOS} ${WEBKIT} Version/17.0 EdgiOS/124.0.2478.50 Mobile/15E148 Safari/605.1.15`,
  'iPhone Google app': `${IOS} ${WEBKIT} GSA/313.0.625 Mobile/15E148 Safari/604.1`,
  'iPhone DuckDuckGo': `${IOS} ${WEBKIT} Version/17.4.1 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`,
  'iPhone Facebook':
    `${IOS} ${WEBKIT} Mobile/15E148 [FBAN/FBIOS;FBAV/460.0.0.27.106;FBBV/591300000;` +
    'FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.4.1;FBSS/3;FBID/phone;FBLC/en_US;FBOP/5;FBRV/593000000]',
  'iPhone Instagram':
    `${IOS} ${WEBKIT} Mobile/15E148 Instagram 328.0.3.23.97 (iPhone14,5; iOS 17_4_1; en_US; en; scale=3.00; ` +
    '1170x2532; 592000000)',
  'iPhone TikTok':
    `${IOS} ${WEBKIT} Mobile/15E148 musical_ly_34.2.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/en ` +
    'Region/US isDarkMode/0 WKWebView/1 RevealType/Dialog BytedanceWebview/d8a21c6',
  'iPhone Snapchat':
    `${IOS} ${WEBKIT} Version/17.4.1 Mobile/15E148 ` + 'Snapchat/12.84.0.38 (like Safari/8617.2.4.10.8, panda)',
  'iPhone LinkedIn': `${IOS} ${WEBKIT} Mobile/15E148 [LinkedInApp]/9.29.5586`,
  'iPhone, iOS 12':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 12_5_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
    'Version/12.1.2 Mobile/15E148 Safari/604.1',
  'iPod touch':
    'Mozilla/5.0 (iPod touch; CPU iPhone OS 12_5_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
    'Version/12.1.2 Mobile/15E148 Safari/604.1',
  'iPad Safari, mobile site':
    `Mozilla/5.0 (iPad; CPU OS 17_4_1 like Mac OS X) ${WEBKIT} ` + 'Version/17.4.1 Mobile/15E148 Safari/604.1',
  'iPad Facebook':
    `Mozilla/5.0 (iPad; CPU OS 17_4_1 like Mac OS X) ${WEBKIT} Mobile/15E148 ` +
    '[FBAN/FBIOS;FBDV/iPad13,1;FBMD/iPad;FBSN/iPadOS;FBSV/17.4.1;FBSS/2;FBID/tablet;FBLC/en_US]',
  'iPad Chrome, desktop site': `${MAC} ${WEBKIT} CriOS/124 Version/11.1.1 Safari/605.1.15`,
  'iPad Firefox, desktop site': `${MAC} ${WEBKIT} FxiOS/125 Safari/605.1.15`,
  'iPad Edge, desktop site': `${MAC} ${WEBKIT} Version/17.0 EdgiOS/124.0.2478.50 Safari/605.1.15`,
  'iPad web view, desktop site': `${MAC} ${WEBKIT} Mobile/15E148`,
};

const ANDROID_AGENTS: Readonly<Record<string, string>> = {
  'Pixel Chrome': `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${CHROME} Mobile Safari/537.36`,
  'Chrome with a reduced user agent': `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`,
  'Android tablet Chrome': `Mozilla/5.0 (Linux; Android 13; SM-X700) ${CHROME} Safari/537.36`,
  'Samsung Internet':
    'Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/24.0 ' +
    'Chrome/117.0.0.0 Mobile Safari/537.36',
  'Huawei browser':
    'Mozilla/5.0 (Linux; Android 12; HarmonyOS; NOH-NX9; HMSCore 6.13.0.302) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Chrome/114.0.5735.196 HuaweiBrowser/14.0.5.302 Mobile Safari/537.36',
  'Android Firefox': 'Mozilla/5.0 (Android 14; Mobile; rv:125.0) Gecko/125.0 Firefox/125.0',
  'Android Opera': `Mozilla/5.0 (Linux; Android 13; CPH2449) ${CHROME} Mobile Safari/537.36 OPR/81.2.4292.78446`,
  'Android Edge': `Mozilla/5.0 (Linux; Android 14; Pixel 7) ${CHROME} Mobile Safari/537.36 EdgA/124.0.2478.64`,
  'Xiaomi browser':
    'Mozilla/5.0 (Linux; U; Android 13; en-us; 2201117TG Build/TKQ1.221114.001) AppleWebKit/537.36 (KHTML, like ' +
    'Gecko) Version/4.0 Chrome/112.0.5615.136 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.11.1-gn',
  'Android web view':
    'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A.240205.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Version/4.0 Chrome/124.0.6367.54 Mobile Safari/537.36',
  'Android Facebook':
    'Mozilla/5.0 (Linux; Android 13; SM-A536B Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Version/4.0 Chrome/124.0.6367.54 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/460.0.0.48.109;]',
  'Android Instagram':
    'Mozilla/5.0 (Linux; Android 13; SM-A536B Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Version/4.0 Chrome/124.0.6367.54 Mobile Safari/537.36 Instagram 328.0.0.42.90 Android (33/13; 450dpi; ' +
    '1080x2177; samsung; SM-A536B; a53x; s5e8825; en_GB; 591000000)',
  'Android TikTok':
    'Mozilla/5.0 (Linux; Android 12; M2101K6G Build/SKQ1.210908.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Version/4.0 Chrome/124.0.6367.54 Mobile Safari/537.36 trill_340204 JsSdk/1.0 NetType/WIFI Channel/googleplay ' +
    'AppName/musical_ly app_version/34.2.4 ByteLocale/en BytedanceWebview/d8a21c6',
  'Old Android browser':
    'Mozilla/5.0 (Linux; U; Android 4.4.2; en-us; SCH-I535 Build/KOT49H) AppleWebKit/534.30 (KHTML, like Gecko) ' +
    'Version/4.0 Mobile Safari/534.30',
};

const DESKTOP_AGENTS: Readonly<Record<string, string>> = {
  'Windows Chrome': `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`,
  'Windows Firefox': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:125.0) Gecko/20100101 Firefox/125.0',
  'Windows Edge': `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/124.0.2478.67`,
  'Windows Phone, which names all others':
    'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15254',
  'Mac Safari, or an iPad that does not say so': `${MAC} ${WEBKIT} Version/17.4.1 Safari/605.1.15`,
  'Mac Chrome': `${MAC} ${CHROME} Safari/537.36`,
  'Mac Firefox': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:125.0) Gecko/20100101 Firefox/125.0',
  'Linux Firefox': 'Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0',
  'Linux Chrome': `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`,
  'Chrome OS': `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`,
  none: '',
};

const BOTS: Readonly<Record<string, string>> = {
  Googlebot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Googlebot on Android':
    `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${CHROME} Mobile Safari/537.36 (compatible; ` +
    'Googlebot/2.1; +http://www.google.com/bot.html)',
  Bingbot: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  Facebook: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  X: 'Twitterbot/1.0',
  Slack: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  WhatsApp: 'WhatsApp/2.23.20.0',
  Telegram: 'TelegramBot (like TwitterBot)',
  LinkedIn: 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  Discord: 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  Applebot: `${MAC} ${WEBKIT} Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)`,
  curl: 'curl/8.5.0',
  wget: 'Wget/1.21.4',
  'a bare product name': 'Acme/1.0',
  'Headless Chrome':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/124.0.0.0 Safari/537.36',
};

const shared = sharedService();
const own = ownNames('links-platforms');
/** Counts its own requests. */
let service: RunningService;
let projectId: number;
const clicks = async () => {
  const [row] = await service.rows<{ n: number }>(
    `SELECT toUInt32(count()) AS n FROM analytics.clicks WHERE project_id = ${projectId}`,
  );
  return row?.n as number;
};
const open = (ua: string, headers = {}) => openLink(service, '/stores', { host: own(DOMAIN), ua, headers });
const WEBSITE = 'https://acme.example/campaign?utm_id=stores';

beforeAll(async () => {
  service = await startBeside(shared, {});
  await service.apply(own.document(linksWorkspace));
  projectId = await idByName(service, 'projects', own('Links'));
});
afterAll(() => service?.dispose());

test.each(Object.entries(IOS_AGENTS))('iOS: %s', async (_, ua) => {
  const before = await clicks();
  expect(await open(ua)).toMatchObject({ status: 302, location: APP_STORE });
  expect(await clicks()).toBe(before + 1);
});

test.each(Object.entries(ANDROID_AGENTS))('Android: %s', async (_, ua) => {
  const before = await clicks();
  const { location } = await open(ua);
  const id = clickIdOf(location);
  expect(location).toBe(`${PLAY}&referrer=svc_ia_id%3D${id}`);
  expect(await service.rows(`SELECT ua FROM analytics.clicks WHERE click_id = '${id}'`)).toEqual([{ ua }]);
  expect(await clicks()).toBe(before + 1);
});

test.each(Object.entries(DESKTOP_AGENTS))('desktop: %s', async (_, ua) => {
  const before = await clicks();
  expect(await open(ua)).toMatchObject({ status: 302, location: WEBSITE });
  expect(await clicks()).toBe(before + 1);
});

test('the client hint decides where the user agent names a desktop', async () => {
  const mac = DESKTOP_AGENTS['Mac Chrome'] as string;
  const linux = DESKTOP_AGENTS['Linux Chrome'] as string;
  expect((await open(mac, { 'Sec-CH-UA-Platform': '"iOS"' })).location).toBe(APP_STORE);
  expect((await open(linux, { 'Sec-CH-UA-Platform': '"Android"' })).location).toMatch(/&referrer=svc_ia_id%3D/);
  expect((await open(mac, { 'Sec-CH-UA-Platform': '"macOS"' })).location).toBe(WEBSITE);
  expect((await open(mac, { 'Sec-CH-UA-Platform': '"constructor"' })).location).toBe(WEBSITE);
  expect((await open(IOS_AGENTS['iPhone Safari'] as string, { 'Sec-CH-UA-Platform': '"Android"' })).location).toBe(
    APP_STORE,
  );
});

test.each(Object.entries(BOTS))('bot: %s is redirected and not counted', async (_, ua) => {
  const before = await clicks();
  const { status, location } = await open(ua);
  expect(status).toBe(302);
  expect([WEBSITE, PLAY]).toContain(location);
  expect(await clicks()).toBe(before);
});

test('no person was taken for a bot, and the metrics agree', async () => {
  const text = await (
    await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } })
  ).text();
  expect(Number(/^adtrail_link_requests_total\{outcome="bot"\} (\d+)$/m.exec(text)?.[1])).toBe(
    Object.keys(BOTS).length,
  );
});
