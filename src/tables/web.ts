/** Events of browsers, and the visitors that are derived of them. */
import { byVisitor, COUNTS_FIRST, declareTables, NOTHING } from './table';

export const WEB_TABLES = declareTables({
  web_events: {
    holds: 'records',
    expiry: { blanksAfter: 'received_at' },
    erasure: {
      does: 'move',
      kinds: ['visitor'],
      where: byVisitor,
      written: 'received_at',
      keeps: ['id'],
      joins: { subject: 'held.visitor_id = subject.value' },
      copy: {
        visitor_id: 'subject.pseudonym',
        event_id: 'toString(held.id)',
        session_id: 'toString(reinterpretAsUUID(sipHash128(salt, held.session_id)))',
        version: COUNTS_FIRST,
      },
      // Visitors are derived anew for it: other visits of theirs may have arrived.
      tombstone: { stored_at: "now64(3, 'UTC')" },
    },
  },
  web_visitors: {
    holds: 'derived',
    derivedBy: 'web-visitors',
    expiry: { blanksAfter: 'last_day' },
    erasure: {
      does: 'move',
      kinds: ['visitor'],
      where: byVisitor,
      joins: { subject: 'held.visitor_id = subject.value' },
      copy: {
        visitor_id: 'subject.pseudonym',
        'conversion.user': 'arrayMap(user -> reinterpretAsUInt128(sipHash128(salt, user)), held.`conversion.user`)',
      },
      tombstone: { version: 'held.version + 1' },
      isEmptied: true,
      alive: 'notEmpty(`element.day`)',
    },
  },
  web_touches: { holds: 'derived', derivedBy: 'web-visitors', erasure: NOTHING },
  web_visitor_batches: {
    holds: 'working',
    derivedBy: 'web-visitors',
    erasure: { does: 'remove', when: 'moved', kinds: ['visitor'], where: byVisitor, written: 'started_at' },
  },
});
