/** Wires the HTTP side: the routes of every role, and which request reaches which app. */
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import type Router from '@koa/router';
import { adminRoutes, requireAdmin } from '../admin/routes';
import { apiReference } from '../api-reference';
import { appReportRoutes } from '../app-report/routes';
import { attributionRoutes, explainRoutes } from '../attribution/routes';
import { campaignRoutes } from '../campaigns/routes';
import { collectRoutes, spendRoutes } from '../collect/routes';
import { webCollectorRoutes } from '../collect/web/routes';
import type { Config } from '../config';
import { attributedUsersOf } from '../configuration/attributed-users';
import type { ClickHouseConfigSync } from '../configuration/clickhouse-config-sync';
import type { ConfigSnapshot } from '../configuration/config-snapshot';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { erasureRoutes } from '../erasure/routes';
import { createApp, dispatch, type AppOptions } from '../http/apps';
import { clientIp, limitKey } from '../http/client-ip';
import { docsRoutes } from '../http/docs';
import { healthRoutes } from '../http/health';
import { rateLimit } from '../http/limits';
import { LeasedLimiter } from '../limits/leased-limiter';
import type { LimiterFactory } from '../limits/limiters';
import type { Metrics } from '../metrics';
import type { DatacenterRanges } from '../net/datacenter';
import { ReportRunner } from '../reporting/report-runner';
import { clickImportRoutes, s2sRoutes } from '../s2s/routes';
import { createIngest } from '../s2s/service';
import { linkFileRoutes, trackingLinks } from '../tracking-links/routes';
import { webReportRoutes } from '../web-report/routes';
import type { Ingest } from './ingest';
import type { Background } from './materialize';

/** Threads of a report in ClickHouse: more would take them from ingest. */
const REPORT_THREADS = 2;

export interface HttpParts {
  readonly config: Config;
  readonly adminToken: string;
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly snapshot: ConfigSnapshot;
  readonly datacenters: DatacenterRanges;
  readonly ingest: Ingest;
  readonly background: Background;
  readonly configSync: ClickHouseConfigSync;
  readonly limiterOf: LimiterFactory;
  readonly metrics: Metrics;
  /** Answers /metrics for all processes of the machine, where there are several. */
  readonly gatherMetrics: (() => Promise<string>) | undefined;
  readonly app: AppOptions;
  readonly now: () => number;
}

/** What answers every request of this process, by its host, path and roles. */
export function wireHttp(parts: HttpParts): RequestListener {
  const { snapshot } = parts;
  const collectors = parts.config.roles.has('collect') ? collectorRoutes(parts) : [];
  const apps = {
    main: mainApp(parts, collectors),
    s2s: s2sApp(parts),
    domain: domainApp(parts, collectors),
  };
  return dispatch(apps, (host) => snapshot.domain(host) !== undefined);
}

/** What S2S and the import of clicks check requests by. */
const checkingOf = ({ config, snapshot, datacenters, ingest }: HttpParts) => ({
  enabled: config.s2sEnabled,
  snapshot,
  datacenters,
  receipts: ingest.receipts,
});

function mainApp(parts: HttpParts, collectors: readonly Router[]): Koa {
  const { config, adminToken, limiterOf } = parts;
  const onlyAdmins = requireAdmin(adminToken);
  const sourceLimit = rateLimit(limiterOf('ip', config.limits.ip), (ctx) =>
    limitKey(clientIp(ctx.req, config.trustProxy)),
  );
  const guards = [underPrefix('/admin/v1', onlyAdmins), underPrefix('/api/v1', sourceLimit)];
  const api = config.roles.has('api') ? apiRoutes(parts, onlyAdmins) : [];
  return createApp(parts.app, guards, [operationRoutes(parts, onlyAdmins), ...api, ...collectors]);
}

function s2sApp(parts: HttpParts): Koa | undefined {
  const { config, ingest, limiterOf, metrics, now, app } = parts;
  if (!config.roles.has('s2s')) return undefined;
  const limiter = new LeasedLimiter(limiterOf('s2s', config.limits.s2sCampaign), now);
  const accept = createIngest({ ...checkingOf(parts), stores: ingest.stores, limiter });
  return createApp(app, [s2sRoutes(accept, metrics.s2sRequests)]);
}

