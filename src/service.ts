/** Puts the service of one process together: from connections to features to a listening port, and back down again. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from './config';
import type { Middleware } from 'koa';
import { appReportRoutes } from './app-report/routes';
import { campaignRoutes } from './campaigns/routes';
import { APP_EVENT_COLUMNS } from './collect/app-event';
import { collectRoutes, spendRoutes } from './collect/routes';
import { connectClickHouse, type ClickHouse } from './db/clickhouse';
import { connectPostgres, type Postgres } from './db/postgres';
import { connectRedis } from './db/redis';
import { adminOnly, adminRoutes } from './admin/routes';
import { attributionRoutes, explainRoutes } from './attribution/routes';
import { createAttribution } from './attribution/worker';
import { webCollectorRoutes } from './collect/web/routes';
import { WEB_EVENT_COLUMNS, WEB_EVENTS } from './collect/web/web-event';
import { Derivation } from './derived/derivation';
import { forgettingRoutes } from './forgetting/routes';
import { createForgetting } from './forgetting/worker';
import { createApp, dispatch } from './http/apps';
import { clientIp, limitKey } from './http/client-ip';
import { docsRoutes } from './http/docs';
import { healthRoutes } from './http/health';
import { limited } from './http/limits';
import { listen } from './http/server';
import { EventLedger } from './ingest/event-ledger';
import { Ledger, type RecordLedger } from './ingest/ledger';
import { readFirstVersionOfDay } from './ingest/queries';
import { Receipts, utcDay } from './ingest/receipts';
import { LARGE_FLUSH, SMALL_FLUSH, Store, type Flush } from './ingest/store';
import { Sweeper } from './ingest/sweep';
import { LeasedLimiter } from './limits/leased-limiter';
import { limiterFactory } from './limits/limiters';
import { describeError, type Log } from './log';
import { ClickRecorder } from './links/recorder';
import { linkFileRoutes, links } from './links/routes';
import { COLUMNS as LINK_COLUMNS } from './links/rows';
import { createMetrics, type Metrics } from './metrics';
import type { DatacenterRanges } from './net/datacenter';
import { attributedUsersOf } from './projects/attributed-users';
import { createCopies } from './projects/copies';
import { Directory } from './projects/directory';
import { followConfiguration } from './projects/follow';
import { Rates } from './projects/rates';
import { Reports } from './reporting/reports';
import { reference } from './reference';
import { CLICK, DEFINITIONS, type Definition } from './s2s/definitions';
import { clickImportRoutes, s2sRoutes } from './s2s/routes';
import { columnsOf } from './s2s/rows';
import { createIngest } from './s2s/service';
import { alone, repeat, type Loop } from './upkeep';
import { campaignCopier } from './web-report/copy';
import { Derivation as WebDerivation } from './web-report/derivation';
import { webReportRoutes } from './web-report/routes';

/** How often the things that look after themselves look: loading the ledger, sweeping, copying names. */
const UPKEEP_MS = 2_000;
/** How often installs are decided: they wait for company, and may take five seconds (decisions.md §8). */
const ATTRIBUTION_MS = 1_000;
/** How often the requests to forget are looked at: a minute is all they may take to be hidden. */
const FORGETTING_MS = 5_000;
/** The table of app events, as its ledger needs to know it. */
const APP_EVENTS = { table: 'app_events', idColumn: 'id' };
/** The advisory lock under which one process at a time does the upkeep of what all share. */
const UPKEEP_LOCK = 7_203_002;
/** How long the tables that reports read rest between two turns of being brought up to date, and whose turn it is. */
const DERIVATION_MS = 1_000;
const DERIVATION_LOCK = 7_203_005;
/** Threads of a report in ClickHouse: more would take them from ingest. */
const REPORT_THREADS = 2;

/** How long a stop waits for clicks that ClickHouse has not taken yet: the engines need the rest of the time. */
const LINK_DRAIN_MS = 1_500;

/** How often web visitors are derived from what has arrived. */
const WEB_DERIVATION_MS = 2_000;

/** Where the engines are; everything is known and running by now. */
export interface Connections {
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
  readonly clickhousePassword: string | undefined;
  readonly adminToken: string;
}

export interface Service {
  readonly port: number;
  readonly metrics: Metrics;
  /** Stops accepting, answers what is in flight, stores what is queued, and lets go of the engines. */
  close(): Promise<void>;
}

