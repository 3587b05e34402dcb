/** Wires the HTTP side: the routes of every role, and which request reaches which app. */
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import type Router from '@koa/router';
import { readApiReference } from './api-reference';
import { appReportRoutes } from '../app-report/routes';
import { attributionRoutes } from '../attribution/routes';
import { backupRoutes } from '../backup/routes';
import { campaignRoutes } from '../campaigns/routes';
import { channelRoutes } from '../channels/routes';
import { Quotas } from '../collect/quotas';
import { collectRoutes } from '../collect/routes';
import { spendRoutes } from '../collect/spend-routes';
import { webCollectorRoutes } from '../collect/web/routes';
import type { Config } from '../config';
import { countAttributedUsers } from '../configuration/attributed-users';
import { timezoneResolver } from '../configuration/timezones';
import { doctorRoutes } from '../doctor/routes';
import { domainRoutes } from '../domains/routes';
import { erasureRoutes } from '../erasure/routes';
import { sealRequests } from '../erasure/sealed';
import { ExportRunner } from '../files/export-runner';
import { exportRoutes } from '../export/routes';
import { personIn, type Administrators } from '../http/administrators';
import { createApp, dispatch } from '../http/apps';
import { dashboardRoutes } from '../http/dashboard';
import { docsRoutes } from '../http/docs';
import { healthRoutes } from '../http/health';
import { collectorLimits, limitByPerson, limitBySource } from '../http/limits';
import { observeRequests } from '../http/observe';
import { installRoutes } from '../installs/routes';
import { keyRoutes } from '../keys/routes';
import { LeasedLimiter } from '../limits/leased-limiter';
import { isLoopback } from '../net/loopback';
import { postbackLogRoutes } from '../deliveries/routes';
import { partnerPortalRoutes } from '../partner-portal/routes';
import { partnerQualityRoutes } from '../partner-quality/routes';
import { partnerRoutes } from '../partners/routes';
import { postbackRoutes } from '../postbacks/routes';
import { queryRoutes } from '../query/routes';
import { boundedReads } from '../reporting/bounded-reads';
import { ReportRunner } from '../reporting/report-runner';
import { clickImportRoutes } from '../s2s/import-routes';
import { s2sRoutes } from '../s2s/routes';
import { createIngest } from '../s2s/service';
import { createTryOut } from '../s2s/trial';
import { sqlRoutes } from '../sql-console/routes';
import { Turns } from '../sql-console/turns';
import { statusRoutes } from '../status/routes';
import { readStatus } from '../status/status';
import { linkFileRoutes } from '../links/file-routes';
import { linkPreviewRoutes } from '../links/preview-routes';
import { trackingLinks } from '../links/routes';
import { version } from '../lib/version';
import { webReportRoutes } from '../web-report/routes';
import { webhookRoutes } from '../webhooks/routes';
import { workspaceRoutes } from '../workspace/routes';
import { backupPlaces } from './backup-places';
import type { HttpParts } from './http-parts';
import { peopleRouters, wireGuards, type Guards } from './people';

/** Threads of a report in ClickHouse: more would take them from ingest. */
const REPORT_THREADS = 2;
/** Threads of a file: several are written at a time. */
const EXPORT_THREADS = 1;

/** What answers every request of this process, by its host, path and roles. */
export function wireHttp(parts: HttpParts): RequestListener {
  const { snapshot } = parts;
  const guards = wireGuards(parts);
  const collectors = parts.config.roles.has('collect') ? collectorRoutes(parts, guards) : [];
  // One limit for all that browsers load: links, the files beside them, and the script.
  const { limits, trustProxy } = parts.config;
  const linkLimit = limitBySource(parts.limiterOf('links', limits.links), trustProxy);
  const apps = {
    main: mainApp(parts, guards, collectors, linkLimit),
    s2s: s2sApp(parts, guards),
    domain: domainApp(parts, collectors, linkLimit),
  };
  const observe = observeRequests(parts.metrics.observeAnswer, parts.tracing);
  // A domain of an earlier version may be a host of the service.
  const own = new Set(listOwnHosts(parts.config));
  const isDomain = (host: string) => !own.has(host) && snapshot.domain(host) !== undefined;
  return dispatch(apps, isDomain, parts.app.onRefusal, observe);
}

/** What S2S and the import of clicks check requests by. */
const wireChecking = ({ config, snapshot, datacenters, ingest, now }: HttpParts) => ({
  enabled: config.s2sEnabled,
  snapshot,
  datacenters,
  receipts: ingest.receipts,
  now,
});

