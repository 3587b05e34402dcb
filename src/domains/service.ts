/**
 * Tracking domains of a project, pending and proven: what is shown of them, how a pending one is proven, and how one is
 * deleted.
 */
import { change, SERVICE, type Actor } from '../configuration/change';
import { addSystemCampaign } from '../configuration/system-campaign';
import type { Postgres, Queryable } from '../db/postgres';
import { ApiError } from '../errors';
import type { Certificate, CertificateReader } from './certificate';
import { checkDomain, type DomainCheck, type DomainResolver } from './check';
import { buildProofRecord, isProven, type ProofRecord, type TxtResolver } from './proof';
import * as queries from './queries';

type Status = 'proven' | 'pending';

/** Domains that the background looks at in one turn. */
const AT_ONCE = 20;

/** The domains of a project: a pending one with the record that proves it, others with what was last found of them. */
export async function readDomains(db: Queryable, projectId: number) {
  return (await queries.readDomains(db, projectId)).map(({ id, name, primary, is_pending, token, last_check }) => ({
    id,
    name,
    primary,
    status: is_pending ? 'pending' : 'proven',
    proof: is_pending ? buildProofRecord(name, token) : null,
    last_check: last_check && { ...last_check, checked_at: new Date(last_check.checked_at) },
  }));
}

/** How domains are looked at: in DNS, then at their certificates. */
export interface Looking {
  readonly resolver: DomainResolver & TxtResolver;
  readonly readCertificate: CertificateReader;
  /** At which the service is reached. */
  readonly host: string;
  readonly now: () => number;
}

export interface CheckedDomain extends Omit<DomainCheck, 'isKnown'> {
  readonly status: Status;
  /** What its certificate is like; null where it was not asked for one. */
  readonly certificate: Certificate | null;
  /** The record that proves a pending domain. */
  readonly proof: ProofRecord | null;
}

/** What a look at a domain found that is its project's: it is noted for those who see its links. */
async function look(postgres: Postgres, looking: Looking, id: number, name: string) {
  const { isKnown, ...check } = await checkDomain(looking.resolver, name, looking.host);
  const address = check.records.find(({ type }) => type !== 'CNAME')?.value;
  const certificate = check.ok && address !== undefined ? await looking.readCertificate(name, address) : null;
  const state = !isKnown
    ? 'unknown'
    : !check.ok
      ? 'elsewhere'
      : certificate === null
        ? 'unknown'
        : certificate.ok
          ? 'works'
          : 'no_certificate';
  await queries.putCheck(postgres, id, new Date(looking.now()), state, certificate?.msg ?? check.msg);
  return { ...check, certificate };
}

/**
 * Asks DNS whether a domain is proven and leads to this service, and whether it does over HTTPS. A pending one that has
 * its record is the project's from then on.
 *
 * @throws ApiError 404 where the project has no such domain.
 */
export async function checkProjectDomain(
  postgres: Postgres,
  looking: Looking,
  actor: Actor,
  projectId: number,
  id: number,
): Promise<CheckedDomain> {
  const { resolver, host } = looking;
  const domain = (await queries.readDomains(postgres, projectId)).find((one) => one.id === id);
  if (!domain) throw new ApiError(404, 'Domain not found.');
  const { name, token } = domain;
  if (!domain.is_pending) return { ...(await look(postgres, looking, id, name)), status: 'proven', proof: null };
  const [hasRecord, check] = await Promise.all([
    isProven(resolver, name, token),
    checkDomain(resolver, name, host).then(({ isKnown: _isKnown, ...shown }) => shown),
  ]);
  if (hasRecord && (await prove(postgres, actor, projectId, id)))
    return { ...(await look(postgres, looking, id, name)), status: 'proven', proof: null };
  const proof = buildProofRecord(name, token);
  const msg = hasRecord
    ? `${name} belongs to another project.`
    : `${name} is not proven yet. Set TXT ${proof.name} to ${proof.value}; it may take an hour to be seen.`;
  return { ...check, ok: false, msg, status: 'pending', certificate: null, proof };
}

/** Looks at the domains that nobody has looked at since `before`; resolves with whether there may be more. */
export async function lookAtDomains(postgres: Postgres, looking: Looking, before: Date): Promise<boolean> {
  const claimed = await queries.claimDomains(postgres, before, AT_ONCE, new Date(looking.now()));
  await Promise.all(claimed.map(({ id, name }) => look(postgres, looking, id, name)));
  return claimed.length === AT_ONCE;
}

/**
 * Gives a pending domain to its project without asking DNS.
 *
 * @throws ApiError 404 where the project has no such domain, 409 where another project has it.
 */
export async function confirmDomain(postgres: Postgres, actor: Actor, projectId: number, id: number) {
  const isThere = async () => (await readDomains(postgres, projectId)).find((one) => one.id === id);
  if (!(await isThere())) throw new ApiError(404, 'Domain not found.');
  if (!(await prove(postgres, actor, projectId, id)))
    throw new ApiError(409, 'This domain belongs to another project.');
  return isThere();
}

/**
 * Deletes a domain of a project: its links end at once, and campaigns that had it use the primary one. Whoever adds it
 * again proves it again.
 *
 * @throws ApiError 409 for the primary domain of a project that has others.
 */
export function deleteDomain(postgres: Postgres, actor: Actor, projectId: number, domainId: number): Promise<void> {
  return change(postgres, actor, async (db, revision) => {
    const [pending] = await queries.deletePending(db, projectId, domainId);
    if (pending) return;
    const [domain] = await queries.findDomain(db, projectId, domainId);
    if (!domain) throw new ApiError(404, 'Domain not found.');
    if (domain.is_primary && domain.has_others) throw new ApiError(409, 'Make another domain the primary one first.');
    await queries.leaveDomain(db, projectId, domainId, revision);
    await queries.deleteDomain(db, domainId);
  });
}

/**
 * Asks for the pending domains that nobody has asked for since `before`; resolves with whether there may be more.
 */
export async function checkPending(postgres: Postgres, resolver: TxtResolver, before: Date): Promise<boolean> {
  const claimed = await queries.claimPending(postgres, before, AT_ONCE);
  const asked = claimed.map(async (one) => ({ ...one, has: await isProven(resolver, one.name, one.token) }));
  for (const { project_id, id, has } of await Promise.all(asked))
    if (has) await prove(postgres, SERVICE, project_id, id);
  return claimed.length === AT_ONCE;
}

/** Whether the project has the domain now: of several that could have it, the first. */
function prove(postgres: Postgres, actor: Actor, projectId: number, id: number): Promise<boolean> {
  return change(postgres, actor, async (db, revision) => {
    const [pending] = await queries.findPending(db, projectId, id);
    // Somebody else may have proven or deleted it meanwhile.
    if (!pending) return (await queries.findDomain(db, projectId, id)).length > 0;
    if (pending.is_taken) return false;
    if (pending.is_primary) await queries.stepDown(db, projectId);
    await queries.proveDomain(db, projectId, id);
    await queries.deletePending(db, projectId, id);
    await addSystemCampaign(db, projectId, revision);
    return true;
  });
}
