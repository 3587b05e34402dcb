/**
 * Every operation of the API in a line: who may call it, what it takes, and with which statuses it answers. A change of
 * the interface shows in test/fixtures/operations.txt; WRITE_FIXTURES=true writes it anew.
 */
import fs from 'node:fs';
import path from 'node:path';
import { readApiReference } from '../../../src/wiring/api-reference';

interface Described {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly content: object };
  readonly responses: object;
}

const describeOperation = ({ operationId, security, parameters = [], requestBody, responses }: Described) =>
  [
    operationId,
    `by ${security.flatMap((one) => Object.keys(one)).join(' or ') || 'anybody'}`,
    ...parameters.map((one) => `${one.in} ${one.name}${one.required ? '' : '?'}`),
    ...(requestBody ? [Object.keys(requestBody.content).join(' or ')] : []),
    Object.keys(responses).join(' '),
  ].join(', ');

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
