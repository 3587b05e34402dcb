/** The configuration in memory: what ingest needs to know of partners, projects and campaigns, without any I/O. */
import type { Postgres } from '../db/postgres';
import { canonicalAppId } from './app-id';
import * as queries from './queries';

export interface Campaign {
  readonly id: number;
  readonly projectId: number;
  readonly displayId: string;
  readonly partnerId: number | null;
  /** The campaign's own domain; null where it uses whichever its project has. */
  readonly domainId: number | null;
  readonly live: boolean;
  readonly deleted: boolean;
  readonly targets: Targets;
}

/** Where the links of a campaign lead, by configuration. */
export interface Targets {
  readonly website: string | null;
  readonly androidWebRedirect: string | null;
  readonly iosWebRedirect: string | null;
  /** In the order of the campaign; what they lead to is `storeListing`. */
  readonly storeListingIds: readonly number[];
}

/** Most campaigns of a large project lead where the project does: they share this one. */
const NO_TARGETS: Targets = { website: null, androidWebRedirect: null, iosWebRedirect: null, storeListingIds: [] };

export interface StoreListing {
  readonly platform: string;
  readonly url: string;
}

export interface App {
  /** In its canonical form. */
  readonly appId: string;
  readonly platform: string;
  readonly teamId: string | null;
  readonly bundleId: string | null;
  readonly certFingerprints: readonly string[];
}

export interface Domain {
  readonly id: number;
  readonly projectId: number;
}

/** An advertiser's project, as its keys reach it. */
export interface Project {
  readonly id: number;
  readonly accountId: number;
  readonly website: string | null;
  readonly billing: { readonly suspended: boolean; readonly paymentLink: string | null };
  readonly primaryDomain: { readonly id: number; readonly name: string } | null;
  /** Whether web campaigns are turned on. */
  readonly webCampaigns: boolean;
  readonly createdAt: Date;
}

export interface Switches {
  readonly s2sClicks: boolean;
  readonly s2sTraffic: boolean;
  readonly viewThrough: boolean;
  /** Canonical app IDs on which CTV is on. */
  readonly ctvApps: ReadonlySet<string>;
}

/** What a partner has whom the advertiser never switched on. */
const OFF: Switches = { s2sClicks: false, s2sTraffic: false, viewThrough: false, ctvApps: new Set() };

/** With PostgreSQL away, ingest goes on from memory for so long (docs/contract.md, Running). */
const STALE_AFTER_MS = 5 * 60_000;

export class ConfigSnapshot {
  private revision = -1;
  private confirmedAt = 0;
  private activePartners = new Set<number>();
  private tokens = new Map<string, { partnerId: number; validUntil: number }>();
  private projects = new Map<number, Project>();
  private keys = new Map<string, number>();
  private apps = new Map<string, number[]>();
  private platforms = new Map<string, string>();
  private appsOfProjects = new Map<number, App[]>();
  private storeListings = new Map<number, StoreListing>();
  private domains = new Map<string, Domain>();
  private switches = new Map<string, Switches>();
  private readonly campaigns = new Map<string, Campaign>();
  private refreshing: Promise<void> | undefined;
  private again = false;

  constructor(
    private readonly postgres: Postgres,
    private readonly now: () => number,
  ) {}

  /** Loads what has changed. Concurrent calls share a load that starts after the last of them. */
  async refresh(): Promise<void> {
    if (this.refreshing) {
      this.again = true;
      return this.refreshing;
    }
    this.refreshing = (async () => {
      do {
        this.again = false;
        await this.load();
      } while (this.again);
    })();
    try {
      await this.refreshing;
    } finally {
      this.refreshing = undefined;
    }
  }

