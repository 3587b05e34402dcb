/** What refuses to answer while figures of a project lack something. */
import type { Background } from './derive';

export const mustBeComplete = (quarantine: Background['quarantine']) => ({
  app: (projectId: number) => quarantine.mustBeComplete(['attribution', 'install-journeys'], projectId),
  web: (projectId: number) => quarantine.mustBeComplete(['web-visitors'], projectId),
});
