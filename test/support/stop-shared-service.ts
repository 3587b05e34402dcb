/** After the integration tests: stops the service that they shared, and removes the folders. */
import { removePreparedFolder } from './prepared-folder';
import { withdrawSharedService } from './shared-service';

export default async function stopSharedService(): Promise<void> {
  await withdrawSharedService();
  removePreparedFolder();
}