function mainApp(parts: HttpParts, guards: Guards, collectors: readonly Router[], linkLimit: Middleware): Koa {
  const { config, limiterOf } = parts;
  const { limits, trustProxy } = config;
  const persons = limiterOf('person', limits.person);
  const first = [
    underPrefix('/admin/v1', guards.admins.known),
    underPrefix(
      '/admin/v1',
      limitByPerson(persons, (ctx) => personIn(ctx)),
    ),
    underPrefix('/auth/v1', limitBySource(limiterOf('auth', limits.ip), trustProxy)),
    underPrefix('/auth/v1', limitByPerson(persons, guards.access.sessions.person)),
    underPrefix('/api/v1', limitBySource(limiterOf('ip', limits.ip), trustProxy)),
    underPrefix('/adtrail.js', linkLimit),
    underPrefix('/v1/postbacks', limitBySource(limiterOf('partner-log', limits.ip), trustProxy)),
  ];
  const api = config.roles.has('api') ? [...apiRoutes(parts, guards), ...peopleRouters(parts, guards)] : [];
  return createApp(parts.app, first, [operationRoutes(parts, guards.admins), ...api, ...collectors]);
}

function s2sApp(parts: HttpParts, { access }: Guards): Koa | undefined {
  const { config, ingest, limiterOf, metrics, now, app } = parts;
  if (!config.roles.has('s2s')) return undefined;
  const limiter = new LeasedLimiter(limiterOf('s2s', config.limits.s2sCampaign), now);
  const options = { ...wireChecking(parts), stores: ingest.stores, counts: ingest.requestCounts, limiter };
  const routes = s2sRoutes({
    ingest: createIngest(options),
    tryOut: createTryOut(options),
    sessions: access.sessions,
    trialLimiter: limiterOf('s2s-trial', config.limits.s2sTrial),
    count: metrics.s2sRequests,
  });
  return createApp(app, [routes]);
}

/** Tracking links let the paths of the routers pass; collectors have limits of their own. */
function domainApp(
  { config, snapshot, ingest, metrics, app, now }: HttpParts,
  collectors: readonly Router[],
  linkLimit: Middleware,
): Koa {
  const limit = exceptUnderPrefix('/collect/v1', linkLimit);
  if (!config.roles.has('links')) return createApp(app, [limit], collectors);
  const options = { snapshot, now, recorder: ingest.recorder };
  const links = trackingLinks(options, config.trustProxy, metrics.linkRequests);
  return createApp(app, [limit, links], [...collectors, linkFileRoutes(options)]);
}

/** Health and metrics, of every process. */
function operationRoutes({ config, readiness, snapshot, metrics, gatherMetrics }: HttpParts, admins: Administrators) {
  return healthRoutes({
    readiness,
    admins,
    isPublic: !isLoopback(config.host),
    metrics: async () => {
      metrics.configurationAge.set(snapshot.ageSeconds);
      const text = gatherMetrics ? await gatherMetrics() : await metrics.registry.metrics();
      return { type: metrics.registry.contentType, text };
    },
  });
}

/** The hosts at which the service itself is reached: the first is the one that domains lead to. */
const listOwnHosts = ({ host, ownHosts }: Config) => [...ownHosts, host.toLowerCase()];

