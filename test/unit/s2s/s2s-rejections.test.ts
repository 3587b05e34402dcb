/** Every row of "S2S rejections", the order of the checks, and which campaign is meant (docs/contract/s2s.md). */
import fc from 'fast-check';
import { listReasons } from '../../../src/s2s/reasons';
import { expectSame } from '../../support/expect-same';
import { MISTAKES, applies, orderedMistakes, spoilt, type Mistake } from '../../support/s2s/s2s-cases';
import {
  ACME,
  ENDPOINTS,
  FORMS,
  accept,
  goodRequest,
  readOutcome,
  reject,
  readRow,
  send,
  makeUrl,
  type Endpoint,
  type Form,
} from '../../support/s2s/s2s-client';
import { DEFINITIONS, createPipeline, toConfiguration } from '../../support/s2s/s2s-pipeline';
import { rounds } from '../../support/soak';
import { OTHER_TOKEN, TOKEN, workspace } from '../../support/workspace/workspace';

const EVERYWHERE = ENDPOINTS.flatMap((endpoint) => FORMS.map((form) => [endpoint, form] as const));
const pipeline = createPipeline();
/** What comes of the service or the moment and not of the request. */
const OF_THE_SERVICE = ['s2s_disabled', 'rate_limited', 'unavailable'];

/** Expects the answer to the first of the mistakes, whatever the others are. */
async function expectFirst(endpoint: Endpoint, form: Form, mistakes: readonly Mistake[], at = pipeline): Promise<void> {
  const request = spoilt(at, endpoint, form, mistakes);
  const { status, body, headers } = await send(at, request);
  const what = { mistakes: mistakes.map(({ name }) => name), url: makeUrl(request), retryAfter: null };
  const [{ reason, status: expected } = { reason: '', status: 0 }] = mistakes;
  expectSame(
    { ...what, retryAfter: headers.get('retry-after'), status, body },
    { ...what, status: expected, body: { status: 'rejected', reason } },
  );
}

test.each(EVERYWHERE)('%s by %s: every mistake has its reason, and nothing of it is stored', async (endpoint, form) => {
  const before = pipeline.stored[endpoint].length;
  for (const mistake of MISTAKES) if (applies(mistake, endpoint, form)) await expectFirst(endpoint, form, [mistake]);
  expect(pipeline.stored[endpoint]).toHaveLength(before);
});

test.each(ENDPOINTS)('%s: there is a mistake for every reason that it can give, and no other', (endpoint) => {
  const reasons = FORMS.flatMap((form) => orderedMistakes(endpoint, form).map(({ reason }) => reason));
  const possible = listReasons(DEFINITIONS[endpoint].kind).filter((reason) => !OF_THE_SERVICE.includes(reason));
  expect([...new Set(reasons)].sort()).toEqual([...possible].sort());
});

test.each(EVERYWHERE)('%s by %s: of any two mistakes the earlier is the answer', async (endpoint, form) => {
  const mistakes = orderedMistakes(endpoint, form);
  expect(mistakes.length).toBeGreaterThan(12);
  for (const [i, earlier] of mistakes.entries())
    for (const later of mistakes.slice(i + 1)) await expectFirst(endpoint, form, [earlier, later]);
});

test('of any three mistakes the earliest is the answer', async () => {
  const order = [...new Set(MISTAKES.map(({ reason }) => reason))];
  const some = fc.constantFrom(...EVERYWHERE).chain(([endpoint, form]) => {
    const mistakes = MISTAKES.filter((mistake) => applies(mistake, endpoint, form));
    // Two of one reason can make each other good.
    const selector = ({ reason }: Mistake) => reason;
    const three = fc.uniqueArray(fc.constantFrom(...mistakes), { minLength: 2, maxLength: 3, selector });
    return fc.tuple(fc.constant(endpoint), fc.constant(form), three);
  });
  const byOrder = (a: Mistake, b: Mistake) => order.indexOf(a.reason) - order.indexOf(b.reason);
  await fc.assert(
    fc.asyncProperty(some, ([endpoint, form, mistakes]) => expectFirst(endpoint, form, mistakes.toSorted(byOrder))),
    { numRuns: rounds(1_500, 20_000) },
  );
});

test.each(ENDPOINTS)(
  '%s: the token counts by header or parameter, the header first, and its length as any',
  async (on) => {
    await accept(pipeline, { ...goodRequest(on, { svc_token: TOKEN }), token: undefined });
    await accept(pipeline, { ...goodRequest(on, { svc_token: TOKEN }), token: '' });
    await accept(pipeline, { ...goodRequest(on), token: `   ${TOKEN}   ` });
    await accept(pipeline, goodRequest(on, { svc_token: 'wrong' }));
    await reject(pipeline, goodRequest(on, { svc_token: 'x'.repeat(257) }), 400, 'value_too_long');
  },
);

