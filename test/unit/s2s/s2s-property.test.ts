/** Random requests at the S2S endpoints, answered by their pipeline and by an independent model of the contract. */
import { expectSame } from '../../support/expect-same';
import { ENDPOINTS, ID_FIELDS, newTid, type Endpoint } from '../../support/s2s/s2s-client';
import { answerOfModel } from '../../support/s2s/s2s-model';
import { createPipeline } from '../../support/s2s/s2s-pipeline';
import { OUTCOMES, checkRandom, readRequest, sendable, worldAt } from '../../support/s2s/s2s-random';
import { rounds } from '../../support/soak';

const REQUESTS = rounds(3_000, 30_000);

test(`${REQUESTS} are answered as the model does, and as their trials say; those accepted are stored`, async () => {
  const s2s = createPipeline();
  const accepted: Record<Endpoint, unknown[]> = { click: [], impression: [], ctv: [] };
  const outcomes = new Map<string, number>();
  await checkRandom(REQUESTS, async (drawn) => {
    const request = readRequest(drawn, newTid('random'), s2s.clock);
    const { status, outcome } = answerOfModel(request, worldAt(s2s.clock));
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const [at, headers] = sendable(request, s2s.own);
    const trial = await s2s.ask(at.replace('/v1/', '/v1/validate/'), headers, 'POST');
    const answer = await s2s.ask(at, headers);
    const id = answer.body[ID_FIELDS[request.endpoint]];
    if (outcome === 'accepted') accepted[request.endpoint].push(id);
    const checks = trial.body.checks as { ok: boolean }[];
    expectSame(
      {
        request,
        status: answer.status,
        body: answer.body,
        trial: [trial.status, trial.body.status, trial.body.outcome, trial.body.reason, checks.every(({ ok }) => ok)],
      },
      {
        request,
        status,
        ...(outcome === 'accepted'
          ? {
              body: { status: 'accepted', [ID_FIELDS[request.endpoint]]: id },
              trial: [200, 200, 'accepted', undefined, true],
            }
          : {
              body: { status: 'rejected', reason: outcome },
              trial: [status === 401 ? 401 : 200, status, 'rejected', outcome, false],
            }),
      },
    );
  });
  // A generator that never gets past the token would agree with anything.
  expect([...outcomes.keys()].sort()).toEqual(OUTCOMES);
  expect(outcomes.get('accepted')).toBeGreaterThan(REQUESTS / 10);
  for (const endpoint of ENDPOINTS)
    expect(s2s.stored[endpoint].map((row) => row[ID_FIELDS[endpoint]]).sort()).toEqual(accepted[endpoint].sort());
});
