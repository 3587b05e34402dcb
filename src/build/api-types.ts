/**
 * Build step: writes what the typed client and the dashboard know of the service, so that neither can disagree with it:
 * the types of the whole API, as its OpenAPI document has them, which operations are paged, streamed or may be sent
 * again, the parameters and reasons of S2S requests, and limits of forms. All of it comes from the code; no service is
 * started.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { conditions } from '../alerts/condition';
import { givenName, type TSchema } from '../lib/schema';
import { MAX_RECEIVERS } from '../notices/receivers';
import { KINDS, listParameters, readParameter, TARGETS } from '../s2s/parameters';
import { listTemplates, readTemplate } from '../s2s/macro-templates';
import { REASONS, REJECTIONS } from '../s2s/reasons';
import { readApiReference } from '../wiring/api-reference';
import { describeOperations } from './operations';

const root = path.join(__dirname, '..', '..');
const DASHBOARD = path.join(root, 'dashboard', 'src', 'api');
const CLIENT = path.join(root, 'clients', 'typescript', 'src');

/** Linter, compiler and build may each ask for it at the same time: nobody ever sees half of it. */
function write(folder: string, name: string, text: string): void {
  const file = path.join(folder, name);
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

/** How a number of a condition of alerts is bounded, for each type of condition. */
const describeBounds = ({ properties }: { readonly properties: Readonly<Record<string, TSchema>> }) =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, { minimum, maximum }]) => minimum !== undefined && maximum !== undefined)
      .map(([name, { minimum, maximum }]) => [name, { min: minimum as number, max: maximum as number }]),
  );

/** What forms let people type, as the service checks it. */
const describeLimits = () =>
  constant('MAX_NAME', givenName.maxLength) +
  constant('MAX_RECEIVERS', MAX_RECEIVERS) +
  constant(
    'CONDITION_BOUNDS',
    Object.fromEntries(Object.entries(conditions).map(([type, schema]) => [type, describeBounds(schema)])),
  );

async function buildApiTypes(): Promise<void> {
  // An ES module, and needed by the build alone.
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const reference = readApiReference();
  write(CLIENT, 'generated.ts', astToString(await openapiTS(structuredClone(reference) as never)));
  write(CLIENT, 'generated-operations.ts', describeOperations(reference));
  write(DASHBOARD, 'generated-s2s.ts', describeS2s());
  write(DASHBOARD, 'generated-templates.ts', describeTemplates());
  write(DASHBOARD, 'generated-limits.ts', describeLimits());
}

void buildApiTypes();
