/** Some random requests over HTTP; test/unit/s2s/s2s-property.test.ts asks many more of the pipeline by itself. */
import { ownNames } from '../../support/workspace/own-names';
import { ENDPOINTS, ID_FIELDS, VIEWS, newTid, overHttp, type Endpoint } from '../../support/s2s/s2s-client';
import { answerOfModel } from '../../support/s2s/s2s-model';
import { checkRandom, readRequest, sendable, worldAt } from '../../support/s2s/s2s-random';
import { sharedService } from '../../support/shared-service';
import { workspace } from '../../support/workspace/workspace';

const REQUESTS = 400;
const PREFIX = 'property';

const service = sharedService();
const own = ownNames('s2s-property');
const s2s = overHttp(service, own);

test(`${REQUESTS} random requests are answered as the model does; only those accepted are stored`, async () => {
  await service.apply(own.document(workspace));
  const accepted: Record<Endpoint, unknown[]> = { click: [], impression: [], ctv: [] };
  const outcomes = new Set<string>();
  await checkRandom(REQUESTS, async (drawn) => {
    const now = s2s.now();
    const request = readRequest(drawn, newTid(PREFIX), now);
    const expected = answerOfModel(request, worldAt(now));
    const { status, body } = await s2s.ask(...sendable(request, s2s.own));
    if (body.status === 'accepted') accepted[request.endpoint].push(body[ID_FIELDS[request.endpoint]]);
    outcomes.add(expected.outcome);
    expect({ ...request, status, outcome: body.reason ?? body.status }).toEqual({ ...request, ...expected });
  });
  expect(outcomes.size).toBeGreaterThan(15);
  for (const endpoint of ENDPOINTS) {
    const rows = await service.rows<{ id: string }>(
      `SELECT ${ID_FIELDS[endpoint]} AS id FROM ${VIEWS[endpoint]} WHERE startsWith(tid, '${PREFIX}-')`,
    );
    expect(rows.map(({ id }) => id).sort()).toEqual(accepted[endpoint].sort());
  }
});
