/** The parts of ingest that decide what is the same record and which came first. */
import crypto from 'node:crypto';
import fc from 'fast-check';
import { halvesOfBytes, halvesOfId, IdFilter } from '../../../src/ingest/id-filter';
import { recordId, type RecordKind } from '../../../src/ingest/record-id';
import { Receipts } from '../../../src/ingest/receipts';

const kinds: RecordKind[] = ['click', 'impression', 'ctv_impression'];
const tuple = fc.tuple(
  fc.constantFrom(...kinds),
  fc.nat(1_000_000),
  fc.string({ minLength: 1, maxLength: 256, unit: 'grapheme' }),
);

describe('record IDs', () => {
  test('are what they were in the first release: a restore must find its records', () => {
    expect(recordId('click', 1, 'tid-1')).toBe('b7e672f9-9ac4-89dd-b023-abc99d157632');
    expect(recordId('impression', 1, 'tid-1')).toBe('64884662-ad64-85a5-8b0f-aeb839c89d10');
    expect(recordId('ctv_impression', 1, 'tid-1')).toBe('7db813dc-6a9f-808c-bcae-80556189f1c4');
    expect(recordId('click', 12, 'ünï-🙂')).toBe('9412f7a4-05a4-8356-acc1-ca137a21b2e9');
  });

  test('are lower-case UUIDs of version 8', () => {
    fc.assert(
      fc.property(tuple, ([kind, campaign, tid]) =>
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(recordId(kind, campaign, tid)),
      ),
    );
  });

  test('differ for any two different records, also where parts could run into each other', () => {
    fc.assert(
      fc.property(tuple, tuple, (a, b) => {
        fc.pre(JSON.stringify(a) !== JSON.stringify(b));
        return recordId(...a) !== recordId(...b);
      }),
    );
    expect(recordId('click', 1, '1:1')).not.toBe(recordId('click', 11, ':1'));
    expect(recordId('click', 1, '23')).not.toBe(recordId('click', 12, '3'));
  });
});

describe('the filter of known IDs', () => {
  const ids = (n: number) => Array.from({ length: n }, () => crypto.randomUUID());

  test('never forgets one, and claims few that it does not have', () => {
    const known = ids(20_000);
    const filter = new IdFilter(known.length);
    for (const id of known) filter.add(...halvesOfId(id));
    expect(known.every((id) => filter.has(...halvesOfId(id)))).toBe(true);
    expect(ids(20_000).filter((id) => filter.has(...halvesOfId(id))).length).toBeLessThan(200);
  });

  test('reads from ClickHouse bytes what it reads from text', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const hex = id.replaceAll('-', '');
        const bytes = Buffer.alloc(20);
        bytes.writeBigUInt64LE(BigInt(`0x${hex.slice(0, 16)}`), 3);
        bytes.writeBigUInt64LE(BigInt(`0x${hex.slice(16)}`), 11);
        expect(halvesOfBytes(bytes, 3)).toEqual(halvesOfId(id));
      }),
    );
  });
});

describe('receipts', () => {
  test('never repeat or go back in version, whatever the clock does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1_700_000_000_000, max: 1_700_000_100_000 }), { minLength: 2 }),
        (clock) => {
          let i = 0;
          const receipts = new Receipts(() => clock[i++] as number);
          const versions = clock.map(() => receipts.next().version);
          return versions.every((version, j) => j === 0 || version < (versions[j - 1] as number));
        },
      ),
    );
  });

  test('go on after the latest receipt that a former process stored', () => {
    const receipts = new Receipts(() => 1_700_000_000_000);
    const ahead = new Receipts(() => 1_700_000_005_000).next().version;
    receipts.continueAfter(ahead);
    expect(receipts.next().version).toBeLessThan(ahead);
  });

  test('carry the UTC day of the clock, across midnight in both directions', () => {
    const clock = ['2026-02-28T23:59:59.999Z', '2026-03-01T00:00:00.000Z', '2026-02-28T23:59:59.000Z'];
    let i = 0;
    const receipts = new Receipts(() => Date.parse(clock[i++] as string));
    expect(clock.map(() => receipts.next().day)).toEqual(['2026-02-28', '2026-03-01', '2026-02-28']);
  });
});
