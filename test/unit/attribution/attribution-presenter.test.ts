/** Installs as attributed users, attribution results and explanations. */
import { attributedUser, attributionResult, explanation } from '../../../src/attribution/presenter';
import type { CampaignRow, ExplainRow, ProfileRow, ResultRow, UserRow } from '../../../src/attribution/queries';

const campaign: CampaignRow = {
  id: 1,
  display_id: 'one',
  name: 'One',
  network: null,
  network_campaign_id: null,
  deeplink: null,
  is_shortlink: false,
  partner: 'Mobi Ads',
  own_domain: null,
};
const credited = {
  install_id: 'i1',
  install_time: '2026-03-01T10:00:00.000Z',
  touch_type: 'click',
  touch_time: '2026-03-01T08:00:00.000Z',
  ad_set_id: '',
  ad_set_name: '',
  ad_id: 'a1',
  ad_name: 'Ad',
};
const user: UserRow = { ...credited, publisher_platform: '', platform_position: 'feed' };
const install: ResultRow = {
  ...credited,
  rule: 'device_click',
  campaign_id: 1,
  gaid: 'g',
  idfa: null,
  keyword_id: '',
  keyword_name: 'Word',
};
const said = (about: ProfileRow['about'], key: string, value: unknown): ProfileRow => ({
  install_id: 'i1',
  about,
  key,
  value: JSON.stringify(value),
});

describe('an attributed user', () => {
  test('of a click has the time of the store, of an impression none', () => {
    expect(attributedUser(user, campaign, null, []).store_click_at).toBe('2026-03-01T08:00:00.000Z');
    expect(attributedUser({ ...user, touch_type: 'impression' }, campaign, null, []).store_click_at).toBeNull();
  });

  test('has a link on the domain of the campaign, else of the project, else none', () => {
    expect(attributedUser(user, { ...campaign, own_domain: 'a.example' }, 'b.example', []).link).toBe(
      'https://a.example/?c=one',
    );
    expect(attributedUser(user, campaign, 'b.example', []).link).toBe('https://b.example/?c=one');
    expect(attributedUser(user, campaign, null, []).link).toBeNull();
  });

  test.each([
    ['META', 'META', 'a1'],
    ['GOOGLE', 'GOOGLE', ''],
    ['TIKTOK', 'TIKTOK', ''],
    ['LINKEDIN', null, ''],
    [null, null, ''],
  ])('of network %s', (network, ad_channel, meta_ad_id) =>
    expect(attributedUser(user, { ...campaign, network }, null, [])).toMatchObject({
      ad_channel,
      meta_ad_id,
      ad_creative_id: 'a1',
      publisher_platform: null,
      platform_position: 'feed',
    }),
  );

  test('has what events said of user and device; texts of devices are texts', () => {
    const { user_data } = attributedUser(user, campaign, null, [
      said('user', 'id', 'u1'),
      said('user', 'plan', { name: 'free' }),
      said('device', 'brand', 'Google'),
      said('device', 'version', 14),
      said('device', 'android_id', { odd: true }),
      said('device', 'api_level', '34'),
      said('device', 'screen', { dpi: 420 }),
    ]);
    expect(user_data).toMatchObject({ id: 'u1', name: null, email: null, phone: null, plan: { name: 'free' } });
    expect(user_data.device_data).toMatchObject({ brand: 'Google', version: '14', android_id: '', api_level: 34 });
    expect(user_data.device_data).toHaveProperty('screen', { dpi: 420 });
  });

  test('has the API level 0 where none is known', () => {
    for (const value of ['nonsense', null])
      expect(
        attributedUser(user, campaign, null, [said('device', 'api_level', value)]).user_data.device_data.api_level,
      ).toBe(0);
  });
});

describe('an attribution result', () => {
  test('of an organic install has no campaign', () =>
    expect(
      attributionResult({ ...install, touch_type: '', touch_time: null, ad_id: '' }, undefined, 'b.example', null),
    ).toEqual({
      campaign_name: null,
      display_id: null,
      ad_network_campaign_id: null,
      deeplink: null,
      domain_name: null,
      ad_set_id: null,
      ad_set_name: null,
      ad_creative_id: null,
      ad_creative_name: 'Ad',
      keyword_id: null,
      keyword_name: 'Word',
      ad_network: null,
      attribution_type: 'ORGANIC',
      user_id: null,
      gaid: 'g',
      idfa: null,
      store_click_at: null,
      installed_at: '2026-03-01T10:00:00.000Z',
    }));

  test('names the partner as a code, else the network', () => {
    const readNetwork = (more: Partial<CampaignRow>) =>
      attributionResult(install, { ...campaign, ...more }, 'b.example', 'u1').ad_network;
    expect(readNetwork({ network: 'META' })).toBe('MOBI_ADS');
    expect(readNetwork({ partner: 'Big Bad Wolf' })).toBe('BIG_BAD_WOLF');
    expect(readNetwork({ partner: null, network: 'META' })).toBe('META');
    expect(readNetwork({ partner: null })).toBeNull();
  });
});

describe('an explanation', () => {
  const row: ExplainRow = {
    install_id: 'i1',
    event_id: 'e1',
    app_id: 'com.acme.shop',
    platform: 'ANDROID',
    install_time: '2026-03-01T10:00:00.000Z',
    received_at: '2026-03-01T10:00:05.000Z',
    gaid: null,
    idfa: null,
    ip: '',
    ua: 'Android',
    decided_at: '2026-03-01T10:00:07.000Z',
    rule: 'ip_click',
    campaign_display_id: 'one',
    campaign_name: 'One',
    partner_name: '',
    touch_type: 'click',
    touch_id: 't1',
    touch_time: '2026-03-01T09:59:58.500Z',
    window_seconds: 86_400,
    touch_to_install_ms: 1_500,
    reinstall: 1,
    click_injection: 0,
    install_hijacking: 1,
    candidates: [
      {
        rule: 'ip_click',
        touch_type: 'click',
        touch_id: 't2',
        touch_time: '2026-03-01T10:00:00.250Z',
        received_at: '2026-03-01T10:00:01.000Z',
        campaign_id: 9,
        window_seconds: 86_400,
        verdict: 'later_than_install',
      },
    ],
  };

  test('shows the decision, with null for what is empty', () =>
    expect(explanation(row, new Map())).toMatchObject({
      install_id: 'i1',
      decided: true,
      install: { ip: null, ua: 'Android' },
      decision: {
        partner: null,
        seconds_to_install: 1.5,
        reinstall: true,
        click_injection: false,
        install_hijacking: true,
      },
    }));

  test('of an organic install has no touch', () =>
    expect(
      explanation({ ...row, rule: 'organic', touch_type: '', touch_id: null, touch_to_install_ms: null }, new Map())
        .decision,
    ).toMatchObject({ touch_type: null, touch_id: null, seconds_to_install: null }));

  test('names the campaigns of candidates where they are known, and counts back from the install', () => {
    const [unknown] = explanation(row, new Map()).candidates;
    expect(unknown).toMatchObject({ campaign_display_id: '', campaign_name: '', seconds_to_install: -0.25 });
    const [known] = explanation(row, new Map([[9, campaign]])).candidates;
    expect(known).toMatchObject({ campaign_display_id: 'one', campaign_name: 'One', verdict: 'later_than_install' });
    expect(known).not.toHaveProperty('campaign_id');
  });
});
