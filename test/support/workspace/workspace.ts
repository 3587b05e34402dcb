/** A workspace with every case that the S2S endpoints distinguish. */

export const TOKEN = 'token-of-mobi-ads';
export const OTHER_TOKEN = 'token-of-other-ads';
export const SUSPENDED_TOKEN = 'token-of-suspended-ads';
export const GAID = '38400000-8cf0-11bd-b23e-10b96e40000d';
export const IDFA = '6d92078a-8246-4ba4-ae5b-76104861e7dc';

const campaign = (display_id: string, more: object = {}) => ({
  display_id,
  name: `Campaign ${display_id}`,
  partner: 'Mobi Ads',
  ...more,
});
const allOn = { partner: 'Mobi Ads', s2s_clicks: true, s2s_traffic: true, view_through: true };

/**
 * Partner Mobi Ads has everything on in Acme Shop (app com.acme.shop and id1234567890, domains go.acme.example and
 * alt.acme.example) with CTV on com.acme.shop; other projects show what happens when something is off or ambiguous.
 */
export const workspace = {
  accounts: [{ name: 'Acme' }, { name: 'Beta' }, { name: 'Gamma' }],
  partners: [
    { name: 'Mobi Ads', tokens: [TOKEN] },
    { name: 'Other Ads', tokens: [OTHER_TOKEN] },
    { name: 'Suspended Ads', status: 'suspended', tokens: [SUSPENDED_TOKEN] },
  ],
  projects: [
    {
      name: 'Acme Shop',
      account: 'Acme',
      timezone: 'Asia/Kolkata',
      website: 'https://acme.example',
      apps: [
        { platform: 'ANDROID', app_id: 'com.acme.shop' },
        { platform: 'IOS', app_id: 'id1234567890' },
      ],
      domains: [{ name: 'go.acme.example', primary: true }, { name: 'alt.acme.example' }],
      partner_switches: [
        { ...allOn, ctv_apps: ['com.acme.shop'] },
        { partner: 'Other Ads', s2s_clicks: true },
      ],
      campaigns: [
        campaign('AbC123'),
        campaign('inactive', { active: false }),
        campaign('others', { partner: 'Other Ads' }),
        campaign('nobodys', { partner: null }),
        campaign('alt', { domain: 'alt.acme.example' }),
        campaign('second'),
      ],
    },
    {
      name: 'Nothing On',
      account: 'Acme',
      timezone: 'UTC',
      apps: [{ platform: 'ANDROID', app_id: 'com.off' }],
      domains: [{ name: 'go.off.example' }],
      campaigns: [campaign('off1')],
    },
    {
      name: 'Clicks Only',
      account: 'Acme',
      timezone: 'UTC',
      apps: [{ platform: 'ANDROID', app_id: 'com.clicks' }],
      domains: [{ name: 'go.clicks.example' }],
      partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
      campaigns: [campaign('clicks1')],
    },
    {
      name: 'Traffic Only',
      account: 'Acme',
      timezone: 'UTC',
      apps: [{ platform: 'ANDROID', app_id: 'com.traffic' }],
      domains: [{ name: 'go.traffic.example' }],
      partner_switches: [{ partner: 'Mobi Ads', s2s_traffic: true }],
      campaigns: [campaign('traffic1')],
    },
    {
      name: 'No CTV',
      account: 'Acme',
      timezone: 'UTC',
      apps: [{ platform: 'ANDROID', app_id: 'com.noctv' }],
      domains: [{ name: 'go.noctv.example' }],
      partner_switches: [{ ...allOn }],
      campaigns: [campaign('noctv1')],
    },
    // The same app and campaign code in projects of three accounts.
    {
      name: 'Shared A',
      account: 'Acme',
      timezone: 'UTC',
      apps: [{ platform: 'ANDROID', app_id: 'com.shared' }],
      domains: [{ name: 'go.shared-a.example' }],
      partner_switches: [{ ...allOn, ctv_apps: ['com.shared'] }],
      campaigns: [campaign('both'), campaign('one'), campaign('none'), campaign('onlyA')],
    },
    {
      name: 'Shared B',
      account: 'Beta',
      timezone: 'UTC',
      apps: [{ platform: 'ANDROID', app_id: 'com.shared' }],
      domains: [{ name: 'go.shared-b.example' }],
      partner_switches: [{ ...allOn, ctv_apps: ['com.shared'] }],
      campaigns: [campaign('both')],
    },
    {
      name: 'Shared C',
      account: 'Gamma',
      timezone: 'UTC',
      apps: [{ platform: 'ANDROID', app_id: 'com.shared' }],
      domains: [{ name: 'go.shared-c.example' }],
      campaigns: [campaign('one')],
    },
  ],
};

/** The same, with a server key for the project that most suites work on. */
export const workspaceWithServerKey = (key: string) => ({
  ...workspace,
  projects: workspace.projects.map((project) =>
    project.name === 'Acme Shop' ? { ...project, server_keys: [key] } : project,
  ),
});
