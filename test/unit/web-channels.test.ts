/** Channels and sources of visits (docs/contract.md, Web report): a table of landing pages and referrers. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CHANNELS, classify, type Channel, type OwnSites } from '../../src/web-channels/classify';
import { readLanding } from '../../src/web-channels/landing';
import { parseSources, sourceOfWord } from '../../src/web-channels/sources';

const isCampaign = (displayId: string) => displayId === 'AbC123';
const own: OwnSites = { domains: new Set(['go.acme.link']), website: 'acme.example', isCampaign };
const touch = (query: string, referrer: string) => {
  const url = query.startsWith('http') ? query : `https://www.acme.example/landing${query}`;
  return classify(readLanding(new URL(url), isCampaign), referrer, own);
};

/** Query of the landing page, referrer, channel, source. */
type Case = readonly [string, string, Channel, string];

const groups: Record<string, readonly Case[]> = {
  'direct and own pages': [
    ['', '', 'direct', ''],
    ['?ref=footer', '', 'direct', ''],
    ['', 'https://acme.example/', 'direct', ''],
    ['', 'https://shop.acme.example/cart?utm_source=google', 'direct', ''],
    ['', 'http://WWW.ACME.EXAMPLE/', 'direct', ''],
    ['', 'https://go.acme.link/AbC123', 'direct', ''],
    ['https://checkout.other.example/pay', 'https://www.other.example/', 'direct', ''],
    ['', 'not a url', 'direct', ''],
    ['', 'about:blank', 'direct', ''],
    ['', 'javascript:void(0)', 'direct', ''],
    ['', 'file:///home/me/page.html', 'direct', ''],
    ['', 'data:text/html,hello', 'direct', ''],
    ['?utm_source=&utm_medium=&utm_campaign=', '', 'direct', ''],
    ['?utm_source=%20', '', 'direct', ''],
    ['?gclid=', '', 'direct', ''],
    ['#utm_source=google', '', 'direct', ''],
  ],
  'Google ads': [
    ['?gclid=Cj0K', '', 'google', 'google'],
    ['?gclid=Cj0K', 'https://www.google.com/', 'google', 'google'],
    ['?gbraid=0AAA', '', 'google', 'google'],
    ['?wbraid=0AAA', '', 'google', 'google'],
    ['?gad_source=1&gclid=x&gad_campaignid=123', '', 'google', 'google'],
    ['?gclid=x&utm_source=google&utm_medium=cpc', '', 'google', 'google'],
    ['?GCLID=x', '', 'google', 'google'],
    ['?utm_source=Google&utm_medium=CPC', '', 'google', 'google'],
    ['?UTM_SOURCE=GOOGLE&UTM_MEDIUM=PPC', '', 'google', 'google'],
    ['?utm_source=google&utm_medium=paid_search', '', 'google', 'google'],
    ['?utm_source=youtube&utm_medium=cpv', '', 'google', 'youtube'],
    ['?utm_source=youtube&gclid=x', '', 'google', 'youtube'],
    ['?utm_source=adwords&utm_medium=ppc', '', 'google', 'adwords'],
    ['?utm_source=google_ads&utm_medium=cpc', '', 'google', 'google_ads'],
    ['?utm_source=google.com&utm_medium=cpm', '', 'google', 'google.com'],
    ['?utm_source=google&utm_medium=retargeting', '', 'google', 'google'],
    ['?utm_medium=cpc', 'https://www.google.de/', 'google', 'google'],
    ['?dclid=CN', '', 'google', 'doubleclick'],
    ['?gclid=x', 'https://www.facebook.com/', 'google', 'google'],
    ['?utm_campaign=spring&gclid=x', '', 'google', 'google'],
    ['?gclid=x&utm_source=linkedin', '', 'organic_social', 'linkedin'],
    ['?gclid=x&utm_source=linkedin&utm_medium=cpc', '', 'paid_social', 'linkedin'],
    ['?gclid=x&utm_source=newsletter&utm_medium=email', '', 'email', 'newsletter'],
    ['?gclid=x&utm_source=partner_blog', '', 'other', 'partner_blog'],
    ['?gclid=x&utm_source=facebook&utm_medium=cpc', '', 'meta', 'facebook'],
  ],
  'Meta ads, and fbclid on links of people': [
    ['?fbclid=IwAR', '', 'organic_social', 'facebook'],
    ['?fbclid=IwAR', 'https://l.facebook.com/', 'organic_social', 'facebook'],
    ['?fbclid=IwAR', 'https://l.instagram.com/', 'organic_social', 'facebook'],
    ['?fbclid=IwAR&utm_medium=cpc', '', 'meta', 'facebook'],
    ['?fbclid=IwAR&utm_source=facebook', '', 'organic_social', 'facebook'],
    ['?fbclid=IwAR&utm_source=facebook&utm_medium=social', '', 'organic_social', 'facebook'],
    ['?fbclid=IwAR&utm_source=newsletter&utm_medium=email', '', 'email', 'newsletter'],
    ['?fbclid=IwAR&utm_source=ig&utm_medium=paid', '', 'meta', 'ig'],
    ['?fbclid=IwAR&utm_source=spring_push&utm_medium=paid', '', 'meta', 'spring_push'],
    ['?fbclid=IwAR&utm_source=google&utm_medium=cpc', '', 'google', 'google'],
    ['?utm_source=facebook&utm_medium=cpc', '', 'meta', 'facebook'],
    ['?utm_source=FB&utm_medium=Paid', '', 'meta', 'fb'],
    ['?utm_source=fb&utm_medium=paid-social', '', 'meta', 'fb'],
    ['?utm_source=instagram&utm_medium=paid_social', '', 'meta', 'instagram'],
    ['?utm_source=Facebook%20Ads&utm_medium=cpm', '', 'meta', 'facebook ads'],
    ['?utm_source=facebook-ads&utm_medium=cpa', '', 'meta', 'facebook-ads'],
    ['?utm_source=meta&utm_medium=retargeting', '', 'meta', 'meta'],
    ['?utm_source=an&utm_medium=cpc', '', 'meta', 'an'],
    ['?utm_source=whatsapp&utm_medium=paid', '', 'meta', 'whatsapp'],
    ['?utm_medium=cpc', 'https://m.facebook.com/', 'meta', 'facebook'],
    ['?utm_source=m.facebook.com&utm_medium=cpc', '', 'meta', 'm.facebook.com'],
    ['?utm_source=facebook&utm_medium=email', '', 'email', 'facebook'],
    ['?fbclid=a&gclid=b', '', 'google', 'google'],
  ],
  'other ad networks': [
    ['?ttclid=E.C', '', 'paid_social', 'tiktok'],
    ['?msclkid=abc', '', 'paid_search', 'bing'],
    ['?msclkid=abc', 'https://www.bing.com/', 'paid_search', 'bing'],
    ['?msclkid=abc&utm_source=my_bing_campaign', '', 'paid_search', 'my_bing_campaign'],
    ['?msclkid=abc&utm_source=google&utm_medium=organic', '', 'organic_search', 'google'],
    ['?twclid=2-abc', '', 'paid_social', 'twitter'],
    ['?li_fat_id=abc', '', 'paid_social', 'linkedin'],
    ['?ScCid=abc', '', 'paid_social', 'snapchat'],
    ['?sccid=abc', '', 'paid_social', 'snapchat'],
    ['?rdt_cid=abc', '', 'paid_social', 'reddit'],
    ['?epik=dj0y', '', 'paid_social', 'pinterest'],
    ['?qclid=abc', '', 'paid_social', 'quora'],
    ['?yclid=123', '', 'paid_search', 'yandex'],
    ['?tblci=Gi', '', 'display', 'taboola'],
    ['?dicbo=v2', '', 'display', 'outbrain'],
    ['?irclickid=x', '', 'affiliate', 'impact'],
    ['?cjevent=x', '', 'affiliate', 'cj'],
    ['?awc=1_2_3', '', 'affiliate', 'awin'],
    ['?utm_source=linkedin&utm_medium=cpc', '', 'paid_social', 'linkedin'],
    ['?utm_source=tiktok&utm_medium=paid', '', 'paid_social', 'tiktok'],
    ['?utm_source=bing&utm_medium=cpc', '', 'paid_search', 'bing'],
    ['?utm_source=Bing_Ads&utm_medium=PPC', '', 'paid_search', 'bing_ads'],
    ['?utm_source=yahoo&utm_medium=cpc', '', 'paid_search', 'yahoo'],
    ['?utm_source=taboola&utm_medium=cpc', '', 'display', 'taboola'],
    ['?utm_source=criteo&utm_medium=retargeting', '', 'display', 'criteo'],
    ['?utm_source=vimeo&utm_medium=cpv', '', 'video', 'vimeo'],
    ['?utm_source=awin&utm_medium=cpa', '', 'affiliate', 'awin'],
    ['?utm_source=reddit&utm_medium=paid_social', '', 'paid_social', 'reddit'],
    ['?utm_source=unknown_site&utm_medium=cpm', '', 'display', 'unknown_site'],
    ['?utm_source=unknown_site&utm_medium=cpv', '', 'video', 'unknown_site'],
    ['?utm_source=unknown_site&utm_medium=cpa', '', 'affiliate', 'unknown_site'],
    ['?utm_source=unknown_site&utm_medium=retargeting', '', 'display', 'unknown_site'],
    ['?utm_source=unknown_site&utm_medium=paid_social', '', 'paid_social', 'unknown_site'],
    ['?utm_source=unknown_site&utm_medium=paid-video', '', 'video', 'unknown_site'],
    ['?utm_source=unknown_site&utm_medium=paid', '', 'other', 'unknown_site'],
    ['?utm_medium=cpc', '', 'paid_search', ''],
    ['?utm_medium=cpc', 'https://blog.example.org/post', 'paid_search', 'example.org'],
    ['?utm_medium=paid_social', '', 'paid_social', ''],
  ],
  'named media': [
    ['?utm_source=june&utm_medium=email', '', 'email', 'june'],
    ['?utm_source=june&utm_medium=E-Mail', '', 'email', 'june'],
    ['?utm_medium=newsletter', '', 'email', ''],
    ['?utm_medium=email', 'https://www.google.com/', 'email', 'google'],
    ['?utm_source=twilio&utm_medium=sms', '', 'sms', 'twilio'],
    ['?utm_source=app&utm_medium=push', '', 'push', 'app'],
    ['?utm_source=app&utm_medium=web-push', '', 'push', 'app'],
    ['?utm_source=coupons&utm_medium=affiliate', '', 'affiliate', 'coupons'],
    ['?utm_source=Coupons&utm_medium=Affiliates', '', 'affiliate', 'coupons'],
    ['?utm_source=news&utm_medium=display', '', 'display', 'news'],
    ['?utm_source=news&utm_medium=banner', '', 'display', 'news'],
    ['?utm_source=twitter&utm_medium=social', '', 'organic_social', 'twitter'],
    ['?utm_source=somewhere&utm_medium=social-media', '', 'organic_social', 'somewhere'],
    ['?utm_source=google&utm_medium=organic', '', 'organic_search', 'google'],
    ['?utm_source=gmb&utm_medium=organic', '', 'organic_search', 'gmb'],
    ['?utm_source=instagram&utm_medium=organic', '', 'organic_social', 'instagram'],
    ['?utm_source=partner&utm_medium=referral', '', 'referral', 'partner'],
    ['?utm_source=constructor&utm_medium=constructor', '', 'other', 'constructor'],
  ],
  'search engines': [
    ['', 'https://www.google.com/', 'organic_search', 'google'],
    ['', 'https://www.google.co.in/search?q=shoes', 'organic_search', 'google'],
    ['', 'https://google.com.br/', 'organic_search', 'google'],
    ['', 'https://images.google.fr/', 'organic_search', 'google'],
    ['', 'https://WWW.Google.Com/', 'organic_search', 'google'],
    ['', 'https://www.bing.com/', 'organic_search', 'bing'],
    ['', 'https://cn.bing.com/search?q=x', 'organic_search', 'bing'],
    ['', 'https://duckduckgo.com/', 'organic_search', 'duckduckgo'],
    ['', 'https://fr.search.yahoo.com/', 'organic_search', 'yahoo'],
    ['', 'https://search.yahoo.co.jp/search?p=x', 'organic_search', 'yahoo'],
    ['', 'https://yandex.com.tr/', 'organic_search', 'yandex'],
    ['', 'https://m.search.naver.com/', 'organic_search', 'naver'],
    ['', 'https://www.baidu.com/link?url=x', 'organic_search', 'baidu'],
    ['', 'https://search.brave.com/', 'organic_search', 'brave'],
    ['', 'https://www.ecosia.org/', 'organic_search', 'ecosia'],
    ['', 'android-app://com.google.android.googlequicksearchbox/', 'organic_search', 'google'],
    ['', 'android-app://com.google.android.googlequicksearchbox/https/www.google.com', 'organic_search', 'google'],
    ['', 'https://acme-example.cdn.ampproject.org/v/s/acme.example/', 'organic_search', 'google'],
    ['', 'https://www.google.com/amp/s/acme.example/page', 'organic_search', 'google'],
    ['', 'https://www-news-example.bing-amp.com/', 'organic_search', 'bing'],
    ['?utm_source=google', '', 'organic_search', 'google'],
    ['?utm_source=google', 'https://blog.example.org/', 'organic_search', 'google'],
  ],
  'social networks, video, mail, AI assistants': [
    ['', 'https://l.facebook.com/l.php?u=x', 'organic_social', 'facebook'],
    ['', 'https://lm.facebook.com/', 'organic_social', 'facebook'],
    ['', 'android-app://com.facebook.katana/', 'organic_social', 'facebook'],
    ['', 'https://t.co/abc', 'organic_social', 'twitter'],
    ['', 'https://x.com/acme/status/1', 'organic_social', 'twitter'],
    ['', 'https://www.linkedin.com/feed/', 'organic_social', 'linkedin'],
    ['', 'https://lnkd.in/abc', 'organic_social', 'linkedin'],
    ['', 'android-app://com.linkedin.android', 'organic_social', 'linkedin'],
    ['', 'https://out.reddit.com/t3_x', 'organic_social', 'reddit'],
    ['', 'https://www.pinterest.co.uk/pin/1', 'organic_social', 'pinterest'],
    ['', 'https://web.telegram.org/', 'organic_social', 'telegram'],
    ['', 'android-app://org.telegram.messenger/', 'organic_social', 'telegram'],
    ['', 'https://news.ycombinator.com/item?id=1', 'organic_social', 'hacker_news'],
    ['', 'https://www.youtube.com/watch?v=x', 'video', 'youtube'],
    ['', 'https://youtu.be/x', 'video', 'youtube'],
    ['', 'https://www.twitch.tv/', 'video', 'twitch'],
    ['', 'https://mail.google.com/mail/u/0/', 'email', 'gmail'],
    ['', 'android-app://com.google.android.gm/', 'email', 'gmail'],
    ['', 'https://outlook.live.com/', 'email', 'outlook'],
    ['?utm_source=newsletter', '', 'email', 'newsletter'],
    ['', 'https://chatgpt.com/', 'ai', 'chatgpt'],
    ['?utm_source=chatgpt.com', '', 'ai', 'chatgpt.com'],
    ['', 'https://chat.openai.com/', 'ai', 'chatgpt'],
    ['', 'https://www.perplexity.ai/search', 'ai', 'perplexity'],
    ['?utm_source=perplexity', '', 'ai', 'perplexity'],
    ['', 'https://gemini.google.com/', 'ai', 'gemini'],
    ['', 'https://claude.ai/chat/1', 'ai', 'claude'],
    ['', 'https://copilot.microsoft.com/', 'ai', 'copilot'],
    ['', 'https://chat.deepseek.com/', 'ai', 'deepseek'],
    ['', 'android-app://com.openai.chatgpt/', 'ai', 'chatgpt'],
  ],
  'referrals and the rest': [
    ['', 'https://blog.partner.co.uk/review', 'referral', 'partner.co.uk'],
    ['', 'https://www.partner.example:8443/', 'referral', 'partner.example'],
    ['', 'https://someone.github.io/list', 'referral', 'someone.github.io'],
    ['', 'http://192.0.2.7/page', 'referral', '192.0.2.7'],
    ['', 'http://localhost:3000/', 'referral', 'localhost'],
    ['', 'https://xn--bcher-kva.example/', 'referral', 'xn--bcher-kva.example'],
    ['', 'https://docs.google.com/document', 'referral', 'google_docs'],
    ['', 'https://notgoogle.com/', 'referral', 'notgoogle.com'],
    ['', 'https://google.evil.example/', 'referral', 'evil.example'],
    ['', 'https://facebook.com.evil.example/', 'referral', 'evil.example'],
    ['', 'https://notacme.example/', 'referral', 'notacme.example'],
    ['', 'android-app://com.slack/', 'referral', 'slack'],
    ['', 'android-app://com.some.reader/', 'referral', 'com.some.reader'],
    ['?utm_source=partnerblog', 'https://partnerblog.example/', 'referral', 'partnerblog'],
    ['?utm_source=partnerblog&utm_medium=article', '', 'other', 'partnerblog'],
    ['?utm_id=AbC123', '', 'other', ''],
    ['?utm_campaign=spring', 'https://acme.example/', 'other', ''],
    ['?utm_campaign=spring', 'https://www.google.com/', 'organic_search', 'google'],
    ['?utm_source=google&utm_source=facebook', '', 'organic_search', 'google'],
    ['?utm_source=%FF%FEx', '', 'other', '\ufffd\ufffdx'],
  ],
};

