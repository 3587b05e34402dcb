/** What refuses to answer while figures of a project lack something. A page asks many questions at once: one look. */
import { joinCallsBy } from '../lib/joined';
import type { Background } from './derive';

export const mustBeComplete = (quarantine: Background['quarantine']) => ({
  app: joinCallsBy((projectId: number) => quarantine.mustBeComplete(['attribution', 'install-journeys'], projectId)),
  web: joinCallsBy((projectId: number) => quarantine.mustBeComplete(['web-visitors'], projectId)),
});