describe('which campaign is meant', () => {
  const alt = { ...ACME, domain: 'alt.acme.example' };
  const shared = (c: string, domain = '') => ({ app: 'com.shared', domain, c });
  const several = '400 ambiguous_app';
  const readName = (id: unknown) => workspace.projects[Number(id) - 1]?.name;

  test.each(ENDPOINTS)(
    '%s: one with a domain of its own by that domain and by app, others by every domain',
    async (on) => {
      for (const form of FORMS) await accept(pipeline, goodRequest(on, { c: 'alt' }, form, alt));
      for (const target of [ACME, alt]) await accept(pipeline, goodRequest(on, {}, 'domain', target));
    },
  );

  test.each(
    ENDPOINTS.flatMap((endpoint) => [
      [endpoint, 'path', shared('onlyA'), 'Shared A'] as const,
      // It is in Shared C, too, where nothing is on.
      [endpoint, 'query', shared('one'), 'Shared A'] as const,
      [endpoint, 'domain', shared('both', 'go.shared-a.example'), 'Shared A'] as const,
      [endpoint, 'domain', shared('both', 'go.shared-b.example'), 'Shared B'] as const,
    ]),
  )('%s by %s of %j: that of %s', async (endpoint, form, target, project) => {
    const id = await accept(pipeline, goodRequest(endpoint, {}, form, target));
    expect(readName((await readRow(pipeline, endpoint, id)).project_id)).toBe(project);
  });

  test.each(ENDPOINTS)('%s: by a domain of a project in which nothing is on', (endpoint) =>
    reject(
      pipeline,
      goodRequest(endpoint, {}, 'domain', shared('one', 'go.shared-c.example')),
      403,
      'partner_not_enabled',
    ),
  );

  test.each([
    [{}, {}, [several, several, several]],
    [{}, { s2s_clicks: false }, ['accepted', several, several]],
    [{}, { s2s_traffic: false }, [several, 'accepted', 'accepted']],
    [{ s2s_clicks: false }, { s2s_clicks: false }, ['403 partner_not_enabled', several, several]],
    [{ view_through: false }, {}, [several, several, several]],
  ])(
    'an app is ambiguous by the switch of the endpoint: %j in one project, %j in the other',
    async (a, b, outcomes) => {
      const changed = createPipeline();
      const rows = toConfiguration(workspace);
      const switches = { 'Shared A': a, 'Shared B': b } as Record<string, object>;
      changed.fill({
        ...rows,
        switches: rows.switches.map((row) => ({ ...row, ...switches[readName(row.project_id) ?? ''] })),
      });
      const asked = ENDPOINTS.map((endpoint) => goodRequest(endpoint, {}, 'query', shared('both')));
      expect(await Promise.all(asked.map((request) => readOutcome(changed, request)))).toEqual(outcomes);
    },
  );
});

test('changes of the configuration: switches one by one', async () => {
  const changing = createPipeline();
  const rows = toConfiguration(workspace);
  const off = '403 partner_not_enabled';
  const noView = '403 view_through_disabled';
  const noCtv = '403 ctv_not_enabled';
  const steps: readonly (readonly [object, string[]])[] = [
    [{}, [off, off, off, off]],
    [{ s2s_clicks: true }, ['accepted', off, off, off]],
    [{ s2s_traffic: true }, [off, noView, noView, noView]],
    [{ s2s_traffic: true, view_through: true }, [off, 'accepted', noCtv, noCtv]],
    [{ s2s_traffic: true, view_through: true, ctv_apps: ['com.other'] }, [off, 'accepted', noCtv, 'accepted']],
    [{ s2s_traffic: true, view_through: true, ctv_apps: [ACME.app] }, [off, 'accepted', 'accepted', 'accepted']],
    [{ s2s_clicks: true, s2s_traffic: true, ctv_apps: [ACME.app] }, ['accepted', noView, noView, noView]],
    [{ s2s_clicks: true, view_through: true, ctv_apps: [ACME.app] }, ['accepted', off, off, off]],
  ];
  for (const [on, outcomes] of steps) {
    const none = { s2s_clicks: false, s2s_traffic: false, view_through: false, ctv_apps: [] };
    changing.fill({ ...rows, switches: [{ project_id: 1, partner_id: 1, ...none, ...on }] });
    const asked = [...ENDPOINTS.map((endpoint) => goodRequest(endpoint)), goodRequest('ctv', {}, 'domain')];
    expect(await Promise.all(asked.map((request) => readOutcome(changing, request)))).toEqual(outcomes);
  }
});

