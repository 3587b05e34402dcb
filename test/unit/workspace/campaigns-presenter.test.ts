/** Campaigns as the list, the created one and the edited one show them. */
import { createdCampaign, editedCampaign, listedCampaign } from '../../../src/campaigns/presenter';
import type { CampaignRow, ListedRow } from '../../../src/campaigns/queries';

const campaign: CampaignRow = {
  id: 7,
  display_id: 'one',
  name: 'One',
  is_system: false,
  network: null,
  network_campaign_id: null,
  web_to_app: false,
  deeplink: 'acme://shop#top',
  is_shortlink: false,
  website: 'https://acme.example',
  android_web_redirect: null,
  ios_web_redirect: 'https://acme.example/ios',
  custom_channel_id: null,
  active: true,
  created_at: new Date('2025-01-01T00:00:00Z'),
  updated_at: new Date('2025-02-01T00:00:00.5Z'),
};
const listed: ListedRow = {
  ...campaign,
  own_domain: null,
  network_account: null,
  store_listings: [{ id: 'play' }],
  custom_channel: { id: 3, name: 'Podcasts', slug: 'podcasts' },
};

describe('in the list', () => {
  test('every field', () =>
    expect(listedCampaign(listed, 'go.acme.example', 3)).toEqual({
      display_id: 'one',
      name: 'One',
      created_at: '2025-01-01T00:00:00.000Z',
      update_at: '2025-02-01T00:00:00.500Z',
      google: false,
      meta: false,
      meta_campaign_id: null,
      meta_web_to_app: false,
      active: true,
      default_link: false,
      attributed_users: 3,
      link: 'acme://shop?c=one#top',
      shareable_link: 'https://go.acme.example/?c=one',
      website: 'https://acme.example',
      domain: 'go.acme.example',
      custom_channels: [{ id: 3, name: 'Podcasts', slug: 'podcasts' }],
      store_listings: [{ id: 'play' }],
      network_account: null,
    }));

  test('its own domain goes before that of the project', () =>
    expect(listedCampaign({ ...listed, own_domain: 'a.example', deeplink: null }, 'b.example', 0)).toMatchObject({
      domain: 'a.example',
      link: 'https://a.example/?c=one',
      shareable_link: 'https://a.example/?c=one',
    }));

  test('without any domain there is no short link', () =>
    expect(listedCampaign({ ...listed, deeplink: null }, null, 0)).toMatchObject({
      domain: null,
      link: '',
      shareable_link: '',
    }));

  test.each([
    ['META', true, { meta: true, google: false, meta_campaign_id: '12', meta_web_to_app: true }],
    ['META', false, { meta: true, google: false, meta_campaign_id: '12', meta_web_to_app: false }],
    ['GOOGLE', true, { meta: false, google: true, meta_campaign_id: null, meta_web_to_app: false }],
    ['TIKTOK', true, { meta: false, google: false, meta_campaign_id: null, meta_web_to_app: false }],
  ])('of network %s, to the web: %s', (network, web_to_app, expected) =>
    expect(listedCampaign({ ...listed, network, network_campaign_id: '12', web_to_app }, null, 0)).toMatchObject(
      expected,
    ),
  );

  test('that of the system is the default link', () =>
    expect(listedCampaign({ ...listed, is_system: true }, null, 0).default_link).toBe(true));
});

test('created: of its store listings what identifies them, and its channel in a list', () => {
  const play = { id: 1, store_listing_id: 'play', name: 'Play', platform: 'ANDROID' };
  const channel = { id: 5, name: 'Partners' };
  expect(createdCampaign(campaign, 'go.acme.example', channel, [play])).toEqual({
    id: 7,
    name: 'One',
    link: 'acme://shop?c=one#top',
    website: 'https://acme.example',
    display_id: 'one',
    created_at: '2025-01-01T00:00:00.000Z',
    android_web_redirect: null,
    ios_web_redirect: 'https://acme.example/ios',
    domain: 'go.acme.example',
    custom_channels: [channel],
    store_listings: [{ store_listing_id: 'play', name: 'Play', platform: 'ANDROID' }],
  });
  expect(createdCampaign({ ...campaign, is_shortlink: true }, null, null, [])).toMatchObject({
    link: '',
    custom_channels: [],
    store_listings: [],
  });
});

test('edited: no link, the redirects and the channel', () => {
  const edited = editedCampaign(campaign, { id: 5 }, 2);
  expect(edited).toMatchObject({
    display_id: 'one',
    attributed_users: 2,
    website: 'https://acme.example',
    android_web_redirect: null,
    ios_web_redirect: 'https://acme.example/ios',
    custom_channels: [{ id: 5 }],
  });
  expect(edited).not.toHaveProperty('link');
  expect(editedCampaign(campaign, null, 0).custom_channels).toEqual([]);
});
