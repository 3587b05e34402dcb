/** What a running service has sealed at rest, for tests that look at it in PostgreSQL. */
import fs from 'node:fs';
import path from 'node:path';
import { createSeals, type Purpose } from '../../../src/lib/seal';
import type { Service } from '../service';

/** Opens a text with the key that the service has made for itself. */
export function openSealed(service: Pick<Service, 'dataDir'>, purpose: Purpose, text: string): string {
  const key = fs.readFileSync(path.join(service.dataDir, 'seal-key'), 'utf8').trim();
  return createSeals(key, []).of(purpose).open(text);
}
