/** Events of apps, and the journeys that are derived of them. */
import { byInstall, COUNTS_FIRST, declareTables, NOTHING, type ConditionParts } from './table';

/** By the order of the table, too. */
const byInstallHash = ({ values, project }: ConditionParts) =>
  `install IN (SELECT reinterpretAsUUID(sipHash128(toUInt32(${project}), value)) FROM ${values('install')} AS subject)
    AND install_id IN ${values('install')}`;
const hashed = (values: string) => `(SELECT reinterpretAsUUID(sipHash128(value)) FROM ${values} AS subject)`;
const byJourney = ({ values }: ConditionParts) =>
  `(root_install IN ${hashed(values('install'))}
    OR conversion_id IN ${hashed(values('install'))})`;

/**
 * Replaces whom a record of adtrail.records_by_install names: journeys that are derived again still find which installs
 * are of one device, and which events of one user. The result has a blank that is in no other text.
 */
function replacePerson(person: string, replace: (text: string) => string): string {
  const named = `CAST(if(${person} = '', '(\\'\\',\\'\\',\\'\\')', ${person}), 'Tuple(String, String, String)')`;
  const parts = [1, 2, 3].map((part) => replace(`tupleElement(${named}, ${part})`));
  return `if(${person} = '' OR startsWith(${person}, '( '), ${person},
    concat('( ', substring(toString(tuple(${parts.join(', ')})), 2)))`;
}

export const APP_TABLES = declareTables({
  app_events: {
    holds: 'records',
    isMatchedByIp: true,
    expiry: { blanksAfter: 'received_at' },
    erasure: {
      does: 'move',
      kinds: ['install'],
      where: byInstall,
      written: 'received_at',
      keeps: ['event_key', 'id', 'referrer_click_id'],
      joins: { subject: 'held.install_id = subject.value' },
      copy: { install_id: 'subject.pseudonym', event_id: 'toString(held.id)', version: COUNTS_FIRST },
    },
  },
  records_by_install: {
    holds: 'derived',
    derivedBy: 'install-records',
    waitsForHiding: true,
    expiry: { blanksAfter: 'received_at' },
    erasure: {
      does: 'move',
      kinds: ['install'],
      where: byInstallHash,
      written: 'received_at',
      keeps: ['record_key', 'record'],
      replaces: { person: replacePerson },
      joins: { subject: 'held.install_id = subject.value' },
      copy: {
        install_id: 'subject.pseudonym',
        install: 'reinterpretAsUUID(sipHash128(held.project_id, subject.pseudonym))',
      },
      alive: 'is_deleted = 0',
    },
  },
  journeys: {
    holds: 'derived',
    derivedBy: 'install-journeys',
    waitsForUnlinking: true,
    expiry: { blanksAfter: 'start_time' },
    erasure: {
      does: 'move',
      kinds: ['install'],
      where: byJourney,
      joins: { root: 'held.root_install = root.named', conversion: 'held.conversion_id = conversion.named' },
      copy: {
        install_id: "if(root.pseudonym != '', root.pseudonym, held.install_id)",
        root_install: "if(root.pseudonym != '', root.renamed, held.root_install)",
        conversion_id: "if(conversion.pseudonym != '', conversion.renamed, held.conversion_id)",
        event_users: 'arrayMap(user -> sipHash64(salt, user), held.event_users)',
      },
      tombstone: { version: 'held.version + 1' },
    },
  },
  event_names: { holds: 'derived', derivedBy: 'install-journeys', erasure: NOTHING },
  journey_batches: {
    holds: 'working',
    derivedBy: 'install-journeys',
    erasure: { does: 'remove', when: 'moved', kinds: ['install'], where: byInstall, written: 'started_at' },
  },
  journey_members: {
    holds: 'working',
    derivedBy: 'install-journeys',
    erasure: {
      does: 'remove',
      when: 'moved',
      kinds: ['install'],
      where: ({ values }) => `(install_id IN ${values('install')} OR root_install IN ${values('install')})`,
      written: 'started_at',
    },
  },
  journey_records: {
    holds: 'working',
    derivedBy: 'install-journeys',
    erasure: { does: 'remove', when: 'moved', kinds: ['install'], where: byInstall, written: 'started_at' },
  },
});
