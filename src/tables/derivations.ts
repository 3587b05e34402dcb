/** What is derived, in the order in which it is, from which tables, how often, and by which processes. */
import { LOCKS, type LockId } from '../db/advisory-lock';
import type { ProcessRole } from '../lib/process-roles';

/** The shortest time between two runs of what decides installs and settles messages. */
const DECIDE_MS = 100;
/** The same for what reports read. */
const REPORT_MS = 1_000;
/** Web reports catch up by themselves when they are asked for. */
const WEB_VISITORS_MS = 2_000;
/** How often installs are looked for that the queue lacks. */
const FIND_MISSED_MS = 10_000;

/** The tables that others are derived from. Each has a column stored_at, the time at which an insert began. */
export const FACT_TABLES = [
  'clicks',
  'impressions',
  'ctv_impressions',
  'app_events',
  'web_events',
  'installs',
  'install_queue',
] as const;
export type FactTable = (typeof FACT_TABLES)[number];

export interface Derivation {
  /** One process at a time runs the derivations of a lock, in this order. */
  readonly lock: LockId;
  readonly sources: readonly FactTable[];
  /** Two runs, and two looks whether there is work, are at least so long apart, in milliseconds. */
  readonly everyMs: number;
  /** Processes with any of these roles derive it. */
  readonly roles: readonly ProcessRole[];
  /** Whether it waits for its next look even where this process has stored something for it. */
  readonly waits?: true;
  /** Derivations that must have taken in the same changes first. */
  readonly dependsOn?: readonly string[];
  /** Whether an install or a visitor that cannot be derived is quarantined, so that the others continue. */
  readonly quarantines?: true;
}

const DECIDING: readonly ProcessRole[] = ['attribution'];
/** Erasure has visitors derived anew, and waits for that. */
const VISITING: readonly ProcessRole[] = ['api', 'collect', 'attribution'];

/**
 * By their names in the watermarks of PostgreSQL and in the metrics. Those of one lock run in this order. Lanes of
 * attribution come before attribution.
 */
export const DERIVATIONS = {
  'installs-by-identifier': {
    lock: LOCKS.installsByIdentifier,
    sources: ['app_events'],
    everyMs: DECIDE_MS,
    roles: DECIDING,
  },
  touches: {
    lock: LOCKS.touches,
    sources: ['clicks', 'impressions', 'ctv_impressions'],
    everyMs: DECIDE_MS,
    roles: DECIDING,
  },
  attribution: {
    lock: LOCKS.attribution,
    sources: ['install_queue'],
    everyMs: DECIDE_MS,
    roles: DECIDING,
    quarantines: true,
  },
  'install-queue': {
    lock: LOCKS.installQueue,
    sources: ['app_events'],
    everyMs: FIND_MISSED_MS,
    roles: DECIDING,
    waits: true,
  },
  outbox: { lock: LOCKS.outbox, sources: ['app_events', 'installs'], everyMs: DECIDE_MS, roles: DECIDING },
  'daily-clicks': { lock: LOCKS.appReports, sources: ['clicks'], everyMs: REPORT_MS, roles: DECIDING },
  'install-records': {
    lock: LOCKS.recordsByInstall,
    sources: ['app_events', 'installs'],
    everyMs: REPORT_MS,
    roles: DECIDING,
  },
  'install-journeys': {
    lock: LOCKS.appReports,
    sources: ['app_events', 'installs'],
    everyMs: REPORT_MS,
    roles: DECIDING,
    dependsOn: ['installs-by-identifier', 'install-records'],
    quarantines: true,
  },
  'web-visitors': {
    lock: LOCKS.webReports,
    sources: ['web_events'],
    everyMs: WEB_VISITORS_MS,
    roles: VISITING,
    quarantines: true,
  },
} as const satisfies Readonly<Record<string, Derivation>>;
export type DerivationName = keyof typeof DERIVATIONS;
/** In the order in which they are derived. */
export const DERIVATION_NAMES = Object.keys(DERIVATIONS) as DerivationName[];

/** Those that quarantine what they cannot derive. */
export type WithQuarantine = {
  [Name in DerivationName]: (typeof DERIVATIONS)[Name] extends { readonly quarantines: true } ? Name : never;
}[DerivationName];
export const WITH_QUARANTINE = DERIVATION_NAMES.filter(
  (name): name is WithQuarantine => 'quarantines' in DERIVATIONS[name],
);

/** What brings rows of an earlier version to the layout of this one, by its name in materialization_layouts. */
export interface Upgrade {
  /** That of the derivation whose rows they are. */
  readonly lock: LockId;
  readonly layout: number;
  readonly roles: readonly ProcessRole[];
}
export const UPGRADES = {
  /** Layout 1: a decision has the country of its install. */
  'install-countries': { lock: LOCKS.attribution, layout: 1, roles: DECIDING },
  /** Layout 1: a row of adtrail.web_visitors has hits. */
  'former-web-visitors': { lock: LOCKS.webReports, layout: 1, roles: VISITING },
} as const satisfies Readonly<Record<string, Upgrade>>;
export type UpgradeName = keyof typeof UPGRADES;
export const UPGRADE_NAMES = Object.keys(UPGRADES) as UpgradeName[];
