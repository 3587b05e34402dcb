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
import { requireAdmin, adminRoutes } from './admin/routes';
import { attributionRoutes, explainRoutes } from './attribution/routes';
import { createAttribution } from './attribution/worker';
import { webCollectorRoutes } from './collect/web/routes';
import { WEB_EVENT_COLUMNS, WEB_EVENTS } from './collect/web/web-event';
import { Derivation } from './derived/derivation';
import { erasureRoutes } from './erasure/routes';
import { createErasure } from './erasure/worker';
import { createApp, dispatch, logErrors } from './http/apps';
import { clientIp, limitKey } from './http/client-ip';
import { docsRoutes } from './http/docs';
import { healthRoutes } from './http/health';
import { rateLimit } from './http/limits';
import { listen } from './http/server';
import { EventLedger } from './ingest/event-ledger';
import { Ledger, type RecordLedger } from './ingest/ledger';
import { readFirstVersionOfDay } from './ingest/queries';
import { Receipts, utcDay } from './ingest/receipts';
import { LARGE_FLUSH, SMALL_FLUSH, Store, type Flush } from './ingest/store';
import { Sweeper } from './ingest/sweep';
import { LeasedLimiter } from './limits/leased-limiter';
import { limiterFactory } from './limits/limiters';
import type { Log } from './log';
import { ClickRecorder } from './tracking-links/recorder';
import { linkFileRoutes, trackingLinks } from './tracking-links/routes';
import { COLUMNS as LINK_COLUMNS } from './tracking-links/rows';
import { createMetrics, type Metrics } from './metrics';
import type { DatacenterRanges } from './net/datacenter';
import { attributedUsersOf } from './configuration/attributed-users';
import { createClickHouseConfigSync } from './configuration/clickhouse-config-sync';
import { ConfigSnapshot } from './configuration/config-snapshot';
import { followConfiguration } from './configuration/follow-changes';
import { ExchangeRateSync } from './configuration/exchange-rate-sync';
import { ReportRunner } from './reporting/report-runner';
import { apiReference } from './api-reference';
import { CLICK, DEFINITIONS, type Definition } from './s2s/definitions';
import { clickImportRoutes, s2sRoutes } from './s2s/routes';
import { columnsOf } from './s2s/row';
import { createIngest } from './s2s/service';
import { tryWithLock, runPeriodically, type Loop } from './periodic';
import { createWebCampaignSync } from './configuration/web-campaign-sync';
import { Derivation as WebDerivation } from './web-report/derivation';
import { webReportRoutes } from './web-report/routes';

