/**
 * What erasing a person runs, statement by statement, as it is committed in test/fixtures/erasure for reviewers to
 * read. It changes only on purpose: WRITE_FIXTURES=true writes the files anew.
 */
import fs from 'node:fs';
import path from 'node:path';
import { connectClickHouse } from '../../../src/db/clickhouse';
import { readRegister, type Register } from '../../../src/db/personal-data';
import * as plan from '../../../src/erasure/plan';
import { readActiveParts } from '../../../src/erasure/queries';
import { CLICKHOUSE_PASSWORD, onOneNode } from '../../support/service';
import { sharedService } from '../../support/shared-service';

const service = sharedService();
const folder = path.join(__dirname, '..', '..', 'fixtures', 'erasure');
const SECOND = 1_767_225_600_000;
const target = {
  request: 7,
  project: 3,
  until: SECOND,
  settled: SECOND + 15_000,
  kinds: new Set(['device', 'install', 'touch', 'visitor']),
};

/** By the step of a request. On a cluster the same, for the local tables of each node. */
const STEPS: Readonly<Record<string, (register: Register) => readonly string[]>> = {
  count: () => plan.counts(target).map(({ query }) => query),
  'hide-first': () => plan.replacements(target),
  hide: (register) => plan.hidingChanges(register, target),
  'hide-last': (register) => plan.unlinkingChanges(register, target),
  copy: (register) => [...plan.copies(register, target), ...plan.movedReplacements(target)],
  remove: (register) => plan.removingChanges(register, target, 42),
  look: (register) => plan.remainders(register, target).map(({ query }) => query),
  finish: (register) => [plan.dropSubjects(register, target.request)],
};

onOneNode('the statements are those that are committed', () => {
  let register: Register;
  beforeAll(async () => {
    const db = connectClickHouse(service.clickhouseUrl, CLICKHOUSE_PASSWORD);
    register = await readRegister(db);
    await db.close();
  });

  test.each(Object.entries(STEPS))('%s', (step, build) => {
    const file = path.join(folder, `${step}.sql`);
    const text = `${build(register).join(';\n\n')};\n`;
    if (process.env.WRITE_FIXTURES === 'true') fs.writeFileSync(file, text);
    expect(text).toBe(fs.readFileSync(file, 'utf8'));
  });

  test('there is no file without its step', () =>
    expect(fs.readdirSync(folder).sort()).toEqual(
      Object.keys(STEPS)
        .map((step) => `${step}.sql`)
        .sort(),
    ));
});

test('a part that was replaced in the second of a removal was in force, one of the second before was not', async () => {
  const insert = `INSERT INTO adtrail.erasure_subjects (request_id, project_id, kind, salt, plain)
    VALUES (4000000000, 4000000000, 'device', generateUUIDv4(), 'nobody')`;
  for (const query of [insert, insert, 'OPTIMIZE TABLE adtrail.erasure_subjects FINAL'])
    await service.clickhouse.command({ query });
  const [replaced] = await service.rows<{ path: string; second: number }>(
    `SELECT path, toUInt32(remove_time) AS second FROM system.parts
     WHERE database = 'adtrail' AND table = 'erasure_subjects' AND NOT active ORDER BY remove_time DESC LIMIT 1`,
  );
  const { path: part, second } = replaced as { path: string; second: number };
  const db = connectClickHouse(service.clickhouseUrl, CLICKHOUSE_PASSWORD);
  const inForceAt = async (time: number) => (await readActiveParts(db, time)).includes(part);
  expect([await inForceAt(second * 1_000), await inForceAt(second * 1_000 + 999)]).toEqual([true, true]);
  expect(await inForceAt((second + 1) * 1_000)).toBe(false);
  await db.close();
});
