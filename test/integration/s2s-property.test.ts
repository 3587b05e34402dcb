/**
 * Random requests at the S2S endpoints, answered by the service and by an independent model of docs/contract.md, S2S.
 */
import fc from 'fast-check';
import { ENDPOINTS, ID_FIELDS, VIEWS, countRecords, newTid, type Endpoint } from '../support/s2s-client';
import { answerOfModel, type ModelRequest } from '../support/s2s-model';
import { anything, requestOf, sendable, worldNow, type Anything } from '../support/s2s-random';
import { startService, type RunningService } from '../support/service';
import { workspace } from '../support/workspace';

const REQUESTS = 6_000;
const BATCH = 200;

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.apply(workspace);
});
afterAll(() => service?.dispose());

async function ask(request: ModelRequest): Promise<{ status: number; outcome: string; id: unknown }> {
  const { at, headers } = sendable(request);
  const response = await service.request(at, { headers });
  const body = (await response.json()) as Record<string, unknown>;
  const id = body[ID_FIELDS[request.endpoint]];
  expect(body).toEqual(
    body.status === 'accepted'
      ? { status: 'accepted', [ID_FIELDS[request.endpoint]]: id }
      : { status: 'rejected', reason: body.reason },
  );
  return { status: response.status, outcome: (body.reason ?? body.status) as string, id };
}

it(`answers ${REQUESTS} random requests as the model does, and stores those accepted and no others`, async () => {
  const accepted: Record<Endpoint, Set<string>> = { click: new Set(), impression: new Set(), ctv: new Set() };
  const outcomes = new Map<string, number>();
  const compare = async (drawn: Anything) => {
    const request = requestOf(drawn, newTid('random'));
    const expected = answerOfModel(request, worldNow());
    const { id, ...answer } = await ask(request);
    if (answer.outcome === 'accepted') accepted[request.endpoint].add(String(id));
    outcomes.set(expected.outcome, (outcomes.get(expected.outcome) ?? 0) + 1);
    expect({ ...request, ...answer }).toEqual({ ...request, ...expected });
  };
  // A batch is one example, whose requests go out at once; the first that differs is shown whole, so nothing needs
  // shrinking.
  const batch = fc.array(anything, { minLength: BATCH, maxLength: BATCH, size: 'max' });
  await fc.assert(
    fc.asyncProperty(batch, async (many) => {
      await Promise.all(many.map(compare));
    }),
    { numRuns: REQUESTS / BATCH, endOnFailure: true },
  );

  // Every outcome was met: a generator that never gets past the token would agree with anything.
  const all = [
    'accepted',
    'missing_token',
    'invalid_token',
    'missing_app',
    'missing_c',
    'missing_tid',
    'value_too_long',
    'unreplaced_macro',
    'invalid_device_id',
    'missing_device_id',
    'missing_ip',
    'invalid_ip',
    'datacenter_ip',
    'missing_ua',
    'invalid_click_time',
    'click_too_old',
    'invalid_impression_time',
    'impression_too_old',
    'invalid_viewthrough_lookback',
    'unknown_app',
    'unknown_domain',
    'unknown_campaign',
    'ambiguous_app',
    'partner_not_enabled',
    'view_through_disabled',
    'ctv_not_enabled',
  ];
  expect([...outcomes.keys()].sort()).toEqual(all.sort());
  expect(outcomes.get('accepted')).toBeGreaterThan(REQUESTS / 10);

  for (const endpoint of ENDPOINTS) {
    const rows = await service.rows<{ id: string }>(`SELECT ${ID_FIELDS[endpoint]} AS id FROM ${VIEWS[endpoint]}`);
    expect(rows.map(({ id }) => id).sort()).toEqual([...accepted[endpoint]].sort());
  }
  expect(await countRecords(service)).toBe(Object.values(accepted).reduce((sum, ids) => sum + ids.size, 0));
  expect(service.output()).not.toMatch(/Error/);
});
