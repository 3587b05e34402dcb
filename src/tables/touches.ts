/** Clicks and impressions, and what is derived of them alone. */
import { byTouch, declareTables, NOTHING, type ConditionParts } from './table';

/** Touches of a device, by its advertising IDs, or of a touch that is known to be of the person. */
const byDevice =
  (id: string) =>
  ({ values, hash }: ConditionParts) =>
    `(${hash("ifNull(toString(gaid), '')")} IN ${values('device')}
    OR ${hash("ifNull(toString(idfa), '')")} IN ${values('device')}
    OR toString(${id}) IN ${values('touch')})`;

export const TOUCH_TABLES = declareTables({
  clicks: {
    holds: 'records',
    isMatchedByIp: true,
    backup: 'last',
    expiry: { blanksAfter: 'received_at' },
    erasure: {
      does: 'blank',
      kinds: ['device', 'touch'],
      where: byDevice('click_id'),
      written: 'received_at',
      keeps: ['click_id'],
    },
  },
  impressions: {
    holds: 'records',
    backup: 'last',
    expiry: { blanksAfter: 'received_at' },
    erasure: {
      does: 'blank',
      kinds: ['device', 'touch'],
      where: byDevice('impression_id'),
      written: 'received_at',
      keeps: ['impression_id'],
    },
  },
  ctv_impressions: {
    holds: 'records',
    isMatchedByIp: true,
    backup: 'last',
    expiry: { blanksAfter: 'received_at' },
    erasure: {
      does: 'blank',
      kinds: ['touch'],
      where: ({ values }) => `toString(impression_id) IN ${values('touch')}`,
      written: 'received_at',
      keeps: ['impression_id'],
    },
  },
  touches_by_id: {
    holds: 'derived',
    derivedBy: 'touches',
    waitsForHiding: true,
    expiry: { dropsAfter: 'received_at' },
    erasure: { does: 'remove', when: 'hidden', kinds: ['touch'], where: byTouch },
  },
  touches_by_identifier: {
    holds: 'derived',
    derivedBy: 'touches',
    waitsForHiding: true,
    // A touch is received when it has happened.
    expiry: { dropsAfter: 'touch_time' },
    erasure: { does: 'remove', when: 'hidden', kinds: ['touch'], where: byTouch },
  },
  daily_clicks: { holds: 'derived', derivedBy: 'daily-clicks', erasure: NOTHING },
});