/** Tracking links let the paths of the routers pass. */
function domainApp({ config, snapshot, ingest, metrics, app }: HttpParts, collectors: readonly Router[]): Koa {
  if (!config.roles.has('links')) return createApp(app, [], collectors);
  const options = { snapshot, receipts: ingest.receipts, recorder: ingest.recorder };
  const links = trackingLinks(options, config.trustProxy, metrics.linkRequests);
  return createApp(app, [links], [...collectors, linkFileRoutes(options)]);
}

/** Health and metrics, of every process. */
function operationRoutes({ postgres, clickhouse, snapshot, metrics, gatherMetrics }: HttpParts, guard: Middleware) {
  const health = {
    engines: async () => ({
      postgres: await answers(postgres.rows('SELECT 1')),
      clickhouse: await answers(clickhouse.rows('SELECT 1')),
    }),
    metrics: async () => {
      metrics.configurationAge.set(snapshot.ageSeconds);
      const text = gatherMetrics ? await gatherMetrics() : await metrics.registry.metrics();
      return { type: metrics.registry.contentType, text };
    },
  };
  return healthRoutes(health, guard);
}

const answers = (question: Promise<unknown>) =>
  question.then(
    () => true,
    () => false,
  );

/** The main API and administration. */
function apiRoutes(parts: HttpParts, onlyAdmins: Middleware): Router[] {
  const { config, adminToken, postgres, clickhouse, snapshot, ingest, background, configSync, limiterOf, now } = parts;
  const { limits, report } = config;
  const data = limiterOf('data', limits.data);
  const reports = new ReportRunner(clickhouse, {
    seconds: report.seconds,
    bytes: report.memoryMb * 1_000_000,
    threads: REPORT_THREADS,
  });
  const syncConfiguration = () => configSync.sync();
  const reporting = { postgres, snapshot, reports, syncConfiguration, now };
  return [
    docsRoutes(apiReference),
    adminRoutes(postgres, adminToken, () => snapshot.refresh(), now),
    clickImportRoutes({ ...checkingOf(parts), clicks: ingest.stores.click }),
    campaignRoutes({
      postgres,
      snapshot,
      attributedUsers: attributedUsersOf(clickhouse),
      data,
      management: limiterOf('management', limits.management),
    }),
    appReportRoutes({ ...reporting, limiter: limiterOf('app-reporting', limits.reporting) }),
    webReportRoutes({
      ...reporting,
      limiter: limiterOf('web-report', limits.reporting),
      catchUp: background.catchUpWebVisitors,
    }),
    attributionRoutes({ postgres, clickhouse, snapshot, data }),
    explainRoutes({ postgres, clickhouse }, onlyAdmins),
    erasureRoutes(postgres, onlyAdmins, background.eraseSoon),
  ];
}

function collectorRoutes({ config, postgres, clickhouse, snapshot, ingest, now }: HttpParts): Router[] {
  const { receipts, appEvents, webEvents } = ingest;
  const { trustProxy } = config;
  return [
    collectRoutes({ snapshot, receipts, appEvents, trustProxy }),
    spendRoutes({ postgres, clickhouse, snapshot, now }),
    webCollectorRoutes({ snapshot, receipts, store: webEvents, trustProxy, script: readScript() }),
  ];
}

/** The browser script, as `npm run build` minified it. */
const readScript = () => readFileSync(path.join(__dirname, '..', 'browser', 'adtrail.js'), 'utf8');

/** Everything under a path passes a guard first, unknown paths too: an outsider does not learn which exist. */
const underPrefix =
  (prefix: string, guard: Middleware): Middleware =>
  async (ctx, next) => {
    const isGuarded = ctx.path === prefix || ctx.path.startsWith(`${prefix}/`);
    await (isGuarded ? guard(ctx, next) : next());
  };
