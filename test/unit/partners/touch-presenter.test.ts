/** What became of one touch, as partners and advertisers read it (docs/contract/partners.md). */
import { presentRefused, presentRefusedPage, presentTouches } from '../../../src/partner-portal/touch-presenter';
import type { ConsideredRow, RefusedRow, TouchRow } from '../../../src/partner-portal/touch-queries';

const TOUCH: TouchRow = {
  touch_type: 'click',
  touch_id: 't1',
  kind: 's2s',
  project_id: 2,
  campaign_id: 3,
  partner_id: 4,
  tid: 'tid',
  s2: '',
  s3: 'x',
  s4: '',
  touch_time: '2026-03-01T10:00:00Z',
  received_at: '2026-03-01T10:00:01.5Z',
  touch_ms: 0,
  app_id: 'com.app',
  d: '',
  country: 'DE',
  gaid: 'g',
  idfa: '',
  ip: '203.0.113.1',
};
const INSTALL: ConsideredRow = {
  project_id: 2,
  install_id: 'i1',
  install_time: '2026-03-02T10:00:00Z',
  decided_at: '2026-03-02T10:00:02Z',
  reinstall: 0,
  rule: 'device_click',
  campaign_id: 3,
  touch_id: 't1',
  verdict: 'credited',
};
const present = (side: 'partner' | 'project', touch: Partial<TouchRow> = {}, installs: readonly ConsideredRow[] = []) =>
  presentTouches(
    {
      touches: [{ ...TOUCH, ...touch }],
      installs,
      refused: [],
      campaigns: new Map([[3, { id: 3, display_id: 'summer', name: 'Summer' }]]),
      projects: new Map([[2, 'Shop']]),
      partners: new Map([[4, 'Mobi']]),
    },
    side,
  ).touches[0];

test('names the project, the campaign and the partner, and what it can be matched by', () => {
  expect(present('project')).toEqual({
    touch_type: 'click',
    touch_id: 't1',
    source: 's2s',
    project: { id: 2, name: 'Shop' },
    campaign: { display_id: 'summer', name: 'Summer' },
    partner: { id: 4, name: 'Mobi' },
    tid: 'tid',
    s2: null,
    s3: 'x',
    s4: null,
    touch_time: '2026-03-01T10:00:00.000Z',
    received_at: '2026-03-01T10:00:01.500Z',
    app_id: 'com.app',
    domain: null,
    country: 'DE',
    matches_by: ['gaid', 'ip'],
    state: 'waiting',
    installs: [],
  });
});

test('who follows a link of no partner, and what is gone, have no name', () => {
  const found = present('project', { kind: 'link', partner_id: 0, campaign_id: 9, project_id: 8, gaid: '', ip: '' });
  expect(found).toMatchObject({ source: 'link', partner: null, campaign: null, project: { id: 8, name: '' } });
  expect(found?.matches_by).toEqual([]);
  expect(present('partner', { partner_id: 5 })).toMatchObject({ partner: { id: 5, name: '' } });
});

const lost: ConsideredRow = { ...INSTALL, install_id: 'i2', rule: 'referrer', reinstall: 1, verdict: 'lower_rule' };

test.each([
  ['none considered it', [], 'waiting'],
  ['one of another touch', [{ ...INSTALL, touch_id: 't2' }], 'waiting'],
  ['one of another project', [{ ...INSTALL, project_id: 7 }], 'waiting'],
  ['one went to another touch', [lost], 'not_credited'],
  ['one of two is credited', [lost, INSTALL], 'credited'],
] as const)('is in its state when of the installs %s', (_, installs, state) => {
  expect(present('project', {}, installs)?.state).toBe(state);
});

test('a partner is told of no install which it is, nor whom it went to; the advertiser is', () => {
  const [own, theirs] = present('project', {}, [INSTALL, lost])?.installs ?? [];
  expect(own).toMatchObject({ kind: 'install', verdict: 'credited', rule: 'device_click', install_id: 'i1' });
  expect(own?.why).toContain('latest click');
  const summer = { display_id: 'summer', name: 'Summer' };
  expect(theirs).toMatchObject({ kind: 'reinstall', rule: null, install_id: 'i2', credited_to: summer });
  expect(theirs?.why).toContain('goes first');
  for (const install of present('partner', {}, [INSTALL, lost])?.installs ?? [])
    expect(install).toMatchObject({ install_id: null, credited_to: null });
  expect(present('project', {}, [{ ...lost, campaign_id: 0 }])?.installs[0]?.credited_to).toBeNull();
});

const REFUSED: RefusedRow = {
  id: 7,
  received_at: new Date('2026-03-01T10:00:00Z'),
  kind: 'impression',
  reason: 'unknown_campaign',
  tid: '',
  query: 'c=x',
  project_id: null,
  project: null,
  partner_id: 4,
  partner: 'Mobi',
  display_id: null,
  campaign: null,
};

test('a refused request has a project and a campaign where it named some', () => {
  expect(presentRefused(REFUSED)).toEqual({
    id: 7,
    received_at: '2026-03-01T10:00:00.000Z',
    kind: 'impression',
    reason: 'unknown_campaign',
    tid: null,
    query: 'c=x',
    project: null,
    partner: { id: 4, name: 'Mobi' },
    campaign: null,
  });
  const named = { project_id: 2, project: 'Shop', display_id: 'summer', campaign: 'Summer', tid: 'a' };
  expect(presentRefused({ ...REFUSED, ...named })).toMatchObject({
    tid: 'a',
    project: { id: 2, name: 'Shop' },
    campaign: { display_id: 'summer', name: 'Summer' },
  });
});

test('a page that is full says where the next one begins', () => {
  expect(presentRefusedPage([REFUSED, { ...REFUSED, id: 5 }], 2).next_before).toBe(5);
  expect(presentRefusedPage([REFUSED], 2).next_before).toBeNull();
  expect(presentRefusedPage([], 2)).toEqual({ requests: [], next_before: null });
});
