/** Decisions about installs, and what they are made with. */
import { byInstall, declareTables } from './table';

/** Whether a row of adtrail.installs_by_identifier names a device by what replaces it: a device itself is a UUID. */
export const IS_REPLACED = "(kind != 'user' AND startsWith(value, '#'))";

export const ATTRIBUTION_TABLES = declareTables({
  installs: {
    holds: 'derived',
    derivedBy: 'attribution',
    waitsForHiding: true,
    expiry: { blanksAfter: 'received_at' },
    erasure: {
      does: 'move',
      kinds: ['install'],
      where: byInstall,
      written: 'received_at',
      keeps: ['touch_id', 'candidates'],
      joins: { subject: 'held.install_id = subject.value' },
      copy: { install_id: 'subject.pseudonym', event_id: 'subject.pseudonym' },
      alive: 'is_deleted = 0',
    },
  },
  install_queue: {
    holds: 'derived',
    derivedBy: 'install-queue',
    backup: 'first',
    expiry: { blanksAfter: 'received_at' },
    erasure: { does: 'remove', when: 'hidden', kinds: ['install'], where: byInstall, written: 'received_at' },
  },
  installs_by_identifier: {
    holds: 'derived',
    derivedBy: 'installs-by-identifier',
    waitsForHiding: true,
    // It is made of events within seconds.
    expiry: { dropsAfter: 'noted_at' },
    erasure: {
      does: 'remove',
      when: 'hidden',
      goesLast: `NOT ${IS_REPLACED}`,
      kinds: ['install'],
      where: byInstall,
      written: 'noted_at',
    },
  },
  attribution_batches: {
    holds: 'working',
    derivedBy: 'attribution',
    erasure: { does: 'remove', when: 'hidden', kinds: ['install'], where: byInstall, written: 'received_at' },
  },
  attribution_matches: {
    holds: 'working',
    derivedBy: 'attribution',
    erasure: {
      does: 'remove',
      when: 'hidden',
      kinds: ['device', 'touch'],
      where: ({ values, hash }) =>
        `((match != 'ip' AND ${hash('key')} IN ${values('device')})
    OR toString(touch_id) IN ${values('touch')})`,
      written: 'received_at',
    },
  },
  attribution_candidates: {
    holds: 'working',
    derivedBy: 'attribution',
    erasure: {
      does: 'remove',
      when: 'hidden',
      kinds: ['install', 'touch'],
      where: ({ values }) =>
        `(install_id IN ${values('install')}
    OR toString(touch_id) IN ${values('touch')})`,
      written: 'received_at',
    },
  },
  attribution_reinstalls: {
    holds: 'working',
    derivedBy: 'attribution',
    erasure: { does: 'remove', when: 'hidden', kinds: ['install'], where: byInstall, written: 'started_at' },
  },
});
