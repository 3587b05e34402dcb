/**
 * Who reads one project by SQL learns nothing of another: some 300 statements answer the same, byte for byte, before
 * and after the rows of another account arrive that has the same app, codes, device and partner (SECURITY.md). They run
 * as a ClickHouse user of the project, and some at the SQL endpoint.
 */
import { decided } from '../../support/attribution/attribution';
import { appEvent, collectApp } from '../../support/collect/collect-client';
import { ownNames } from '../../support/workspace/own-names';
import { idByName } from '../../support/s2s/s2s-client';
import { eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';

const service = sharedService();
const own = ownNames('sqlisolation');
const SECRET = 'zebra';
const [APP, GAID] = ['com.sqlisolation', '38400000-8cf0-11bd-b23e-10b96e40abcd'];
const SIDES = ['mine', 'theirs'] as const;
type Side = (typeof SIDES)[number];
const readWord = (side: Side) => (side === 'mine' ? 'horse' : SECRET);

const project = (side: Side, hasCampaigns: boolean) => ({
  name: side,
  account: side,
  timezone: 'UTC',
  server_keys: [`server-${side}`],
  apps: [{ platform: 'ANDROID', app_id: APP }],
  partner_switches: [{ partner: 'Both', s2s_clicks: true, s2s_traffic: true }],
  ...(hasCampaigns && {
    campaigns: ['same', 'other'].map((code) => ({
      display_id: code,
      name: `Launch ${readWord(side)} ${code}`,
      partner: 'Both',
      custom_channel: `Channel ${readWord(side)}`,
    })),
  }),
});
const workspace = (...withCampaigns: Side[]) =>
  own.document({
    accounts: SIDES.map((name) => ({ name })),
    partners: [{ name: 'Both', tokens: ['both'] }],
    projects: SIDES.map((side) => project(side, withCampaigns.includes(side))),
  });

const ids = {} as Record<Side, number>;
let reader: Record<string, string>;

const insert = (table: string, columns: string, values: string) =>
  service.clickhouse.command({ query: `INSERT INTO adtrail.${table} (${columns}) ${values}` });

/** Rows of every view; those of installs and events by the collector, the others where the views read them. */
async function fill(side: Side): Promise<void> {
  const [id, word] = [ids[side], readWord(side)];
  const campaign = await eventually('its campaigns are copied', async () => {
    const [row] = await service.rows<{ id: number }>(
      `SELECT max(campaign_id) AS id FROM adtrail.campaigns WHERE project_id = ${id}`,
    );
    return Number(row?.id) || undefined;
  });
  const at = "toDate('2026-01-01') + number";
  const touches = `SELECT ${id}, ${at}, ${campaign}, generateUUIDv4(), concat('${word}-', toString(number)), 1`;
  for (const [table, key] of [
    ['clicks', 'click_id'],
    ['impressions', 'impression_id'],
    ['ctv_impressions', 'impression_id'],
  ] as const)
    await insert(table, `project_id, bucket, campaign_id, ${key}, tid, version`, `${touches} FROM numbers(9)`);
  await insert(
    'web_events',
    'project_id, visitor_id, id, time, utm_id, url, version',
    `SELECT ${id}, concat('${word}-', toString(number)), generateUUIDv4(), ${at}, 'same', '${word}', 1 FROM numbers(9)`,
  );
  await insert(
    'ad_spend',
    'project_id, campaign_id, date, ad_set_id, spend, currency, version',
    `SELECT ${id}, ${campaign}, toDate('2026-01-01') + number, '${word}', 1, 'USD', 1 FROM numbers(9)`,
  );
  await insert(
    'postbacks',
    'project_id, attempted_at, postback_id, tid, host, url',
    `SELECT ${id}, now64(3) - number, generateUUIDv4(), '${word}', '${word}', '${word}' FROM numbers(9)`,
  );
  const install = own(`install of ${side}`);
  await collectApp(
    service,
    ['install', 'event'].map((type) =>
      appEvent(type, {
        app_id: APP,
        install_id: install,
        gaid: GAID,
        user: { id: word },
        ...(type === 'event' && { name: word }),
      }),
    ),
    { 'service-key': own(`server-${side}`) },
  );
  await decided(service, [install]);
}

/** A text of each view that names its side. */
const TEXTS: Readonly<Record<string, string>> = {
  ad_spend: 'ad_set_id',
  app_events: 'user_id',
  audit_log: 'name',
  campaigns: 'name',
  clicks: 'tid',
  counted_spend: 'ad_set_id',
  ctv_impressions: 'tid',
  impressions: 'tid',
  installs: 'install_id',
  postbacks: 'tid',
  web_events: 'visitor_id',
};

const WITHOUT_CAMPAIGN_NAMES = ['audit_log', 'campaigns', 'counted_spend', 'postbacks'];

function statements(): string[] {
  const { theirs, mine } = ids;
  return Object.entries(TEXTS).flatMap(([view, text]) => {
    const name = WITHOUT_CAMPAIGN_NAMES.includes(view) ? text : 'campaign_name';
    const conditions = [
      '1',
      `project_id = ${theirs}`,
      `project_id != ${mine}`,
      `intDiv(1, project_id - ${theirs}) != 5`,
      `modulo(7, project_id - ${theirs}) != 99`,
      `throwIf(project_id = ${theirs}) = 0`,
      `throwIf(startsWith(${text}, '${SECRET}')) = 0`,
      `throwIf(position(${name}, '${SECRET}') > 0) = 0`,
      `toUInt64(if(${name} = '', '0', ${name})) = 1`,
      `toUInt64(${text}) = 1`,
      `toDate(${text}) = today()`,
      `toUUID(${name}) = generateUUIDv4()`,
      `CAST(${name}, 'Enum8(\\'a\\' = 1)') = 'a'`,
      `JSONExtractInt(${text}, 'a') = 1`,
      `NOT (${name} = '' OR throwIf(position(${name}, '${SECRET}') > 0) = 1)`,
      `${text} LIKE '${SECRET}%'`,
      `match(${text}, '^${SECRET}')`,
      `${text} IN (SELECT ${text} FROM ${view} WHERE throwIf(startsWith(${text}, '${SECRET}')) = 0)`,
      `project_id IN (SELECT intDiv(100, project_id - ${theirs}) FROM ${view})`,
      `arrayExists(x -> throwIf(startsWith(x, '${SECRET}')) = 1, [${text}])`,
      `(SELECT count() FROM ${view} WHERE intDiv(1, project_id - ${theirs}) = 0) = 0`,
    ];
    return [
      ...conditions.map((condition) => `SELECT count() FROM ${view} WHERE ${condition}`),
      `SELECT max(intDiv(1, project_id - ${theirs})) FROM ${view}`,
      `SELECT intDiv(1, project_id - ${theirs}) AS x, count() FROM ${view} GROUP BY x ORDER BY x`,
      `SELECT ${text} FROM ${view} ORDER BY intDiv(1, project_id - ${theirs}), ${text} LIMIT 3`,
      `SELECT ${text}, toUInt64(${name}) FROM ${view} ORDER BY 1 LIMIT 1`,
      `SELECT count() FROM ${view} AS a JOIN ${view} AS b ON intDiv(1, a.project_id - ${theirs}) = b.project_id`,
      `SELECT count() FROM ${view} AS a JOIN ${view} AS b ON a.${text} = b.${text} WHERE toUInt64(b.${text}) = 1`,
      `SELECT count() FROM clicks AS a LEFT JOIN ${view} AS b USING (project_id)
       WHERE throwIf(b.project_id = ${theirs}) = 0`,
      `SELECT ${text} FROM ${view} WHERE ${text} = '${SECRET}-1' SETTINGS max_rows_to_read = 20`,
      `SELECT ${text} FROM ${view} WHERE ${text} = '${SECRET}-1' SETTINGS max_bytes_to_read = 2000`,
      `SELECT ${text} FROM ${view} ORDER BY 1 SETTINGS use_skip_indexes = 1`,
      `SELECT ${text} FROM ${view} WHERE toUInt64(${name}) = 1 SETTINGS query_plan_enable_optimizations = 1`,
      `SELECT ${text} FROM ${view} PREWHERE throwIf(project_id = ${theirs}) = 0 ORDER BY 1`,
      `SELECT ${name}, count() FROM ${view} GROUP BY 1
       HAVING throwIf(position(${name}, '${SECRET}') > 0) = 0 ORDER BY 1`,
      `WITH x AS (SELECT * FROM ${view}) SELECT uniqExact(${text}) FROM x WHERE intDiv(1, project_id - ${theirs}) = 0`,
      `EXPLAIN SELECT count() FROM ${view}`,
      `EXPLAIN ESTIMATE SELECT count() FROM ${view}`,
    ];
  });
}
const FORMATS = ['JSON', 'XML', 'JSONEachRowWithProgress', 'JSONStringsEachRowWithProgress', 'Pretty'].map(
  (format) => `SELECT count() FROM clicks FORMAT ${format}`,
);

async function asReader(sql: string): Promise<string> {
  const answer = await fetch(service.clickhouseUrl, { method: 'POST', headers: reader, body: sql });
  const summary = JSON.parse(answer.headers.get('x-clickhouse-summary') ?? '{}') as Record<string, string>;
  delete summary.elapsed_ns;
  return `${answer.status} ${JSON.stringify(summary)} ${await answer.text()}`;
}
async function asEngineer(sql: string): Promise<string> {
  const answer = await service.request('/api/v1/sql', {
    method: 'POST',
    headers: { 'service-key': own('server-mine'), 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: sql }),
  });
  return `${answer.status} ${(await answer.text()).replace(/"elapsed_ms":\d+/, '')}`;
}

