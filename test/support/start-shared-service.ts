/** Before the integration tests: offers the one service that `sharedService` reaches from every suite. */
import os from 'node:os';
import { prepareFolder } from './prepared-folder';
import { offerSharedService, TOGETHER } from './shared-service';
import { startService } from './service';

/** What the suites that share the service do not test: no limit is in force, and one proxy is believed. */
export const SHARED = {
  ...TOGETHER,
  LIMIT_DATA: 'off',
  LIMIT_MANAGEMENT: 'off',
  LIMIT_IP: 'off',
  LIMIT_REPORTING: 'off',
  LIMIT_SIGN_IN: 'off',
  TRUST_PROXY: '1',
  BACKUP_DIR: os.tmpdir(),
};

export default async function startSharedService(): Promise<void> {
  await prepareFolder();
  await offerSharedService(() => startService(SHARED));
}