  private async load(): Promise<void> {
    const asked = this.now();
    await this.postgres.session(async (db) => {
      await db.rows('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const revision = await queries.readRevision(db);
      if (revision !== this.revision) {
        const partners = await queries.readPartners(db);
        const tokens = await queries.readTokens(db);
        const projects = await queries.readProjects(db);
        const keys = await queries.readKeys(db);
        const apps = await queries.readApps(db);
        const storeListings = await queries.readStoreListings(db);
        const domains = await queries.readDomains(db);
        const switches = await queries.readSwitches(db);
        const campaigns = await queries.readCampaigns(db, this.revision);
        // From here to the end nothing waits: a request sees the configuration before this change or after it.
        this.activePartners = new Set(partners.filter((row) => row.status === 'active').map((row) => row.id));
        this.tokens = new Map(
          tokens.map((row) => [
            row.sha256,
            { partnerId: row.partner_id, validUntil: row.valid_until?.getTime() ?? Infinity },
          ]),
        );
        this.projects = new Map(projects.map((row) => [row.id, toProject(row)]));
        this.keys = new Map(keys.map((row) => [`${row.kind}:${row.sha256}`, row.project_id]));
        this.storeListings = new Map(storeListings.map((row) => [row.id, row]));
        this.appsOfProjects = new Map(projects.map((row) => [row.id, []]));
        this.apps = new Map();
        this.platforms = new Map(apps.map((row) => [`${row.project_id}:${row.app_id}`, row.platform]));
        for (const row of apps) {
          this.appsOfProjects.get(row.project_id)?.push(toApp(row));
          this.apps.set(row.app_id, [...(this.apps.get(row.app_id) ?? []), row.project_id]);
        }
        this.domains = new Map(domains.map((row) => [row.name, { id: row.id, projectId: row.project_id }]));
        this.switches = new Map(
          switches.map((row) => [
            `${row.project_id}:${row.partner_id}`,
            {
              s2sClicks: row.s2s_clicks,
              s2sTraffic: row.s2s_traffic,
              viewThrough: row.view_through,
              ctvApps: new Set(row.ctv_apps),
            },
          ]),
        );
        for (const row of campaigns) {
          this.campaigns.set(`${row.project_id}:${row.display_id}`, {
            id: row.id,
            projectId: row.project_id,
            displayId: row.display_id,
            partnerId: row.partner_id,
            domainId: row.domain_id,
            live: row.active && !row.deleted,
            deleted: row.deleted,
            targets: toTargets(row),
          });
        }
        this.revision = revision;
      }
      await db.rows('COMMIT');
    });
    this.confirmedAt = asked;
  }

  /** The revision that is in memory; -1 before the first load. */
  get loadedRevision(): number {
    return this.revision;
  }

  /** Seconds since PostgreSQL last confirmed that this is the configuration. */
  get ageSeconds(): number {
    return (this.now() - this.confirmedAt) / 1000;
  }

  /** Whether the configuration is too old to accept anything by it. */
  get stale(): boolean {
    return this.now() - this.confirmedAt > STALE_AFTER_MS;
  }

  /**
   * The active partner whose token has this SHA-256; undefined when it is unknown, revoked, expired or its partner
   * suspended.
   */
  partnerOfToken(sha256: string): number | undefined {
    const token = this.tokens.get(sha256);
    if (!token || token.validUntil <= this.now() || !this.activePartners.has(token.partnerId)) return undefined;
    return token.partnerId;
  }

  /** The project whose key of that kind has this SHA-256; undefined when the key is unknown or revoked. */
  projectOfKey(kind: queries.KeyKind, sha256: string): Project | undefined {
    const id = this.keys.get(`${kind}:${sha256}`);
    return id === undefined ? undefined : this.projects.get(id);
  }

  /** The projects that have this app, in any spelling of its ID. */
  projectsOfApp(appId: string): readonly number[] {
    return this.apps.get(canonicalAppId(appId)) ?? [];
  }

  /** The platform of a project's app, by its canonical ID; undefined when the project has no such app. */
  platformOf(projectId: number, appId: string): string | undefined {
    return this.platforms.get(`${projectId}:${appId}`);
  }

  /** The apps of a project, in the order in which they were added. */
  appsOf(projectId: number): readonly App[] {
    return this.appsOfProjects.get(projectId) ?? [];
  }

  project(id: number): Project | undefined {
    return this.projects.get(id);
  }

  /** Undefined for a listing without URL: it leads nowhere. */
  storeListing(id: number): StoreListing | undefined {
    return this.storeListings.get(id);
  }

  domain(name: string): Domain | undefined {
    return this.domains.get(name.toLowerCase());
  }

  /** The names of a project's tracking domains. */
  domainsOf(projectId: number): string[] {
    return [...this.domains].filter(([, domain]) => domain.projectId === projectId).map(([name]) => name);
  }

  campaign(projectId: number, displayId: string): Campaign | undefined {
    return this.campaigns.get(`${projectId}:${displayId}`);
  }

  switchesOf(projectId: number, partnerId: number): Switches {
    return this.switches.get(`${projectId}:${partnerId}`) ?? OFF;
  }
}

function toProject(row: queries.ProjectRow): Project {
  return {
    id: row.id,
    accountId: row.account_id,
    website: row.website,
    billing: { suspended: row.billing_status === 'suspended', paymentLink: row.payment_link },
    primaryDomain:
      row.primary_domain_id === null ? null : { id: row.primary_domain_id, name: row.primary_domain as string },
    webCampaigns: row.web_campaigns,
    createdAt: row.created_at,
  };
}

function toTargets(row: queries.TargetsRow): Targets {
  const {
    website,
    android_web_redirect: androidWebRedirect,
    ios_web_redirect: iosWebRedirect,
    store_listing_ids: storeListingIds,
  } = row;
  if (website === null && androidWebRedirect === null && iosWebRedirect === null && storeListingIds.length === 0)
    return NO_TARGETS;
  return { website, androidWebRedirect, iosWebRedirect, storeListingIds };
}

function toApp(row: queries.AppRow): App {
  return {
    appId: row.app_id,
    platform: row.platform,
    teamId: row.team_id,
    bundleId: row.bundle_id,
    certFingerprints: row.sha256_cert_fingerprints,
  };
}
