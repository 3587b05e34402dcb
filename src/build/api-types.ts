/**
 * Build step: writes the types of the whole API, as its OpenAPI document has them, for the dashboard, so that page and
 * service cannot disagree. The document comes from the code; no service is started.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readApiReference } from '../wiring/api-reference';

const TARGET = path.join(__dirname, '..', '..', 'dashboard', 'src', 'api', 'generated.d.ts');

function readOr(fallback: string): string {
  try {
    return readFileSync(TARGET, 'utf8');
  } catch {
    return fallback;
  }
}

async function buildApiTypes(): Promise<void> {
  // An ES module, and needed by the build alone.
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const text = astToString(await openapiTS(structuredClone(readApiReference()) as never));
  // Linter, compiler and build may each ask for it at the same time: nobody ever sees half of it.
  if (readOr('') === text) return;
  writeFileSync(`${TARGET}.${process.pid}`, text);
  renameSync(`${TARGET}.${process.pid}`, TARGET);
}

void buildApiTypes();