async function answers(): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const [index, sql] of [...statements(), ...FORMATS].entries()) {
    all.set(`reader: ${sql}`, await asReader(sql));
    // The endpoint asks as such a user: with every third it is shown to add nothing of its own.
    if (index % 3 === 0) all.set(`engineer: ${sql}`, await asEngineer(sql));
  }
  return all;
}

let before: Map<string, string>;
let after: Map<string, string>;
const counts = () =>
  Promise.all(
    Object.keys(TEXTS)
      .filter((view) => view !== 'audit_log')
      .map(async (view) => {
        const [row] = await service.rows<{ n: number }>(
          `SELECT count() AS n FROM analytics.${view} WHERE project_id = ${ids.theirs}`,
        );
        return [view, Number(row?.n) > 0] as const;
      }),
  );

beforeAll(async () => {
  await service.apply(workspace('mine'));
  for (const side of SIDES) ids[side] = await idByName(service, 'projects', own(side));
  await fill('mine');
  const { status, body } = await service.admin('POST', `/projects/${ids.mine}/readers`);
  expect(status).toBe(201);
  reader = { 'X-ClickHouse-User': body.user as string, 'X-ClickHouse-Key': body.password as string };
  before = await answers();
  await service.apply(workspace('mine', 'theirs'));
  await fill('theirs');
  after = await answers();
}, 600_000);

