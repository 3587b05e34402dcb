/** What the log says where ClickHouse lets the service make no user for data engineers. */
import { readerStatements, withoutHash } from '../../../src/db/reader';
import { sha256 } from '../../../src/lib/secrets';

test('a statement is quoted without the hash of the password', () => {
  const statements = readerStatements('a-password', undefined);
  expect(statements.join()).toContain(sha256('a-password'));
  for (const statement of statements)
    expect(withoutHash(new Error(`Not enough privileges: ${statement}`))).not.toContain(sha256('a-password'));
  expect(withoutHash(new Error('Not enough privileges'))).toBe('Not enough privileges');
});
