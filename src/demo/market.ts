/**
 * What the demo's advertiser runs: campaigns of ad networks, and where people come from, where they are, and what they
 * browse with.
 */
import { Random } from './random';

export interface Ad {
  readonly id: string;
  readonly name: string;
}

export interface AdSet extends Ad {
  readonly ads: readonly Ad[];
}

export interface NetworkCampaign extends Ad {
  readonly displayId: string;
  readonly network: 'META' | 'GOOGLE' | 'TIKTOK';
  readonly account: string;
  readonly adSets: readonly AdSet[];
  /** Share of the installs. */
  readonly weight: number;
  /** What an install costs, in EUR. */
  readonly costPerInstall: number;
  /** How eagerly its users come back and pay; 1 is the average. */
  readonly quality: number;
}

/** Ad sets by their names, each with two ads. */
const adSets = (campaign: number, ...names: string[]): AdSet[] =>
  names.map((name, i) => ({
    id: `${campaign}${i + 1}`,
    name,
    ads: ['Video', 'Carousel'].map((format, j) => ({ id: `${campaign}${i + 1}${j + 1}`, name: `${name} ${format}` })),
  }));

export const CAMPAIGNS: readonly NetworkCampaign[] = [
  {
    displayId: 'meta-broad',
    name: 'Meta broad',
    network: 'META',
    account: 'act_1001',
    id: '2385001',
    adSets: adSets(2385001, 'Women 25-44', 'Men 25-44'),
    weight: 30,
    costPerInstall: 2.1,
    quality: 0.9,
  },
  {
    displayId: 'meta-lookalike',
    name: 'Meta lookalike',
    network: 'META',
    account: 'act_1001',
    id: '2385002',
    adSets: adSets(2385002, 'Buyers 1 %'),
    weight: 16,
    costPerInstall: 3.2,
    quality: 1.4,
  },
  {
    displayId: 'google-app',
    name: 'Google app campaign',
    network: 'GOOGLE',
    account: '555-010-2000',
    id: '1780003',
    adSets: adSets(1780003, 'All users', 'Shoppers'),
    weight: 22,
    costPerInstall: 1.7,
    quality: 1.1,
  },
  {
    displayId: 'tiktok-summer',
    name: 'TikTok summer',
    network: 'TIKTOK',
    account: '70001',
    id: '1690004',
    adSets: adSets(1690004, 'Trends'),
    weight: 12,
    costPerInstall: 1.1,
    quality: 0.6,
  },
];

/** Share of the installs that no campaign brought. */
export const ORGANIC_WEIGHT = 20;

export interface Origin {
  readonly weight: number;
  /** What follows the address of the landing page. */
  readonly query: string;
  readonly referrer?: string;
  /** How eagerly its visitors sign up and buy; 1 is the average. */
  readonly quality: number;
}

export const ORIGINS: readonly Origin[] = [
  { weight: 22, query: '', quality: 1.2 },
  { weight: 20, query: '', referrer: 'https://www.google.com/', quality: 1 },
  { weight: 16, query: '?utm_source=google&utm_medium=cpc&utm_campaign=shoes&utm_id=1780003&gclid=demo', quality: 1.3 },
  {
    weight: 16,
    query: '?utm_source=facebook&utm_medium=paid_social&utm_campaign=broad&utm_id=2385001&fbclid=demo',
    quality: 0.8,
  },
  { weight: 8, query: '?utm_source=newsletter&utm_medium=email&utm_campaign=weekly', quality: 2 },
  { weight: 6, query: '', referrer: 'https://www.instagram.com/', quality: 0.6 },
  { weight: 5, query: '', referrer: 'https://blog.example.org/best-shops', quality: 0.9 },
  { weight: 4, query: '?utm_source=mobiads&utm_medium=affiliate&utm_campaign=deals', quality: 0.7 },
  { weight: 3, query: '', referrer: 'https://chatgpt.com/', quality: 1.5 },
];

/** Where people are: the beginning of the addresses of a large access network of each country. */
const COUNTRIES = [
  { weight: 44, network: '217.80' },
  { weight: 18, network: '86.128' },
  { weight: 12, network: '90.1' },
  { weight: 10, network: '73.20' },
  { weight: 9, network: '145.53' },
  { weight: 7, network: '84.112' },
];

const BROWSERS = [
  {
    weight: 34,
    ua:
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Mobile ' +
      'Safari/537.36',
  },
  {
    weight: 26,
    ua:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 ' +
      'Mobile/15E148 Safari/604.1',
  },
  {
    weight: 22,
    ua:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 ' +
      'Safari/537.36',
  },
  {
    weight: 9,
    ua:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 ' +
      'Safari/605.1.15',
  },
  { weight: 5, ua: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0' },
  {
    weight: 4,
    ua:
      'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 ' +
      'Mobile/15E148 Safari/604.1',
  },
];

/** Where somebody is and what they browse with: the same for the same number, whatever else happens. */
export function whereabouts(number: number): { readonly ip: string; readonly ua: string } {
  const random = new Random(number);
  const { network } = random.pick(COUNTRIES);
  return { ip: `${network}.${random.below(256)}.${1 + random.below(254)}`, ua: random.pick(BROWSERS).ua };
}
