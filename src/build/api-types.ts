/**
 * Build step: writes what the dashboard knows of the service, so that page and service cannot disagree: the types of
 * the whole API, as its OpenAPI document has them, and the parameters and reasons of S2S requests. All of it comes from
 * the code; no service is started.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { KINDS, listParameters, readParameter, TARGETS } from '../s2s/parameters';
import { listTemplates, readTemplate } from '../s2s/macro-templates';
import { REASONS, REJECTIONS } from '../s2s/reasons';
import { readApiReference } from '../wiring/api-reference';

const FOLDER = path.join(__dirname, '..', '..', 'dashboard', 'src', 'api');

/** Linter, compiler and build may each ask for it at the same time: nobody ever sees half of it. */
function write(name: string, text: string): void {
  const file = path.join(FOLDER, name);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}

const constant = (name: string, value: unknown) => `export const ${name} = ${JSON.stringify(value)} as const;\n`;

/** How networks and trackers write URLs, in a file of its own: few pages need it. */
const describeTemplates = () =>
  constant(
    'TEMPLATES',
    listTemplates().map((id) => ({ id, ...readTemplate(id) })),
  );

/** The parameters of each S2S endpoint, and the reasons for which it refuses requests. */
function describeS2s(): string {
  const parameters = Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      listParameters(kind).map((name) => {
        const { group, hint, endpoints } = readParameter(name);
        return { name, group, hint, necessity: endpoints[kind] };
      }),
    ]),
  );
  const reasons = Object.fromEntries(
    REASONS.map((reason) => [reason, { label: REJECTIONS[reason].label, help: REJECTIONS[reason].help }]),
  );
  const targets = Object.entries(TARGETS).map(([name, { hint }]) => ({ name, hint }));
  return constant('TARGETS', targets) + constant('PARAMETERS', parameters) + constant('REASONS', reasons);
}

async function buildApiTypes(): Promise<void> {
  // An ES module, and needed by the build alone.
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  write('generated.d.ts', astToString(await openapiTS(structuredClone(readApiReference()) as never)));
  write('generated-s2s.ts', describeS2s());
  write('generated-templates.ts', describeTemplates());
}

void buildApiTypes();
