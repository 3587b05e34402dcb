/**
 * The S2S endpoints in this process and without engines: routes, checks and rows as the service has them, on a
 * configuration from a workspace document, with a clock that the test sets and records that stay in memory. What the
 * engines do with records (the first one stays) is tested over HTTP.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import path from 'node:path';
import Koa, { type Context } from 'koa';
import { Counter, Registry } from 'prom-client';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { canonicalAppId } from '../../../src/configuration/app-id';
import { ConfigSnapshot } from '../../../src/configuration/config-snapshot';
import type { ConfigurationRows } from '../../../src/configuration/queries';
import { ApiError, UnavailableError } from '../../../src/errors';
import type { BrowserSessions } from '../../../src/http/session';
import { Receipts } from '../../../src/ingest/receipts';
import type { RecordStore } from '../../../src/ingest/record';
import { LeasedLimiter } from '../../../src/limits/leased-limiter';
import { loadDatacenterRanges } from '../../../src/net/datacenter';
import { CLICK, CTV_IMPRESSION, IMPRESSION, type Definition } from '../../../src/s2s/definitions';
import { createBatchIngest } from '../../../src/s2s/batch';
import type { Counted } from '../../../src/s2s/request-counts';
import { s2sRoutes } from '../../../src/s2s/routes';
import { createIngest } from '../../../src/s2s/service';
import { createTryBatch, createTryOut } from '../../../src/s2s/trial';
import { sha256 } from '../../../src/lib/secrets';
import { root } from '../paths';
import type { Answer, Endpoint, Row, S2sEndpoints } from './s2s-client';
import { workspace } from '../workspace/workspace';

export const DEFINITIONS: Readonly<Record<Endpoint, Definition>> = {
  click: CLICK,
  impression: IMPRESSION,
  ctv: CTV_IMPRESSION,
};
const NOW = Date.parse('2026-03-01T12:34:56.789Z');

export interface Pipeline extends S2sEndpoints {
  clock: number;
  /** Whether the stores refuse every record. */
  isDown: boolean;
  /** The stored records of an endpoint in their order. */
  readonly stored: Readonly<Record<Endpoint, Row[]>>;
  /** What the requests were counted by. */
  readonly counted: Counted[];
  /** Replaces the configuration, confirmed now. */
  fill(rows: ConfigurationRows): void;
  /** The metric of requests, as Prometheus reads it. */
  metrics(): Promise<string>;
}

interface PipelineOptions {
  readonly enabled?: boolean;
  /** Requests of a campaign in an hour. */
  readonly limit?: number;
}

const datacenters = loadDatacenterRanges({
  builtFile: path.join(root, 'dist', 'net', 'datacenter-ranges.json'),
});
const koa = new Koa();
const socket = new Socket();

export function createPipeline({ enabled = true, limit }: PipelineOptions = {}): Pipeline {
  const now = () => pipeline.clock;
  const snapshot = new ConfigSnapshot({ session: () => Promise.reject(new Error('There is no PostgreSQL')) }, now);
  const readStore = (endpoint: Endpoint): RecordStore => ({
    add({ row }) {
      if (pipeline.isDown) return Promise.reject(new UnavailableError());
      pipeline.stored[endpoint].push(JSON.parse(JSON.stringify(row)) as Record<string, unknown>);
      return Promise.resolve();
    },
  });
  const shared = limit === undefined ? undefined : new RateLimiterMemory({ points: limit, duration: 3_600 });
  const options = {
    enabled,
    snapshot,
    datacenters,
    receipts: new Receipts(now),
    stores: { click: readStore('click'), impression: readStore('impression'), ctv_impression: readStore('ctv') },
    limiter: new LeasedLimiter(shared, now),
    counts: { add: (counted: Counted) => void pipeline.counted.push(counted) },
    samples: { add: () => undefined },
    now,
  };
  const registry = new Registry();
  const answer = s2sRoutes({
    ingest: createIngest(options),
    batches: createBatchIngest(options),
    tryOut: createTryOut(options),
    tryBatch: createTryBatch(options),
    // Nobody is signed in.
    sessions: { person: () => Promise.resolve(undefined) } as Partial<BrowserSessions> as BrowserSessions,
    trialLimiter: undefined,
    count: new Counter({ name: 's2s', help: 's2s', labelNames: ['endpoint', 'outcome'], registers: [registry] }),
  });
  let revision = 0;
  const pipeline: Pipeline = {
    clock: NOW,
    isDown: false,
    stored: { click: [], impression: [], ctv: [] },
    counted: [],
    now,
    own: (name) => name,
    fill(rows) {
      snapshot.fill(rows, ++revision);
      snapshot.confirm(now());
    },
    metrics: () => registry.metrics(),
    async ask(at, headers = {}, method = 'GET', body = '') {
      const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
      const request = Object.assign(new IncomingMessage(socket), {
        method,
        url: at,
        headers: Object.fromEntries(names) as Record<string, string>,
      });
      request.push(body);
      request.push(null);
      return readAnswer(koa.createContext(request, new ServerResponse(request)), (ctx) =>
        answer(ctx, () => Promise.resolve()),
      );
    },
    records: (endpoint, ids) => {
      const wanted = new Set<unknown>(ids);
      return Promise.resolve(
        pipeline.stored[endpoint].filter((row) => wanted.has(row[DEFINITIONS[endpoint].idColumn])),
      );
    },
  };
  pipeline.fill(toConfiguration(workspace));
  return pipeline;
}

