/** What is derived, in the order in which it is, from which tables, and by whom at a time. */
import { LOCKS, type LockId } from '../db/advisory-lock';

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

interface Derivation {
  /** One process at a time runs the derivations of a lock, in this order. */
  readonly lock: LockId;
  readonly sources: readonly FactTable[];
  /** Derivations that must have taken in the same changes first. */
  readonly dependsOn?: readonly string[];
  /** Whether an install or a visitor that cannot be derived is quarantined, so that the others continue. */
  readonly quarantines?: true;
}

/** By their names in the watermarks of PostgreSQL and in the metrics. Lanes of attribution come before attribution. */
export const DERIVATIONS = {
  'installs-by-identifier': { lock: LOCKS.installsByIdentifier, sources: ['app_events'] },
  touches: { lock: LOCKS.touches, sources: ['clicks', 'impressions', 'ctv_impressions'] },
  attribution: { lock: LOCKS.attribution, sources: ['install_queue'], quarantines: true },
  'install-queue': { lock: LOCKS.installQueue, sources: ['app_events'] },
  outbox: { lock: LOCKS.outbox, sources: ['app_events', 'installs'] },
  'daily-clicks': { lock: LOCKS.appReports, sources: ['clicks'] },
  'install-records': { lock: LOCKS.recordsByInstall, sources: ['app_events', 'installs'] },
  'install-journeys': {
    lock: LOCKS.appReports,
    sources: ['app_events', 'installs'],
    dependsOn: ['installs-by-identifier', 'install-records'],
    quarantines: true,
  },
  'web-visitors': { lock: LOCKS.webReports, sources: ['web_events'], quarantines: true },
  'former-web-visitors': { lock: LOCKS.webReports, sources: [] },
} as const satisfies Readonly<Record<string, Derivation>>;
export type DerivationName = keyof typeof DERIVATIONS;

/** Those that quarantine what they cannot derive. */
export type WithQuarantine = {
  [Name in DerivationName]: (typeof DERIVATIONS)[Name] extends { readonly quarantines: true } ? Name : never;
}[DerivationName];
export const WITH_QUARANTINE = (Object.keys(DERIVATIONS) as DerivationName[]).filter(
  (name): name is WithQuarantine => 'quarantines' in DERIVATIONS[name],
);
