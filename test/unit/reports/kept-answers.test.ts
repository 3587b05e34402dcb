import fs from 'node:fs';
import path from 'node:path';
import type { Answer } from '../../../src/questions/answer';
import { KeptAnswers, listTables } from '../../../src/questions/kept-answers';
import { root } from '../../support/paths';

const STATEMENTS = ['SELECT 1 FROM adtrail.journeys FINAL', 'SELECT 1 FROM adtrail.counted_spend AS spent'];
const answer = (value: number, rows = 1): Answer => ({
  results: Array.from({ length: rows }, () => ({ dimensions: [], labels: [], metrics: [value] })),
  meta: {},
  query: {},
});

/** A cache over tables whose states are what the test says, and how often it had to compute. */
function make(states: Record<string, string>, clock = { now: 0 }) {
  const computed: string[] = [];
  const kept = new KeptAnswers(
    { rows: () => Promise.resolve(Object.entries(states).map(([table, state]) => ({ table, state })) as never) },
    () => clock.now,
  );
  const ask = (asked: string, rows = 1) =>
    kept.get(asked, STATEMENTS, () => {
      computed.push(asked);
      return Promise.resolve(answer(computed.length, rows));
    });
  return { kept, ask, computed };
}

describe('answers that are kept', () => {
  it('are computed once while nothing that they read changes', async () => {
    const states = { journeys: '1', ad_spend: '1', messages: '1' };
    const { ask, computed } = make(states);
    expect(await ask('a')).toEqual(answer(1));
    states.messages = '2';
    expect(await ask('a')).toEqual(answer(1));
    expect(await ask('b')).toEqual(answer(2));
    expect(computed).toEqual(['a', 'b']);
  });

  it.each(['journeys', 'ad_spend'] as const)('are computed anew once %s has changed, and back', async (table) => {
    const states = { journeys: '1', ad_spend: '1' };
    const { ask } = make(states);
    await ask('a');
    states[table] = '2';
    expect(await ask('a')).toEqual(answer(2));
  });

  it('are shared while they are computed', async () => {
    const { ask, computed } = make({ journeys: '1' });
    expect(await Promise.all([ask('a'), ask('a'), ask('a')])).toEqual([answer(1), answer(1), answer(1)]);
    expect(computed).toEqual(['a']);
  });

  it('are no errors', async () => {
    const { kept, ask } = make({});
    await expect(kept.get('a', STATEMENTS, () => Promise.reject(new Error('busy')))).rejects.toThrow('busy');
    expect(await ask('a')).toEqual(answer(1));
  });

  it('last no longer than ten minutes', async () => {
    const clock = { now: 0 };
    const { ask } = make({}, clock);
    await ask('a');
    clock.now = 9 * 60_000;
    expect(await ask('a')).toEqual(answer(1));
    clock.now = 11 * 60_000;
    expect(await ask('a')).toEqual(answer(2));
  });

  it('take a bounded amount of memory: those not asked for go first, and very long ones at once', async () => {
    const { ask, computed } = make({});
    for (let n = 0; n < 12; n++) {
      await ask(String(n), 50_000);
      await ask('0', 50_000);
    }
    expect(computed.filter((one) => one === '0')).toHaveLength(1);
    await ask('1', 50_000);
    expect(computed.filter((one) => one === '1')).toHaveLength(2);
    await ask('long', 200_000);
    await ask('long', 200_000);
    expect(computed.filter((one) => one === 'long')).toHaveLength(2);
  });

  it('know the tables below views', () => {
    expect([...listTables('FROM adtrail.spend_by_campaign_day JOIN adtrail.web_visitors')].sort()).toEqual([
      'ad_spend',
      'counted_spend',
      'spend_by_campaign_day',
      'web_visitors',
    ]);
    // A view that reads another database, or is written otherwise, would be missed.
    for (const name of fs
      .readdirSync(path.join(root, 'clickhouse', 'views'))
      .filter((one) => one.startsWith('adtrail')))
      expect(listTables(`FROM adtrail.${name.split('.')[1]}`).size).toBeGreaterThan(1);
  });
});
