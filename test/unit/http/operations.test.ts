/**
 * Every operation of the API in a line: who may call it, what it takes, and with which statuses it answers. A change of
 * the interface shows in test/fixtures/operations.txt; WRITE_FIXTURES=true writes it anew. What S2S requests take is
 * in docs/contract/s2s.md, which another test compares.
 */
import fs from 'node:fs';
import path from 'node:path';
import { DEFINITIONS } from '../../../src/s2s/definitions';
import { readApiReference } from '../../../src/wiring/api-reference';

interface Described {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly content: object };
  readonly responses: object;
}

const s2sNames = new Set(DEFINITIONS.flatMap(({ reads }) => Object.values(reads).flat()));
const takesS2s = ({ security }: Described) => security.some((one) => 'partnerTokenParameter' in one);

const describeOperation = (described: Described) => {
  const { operationId, security, parameters = [], requestBody, responses } = described;
  const shown = takesS2s(described) ? parameters.filter(({ name }) => !s2sNames.has(name)) : parameters;
  return [
    operationId,
    `by ${security.flatMap((one) => Object.keys(one)).join(' or ') || 'anybody'}`,
    ...shown.map((one) => `${one.in} ${one.name}${one.required ? '' : '?'}`),
    ...(requestBody ? [Object.keys(requestBody.content).join(' or ')] : []),
    Object.keys(responses).join(' '),
  ].join(', ');
};

test('the operations are those that are committed', () => {
  const paths = readApiReference().paths as Readonly<Record<string, Readonly<Record<string, Described>>>>;
  const lines = Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, one]) => `${method.toUpperCase()} ${at}\n  ${describeOperation(one)}`),
  );
  const text = `${lines.sort().join('\n')}\n`;
  const file = path.join(__dirname, '../../fixtures/operations.txt');
  if (process.env.WRITE_FIXTURES === 'true') fs.writeFileSync(file, text);
  expect(text).toBe(fs.readFileSync(file, 'utf8'));
});
