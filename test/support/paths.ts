/** Folders: the one of the repository, and those that a test writes to. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const root = path.resolve(__dirname, '..', '..');

export function temporaryFolder(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'adtrail-test-'));
}
