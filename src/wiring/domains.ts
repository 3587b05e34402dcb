/** Wires how tracking domains are looked at, and the looking by the service itself. */
import { Resolver } from 'node:dns/promises';
import { createCertificateReader } from '../domains/certificate';
import { checkPending, lookAtDomains, type Looking } from '../domains/service';
import { listOwnHosts } from './api-parts';
import type { Config } from '../config';
import type { Postgres } from '../db/postgres';
import type { Log } from '../lib/log';
import type { Metrics } from '../metrics/metrics';
import { runPeriodically, type PeriodicTask } from '../lib/periodic';

const ASKING = { timeout: 1_000, tries: 2 };
/** How often it is looked for domains whose turn it is. */
const LOOK_MS = 60_000;
/** How long after a domain was looked at it is looked at again. */
const AGAIN_MS = 3_600_000;

export interface DomainParts {
  readonly config: Config;
  readonly postgres: Postgres;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly now: () => number;
}

/** In processes of the API a task too, which proves what is pending. */
export function wireDomains({ config, postgres, metrics, log, now }: DomainParts): {
  readonly looking: Looking;
  readonly proving: PeriodicTask | undefined;
} {
  const resolver = new Resolver(ASKING);
  if (config.dnsServers) resolver.setServers(config.dnsServers);
  const looking = {
    resolver,
    readCertificate: createCertificateReader(),
    host: listOwnHosts(config)[0] as string,
    now,
  };
  const work = async () => {
    const before = new Date(now() - AGAIN_MS);
    while (await checkPending(postgres, resolver, before));
    while (await lookAtDomains(postgres, looking, before));
  };
  const proving = config.roles.has('api')
    ? runPeriodically('Proving domains', LOOK_MS, log, metrics.measured('domains', work))
    : undefined;
  return { looking, proving };
}
