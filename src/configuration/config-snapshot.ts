/** The configuration in memory: what ingest needs to know of partners, projects and campaigns, without any I/O. */
import type { Postgres } from '../db/postgres';
import { canonicalAppId } from './app-id';
import {
  OFF,
  toApp,
  toCampaign,
  toProject,
  toSwitches,
  type App,
  type Campaign,
  type Domain,
  type Project,
  type StoreListing,
  type Switches,
} from './model';
import * as queries from './queries';

export type { App, Campaign, Domain, LinkCard, Project, StoreListing, Switches, Targets } from './model';

/** With PostgreSQL away, ingest continues from memory for this long (docs/contract/running.md). */
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
  private listingsOfProjects = new Map<number, StoreListing[]>();
  private domains = new Map<string, Domain>();
  private switches = new Map<string, Switches>();
  private readonly campaigns = new Map<string, Campaign>();
  private refreshing: Promise<void> | undefined;
  private again = false;

  constructor(
    private readonly postgres: Pick<Postgres, 'session'>,
    private readonly now: () => number,
    /** Hears of every good key that somebody looks up, by its SHA-256. */
    private readonly onKeyUse: (sha256: string) => void = () => undefined,
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
      if (revision !== this.revision) this.fill(await queries.readConfiguration(db, this.revision), revision);
      await db.rows('COMMIT');
    });
    this.confirm(asked);
  }

  /** Notes when PostgreSQL was asked last and answered that this is the configuration, in milliseconds. */
  confirm(at: number): void {
    this.confirmedAt = at;
  }

  /**
   * Takes the rows of a revision; of campaigns those that it does not have yet are enough. Nothing in here waits: a
   * request sees the configuration before a change or after it.
   */
  fill(rows: queries.ConfigurationRows, revision: number): void {
    this.activePartners = new Set(rows.partners.filter((row) => row.status === 'active').map((row) => row.id));
    this.tokens = new Map(
      rows.tokens.map((row) => [
        row.sha256,
        { partnerId: row.partner_id, validUntil: row.valid_until?.getTime() ?? Infinity },
      ]),
    );
    this.projects = new Map(rows.projects.map((row) => [row.id, toProject(row)]));
    this.keys = new Map(rows.keys.map((row) => [`${row.kind}:${row.sha256}`, row.project_id]));
    this.storeListings = new Map(rows.storeListings.map((row) => [row.id, row]));
    this.listingsOfProjects = new Map(rows.projects.map((row) => [row.id, []]));
    for (const row of rows.storeListings) this.listingsOfProjects.get(row.project_id)?.push(row);
    this.replaceApps(rows);
    this.domains = new Map(rows.domains.map((row) => [row.name, { id: row.id, projectId: row.project_id }]));
    this.switches = new Map(rows.switches.map((row) => [`${row.project_id}:${row.partner_id}`, toSwitches(row)]));
    for (const row of rows.changedCampaigns) this.campaigns.set(`${row.project_id}:${row.display_id}`, toCampaign(row));
    this.revision = revision;
  }

  private replaceApps({ projects, apps }: queries.ConfigurationRows): void {
    this.appsOfProjects = new Map(projects.map((row) => [row.id, []]));
    this.apps = new Map();
    this.platforms = new Map(apps.map((row) => [`${row.project_id}:${row.app_id}`, row.platform]));
    for (const row of apps) {
      this.appsOfProjects.get(row.project_id)?.push(toApp(row));
      this.apps.set(row.app_id, [...(this.apps.get(row.app_id) ?? []), row.project_id]);
    }
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
    if (id === undefined) return undefined;
    this.onKeyUse(sha256);
    return this.projects.get(id);
  }

  /** The projects that have this app, in any spelling of its ID. */
  projectsOfApp(appId: string): readonly number[] {
    return this.apps.get(canonicalAppId(appId)) ?? [];
  }

  /** The platform of a project's app, by its canonical ID; undefined when the project has no such app. */
  findPlatform(projectId: number, appId: string): string | undefined {
    return this.platforms.get(`${projectId}:${appId}`);
  }

  /** The apps of a project, in the order in which they were added. */
  listApps(projectId: number): readonly App[] {
    return this.appsOfProjects.get(projectId) ?? [];
  }

  project(id: number): Project | undefined {
    return this.projects.get(id);
  }

  /** Undefined for a listing without URL: it leads nowhere. */
  storeListing(id: number): StoreListing | undefined {
    return this.storeListings.get(id);
  }

  /** The listings of a project that lead anywhere, in the order in which they were added. */
  listStoreListings(projectId: number): readonly StoreListing[] {
    return this.listingsOfProjects.get(projectId) ?? [];
  }

  /** The domain of that name, in any case. */
  domain(name: string): Domain | undefined {
    return this.domains.get(name.toLowerCase());
  }

  /** The names of a project's tracking domains. */
  listDomains(projectId: number): string[] {
    return [...this.domains].filter(([, domain]) => domain.projectId === projectId).map(([name]) => name);
  }

  campaign(projectId: number, displayId: string): Campaign | undefined {
    return this.campaigns.get(`${projectId}:${displayId}`);
  }

  readSwitches(projectId: number, partnerId: number): Switches {
    return this.switches.get(`${projectId}:${partnerId}`) ?? OFF;
  }
}
