/** Four lanes decide installs beside each other as one decider does (docs/configuration.md, ATTRIBUTION_DECIDERS). */
import { expectDecidedAsModel } from '../support/attribution-random';
import { startService, type RunningService } from '../support/service';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ ATTRIBUTION_DECIDERS: '4', TRUST_PROXY: '1' });
});
afterAll(() => service?.dispose());

test('four lanes decide every install as the model does', async () => {
  await expectDecidedAsModel(service, Number(process.env.HISTORIES ?? 250));
  // Runs of installs that are all of one lane; else one decider has done it all.
  const lanes = await service.rows(
    `SELECT lanes[1] AS lane FROM (
       SELECT run_id, groupUniqArray(sipHash64(project_id, install_id) % 4 + 1) AS lanes, count() AS installs
       FROM adtrail.attribution_batches
       GROUP BY run_id
     )
     WHERE length(lanes) = 1 AND installs >= 10
     GROUP BY lane
     ORDER BY lane`,
  );
  expect(lanes.map(({ lane }) => Number(lane))).toEqual([1, 2, 3, 4]);
}, 540_000);
