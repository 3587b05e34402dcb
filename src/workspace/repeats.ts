/** Refuses a document that names one thing twice: the second would silently win. */
import { canonicalAppId } from '../configuration/app-id';
import { ApiError } from '../errors';
import { canonicalDomain } from '../lib/urls';
import type { ProjectSettings, WorkspaceDocument } from './document';
import { refuseDuplicates } from './fields';

/** @throws ApiError 400 naming the list and what is in it twice. */
export function refuseRepeats(document: WorkspaceDocument): void {
  refuseTwice('accounts', document.accounts, ({ name }) => name);
  refuseTwice('partners', document.partners, ({ name }) => name);
  refuseTwice('exchange_rates', document.exchange_rates, ({ date, currency }) => `${date} ${currency}`);
  refuseTwice('projects', document.projects, ({ account, name }) => `${account} / ${name}`);
  for (const [i, project] of (document.projects ?? []).entries()) refuseRepeatsInProject(project, `projects[${i}]`);
}

/**
 * The same of what a document says of one project.
 *
 * @throws ApiError 400, for two primary domains too.
 */
export function refuseRepeatsInProject(project: ProjectSettings, field: string): void {
  refuseTwice(`${field}.apps`, project.apps, ({ app_id }) => canonicalAppId(app_id));
  refuseTwice(`${field}.domains`, project.domains, ({ name }) => canonicalDomain(name));
  refuseTwice(`${field}.store_listings`, project.store_listings, ({ store_listing_id }) => store_listing_id);
  refuseTwice(`${field}.network_accounts`, project.network_accounts, (account) => account.external_customer_id);
  refuseTwice(`${field}.partner_switches`, project.partner_switches, ({ partner }) => partner);
  refuseTwice(`${field}.campaigns`, project.campaigns, ({ display_id }) => display_id);
  if ((project.domains ?? []).filter(({ primary }) => primary).length > 1)
    throw new ApiError(400, `${field}.domains: only one domain can be primary`);
}

const refuseTwice = <T>(field: string, entries: readonly T[] | undefined, name: (entry: T) => string): void =>
  refuseDuplicates(field, (entries ?? []).map(name));