describe.each(Object.entries(groups))('%s', (_group, cases) => {
  test.each(cases)('%s from %s', (query, referrer, channel, source) => {
    const found = touch(query, referrer);
    expect({ channel: found.channel, source: found.source }).toEqual({ channel, source });
    expect(CHANNELS).toContain(found.channel);
  });
});

test('the table is as large as promised, and so is the list of hosts', () => {
  expect(Object.values(groups).flat().length).toBeGreaterThanOrEqual(120);
  const list = parseSources(readFileSync(path.join(__dirname, '../../src/web-channels/sources.csv'), 'utf8'));
  expect(
    [...list.keys()].filter((match) => match.includes('.') && !match.startsWith('app:')).length,
  ).toBeGreaterThanOrEqual(200);
});

test.each([
  ['a,b,c', 'a wrong kind'],
  ['a.com,a,search,other', 'a wrong network'],
  ['a.com,a,search,\na.com,b,ai,', 'a repeated match'],
  ['a.com,a', 'a short line'],
])('%j is refused: %s', (text) => {
  expect(() => parseSources(text)).toThrow(/sources\.csv/);
});

test('words that are properties of every object are no sources', () => {
  for (const word of ['constructor', '__proto__', 'toString', 'ads', '']) expect(sourceOfWord(word)).toBeUndefined();
});

