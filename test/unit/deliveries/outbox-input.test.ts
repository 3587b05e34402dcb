/** What may be asked of the log of postbacks, and sent once more (docs/contract/postbacks.md). */
import {
  logParameters,
  projectLogParameters,
  readReplayInput,
  readTestInput,
  toLogSelection,
} from '../../../src/deliveries/input';
import { encodeCursor } from '../../../src/lib/cursor';
import { readValues } from '../../../src/openapi/operation';
import { refusal } from '../../support/http/refusal';

type Json = Record<string, unknown>;
const PARAMETERS = [...logParameters, ...projectLogParameters] as const;

test.each([
  ['limit=201', 'limit: must be a whole number from 1 to 200'],
  ['outcome=lost', 'outcome: must be one of sent, retry, dead, dropped, test'],
  ['kind=letter', 'kind: must be one of postback, webhook'],
  ['postback_id=1', 'postback_id: must be a UUID'],
  ['from=yesterday', 'from: must be a day, written YYYY-MM-DD'],
  ['from=2026-02-02&to=2026-02-01', 'from: must not be after to'],
  ['before=abc', 'before: must be a next_before of this list'],
  ['partner_id=0', 'partner_id: must be a whole number from 1 to 2147483647'],
])('%s is refused', (query, msg) =>
  expect(refusal(() => toLogSelection(readValues(PARAMETERS, new URLSearchParams(query))))).toEqual([400, msg]),
);

test.each<[Json, string]>([
  [{}, 'body: "postback_id", or "from" and "to", are required'],
  [{ from: '2026-01-01' }, 'body: "postback_id", or "from" and "to", are required'],
  [{ from: '2026-01-02', to: '2026-01-01' }, 'from: must not be after to'],
  [{ from: '2026-01-01', to: '2026-03-01' }, 'to: the range must have at most 31 days, both included'],
  [{ from: '2026-01-01', to: '2026-01-01', outcome: 'test' }, 'outcome: must be one of sent, dead, dropped'],
  [
    { from: '2026-01-01', to: '2026-01-01', partner_id: 1, webhook_id: 1 },
    'webhook_id: must not be there together with partner_id',
  ],
  [{ from: '2026-01-01', to: '2026-01-01', after: 'abc' }, 'after: must be the next of a replay'],
  [{ postback: 1 }, 'body: unknown field "postback"'],
])('a replay of %j is refused', (body, msg) => expect(refusal(() => readReplayInput(body))).toEqual([400, msg]));

const ID = '0b4f6d0e-1111-4222-8333-944455566677';
const DAYS = { from: '2026-01-01', to: '2026-01-01' };
const readBefore = (before: string) => toLogSelection(readValues(PARAMETERS, new URLSearchParams({ before })));

test('a list and a replay go on at the place that they gave', () => {
  expect(readBefore(encodeCursor([1_000, ID, 2]))).toMatchObject({
    before_time: 1_000,
    before_id: ID,
    before_attempt: 2,
  });
  const after = encodeCursor([1, 1_000, ID]);
  expect(readReplayInput({ ...DAYS, after }).after).toEqual({ kind: 1, time: 1_000, subject: ID });
});

test.each([
  ['time', ['1000', ID, 2], [1, '1000', ID]],
  ['time before all times', [-1, ID, 2], [1, -1, ID]],
  ['ID', [1_000, 'x', 2], [1, 1_000, 'x']],
  ['attempt, or kind', [1_000, ID, 65_536], [2, 1_000, ID]],
  ['part of a number', [1_000, ID, 1.5], [0.5, 1_000, ID]],
  ['value that is there', [1_000, ID], [1, 1_000]],
])('no place has such a %s', (_, before, after) => {
  expect(refusal(() => readBefore(encodeCursor(before)))).toEqual([400, 'before: must be a next_before of this list']);
  const replay = () => readReplayInput({ ...DAYS, after: encodeCursor(after) });
  expect(refusal(replay)).toEqual([400, 'after: must be the next of a replay']);
});

test('a test takes a template or a webhook', () => {
  for (const body of [{}, { template: { method: 'GET', url: 'https://a.example' }, webhook_id: 1 }])
    expect(refusal(() => readTestInput(body))).toEqual([400, 'body: either "template" or "webhook_id" is required']);
});
