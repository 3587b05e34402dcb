/**
 * Web reports over data that no honest website sends: one visitor with very many events, very many
 * utm_ids.
 */
import { idByName } from '../../support/s2s/s2s-client';
import { eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { reportData, webWorkspace } from '../../support/collect/web';

const KEY = 'server-key-of-extremes';
const EVENTS = 300_000;
const UTM_IDS = 20_000;

const service = sharedService();
let projectId: number;
beforeAll(async () => {
  await service.apply(webWorkspace('extremes', { created_at: '2026-01-01T00:00:00Z' }));
  projectId = await idByName(service, 'projects', 'Project extremes');
});

/**
 * So many events of the project, one a second, made inside ClickHouse; derived by the service as if they had been
 * collected.
 */
async function insert(count: number, visitor: string, utmId: string, from: string): Promise<void> {
  await service.clickhouse.command({
    query: `INSERT INTO adtrail.web_events (project_id, visitor_id, id, event_id, type, time, received_at,
        session_id, url, channel, source, utm_id, version)
      SELECT ${projectId}, ${visitor}, generateUUIDv4(), toString(number), 'page_view',
        toDateTime64('${from}', 3, 'UTC') + number, now64(3),
        toString(intDiv(number, ${count === UTM_IDS ? 1 : 100})),
        'https://acme.example/', 'email', 'news', ${utmId}, 1
      FROM numbers(${count})`,
    clickhouse_settings: { wait_end_of_query: 1 },
  });
  await eventually(
    'everything is derived',
    async () => {
      const [row] = await service.rows<{ views: number }>(
        `SELECT sum(arraySum(element.page_views)) AS views
         FROM adtrail.web_visitors FINAL
         WHERE project_id = ${projectId} AND first_day >= toDate('${from}') AND first_day < toDate('${from}') + 5`,
      );
      return Number(row?.views) === count ? true : undefined;
    },
    120_000,
  );
}

test('one visitor with very many events is one visitor', async () => {
  await insert(EVENTS, "'one'", "'campaign'", '2026-02-01 00:00:00');
  const { campaigns, totals } = await reportData(service, KEY, { from: '2026-02-01', to: '2026-02-10' });
  expect(campaigns).toMatchObject([{ id: 'campaign', visitors: 1, sessions: EVENTS / 100, page_views: EVENTS }]);
  expect(totals).toMatchObject({ visitors: 1, page_views: EVENTS });
}, 540_000);

test('very many utm_ids are as many rows, on pages that can be reached', async () => {
  await insert(
    UTM_IDS,
    "'visitor-' || toString(number % 1000)",
    "'id-' || leftPad(toString(number), 5, '0')",
    '2026-03-01 00:00:00',
  );
  const query = { from: '2026-03-01', to: '2026-03-10', limit: '10', sort_field: 'name', sort_order: 'ascending' };
  const last = await reportData(service, KEY, { ...query, page: String(UTM_IDS / 10) });
  expect(last.pagination).toMatchObject({ total: UTM_IDS, pages: UTM_IDS / 10 });
  expect(last.totals).toMatchObject({ visitors: 1_000, sessions: UTM_IDS, page_views: UTM_IDS });
  expect(last.campaigns.at(-1)).toMatchObject({ id: 'id-19999', visitors: 1 });
  expect((await reportData(service, KEY, { ...query, search: 'ID-0001' })).pagination.total).toBe(10);
}, 540_000);