test.each([
  ['?utm_id=a&campaign_id=b&gad_campaignid=c', { networkCampaignId: 'c' }],
  ['?utm_id=a&campaign_id=b', { networkCampaignId: 'b' }],
  ['?utm_id=a', { networkCampaignId: 'a' }],
  ['?c=AbC123', { networkCampaignId: 'AbC123' }],
  ['?c=AbC123&campaign_id=1', { networkCampaignId: '1' }],
  ['?ad_set_id=1&adset_id=2&adgroup_id=3&utm_term=4', { adSetId: '1' }],
  ['?adset_id=2&adgroup_id=3&utm_term=4', { adSetId: '2' }],
  ['?adgroup_id=3&utm_term=4', { adSetId: '3' }],
  ['?utm_term=4', { adSetId: '4' }],
  ['?utm_term=red+shoes', { adSetId: '' }],
  ['?ad_id=1&utm_content=2', { adId: '1' }],
  ['?utm_content=2', { adId: '2' }],
  ['?utm_content=2a', { adId: '' }],
  ['', { networkCampaignId: '', adSetId: '', adId: '' }],
])('IDs of the ad network in %s', (query, expected) => {
  expect(readLanding(new URL(`https://acme.example/${query}`), isCampaign)).toMatchObject(expected);
});

test.each([
  ['?c=AbC123', 'AbC123'],
  ['?page=2&C=AbC123#top', 'AbC123'],
  ['?c=AbC123&utm_id=other', 'other'],
  ['?c=abc123', ''],
  ['?c=shoes', ''],
  ['?c=', ''],
])('a link of a campaign that is opened as it is: %s has utm_id %j', (query, id) => {
  expect(readLanding(new URL(`https://acme.example/${query}`), isCampaign).utm.id).toBe(id);
});
