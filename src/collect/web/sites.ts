/** Which pages and campaigns are a project's own (docs/contract/web-report.md). */
import type { ConfigSnapshot, Project } from '../../configuration/config-snapshot';
import type { OwnSites } from '../../web-channels/classify';
import { registrableDomain } from '../../web-channels/sources';
import { parseUrl } from '../../lib/parse-url';

/** Kept for as long as the project's configuration is: a change makes a new project object. */
const known = new WeakMap<Project, OwnSites>();

export function ownSites(snapshot: ConfigSnapshot, project: Project): OwnSites {
  const found = known.get(project);
  if (found) return found;
  const website = registrableDomain(parseUrl(project.website ?? '')?.hostname ?? '');
  const isCampaign = (displayId: string) => snapshot.campaign(project.id, displayId)?.deleted === false;
  const sites = { domains: new Set(snapshot.listDomains(project.id)), website, isCampaign };
  known.set(project, sites);
  return sites;
}