async function readAnswer(ctx: Context, answer: (ctx: Context) => unknown): Promise<Answer> {
  try {
    await answer(ctx);
  } catch (error) {
    const { status } = error as { status?: number };
    if (!status) throw error;
    const msg = error instanceof ApiError ? { msg: error.message } : {};
    Object.assign(ctx, { status, body: { ...msg, status } });
  }
  const headers = new Headers(
    Object.entries(ctx.response.headers).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const body: unknown = typeof ctx.body === 'string' ? JSON.parse(ctx.body) : ctx.body;
  return { status: ctx.status, body: body as Record<string, unknown>, headers };
}

/** What S2S reads of a workspace document. */
export interface S2sDocument {
  readonly partners: readonly { readonly name: string; readonly status?: string; readonly tokens: readonly string[] }[];
  readonly projects: readonly {
    readonly name: string;
    readonly apps: readonly { readonly platform: string; readonly app_id: string }[];
    readonly domains: readonly { readonly name: string }[];
    readonly partner_switches?: readonly {
      readonly partner: string;
      readonly s2s_clicks?: boolean;
      readonly s2s_traffic?: boolean;
      readonly view_through?: boolean;
      readonly ctv_apps?: readonly string[];
    }[];
    readonly campaigns: readonly {
      readonly display_id: string;
      readonly partner: string | null;
      readonly domain?: string;
      readonly active?: boolean;
    }[];
  }[];
}

/** The document as PostgreSQL has it: IDs count from 1, campaigns of the n-th project from 100 n. */
export function toConfiguration({ partners, projects }: S2sDocument): ConfigurationRows {
  const partnerId = (name: string) => partners.findIndex((partner) => partner.name === name) + 1;
  const domains = projects.flatMap((project, i) => project.domains.map(({ name }) => ({ name, project_id: i + 1 })));
  const domainId = (name: string) => domains.findIndex((domain) => domain.name === name) + 1;
  const ofProjects = <T>(readRows: (project: S2sDocument['projects'][number], id: number) => T[]) =>
    projects.flatMap((project, i) => readRows(project, i + 1));
  return {
    partners: partners.map(({ name, status = 'active' }, i) => ({ id: i + 1, name, status })),
    tokens: partners.flatMap(({ tokens }, i) =>
      tokens.map((token) => ({ sha256: sha256(token), partner_id: i + 1, valid_until: null })),
    ),
    projects: projects.map(({ name }, i) => ({
      id: i + 1,
      name,
      account_id: 1,
      billing_status: 'active',
      payment_link: null,
      primary_domain_id: null,
      primary_domain: null,
      website: null,
      web_campaigns: false,
      created_at: new Date(0),
    })),
    keys: [],
    apps: ofProjects(({ apps }, project_id) =>
      apps.map(({ app_id, platform }) => ({
        project_id,
        app_id: canonicalAppId(app_id),
        platform,
        team_id: null,
        bundle_id: null,
        sha256_cert_fingerprints: [],
      })),
    ),
    storeListings: [],
    domains: domains.map((domain, i) => ({ id: i + 1, ...domain })),
    switches: ofProjects(({ partner_switches = [] }, project_id) =>
      partner_switches.map(
        ({ partner, s2s_clicks = false, s2s_traffic = false, view_through = false, ctv_apps = [] }) => ({
          project_id,
          partner_id: partnerId(partner),
          s2s_clicks,
          s2s_traffic,
          view_through,
          ctv_apps: ctv_apps.map(canonicalAppId),
        }),
      ),
    ),
    changedCampaigns: ofProjects(({ campaigns }, project_id) =>
      campaigns.map(({ display_id, partner, domain, active = true }, i) => ({
        id: 100 * project_id + i,
        project_id,
        display_id,
        partner_id: partner === null ? null : partnerId(partner),
        domain_id: domain === undefined ? null : domainId(domain),
        active,
        deleted: false,
        website: null,
        android_web_redirect: null,
        ios_web_redirect: null,
        store_listing_ids: [],
        utm: null,
        expires_at: null,
        expired_target: null,
        card: null,
      })),
    ),
  };
}