test('changes of the configuration: a deleted campaign, the end of a token, a suspended partner', async () => {
  const changing = createPipeline();
  const rows = toConfiguration(workspace);
  await accept(changing, goodRequest('click'));
  changing.fill({ ...rows, changedCampaigns: rows.changedCampaigns.map((row) => ({ ...row, deleted: true })) });
  await reject(changing, goodRequest('click'), 400, 'unknown_campaign');
  const until = new Date(changing.clock + 1_000);
  changing.fill({ ...rows, tokens: rows.tokens.map((row) => ({ ...row, valid_until: until })) });
  changing.clock += 999;
  await accept(changing, goodRequest('click'));
  changing.clock += 1;
  await reject(changing, goodRequest('click'), 401, 'invalid_token');
  changing.fill({ ...rows, partners: rows.partners.map((row) => ({ ...row, status: 'suspended' })) });
  await reject(changing, goodRequest('click'), 401, 'invalid_token');
  changing.fill(rows);
  await accept(changing, goodRequest('click'));
});

describe('what comes of the service or the moment', () => {
  const firstMistakes = EVERYWHERE.flatMap(([endpoint, form]) =>
    orderedMistakes(endpoint, form).map((mistake) => [endpoint, form, mistake] as const),
  );

  test('404 s2s_disabled before anything else, a missing token too', async () => {
    const disabled = createPipeline({ enabled: false });
    for (const [endpoint, form, mistake] of firstMistakes)
      await reject(disabled, spoilt(disabled, endpoint, form, [mistake]), 404, 's2s_disabled');
    for (const [endpoint, form] of EVERYWHERE)
      await reject(disabled, goodRequest(endpoint, {}, form), 404, 's2s_disabled');
    await reject(
      disabled,
      { endpoint: 'ctv', form: 'query', app: '', token: undefined, params: {} },
      404,
      's2s_disabled',
    );
  });

  test('503 unavailable with a configuration older than 5 minutes, before the token', async () => {
    const stale = createPipeline();
    stale.clock += 5 * 60_000;
    await accept(stale, goodRequest('click'));
    stale.clock += 1;
    for (const token of [TOKEN, undefined, 'wrong']) {
      const { headers } = await reject(stale, { ...goodRequest('click'), token }, 503, 'unavailable');
      expect(headers.get('retry-after')).toBe('1');
    }
  });

  test('503 unavailable where nothing can be stored, and every mistake is said first', async () => {
    const down = createPipeline();
    down.isDown = true;
    for (const [endpoint, form, mistake] of firstMistakes) await expectFirst(endpoint, form, [mistake], down);
    for (const endpoint of ENDPOINTS) {
      const { headers } = await reject(down, goodRequest(endpoint), 503, 'unavailable');
      expect(headers.get('retry-after')).toBe('1');
    }
  });

  test.each(EVERYWHERE)(
    '%s by %s: 429 rate_limited, each campaign for itself, after every check',
    async (endpoint, form) => {
      const limited = createPipeline({ limit: 4 });
      const mistakes = orderedMistakes(endpoint, form);
      for (const mistake of mistakes) await expectFirst(endpoint, form, [mistake], limited);
      for (let i = 0; i < 4; i++) await accept(limited, goodRequest(endpoint, {}, form));
      const { headers } = await reject(limited, goodRequest(endpoint, {}, form), 429, 'rate_limited');
      const wait = Number(headers.get('retry-after'));
      expect(wait).toBeGreaterThan(3_500);
      expect(wait).toBeLessThanOrEqual(3_600);
      for (const mistake of mistakes) await expectFirst(endpoint, form, [mistake], limited);
      await reject(limited, goodRequest(endpoint, {}, form), 429, 'rate_limited');
      await accept(limited, goodRequest(endpoint, { c: 'second' }, form));
      expect(limited.stored[endpoint]).toHaveLength(5);
    },
  );
});

test('a request is counted by what it names, however wrong it is, once its partner is known', async () => {
  const counting = createPipeline();
  const ask = async (request: ReturnType<typeof goodRequest>) => {
    await send(counting, request);
    const { partnerId, projectId, campaignId, kind, outcome } = counting.counted.pop() ?? {};
    return [kind, outcome, partnerId, projectId, campaignId];
  };
  expect(await ask(goodRequest('click'))).toEqual(['click', 'accepted', 1, 1, 100]);
  expect(await ask(goodRequest('ctv', { ip: '10.0.0.1' }, 'domain'))).toEqual([
    'ctv_impression',
    'invalid_ip',
    1,
    1,
    100,
  ]);
  expect(await ask(goodRequest('impression', { c: 'nope' }))).toEqual(['impression', 'unknown_campaign', 1, 1, 0]);
  expect(await ask({ ...goodRequest('click'), token: OTHER_TOKEN })).toEqual(['click', 'unknown_campaign', 2, 1, 0]);
  expect(await ask({ ...goodRequest('click'), token: 'wrong' })).toEqual(['click', 'invalid_token', 0, 0, 0]);
  expect(await ask({ ...goodRequest('click'), app: 'com.shared' })).toEqual(['click', 'unknown_campaign', 1, 0, 0]);
  expect(counting.counted).toEqual([]);
  expect(await counting.metrics()).toContain('s2s{endpoint="ctv/impression",outcome="invalid_ip"} 1');
});
