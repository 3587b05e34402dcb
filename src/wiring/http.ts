/** Wires the HTTP side: the routes of every role, and which request reaches which app. */
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import type Router from '@koa/router';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import { Quotas } from '../collect/quotas';
import { collectRoutes } from '../collect/routes';
import { spendRoutes } from '../collect/spend-routes';
import { webCollectorRoutes } from '../collect/web/routes';
import { personIn } from '../http/administrators';
import { createApp, dispatch } from '../http/apps';
import { docsRoutes } from '../http/docs';
import { healthRoutes } from '../http/health';
import { collectorLimits, limitByPerson, limitBySource } from '../http/limits';
import { observeRequests } from '../http/observe';
import { LeasedLimiter } from '../limits/leased-limiter';
import { linkFileRoutes } from '../links/file-routes';
import { trackingLinks } from '../links/routes';
import { UNSUBSCRIBE_PATH } from '../notices/unsubscribing';
import { isLoopback } from '../net/loopback';
import { createBatchIngest } from '../s2s/batch';
import { s2sRoutes } from '../s2s/routes';
import { createIngest } from '../s2s/service';
import { createTryBatch, createTryOut } from '../s2s/trial';
import { listOwnHosts, wireApi, wireChecking, type GuardedParts } from './api-parts';
import { readApiReference } from './api-reference';
import { FEATURES } from './features';
import type { HttpParts } from './http-parts';
import { wireGuards } from './people';

/** What answers every request of this process, by its host, path and roles. */
export function wireHttp(given: HttpParts): RequestListener {
  const parts = { ...given, ...wireGuards(given) };
  const { snapshot } = parts;
  const collectors = parts.config.roles.has('collect') ? collectorRoutes(parts) : [];
  // One limit for all that browsers load: links, the files beside them, and the script.
  const { limits, trustProxy } = parts.config;
  const linkLimit = limitBySource(parts.createLimiter('links', limits.links), trustProxy);
  const apps = {
    main: mainApp(parts, collectors, linkLimit),
    s2s: s2sApp(parts),
    domain: domainApp(parts, collectors, linkLimit),
  };
  const observe = observeRequests(parts.metrics.observeAnswer, parts.tracing);
  // A domain of an earlier version may be a host of the service.
  const own = new Set(listOwnHosts(parts.config));
  const isDomain = (host: string) => !own.has(host) && snapshot.domain(host) !== undefined;
  return dispatch(apps, isDomain, parts.app.onRefusal, observe);
}

function mainApp(parts: GuardedParts, collectors: readonly Router[], linkLimit: Middleware): Koa {
  const { config, createLimiter, admins, access } = parts;
  const { limits, trustProxy } = config;
  const persons = createLimiter('person', limits.person);
  const apiLimit = limitBySource(createLimiter('ip', limits.ip), trustProxy);
  const first = [
    underPrefix('/admin/v1', admins.known),
    underPrefix(
      '/admin/v1',
      limitByPerson(persons, (ctx) => personIn(ctx)),
    ),
    underPrefix('/auth/v1', limitBySource(createLimiter('auth', limits.ip), trustProxy)),
    underPrefix('/auth/v1', limitByPerson(persons, access.sessions.person)),
    underPrefix('/public', limitBySource(createLimiter('public', limits.ip), trustProxy)),
    underPrefix('/api/v1', apiLimit),
    underPrefix('/mcp', apiLimit),
    underPrefix('/adtrail.js', linkLimit),
    underPrefix(UNSUBSCRIBE_PATH, linkLimit),
    underPrefix('/v1/postbacks', limitBySource(createLimiter('partner-log', limits.ip), trustProxy)),
  ];
  const api = config.roles.has('api') ? [docsRoutes(readApiReference), ...listApiRoutes(parts)] : [];
  return createApp(parts.app, first, [operationRoutes(parts), ...api, ...collectors]);
}

/** The main API and administration. */
export function listApiRoutes(parts: GuardedParts): Router[] {
  const api = wireApi(parts);
  return FEATURES.flatMap(({ wire }) => wire?.(api) ?? []);
}

function s2sApp(parts: GuardedParts): Koa | undefined {
  const { config, access, ingest, createLimiter, metrics, now, app } = parts;
  if (!config.roles.has('s2s')) return undefined;
  const limiter = new LeasedLimiter(createLimiter('s2s', config.limits.s2sCampaign), now);
  const options = {
    ...wireChecking(parts),
    stores: ingest.stores,
    counts: ingest.requestCounts,
    samples: ingest.refusedSamples,
    limiter,
  };
  const routes = s2sRoutes({
    ingest: createIngest(options),
    batches: createBatchIngest(options),
    tryOut: createTryOut(options),
    tryBatch: createTryBatch(options),
    sessions: access.sessions,
    trialLimiter: createLimiter('s2s-trial', config.limits.s2sTrial),
    count: metrics.s2sRequests,
  });
  return createApp(app, [routes]);
}

/** Tracking links let the paths of the routers pass; collectors have limits of their own. */
function domainApp(
  { config, snapshot, ingest, metrics, app, now }: GuardedParts,
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
function operationRoutes({ config, admins, readiness, snapshot, metrics, gatherMetrics }: GuardedParts) {
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

function collectorRoutes(parts: GuardedParts): Router[] {
  const { config, access, postgres, clickhouse, snapshot, ingest, createLimiter, metrics, log, now } = parts;
  const { receipts, appEvents, webEvents, refusals } = ingest;
  const { trustProxy } = config;
  const { key, address } = config.limits.collect;
  const limits = collectorLimits(
    { key: createLimiter('collect-key', key), source: createLimiter('collect', address) },
    trustProxy,
  );
  const quotas = new Quotas(config.limits.quotas, now, (quota, projectId, isFirst) => {
    metrics.overQuota.inc({ quota });
    if (isFirst) log.warn(`Project ${projectId} has sent more by a public key than QUOTA_COLLECT allows: ${quota}`);
  });
  return [
    collectRoutes({ snapshot, receipts, appEvents, limits, quotas, refusals, trustProxy }),
    spendRoutes({ postgres, clickhouse, access, refusals, now }),
    webCollectorRoutes({
      snapshot,
      receipts,
      store: webEvents,
      limits,
      quotas,
      refusals,
      trustProxy,
      script: readScript(),
    }),
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
