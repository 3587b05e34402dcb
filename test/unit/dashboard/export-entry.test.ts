/** What the form of an export sends. */
import type { SavedQuestion } from '../../../dashboard/src/api/boards';
import { NEW, readExportEntry } from '../../../dashboard/src/pages/exports/entry';

test('fields that are empty, and those of another place, are left out', () => {
  expect(readExportEntry({ ...NEW, name: ' Lake ', bucket: 'lake', key: 'k', secret: 's', path: 'x' }, [])).toEqual({
    name: 'Lake',
    kind: 'installs',
    format: 'parquet',
    every: 'day',
    destination: { type: 's3', bucket: 'lake', prefix: '', key: 'k', secret: 's' },
  });
  expect(
    readExportEntry({ ...NEW, name: 'x', type: 'folder', path: 'shop', bucket: 'lake', from: '2026-01-01' }, []),
  ).toEqual({
    name: 'x',
    kind: 'installs',
    format: 'parquet',
    every: 'day',
    destination: { type: 'folder', path: 'shop' },
    from: '2026-01-01',
  });
});

test('a saved question is exported by the day, without its days and how it is drawn', () => {
  const question = {
    source: 'app',
    metrics: ['installs'],
    range: 'last_28_days',
    chart: 'line',
    compare: 'previous_period',
  };
  const saved = { id: 7, name: 'Q', question } as unknown as SavedQuestion;
  const entry = readExportEntry({ ...NEW, name: 'x', kind: 'question-7', every: 'hour' }, [saved]);
  expect([entry.kind, entry.every]).toEqual([{ query: { source: 'app', metrics: ['installs'] } }, 'day']);
});
