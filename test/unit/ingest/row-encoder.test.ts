/** A line of the log begins with its ID and the day of receipt, whatever the order in which columns are declared. */
import { rowEncoder } from '../../../src/ingest/row-encoder';
import { Records } from '../../../src/ingest/log/records';

const ID = '3a6f0d3e-6b1f-8c1d-9a53-0c7e5d2b4f10';

test('values are in the order of the columns, whatever the order of the row', () => {
  const { columns, encode } = rowEncoder(['id', 'b', 'a']);
  expect(columns).toEqual(['id', 'b', 'a']);
  expect(encode({ a: [1], b: null, id: ID })).toBe(`["${ID}",null,[1]]`);
});

test('the day of receipt comes after the ID, so that the log finds it', () => {
  const { columns, encode } = rowEncoder(['click_id', 'name', 'bucket']);
  expect(columns).toEqual(['click_id', 'bucket', 'name']);
  const line = `${encode({ click_id: ID, name: '2020-01-01', bucket: '2026-03-01' })}\n`;
  const records = new Records(
    { bytes: Buffer.from(line), starts: [0], end: line.length },
    { table: 'clicks', columns },
  );
  const seen: string[][] = [];
  records.each(undefined, (id, day) => seen.push([id, day]));
  expect(seen).toEqual([[ID, '2026-03-01']]);
});