/** Starts serving. `gatherMetrics` answers /metrics, for all processes of the machine where there are several. */
export async function startService(
  config: Config,
  at: Connections,
  datacenters: DatacenterRanges,
  log: Log,
  gatherMetrics?: () => Promise<string>,
): Promise<Service> {
  const now = () => Date.now();
  const { roles } = config;
  const metrics = createMetrics();
  const postgres = connectPostgres(at.databaseUrl);
  const clickhouse = connectClickHouse(at.clickhouseUrl, at.clickhousePassword);
  const redis = config.redisUrl ? connectRedis(config.redisUrl) : undefined;

  const directory = new Directory(postgres, now);
  await directory.refresh();
  const receipts = new Receipts(now);
  for (const table of DEFINITIONS) {
    const version = await readFirstVersionOfDay(clickhouse, table, utcDay(now()));
    if (version > 0) receipts.continueAfter(version);
  }
  const ledgers = Object.fromEntries(DEFINITIONS.map((table) => [table.kind, new Ledger(clickhouse, table)])) as Record<
    Definition['kind'],
    Ledger
  >;
  const stores = Object.fromEntries(
    DEFINITIONS.map((definition) => [
      definition.kind,
      createStore(definition.table, columnsOf(definition), clickhouse, ledgers[definition.kind], SMALL_FLUSH, metrics),
    ]),
  ) as Record<Definition['kind'], Store>;
  const appEventLedger = new EventLedger(clickhouse, APP_EVENTS);
  const appEvents = createStore(APP_EVENTS.table, APP_EVENT_COLUMNS, clickhouse, appEventLedger, LARGE_FLUSH, metrics);

  // The same table and ledger as partners' clicks, with columns of its own: those clicks do not pay for what they lack.
  const linkStore = createStore(CLICK.table, LINK_COLUMNS, clickhouse, ledgers.click, SMALL_FLUSH, metrics);
  const recorder = new ClickRecorder({
    store: linkStore,
    today: () => utcDay(now()),
    onLost: (clicks) => metrics.lostLinkClicks.inc(clicks),
  });

  const copyConfiguration = createCopies(postgres, clickhouse);
  const webLedger = new EventLedger(clickhouse, WEB_EVENTS);
  const webEvents = createStore(WEB_EVENTS.table, WEB_EVENT_COLUMNS, clickhouse, webLedger, LARGE_FLUSH, metrics);
  const webDerivation = new WebDerivation({ postgres, clickhouse, alone, now });
  const webVisitors =
    roles.has('api') || roles.has('collect')
      ? repeat('Derivation of web visitors', WEB_DERIVATION_MS, log, () => webDerivation.keepUp())
      : undefined;
  const upkeep = startUpkeep({
    postgres,
    clickhouse,
    copyConfiguration,
    ledgers: [...Object.values(ledgers), appEventLedger, webLedger],
    log,
    now,
  });
  const attribution = roles.has('attribution')
    ? repeat('Attribution', ATTRIBUTION_MS, log, createAttribution({ postgres, clickhouse, copyConfiguration, now }))
    : undefined;
  const derivation = new Derivation(clickhouse);
  const deriving = roles.has('attribution')
    ? repeat('Deriving reports', DERIVATION_MS, log, () =>
        alone(postgres, DERIVATION_LOCK, (db) => derivation.turn(db)),
      )
    : undefined;
  const forgetting = roles.has('attribution')
    ? repeat(
        'Forgetting',
        FORGETTING_MS,
        log,
        createForgetting({ postgres, clickhouse, cluster: config.clickhouse.cluster, now }),
      )
    : undefined;
  const unfollow = followConfiguration(postgres, directory, upkeep.soon);

  let closing = false;
  const app = { onError: (error: unknown) => log(`Error: ${describeError(error)}`), isClosing: () => closing };
  const guard = adminOnly(at.adminToken);
  const health = healthRoutes(
    {
      engines: async () => ({
        postgres: await answers(postgres.rows('SELECT 1')),
        clickhouse: await answers(clickhouse.rows('SELECT 1')),
      }),
      metrics: async () => {
        metrics.configurationAge.set(directory.ageSeconds);
        return {
          type: metrics.registry.contentType,
          text: gatherMetrics ? await gatherMetrics() : await metrics.registry.metrics(),
        };
      },
    },
    guard,
  );
  const limiterOf = limiterFactory(redis);
  const sourceLimit = limited(limiterOf('ip', config.limits.ip), (ctx) =>
    limitKey(clientIp(ctx.req, config.trustProxy)),
  );
  const dataLimiter = limiterOf('data', config.limits.data);
  const attributionApi = [
    attributionRoutes({ postgres, clickhouse, directory, data: dataLimiter }),
    explainRoutes({ postgres, clickhouse }, guard),
    forgettingRoutes(postgres, guard, () => forgetting?.soon()),
  ];
  const campaigns = campaignRoutes({
    postgres,
    directory,
    attributedUsers: attributedUsersOf(clickhouse),
    data: dataLimiter,
    management: limiterOf('management', config.limits.management),
  });
  const rates = new Rates(postgres, clickhouse);
  const reports = new Reports(clickhouse, {
    seconds: config.report.seconds,
    bytes: config.report.memoryMb * 1_000_000,
    threads: REPORT_THREADS,
  });
  const appReport = appReportRoutes({
    postgres,
    directory,
    reports,
    rates,
    now,
    limiter: limiterOf('app-reporting', config.limits.reporting),
  });
  const admin = adminRoutes(postgres, at.adminToken, () => directory.refresh(), now);
  const webReport = webReportRoutes({
    directory,
    reports,
    postgres,
    now,
    limiter: limiterOf('web-report', config.limits.reporting),
    catchUp: () => webDerivation.catchUp(),
    copyCampaigns: campaignCopier(postgres, clickhouse),
  });
  const limiter = new LeasedLimiter(limiterOf('s2s', config.limits.s2sCampaign), now);
  const checking = { enabled: config.s2sEnabled, directory, datacenters, receipts };
  const ingest = createIngest({ ...checking, stores, limiter });
  const clickImport = clickImportRoutes({ ...checking, clicks: stores.click });
  const webCollector = webCollectorRoutes({
    directory,
    receipts,
    store: webEvents,
    trustProxy: config.trustProxy,
    script: readScript(),
  });
  const collect = roles.has('collect')
    ? [
        collectRoutes({ directory, receipts, appEvents, trustProxy: config.trustProxy }),
        spendRoutes({ postgres, clickhouse, directory, now }),
        webCollector,
      ]
    : [];
  const main = createApp(
    app,
    [underPrefix('/admin/v1', guard), underPrefix('/api/v1', sourceLimit)],
    [
      health,
      ...(roles.has('api')
        ? [docsRoutes(reference), admin, clickImport, campaigns, appReport, webReport, ...attributionApi]
        : []),
      ...collect,
    ],
  );
  const s2s = roles.has('s2s') ? createApp(app, [s2sRoutes(ingest, metrics.s2sRequests)]) : undefined;
  const linkOptions = { directory, receipts, recorder };
  // Links let the paths of the routers pass.
  const domain = roles.has('links')
    ? createApp(
        app,
        [links(linkOptions, config.trustProxy, metrics.linkRequests)],
        [...collect, linkFileRoutes(linkOptions)],
      )
    : createApp(app, [], collect);
  const server = await listen(
    dispatch({ main, s2s, domain }, (host) => directory.domain(host) !== undefined),
    config.host,
    config.port,
  );

  return {
    port: server.port,
    metrics,
    async close() {
      closing = true;
      const closed = server.close();
      await Promise.all([...Object.values(stores), appEvents, webEvents, linkStore].map((store) => store.drain()));
      await closed;
      const lost = await recorder.drain(LINK_DRAIN_MS);
      if (lost > 0) log(`Lost ${lost} clicks on tracking links: ClickHouse did not take them`);
      await Promise.all([
        upkeep.stop(),
        attribution?.stop(),
        deriving?.stop(),
        webVisitors?.stop(),
        forgetting?.stop(),
        unfollow(),
      ]);
      redis?.disconnect();
      await Promise.all([postgres.close(), clickhouse.close()]);
    },
  };
}

