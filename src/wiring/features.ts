/**
 * Every feature of the API, once: its chapters of the reference in the order in which readers need them, its routes,
 * and what of the process it is given.
 */
import { annotationRoutes, annotationsApi } from '../annotations/routes';
import path from 'node:path';
import type Router from '@koa/router';
import { alertRoutes, alertsApi } from '../alerts/routes';
import { appReportApi, appReportRoutes } from '../app-report/routes';
import { attributionApi, attributionRoutes } from '../attribution/routes';
import { backupApi, backupRoutes } from '../backup/routes';
import { boardRoutes, boardsApi } from '../boards/routes';

import { campaignApi, campaignLinksApi, campaignRoutes } from '../campaigns/routes';
import { channelRoutes, channelsApi } from '../channels/routes';
import { collectApi } from '../collect/routes';
import { countAttributedUsers } from '../configuration/attributed-users';
import { timezoneResolver } from '../configuration/timezones';
import { postbackLogApi, postbackLogRoutes } from '../deliveries/routes';
import { doctorApi, doctorRoutes } from '../doctor/routes';
import { domainRoutes, domainsApi } from '../domains/routes';
import { erasureApi, erasureRoutes } from '../erasure/routes';
import { sealRequests } from '../erasure/sealed';
import { readBehind } from '../export/doing';
import { exportApi, exportRoutes } from '../export/routes';
import { funnelRoutes, funnelsApi } from '../funnels/routes';
import { scheduledExportRoutes, scheduledExportsApi } from '../export/scheduled-routes';
import { dashboardRoutes } from '../http/dashboard';
import { operationsApi } from '../http/openapi';
import { installRoutes, installsApi } from '../installs/routes';
import { keyRoutes, keysApi } from '../keys/routes';
import { linkPreviewApi, linkPreviewRoutes } from '../links/preview-routes';
import { linksApi } from '../links/routes';
import { mcpApi, mcpRoutes } from '../mcp/routes';
import { version } from '../lib/version';
import type { ApiSection } from '../openapi/operation';
import { partnerPortalApi, partnerPortalRoutes } from '../partner-portal/routes';
import { touchesApi, touchRoutes } from '../partner-portal/touch-routes';
import { partnerQualityApi, partnerQualityRoutes } from '../partner-quality/routes';
import { partnerRoutes, partnersApi } from '../partners/routes';
import { peopleApi } from '../people/routes';
import { postbackRoutes, postbacksApi } from '../postbacks/routes';
import { queryApi, queryRoutes } from '../query/routes';
import { clickImportRoutes, importApi } from '../s2s/import-routes';
import { s2sApi } from '../s2s/openapi';
import { scheduleRoutes, schedulesApi } from '../schedules/routes';
import { setupApi, setupRoutes } from '../setup/routes';
import { sqlApi, sqlRoutes } from '../sql-console/routes';
import { Turns } from '../sql-console/turns';
import { ingestApi } from '../status/ingest-routes';
import { quarantineApi } from '../status/quarantine-routes';
import { statusApi, statusRoutes } from '../status/routes';
import { readStatus } from '../status/status';
import { unsubscribeRoutes } from '../unsubscribe/routes';
import { webReportApi, webReportRoutes } from '../web-report/routes';
import { webhookRoutes, webhooksApi } from '../webhooks/routes';
import { workspaceApi, workspaceRoutes } from '../workspace/routes';
import { listOwnHosts, wireChecking, type ApiParts } from './api-parts';
import { wireTools } from './mcp';
import { backupPlaces } from './backup-places';
import { exportParts, exportPlaces } from './exports';
import { wireDelivery } from './notices';
import { peopleRouters } from './people';

interface Feature {
  readonly chapters: readonly ApiSection[];
  /** Its routes of the role `api`; undefined where http.ts answers it under another one. */
  readonly wire?: (parts: ApiParts) => readonly Router[];
}

/** A feature, from its routes and what they are given. */
const feature = <Parts>(
  chapters: readonly ApiSection[],
  routes: (parts: Parts) => Router,
  give: (parts: ApiParts) => Parts,
): Feature => ({ chapters, wire: (parts) => [routes(give(parts))] });

