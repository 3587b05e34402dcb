/** Before the integration tests: starts the one service that `sharedService` reaches from every suite. */
import { prepareFolder } from './prepared-folder';
import { offerSharedService } from './shared-service';
import { startService } from './service';

/** What the suites that share the service do not test: no limit is in force, and one proxy is believed. */
export const SHARED = {
  LIMIT_DATA: 'off',
  LIMIT_MANAGEMENT: 'off',
  LIMIT_IP: 'off',
  LIMIT_REPORTING: 'off',
  TRUST_PROXY: '1',
};

export default async function startSharedService(): Promise<void> {
  await prepareFolder();
  offerSharedService(await startService(SHARED));
}