/** Everything under a path passes a guard first, unknown paths too: an outsider does not learn which exist. */
const underPrefix =
  (prefix: string, guard: Middleware): Middleware =>
  async (ctx, next) => {
    const guarded = ctx.path === prefix || ctx.path.startsWith(`${prefix}/`);
    await (guarded ? guard(ctx, next) : next());
  };

const answers = (question: Promise<unknown>) =>
  question.then(
    () => true,
    () => false,
  );

function createStore(
  table: string,
  columns: readonly string[],
  db: ClickHouse,
  ledger: RecordLedger,
  flush: Flush,
  metrics: Metrics,
): Store {
  return new Store({
    db,
    table: `adtrail.${table}`,
    columns,
    ledger,
    flush,
    observe({ rows, repeats, seconds, stored }) {
      metrics.flushSeconds.observe({ table }, seconds);
      if (stored) metrics.storedRows.inc({ table }, rows);
      else metrics.refusedRows.inc({ table }, rows);
      metrics.repeatedRows.inc({ table }, repeats);
    },
  });
}

/** The browser script, as `npm run build` minified it. */
const readScript = () => readFileSync(path.join(__dirname, 'browser', 'adtrail.js'), 'utf8');

interface Upkeep {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly copyConfiguration: () => Promise<void>;
  readonly ledgers: readonly { keepLoaded(now: number): Promise<void> }[];
  readonly log: Log;
  readonly now: () => number;
}

/** Keeps the process right by itself: the ledger loaded, repeats swept, names copied. */
function startUpkeep({ postgres, clickhouse, copyConfiguration, ledgers, log, now }: Upkeep): Loop {
  const sweeper = new Sweeper(clickhouse, DEFINITIONS);
  return repeat('Upkeep', UPKEEP_MS, log, async () => {
    for (const ledger of ledgers) await ledger.keepLoaded(now());
    await alone(postgres, UPKEEP_LOCK, async () => {
      await sweeper.sweep(now());
      await copyConfiguration();
    });
  });
}
