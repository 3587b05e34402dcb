/** The locks that a backup holds while it keeps what there is (src/backup/take.ts). */
import { DERIVING_LOCKS, LANE_LOCKS, LOCKS } from '../../../src/db/advisory-lock';

test('every lock under which something is derived is among them, once', () => {
  const { migration, backup, sealing, ...deriving } = LOCKS;
  expect([...DERIVING_LOCKS].sort()).toEqual([...Object.values(deriving), ...LANE_LOCKS].sort());
  expect(DERIVING_LOCKS).not.toContain(migration);
  expect(DERIVING_LOCKS).not.toContain(backup);
  expect(DERIVING_LOCKS).not.toContain(sealing);
});
