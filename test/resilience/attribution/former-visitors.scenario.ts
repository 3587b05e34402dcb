/**
 * Visitors that an earlier version derived, after an upgrade: web reports go on, queries of web visits wait until every
 * visitor is derived anew, and killed in between it is gone on with (docs/contract/derived-tables.md).
 */
import { ask, postQuery } from '../../support/reports/query';
import type { Begin } from '../../support/one-service';
import { readPostgres } from '../../support/postgres';
import { eventually, type RunningService } from '../../support/service';
import { BROWSER, collect, reportData, webWorkspace } from '../../support/collect/web';

export function formerVisitors(begin: Begin): void {
  /** More than one run takes up. */
  const VISITORS = 50_000;
  const KEY = 'server-key-of-former';

  let service: RunningService;
  beforeAll(async () => {
    service = await begin();
    await service.apply(webWorkspace('former'));
  });

  test('they are derived anew in the background, whenever that is killed', async () => {
    const range = { from: '2026-03-01', to: '2026-03-31' };
    const question = { source: 'web', ...range, metrics: ['visitors', 'page_views'], dimensions: ['page'] };
    await collect(service, { 'service-key': KEY }, [
      {
        event_id: 'first',
        type: 'page_view',
        time: '2026-03-05T12:00:00Z',
        visitor_id: 'first',
        session_id: '1',
        url: 'https://acme.example/first',
        ua: BROWSER,
      },
    ]);
    expect((await ask(service, KEY, question)).results).toMatchObject([{ dimensions: ['acme.example/first'] }]);

    // What an earlier version left: events, and visitors without hits.
    const [project] = await service.rows<{ id: number }>(
      "SELECT project_id AS id FROM adtrail.web_events WHERE visitor_id = 'first'",
    );
    await service.clickhouse.command({
      query: `INSERT INTO adtrail.web_events (project_id, visitor_id, id, event_id, type, time, received_at, stored_at,
        session_id, url, channel, version)
      SELECT ${project?.id}, concat('v', toString(number)), generateUUIDv4(number), concat('e', toString(number)),
        'page_view', '2026-03-05 12:00:00', now64(3), now64(3) - 3600, 's', 'https://acme.example/former', 'direct',
        9007199254740991 - number
      FROM numbers(${VISITORS})`,
    });
    await service.clickhouse.command({
      query: `INSERT INTO adtrail.web_visitors (project_id, visitor_id, first_day, last_day, element.day,
        element.session, element.last_touch, element.first_touch, element.pause_time, element.page_views, version)
      SELECT ${project?.id}, concat('v', toString(number)), '2026-03-05', '2026-03-05', ['2026-03-05'], [1], [0], [0],
        [0], [1], 1
      FROM numbers(${VISITORS})`,
    });
    const postgres = readPostgres(service);
    await postgres.rows('DELETE FROM materialization_layouts');
    await service.kill();
    await service.restart();

    // Reports go on meanwhile, and are not of half of them.
    await eventually('the report is given', async () => {
      const { totals } = await reportData(service, KEY, range);
      expect(totals.visitors).toBe(VISITORS + 1);
      return true;
    });
    let refusals = 0;
    const answer = await eventually(
      'queries are answered',
      async () => {
        const asked = await postQuery(service, KEY, question);
        if (asked.status === 200) return asked;
        expect(asked.status).toBe(503);
        if (++refusals === 3) {
          await service.kill();
          await service.restart();
        }
        return undefined;
      },
      60_000,
    );
    await postgres.close();
    expect(refusals).toBeGreaterThan(0);
    expect(answer.results.map(({ dimensions, metrics }) => [...dimensions, ...metrics])).toEqual([
      ['acme.example/former', VISITORS, VISITORS],
      ['acme.example/first', 1, 1],
    ]);
  }, 540_000);
}
