/** Before the tests on a cluster: offers the one service that `sharedService` reaches from them. */
import { startOnCluster } from './cluster';
import { prepareFolder } from './prepared-folder';
import { offerSharedServiceOnCluster } from './shared-service';
import { SHARED } from './start-shared-service';
import { startService } from './service';

export default async function startClusterService(): Promise<void> {
  await prepareFolder();
  await offerSharedServiceOnCluster(() => startOnCluster((engine) => startService({ ...SHARED, ...engine })));
}