/** How often the things that look after themselves look: loading the ledger, sweeping, copying names. */
const UPKEEP_MS = 2_000;
/** How often installs are decided: they wait for company, and may take five seconds (docs/contract.md, Attribution). */
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

  const snapshot = new ConfigSnapshot(postgres, now);
  await snapshot.refresh();
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

  const copyConfiguration = createClickHouseConfigSync(postgres, clickhouse);
  const webLedger = new EventLedger(clickhouse, WEB_EVENTS);
  const webEvents = createStore(WEB_EVENTS.table, WEB_EVENT_COLUMNS, clickhouse, webLedger, LARGE_FLUSH, metrics);
  const webDerivation = new WebDerivation({ postgres, clickhouse, tryWithLock, now });
  const webVisitors =
    roles.has('api') || roles.has('collect')
      ? runPeriodically('Derivation of web visitors', WEB_DERIVATION_MS, log, () => webDerivation.keepUp())
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
    ? runPeriodically(
        'Attribution',
        ATTRIBUTION_MS,
        log,
        createAttribution({ postgres, clickhouse, copyConfiguration, now }),
      )
    : undefined;
  const derivation = new Derivation(clickhouse);
  const deriving = roles.has('attribution')
    ? runPeriodically('Deriving reports', DERIVATION_MS, log, () =>
        tryWithLock(postgres, DERIVATION_LOCK, (db) => derivation.turn(db)),
      )
    : undefined;
  const forgetting = roles.has('attribution')
    ? runPeriodically(
        'Forgetting',
        FORGETTING_MS,
        log,
        createErasure({ postgres, clickhouse, cluster: config.clickhouse.cluster, now }),
      )
    : undefined;
  const unfollow = followConfiguration(postgres, snapshot, upkeep.soon);

  let closing = false;
  const app = { onError: logErrors(log), isClosing: () => closing };
  const guard = requireAdmin(at.adminToken);
  const health = healthRoutes(
    {
      engines: async () => ({
        postgres: await answers(postgres.rows('SELECT 1')),
        clickhouse: await answers(clickhouse.rows('SELECT 1')),
      }),
      metrics: async () => {
        metrics.configurationAge.set(snapshot.ageSeconds);
        return {
          type: metrics.registry.contentType,
          text: gatherMetrics ? await gatherMetrics() : await metrics.registry.metrics(),
        };
      },
    },
    guard,
  );
  const limiterOf = limiterFactory(redis);
  const sourceLimit = rateLimit(limiterOf('ip', config.limits.ip), (ctx) =>
    limitKey(clientIp(ctx.req, config.trustProxy)),
  );
  const dataLimiter = limiterOf('data', config.limits.data);
  const attributionApi = [
    attributionRoutes({ postgres, clickhouse, snapshot, data: dataLimiter }),
    explainRoutes({ postgres, clickhouse }, guard),
    erasureRoutes(postgres, guard, () => forgetting?.soon()),
  ];
  const campaigns = campaignRoutes({
    postgres,
    snapshot,
    attributedUsers: attributedUsersOf(clickhouse),
    data: dataLimiter,
    management: limiterOf('management', config.limits.management),
  });
  const rates = new ExchangeRateSync(postgres, clickhouse);
  const reports = new ReportRunner(clickhouse, {
    seconds: config.report.seconds,
    bytes: config.report.memoryMb * 1_000_000,
    threads: REPORT_THREADS,
  });
  const appReport = appReportRoutes({
    postgres,
    snapshot,
    reports,
    rates,
    now,
    limiter: limiterOf('app-reporting', config.limits.reporting),
  });
  const admin = adminRoutes(postgres, at.adminToken, () => snapshot.refresh(), now);
  const webReport = webReportRoutes({
    snapshot,
    reports,
    postgres,
    now,
    limiter: limiterOf('web-report', config.limits.reporting),
    catchUp: () => webDerivation.catchUp(),
    copyCampaigns: createWebCampaignSync(postgres, clickhouse),
  });
  const limiter = new LeasedLimiter(limiterOf('s2s', config.limits.s2sCampaign), now);
  const checking = { enabled: config.s2sEnabled, snapshot, datacenters, receipts };
  const ingest = createIngest({ ...checking, stores, limiter });
  const clickImport = clickImportRoutes({ ...checking, clicks: stores.click });
  const webCollector = webCollectorRoutes({
    snapshot,
    receipts,
    store: webEvents,
    trustProxy: config.trustProxy,
    script: readScript(),
  });
  const collect = roles.has('collect')
    ? [
        collectRoutes({ snapshot, receipts, appEvents, trustProxy: config.trustProxy }),
        spendRoutes({ postgres, clickhouse, snapshot, now }),
        webCollector,
      ]
    : [];
  const main = createApp(
    app,
    [underPrefix('/admin/v1', guard), underPrefix('/api/v1', sourceLimit)],
    [
      health,
      ...(roles.has('api')
        ? [docsRoutes(apiReference), admin, clickImport, campaigns, appReport, webReport, ...attributionApi]
        : []),
      ...collect,
    ],
  );
  const s2s = roles.has('s2s') ? createApp(app, [s2sRoutes(ingest, metrics.s2sRequests)]) : undefined;
  const linkOptions = { snapshot, receipts, recorder };
  // Links let the paths of the routers pass.
  const domain = roles.has('links')
    ? createApp(
        app,
        [trackingLinks(linkOptions, config.trustProxy, metrics.linkRequests)],
        [...collect, linkFileRoutes(linkOptions)],
      )
    : createApp(app, [], collect);
  const server = await listen(
    dispatch({ main, s2s, domain }, (host) => snapshot.domain(host) !== undefined),
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
      if (lost > 0) log.error(`Lost ${lost} clicks on tracking links: ClickHouse did not take them`);
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
  return runPeriodically('Upkeep', UPKEEP_MS, log, async () => {
    for (const ledger of ledgers) await ledger.keepLoaded(now());
    await tryWithLock(postgres, UPKEEP_LOCK, async () => {
      await sweeper.sweep(now());
      await copyConfiguration();
    });
  });
}
