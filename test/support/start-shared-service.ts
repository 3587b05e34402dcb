/** Before the integration tests: starts the one service that `sharedService` reaches from every suite. */
import { offerSharedService } from './shared-service';
import { startService } from './service';

/** What the suites that share the service do not test: no limit is in force, and one proxy is believed. */
const SHARED = {
  LIMIT_DATA: 'off',
  LIMIT_MANAGEMENT: 'off',
  LIMIT_IP: 'off',
  LIMIT_REPORTING: 'off',
  TRUST_PROXY: '1',
};

export default async function startSharedService(): Promise<void> {
  offerSharedService(await startService(SHARED));
}