/** The main API and administration. */
export function apiRoutes(parts: HttpParts, { access, admins }: Guards): Router[] {
  const {
    config,
    adminToken,
    seals,
    postgres,
    clickhouse,
    reader,
    snapshot,
    ingest,
    background,
    configSync,
    limiterOf,
    metrics,
    log,
    now,
  } = parts;
  const { limits, report } = config;
  const data = limiterOf('data', limits.data);
  const reportLimits = { seconds: report.seconds, bytes: report.memoryMb * 1_000_000, threads: REPORT_THREADS };
  const reports = new ReportRunner(
    clickhouse,
    reportLimits,
    log,
    (report, outcome, seconds) => metrics.reportSeconds.observe({ report, outcome }, seconds),
    parts.tracing,
  );
  const records = { postgres, clickhouse: boundedReads(clickhouse, reportLimits) };
  const files = new ExportRunner(
    clickhouse,
    { bytes: report.memoryMb * 1_000_000, threads: EXPORT_THREADS },
    log,
    (kind, outcome, seconds) => metrics.exportSeconds.observe({ export: kind, outcome }, seconds),
  );
  metrics.onReports(() => ({ ...reports.load, exports: files.count }));
  const queryLimit = limiterOf('query', limits.query);
  const syncConfiguration = () => configSync.sync();
  const administration = { postgres, admins, refresh: () => snapshot.refresh(), now };
  const { quarantine } = background;
  const reporting = { postgres, access, reports, syncConfiguration, now };
  const mustBeComplete = {
    app: (projectId: number) => quarantine.mustBeComplete(['attribution', 'install-journeys'], projectId),
    web: (projectId: number) => quarantine.mustBeComplete(['web-visitors'], projectId),
  };
  const status = {
    postgres,
    clickhouse,
    processes: ingest.processes,
    quarantine,
    readiness: parts.readiness,
    lags: background.lags,
    now,
  };
  return [
    docsRoutes(readApiReference),
    dashboardRoutes(path.join(__dirname, '..', '..', 'dist', 'dashboard')),
    workspaceRoutes({
      ...administration,
      hosts: new Set(listOwnHosts(config)),
      resolveTimezone: timezoneResolver(clickhouse),
      seals,
    }),
    partnerRoutes(administration),
    keyRoutes({ ...administration, readers: parts.readers }),
    domainRoutes({ ...administration, resolver: parts.resolver, host: listOwnHosts(config)[0] as string }),
    channelRoutes(administration),
    postbackRoutes({ ...administration, seals }),
    webhookRoutes({ ...administration, seal: seals.of('webhook secrets') }),
    clickImportRoutes({ ...wireChecking(parts), clicks: ingest.stores.click, admins }),
    campaignRoutes({
      postgres,
      access,
      attributedUsers: countAttributedUsers(clickhouse),
      data,
      management: limiterOf('management', limits.management),
      now,
    }),
    linkPreviewRoutes({ postgres, access, limiter: data }),
    appReportRoutes({
      ...reporting,
      limiter: limiterOf('app-reporting', limits.reporting),
      mustBeComplete: mustBeComplete.app,
    }),
    queryRoutes({
      ...reporting,
      files,
      limiter: queryLimit,
      catchUp: background.catchUpWebVisitors,
      mustBeComplete,
    }),
    partnerQualityRoutes({ ...reporting, limiter: queryLimit, mustBeComplete: mustBeComplete.app }),
    partnerPortalRoutes({ ...reporting, admins, limiter: queryLimit }),
    postbackLogRoutes({
      ...records,
      attempts: clickhouse,
      seals,
      admins,
      snapshot,
      sender: parts.sender,
      limiters: { search: data, replay: queryLimit, test: limiterOf('postback-test', limits.management) },
      log,
      now,
    }),
    exportRoutes({
      access,
      files,
      postgres,
      settled: () => ingest.processes.settledByAll(),
      limiter: queryLimit,
      now,
    }),
    sqlRoutes({
      postgres,
      clickhouse,
      access,
      reader,
      cluster: config.clickhouse.cluster,
      secret: adminToken,
      turns: new Turns((outcome, seconds) => metrics.reportSeconds.observe({ report: 'sql', outcome }, seconds)),
      limiter: data,
    }),
    webReportRoutes({
      ...reporting,
      limiter: limiterOf('web-report', limits.reporting),
      catchUp: background.catchUpWebVisitors,
      mustBeComplete: mustBeComplete.web,
    }),
    attributionRoutes({ ...records, access, admins, data }),
    installRoutes({ ...records, access, limiter: data }),
    erasureRoutes({ postgres, seal: sealRequests(seals), admins, onRequest: background.eraseSoon }),
    statusRoutes({ ...status, admins }),
    doctorRoutes({ ...doctorParts(parts), admins, status: () => readStatus(status) }),
    backupRoutes({ ...backupParts(parts), admins, places: backupPlaces(config), log }),
  ];
}

const doctorParts = ({ config, postgres, clickhouse, pingRedis, seals, now }: HttpParts) => ({
  seals,
  postgres,
  clickhouse,
  cluster: config.clickhouse.cluster,
  pingRedis,
  dataDir: config.dataDir,
  logs: config.ingest.folder,
  version,
  now,
});

const backupParts = ({ config, databaseUrl, postgres, clickhouse, ingest, seals, sealKey, now }: HttpParts) => ({
  seals,
  sealKey,
  databaseUrl,
  postgres,
  clickhouse,
  cluster: config.clickhouse.cluster,
  dataDir: config.dataDir,
  logs: config.ingest.folder,
  version,
  settle: (at: number, ms: number) => ingest.processes.waitUntil(at, ms),
  now,
});

function collectorRoutes(parts: HttpParts, { access }: Guards): Router[] {
  const { config, postgres, clickhouse, snapshot, ingest, limiterOf, metrics, log, now } = parts;
  const { receipts, appEvents, webEvents } = ingest;
  const { trustProxy } = config;
  const { key, address } = config.limits.collect;
  const limits = collectorLimits(
    { key: limiterOf('collect-key', key), source: limiterOf('collect', address) },
    trustProxy,
  );
  const quotas = new Quotas(config.limits.quotas, now, (quota, projectId, isFirst) => {
    metrics.overQuota.inc({ quota });
    if (isFirst) log.warn(`Project ${projectId} has sent more by a public key than QUOTA_COLLECT allows: ${quota}`);
  });
  return [
    collectRoutes({ snapshot, receipts, appEvents, limits, quotas, trustProxy }),
    spendRoutes({ postgres, clickhouse, access, now }),
    webCollectorRoutes({ snapshot, receipts, store: webEvents, limits, quotas, trustProxy, script: readScript() }),
  ];
}

/** The browser script, as `npm run build` minified it. */
const readScript = () => readFileSync(path.join(__dirname, '..', 'browser', 'adtrail.js'), 'utf8');

const isUnder = (prefix: string, path: string) => path === prefix || path.startsWith(`${prefix}/`);

/** Everything under a path passes a guard first, unknown paths too: an outsider does not learn which exist. */
const underPrefix =
  (prefix: string, guard: Middleware): Middleware =>
  async (ctx, next) => {
    await (isUnder(prefix, ctx.path) ? guard(ctx, next) : next());
  };

const exceptUnderPrefix =
  (prefix: string, guard: Middleware): Middleware =>
  async (ctx, next) => {
    await (isUnder(prefix, ctx.path) ? next() : guard(ctx, next));
  };
