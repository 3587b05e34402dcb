/** Which rows of ad spend are legal by themselves, and what is said of the others (docs/contract/collectors.md). */
import { readRows } from '../../../src/collect/spend-input';

const row = (more: Record<string, unknown> = {}) => ({
  date: '2026-01-01',
  network: 'META',
  account: 'act_1',
  campaign_id: '500',
  impressions: 10,
  clicks: 2,
  spend: 1.5,
  currency: 'USD',
  ...more,
});

test.each<[string, Record<string, unknown>, string, string]>([
  ['no date', { date: undefined }, 'missing_field', 'date'],
  ['a date that does not exist', { date: '2026-02-30' }, 'invalid_field', 'date'],
  ['a date in another form', { date: '31-08-2023' }, 'invalid_field', 'date'],
  ['a date before all', { date: '1900-01-01' }, 'invalid_field', 'date'],
  ['a time', { date: '2026-01-01T00:00:00Z' }, 'invalid_field', 'date'],
  ['no account', { account: undefined }, 'missing_field', 'account'],
  ['no campaign', { campaign_id: null }, 'missing_field', 'campaign_id'],
  ['a campaign that is an object', { campaign_id: {} }, 'invalid_field', 'campaign_id'],
  ['a campaign with a NUL', { campaign_id: 'a\0b' }, 'invalid_field', 'campaign_id'],
  ['half a surrogate pair', { ad_id: '\ud800' }, 'invalid_field', 'ad_id'],
  ['a name that is none', { ad_name: {} }, 'invalid_field', 'ad_name'],
  ['a number that has lost digits', { campaign_id: 1.20215e20 }, 'invalid_field', 'campaign_id'],
  ['an ID of a spreadsheet', { campaign_id: '1.20215E+17' }, 'invalid_field', 'campaign_id'],
  ['an ID with a space behind', { campaign_id: '500 ' }, 'invalid_field', 'campaign_id'],
  ['an ID in apostrophes', { campaign_id: "'500" }, 'invalid_field', 'campaign_id'],
  ['a display ID of a report', { network: '', campaign_id: 'c:1' }, 'invalid_field', 'campaign_id'],
  ['the epoch', { date: '1970-01-01' }, 'invalid_field', 'date'],
  ['an ID that is too long', { ad_id: 'x'.repeat(256) }, 'invalid_field', 'ad_id'],
  ['a network that is none', { network: "META'; DROP" }, 'invalid_field', 'network'],
  ['a platform that is none', { platform: 'web' }, 'invalid_field', 'platform'],
  ['no spend', { spend: '' }, 'missing_field', 'spend'],
  ['spend with an exponent as text', { spend: '1.5E+3' }, 'invalid_field', 'spend'],
  ['spend that is no number', { spend: '1,5' }, 'invalid_field', 'spend'],
  ['spend beyond all money', { spend: 1e20 }, 'invalid_field', 'spend'],
  ['no currency', { currency: undefined }, 'missing_field', 'currency'],
  ['a currency that is none', { currency: 'DOLLAR' }, 'invalid_field', 'currency'],
  ['clicks that are no whole number', { clicks: 1.5 }, 'invalid_field', 'clicks'],
  ['impressions below zero', { impressions: -1 }, 'invalid_field', 'impressions'],
  ['a row over 64 kB', { more: 'x'.repeat(70_000) }, 'too_large', ''],
])('%s is told, and the rows beside it are taken', async (_, bad, reason, field) => {
  const { good, rejected } = await readRows([row(), row(bad), row({ ad_set_id: 'x' })]);
  expect(good.map(({ index }) => index)).toEqual([0, 2]);
  expect(rejected).toEqual([{ index: 1, reason, field }]);
});

test('rows that are no objects are named too', async () => {
  expect((await readRows([null, 'x', [1]])).rejected).toEqual(
    [0, 1, 2].map((index) => ({ index, reason: 'invalid_field', field: '' })),
  );
});

test('codes in any case, numbers as texts, names in one form, and IDs as they are', async () => {
  const sent = row({
    network: 'meta',
    platform: 'ios',
    currency: 'inr',
    spend: '12.345678901',
    campaign_name: 'Cafe\u0301\u200b',
    ad_set_id: 'e\u0301',
    ad_set_name: ' Set\u00a0',
    ad_name: 'x'.repeat(1_025),
    keyword_name: '\ud800',
  });
  const { good } = await readRows([sent]);
  expect(good.map(({ value }) => value)).toEqual([
    {
      date: '2026-01-01',
      network: 'META',
      account: 'act_1',
      campaignId: '500',
      names: {
        campaign_name: 'Caf\u00e9',
        ad_set_name: 'Set',
        ad_name: 'x'.repeat(1_024),
        keyword_name: '\ufffd',
      },
      ids: { ad_set_id: 'e\u0301', ad_id: '', keyword_id: '' },
      platform: 'IOS',
      impressions: 10,
      clicks: 2,
      spend: '12.345678901',
      currency: 'INR',
    },
  ]);
});
