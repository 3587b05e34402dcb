/** What the service answers on a configuration in memory: its routes and rules, without engines. */
import { createHash } from 'node:crypto';
import { collectRoutes } from '../../../src/collect/routes';
import { Quotas } from '../../../src/collect/quotas';
import { RefusalCounts } from '../../../src/collect/refusals';
import { webCollectorRoutes } from '../../../src/collect/web/routes';
import { canonicalAppId } from '../../../src/configuration/app-id';
import type { Campaign, ConfigSnapshot, StoreListing } from '../../../src/configuration/config-snapshot';
import { createApp, dispatch } from '../../../src/http/apps';
import { listen } from '../../../src/http/server';
import { Receipts } from '../../../src/ingest/receipts';
import type { NewRecord } from '../../../src/ingest/record';
import type { Counter } from '../../../src/metrics/metrics';
import { linkFileRoutes } from '../../../src/links/file-routes';
import { trackingLinks } from '../../../src/links/routes';
import type { LinkClick } from '../../../src/links/rows';
import { checkResponse } from '../http/openapi';

/** What of a document of the workspace is looked at here. */
interface Document {
  readonly projects: readonly DeclaredProject[];
}
interface DeclaredProject {
  readonly name: string;
  readonly website?: string;
  readonly server_keys?: readonly string[];
  readonly app_keys?: readonly string[];
  readonly web_keys?: readonly string[];
  readonly domains?: readonly { readonly name: string }[];
  readonly apps?: readonly DeclaredApp[];
  readonly store_listings?: readonly {
    readonly store_listing_id: string;
    readonly platform: string;
    readonly url: string | null;
  }[];
  readonly campaigns?: readonly DeclaredCampaign[];
}
interface DeclaredApp {
  readonly platform: string;
  readonly app_id: string;
  readonly team_id?: string;
  readonly bundle_id?: string;
  readonly sha256_cert_fingerprints?: readonly string[];
}
interface DeclaredCampaign {
  readonly display_id: string;
  readonly partner?: string | null;
  readonly domain?: string;
  readonly active?: boolean;
  readonly website?: string;
  readonly ios_web_redirect?: string;
  readonly android_web_redirect?: string;
  readonly store_listings?: readonly string[];
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The configuration that a document declares, as requests see it. IDs count from 1, in the order of the document. */
export function readSnapshot(document: Document) {
  const projects = document.projects.map((project, i) => ({ ...project, website: project.website ?? null, id: i + 1 }));
  const listings = projects.flatMap(({ id, store_listings = [] }) =>
    store_listings.map((one) => ({ ...one, projectId: id })),
  );
  // A listing without URL leads nowhere.
  const listing = (id: number) => (listings[id]?.url === null ? undefined : (listings[id] as StoreListing | undefined));
  const domains = projects.flatMap((project) =>
    (project.domains ?? []).map(({ name }) => ({ name, projectId: project.id })),
  );
  /** Undefined for a domain that nobody has. */
  const readDomain = (name: string) => {
    const at = domains.findIndex((one) => one.name === name.toLowerCase());
    return at === -1 ? undefined : { id: at + 1, projectId: domains[at]?.projectId as number };
  };
  const campaigns: readonly Campaign[] = projects
    .flatMap((project) => (project.campaigns ?? []).map((one) => ({ ...one, projectId: project.id })))
    .map((one, i) => ({
      id: i + 1,
      projectId: one.projectId,
      displayId: one.display_id,
      partnerId: one.partner ? 1 : null,
      domainId: (one.domain && readDomain(one.domain)?.id) || null,
      live: one.active ?? true,
      deleted: false,
      targets: {
        website: one.website ?? null,
        iosWebRedirect: one.ios_web_redirect ?? null,
        androidWebRedirect: one.android_web_redirect ?? null,
        storeListingIds: (one.store_listings ?? []).map((name) =>
          listings.findIndex((other) => other.projectId === one.projectId && other.store_listing_id === name),
        ),
      },
      link: { utm: {}, expiresAt: Infinity, expiredTarget: null, card: null },
    }));
  const listApps = (projectId: number) =>
    (projects[projectId - 1]?.apps ?? []).map((app) => ({
      platform: app.platform,
      appId: canonicalAppId(app.app_id),
      teamId: app.team_id ?? null,
      bundleId: app.bundle_id ?? null,
      certFingerprints: app.sha256_cert_fingerprints ?? [],
    }));
  const snapshot = {
    stale: false,
    projectOfKey: (kind: 'server_key' | 'app_key' | 'web_key', hash: string) =>
      projects.find((project) => project[`${kind}s`]?.some((key) => sha256(key) === hash)),
    domain: readDomain,
    listDomains: (id: number) => domains.flatMap(({ name, projectId }) => (projectId === id ? [name] : [])),
    project: (id: number) => projects[id - 1],
    campaign: (projectId: number, displayId: string) =>
      campaigns.find((one) => one.projectId === projectId && one.displayId === displayId),
    storeListing: listing,
    listStoreListings: (projectId: number) =>
      listings.flatMap((one, id) => (one.projectId === projectId ? (listing(id) ?? []) : [])),
    listApps,
    projectsOfApp: (appId: string) =>
      projects.flatMap(({ id }) => (listApps(id).some((app) => app.appId === canonicalAppId(appId)) ? [id] : [])),
    findPlatform: (projectId: number, appId: string) =>
      listApps(projectId).find((app) => app.appId === appId)?.platform,
  };
  return { snapshot: snapshot as unknown as ConfigSnapshot, campaigns };
}

type Row = Readonly<Record<string, unknown>>;

export interface InMemory {
  readonly url: string;
  /** A request as `Service` takes it; an answer that is not as documented fails the test. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The clicks that links recorded, and for which campaign. */
  readonly clicks: readonly (LinkClick & { readonly campaign: string | undefined })[];
  /** What became of each visit of a link. */
  readonly outcomes: readonly string[];
  /** The rows that the collectors stored, by column; times are in milliseconds. */
  readonly appEvents: readonly Row[];
  readonly webEvents: readonly Row[];
  close(): Promise<void>;
}

/** A store in which, as in the real one, an ID counts once. */
export function readStore() {
  const rows: Row[] = [];
  const known = new Set<string>();
  const add = ({ id, row }: NewRecord) => {
    if (!known.has(id)) rows.push(JSON.parse(JSON.stringify(row)) as Row);
    known.add(id);
    return Promise.resolve();
  };
  return { rows, store: { add } };
}

/** Serves the links and collectors of the projects of a document, behind one trusted proxy. */
export async function startInMemory(document: Document): Promise<InMemory> {
  const { snapshot, campaigns } = readSnapshot(document);
  const clicks: InMemory['clicks'][number][] = [];
  const outcomes: string[] = [];
  const recorder = {
    record: (click: LinkClick) => {
      if (!clicks.some(({ id }) => id === click.id))
        clicks.push({ ...click, campaign: campaigns[click.campaignId - 1]?.displayId });
      return Promise.resolve(true);
    },
  };
  const [app, web] = [readStore(), readStore()];
  const receipts = new Receipts(Date.now);
  const limits = { bySource: () => Promise.resolve(), byKey: () => Promise.resolve() };
  const quotas = new Quotas(null, Date.now, () => undefined);
  // Nothing stores what it counts.
  const refusals = new RefusalCounts({ rows: () => Promise.resolve([]) }, Date.now);
  const collecting = { snapshot, receipts, limits, quotas, refusals, trustProxy: 1 };
  const collectors = [
    collectRoutes({ ...collecting, appEvents: app.store }),
    webCollectorRoutes({ ...collecting, store: web.store, script: '/* The script. */' }),
  ];
  const options = { snapshot, now: Date.now, recorder };
  const noRefusals = () => undefined;
  const onError = (error: unknown) => {
    throw error;
  };
  const appOptions = { onError, onRefusal: noRefusals, isClosing: () => false };
  const count = { inc: ({ outcome }: { outcome: string }) => void outcomes.push(outcome) };
  const links = trackingLinks(options, 1, count as unknown as Counter<'outcome'>);
  const handler = dispatch(
    {
      main: createApp(appOptions, [], collectors),
      s2s: undefined,
      domain: createApp(appOptions, [links], [...collectors, linkFileRoutes(options)]),
    },
    (host) => snapshot.domain(host) !== undefined,
    noRefusals,
    (_req, _res, _area, handle) => handle(),
  );
  const server = await listen(handler, { host: '127.0.0.1', port: 0 }, noRefusals);
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    request: async (at, init) => checkResponse(at, init, await fetch(url + at, { redirect: 'manual', ...init })),
    clicks,
    outcomes,
    appEvents: app.rows,
    webEvents: web.rows,
    close: () => server.close(),
  };
}