export const FEATURES: readonly Feature[] = [
  feature(
    [campaignApi, campaignLinksApi],
    campaignRoutes,
    ({ postgres, clickhouse, access, dataLimit, createLimiter, config, now }) => ({
      postgres,
      access,
      attributedUsers: countAttributedUsers(clickhouse),
      data: dataLimit,
      management: createLimiter('management', config.limits.management),
      now,
    }),
  ),
  feature([linkPreviewApi], linkPreviewRoutes, ({ postgres, access, dataLimit, now }) => ({
    postgres,
    access,
    limiter: dataLimit,
    now,
  })),
  feature([attributionApi], attributionRoutes, ({ records, access, admins, dataLimit }) => ({
    ...records,
    access,
    admins,
    data: dataLimit,
  })),
  feature([installsApi], installRoutes, ({ records, access, dataLimit }) => ({
    ...records,
    access,
    limiter: dataLimit,
  })),
  feature([appReportApi], appReportRoutes, ({ reporting, mustBeComplete, createLimiter, config }) => ({
    ...reporting,
    limiter: createLimiter('app-reporting', config.limits.reporting),
    mustBeComplete: mustBeComplete.app,
  })),
  feature([webReportApi], webReportRoutes, ({ reporting, mustBeComplete, background, createLimiter, config }) => ({
    ...reporting,
    limiter: createLimiter('web-report', config.limits.reporting),
    catchUp: background.catchUpWebVisitors,
    mustBeComplete: mustBeComplete.web,
  })),
  feature([queryApi], queryRoutes, ({ reporting, files, queryLimit, background, mustBeComplete }) => ({
    ...reporting,
    files,
    limiter: queryLimit,
    catchUp: background.catchUpWebVisitors,
    mustBeComplete,
  })),
  feature([boardsApi], boardRoutes, ({ reporting, queryLimit, dataLimit, background, mustBeComplete, log }) => ({
    ...reporting,
    limiter: dataLimit,
    queryLimiter: queryLimit,
    catchUp: background.catchUpWebVisitors,
    mustBeComplete,
    onError: (err: unknown) => log.error({ err }, 'A question of a board failed'),
  })),
  feature([annotationsApi], annotationRoutes, ({ postgres, access, dataLimit, now }) => ({
    postgres,
    access,
    limiter: dataLimit,
    now,
  })),
  feature([funnelsApi], funnelRoutes, ({ reporting, queryLimit, mustBeComplete }) => ({
    ...reporting,
    limiter: queryLimit,
    mustBeComplete: mustBeComplete.app,
  })),
  feature([exportApi], exportRoutes, ({ access, files, postgres, ingest, queryLimit, now }) => ({
    access,
    files,
    postgres,
    settled: () => ingest.processes.settledByAll(),
    limiter: queryLimit,
    now,
  })),
  feature([scheduledExportsApi], scheduledExportRoutes, (parts) => ({
    ...exportParts(parts),
    access: parts.access,
    admins: parts.admins,
    limiter: parts.queryLimit,
  })),
  feature([partnerQualityApi], partnerQualityRoutes, ({ reporting, queryLimit, mustBeComplete }) => ({
    ...reporting,
    limiter: queryLimit,
    mustBeComplete: mustBeComplete.app,
  })),
  feature([alertsApi], alertRoutes, (parts) => ({
    ...parts.reporting,
    catchUp: parts.background.catchUpWebVisitors,
    mustBeComplete: parts.mustBeComplete,
    settled: () => parts.ingest.processes.settled(),
    exports: (projectId: number) => readBehind(parts.postgres, parts.now(), projectId),
    seals: parts.seals,
    delivery: wireDelivery(parts),
    limiter: parts.dataLimit,
    queryLimiter: parts.queryLimit,
    testLimiter: parts.noticeTestLimit,
  })),
  feature([schedulesApi], scheduleRoutes, ({ postgres, access, seals, config, dataLimit, noticeTestLimit, now }) => ({
    postgres,
    access,
    seals,
    hasMail: config.mail !== undefined,
    limiter: dataLimit,
    testLimiter: noticeTestLimit,
    now,
  })),
  { chapters: [], wire: ({ postgres, seals }) => [unsubscribeRoutes({ postgres, seals })] },
  feature([sqlApi], sqlRoutes, (parts) => ({ ...wireConsole(parts), access: parts.access, limiter: parts.dataLimit })),
  feature([mcpApi], mcpRoutes, (parts) => ({ ...wireTools(parts, wireConsole(parts)), access: parts.access })),
  { chapters: [s2sApi, linksApi, collectApi] },
  feature([importApi], clickImportRoutes, (parts) => ({
    ...wireChecking(parts),
    clicks: parts.ingest.stores.click,
    admins: parts.admins,
  })),
  { chapters: [peopleApi], wire: (parts) => peopleRouters(parts) },
  feature([workspaceApi], workspaceRoutes, ({ administration, config, clickhouse, seals }) => ({
    ...administration,
    hosts: new Set(listOwnHosts(config)),
    resolveTimezone: timezoneResolver(clickhouse),
    seals,
    exportPlaces: exportPlaces(config),
  })),
  feature([setupApi], setupRoutes, ({ records, admins, now }) => ({ ...records, admins, now })),
  feature([partnersApi], partnerRoutes, ({ administration }) => administration),
  feature([keysApi], keyRoutes, ({ administration, readers }) => ({ ...administration, readers })),
  feature([domainsApi], domainRoutes, ({ administration, looking }) => ({ ...administration, looking })),
  feature([channelsApi], channelRoutes, ({ administration }) => administration),
  feature([partnerPortalApi], partnerPortalRoutes, ({ reporting, admins, queryLimit }) => ({
    ...reporting,
    admins,
    limiter: queryLimit,
  })),
  feature([touchesApi], touchRoutes, ({ records, access, admins, queryLimit }) => ({
    ...records,
    access,
    admins,
    limiter: queryLimit,
  })),
  feature([postbacksApi], postbackRoutes, ({ administration, seals }) => ({ ...administration, seals })),
  feature([webhooksApi], webhookRoutes, ({ administration, seals }) => ({
    ...administration,
    seal: seals.of('webhook secrets'),
  })),
  feature([postbackLogApi], postbackLogRoutes, (parts) => ({
    ...parts.records,
    attempts: parts.clickhouse,
    seals: parts.seals,
    admins: parts.admins,
    snapshot: parts.snapshot,
    sender: parts.sender,
    limiters: {
      search: parts.dataLimit,
      replay: parts.queryLimit,
      test: parts.createLimiter('postback-test', parts.config.limits.management),
    },
    log: parts.log,
    now: parts.now,
  })),
  feature([erasureApi], erasureRoutes, ({ postgres, clickhouse, files, seals, admins, background }) => ({
    postgres,
    clickhouse,
    files,
    seal: sealRequests(seals),
    admins,
    onRequest: background.eraseSoon,
  })),
  feature([quarantineApi, ingestApi, statusApi], statusRoutes, ({ status, admins }) => ({ ...status, admins })),
  feature([doctorApi], doctorRoutes, (parts) => ({
    ...listPlaces(parts),
    pingRedis: parts.pingRedis,
    admins: parts.admins,
    status: () => readStatus(parts.status),
  })),
  feature([backupApi], backupRoutes, (parts) => ({
    ...listPlaces(parts),
    sealKey: parts.sealKey,
    databaseUrl: parts.databaseUrl,
    settle: (at: number, ms: number) => parts.ingest.processes.waitUntil(at, ms),
    admins: parts.admins,
    places: backupPlaces(parts.config),
    log: parts.log,
  })),
  {
    chapters: [operationsApi],
    wire: () => [dashboardRoutes(path.join(__dirname, '..', '..', 'dist', 'dashboard'))],
  },
];

/** Where everything is that an installation keeps. */
const listPlaces = ({ config, postgres, clickhouse, seals, now }: ApiParts) => ({
  seals,
  postgres,
  clickhouse,
  cluster: config.clickhouse.cluster,
  dataDir: config.dataDir,
  logs: config.ingest.folder,
  version,
  now,
});

const consoles = new WeakMap<ApiParts, ReturnType<typeof makeConsole>>();

/** What statements of people run with: a project has its turns whichever way it asks. */
function wireConsole(parts: ApiParts) {
  const known = consoles.get(parts) ?? makeConsole(parts);
  consoles.set(parts, known);
  return known;
}

const makeConsole = ({ postgres, clickhouse, reader, config, adminToken, metrics }: ApiParts) => ({
  postgres,
  clickhouse,
  reader,
  cluster: config.clickhouse.cluster,
  secret: adminToken,
  turns: new Turns((outcome, seconds) => metrics.reportSeconds.observe({ report: 'sql', outcome }, seconds)),
});
