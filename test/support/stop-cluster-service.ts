/** After the tests on a cluster: stops the service that they shared, and removes the folders. */
import { removePreparedFolder } from './prepared-folder';
import { withdrawSharedServiceOnCluster } from './shared-service';

export default async function stopClusterService(): Promise<void> {
  await withdrawSharedServiceOnCluster();
  removePreparedFolder();
}
