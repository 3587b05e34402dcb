/** What is sent to partners and advertisers. Messages about a forgotten person that are not sent yet are dropped. */
import { byInstall, declareTables } from './table';

export const MESSAGE_TABLES = declareTables({
  outbox_batches: {
    holds: 'working',
    derivedBy: 'outbox',
    erasure: { does: 'remove', when: 'hidden', kinds: ['install'], where: byInstall, written: 'started_at' },
  },
  outbox_events: {
    holds: 'derived',
    derivedBy: 'outbox',
    expiry: { dropsAfter: 'noted_at', days: 90 },
    erasure: { does: 'remove', when: 'hidden', kinds: ['install'], where: byInstall, written: 'noted_at' },
  },
  postbacks: {
    holds: 'notes',
    expiry: { dropsAfter: 'attempted_at', days: 90 },
    erasure: { does: 'remove', when: 'hidden', kinds: ['install'], where: byInstall, written: 'attempted_at' },
  },
});