test('the other account has rows in every view', async () => {
  expect((await counts()).filter(([, has]) => !has)).toEqual([]);
});

test('every statement answers the same, error or rows', () => {
  expect(before.size).toBeGreaterThan(400);
  const changed = [...before].filter(([sql, answer]) => after.get(sql) !== answer);
  expect(changed.map(([sql, answer]) => [sql, answer, after.get(sql)])).toEqual([]);
});

test('what a side asks of its own rows is answered, and never with what is not its own', () => {
  const plain = (view: string) => after.get(`reader: SELECT count() FROM ${view} WHERE 1`) ?? '';
  for (const view of Object.keys(TEXTS).filter((one) => one !== 'audit_log'))
    expect([view, plain(view)]).toEqual([view, expect.stringMatching(/^200 .* [1-9]\d*\n$/)]);
  for (const [sql, answer] of after) {
    if (!sql.includes(SECRET)) expect([sql, answer]).not.toEqual([sql, expect.stringContaining(SECRET)]);
  }
});

test('an error tells its kind, and quotes nothing but the statement', async () => {
  expect(await asReader('SELECT toUInt64(tid) FROM clicks')).toMatch(
    /Code: 6\. DB::Exception: The statement failed: CANNOT_PARSE_TEXT\. \(CANNOT_PARSE_TEXT\)/,
  );
  expect(await asReader('SELECT nothing FROM clicks')).toMatch(/identifier `nothing`\. \(UNKNOWN_IDENTIFIER\)/);
  expect(await asReader('SELECT 1 FROM nowhere')).toMatch(/nowhere/);
  expect(await asReader('SELEC 1')).toMatch(/failed at position 1/);
  expect(await asEngineer('SELEC 1')).toMatch(/failed at position 1/);
  const [errors, failed] = [[...after.values()].filter((answer) => !answer.startsWith('200')), /horse|adtrail\./];
  expect(errors.filter((answer) => failed.test(answer))).toEqual([]);
});
