/** Which bodies are JSON objects, and what of them is refused by name. */
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { jsonBody } from '../../../src/http/body';

/** What the middleware makes of these bytes. */
async function read(text: string, options?: Parameters<typeof jsonBody>[1]): Promise<unknown> {
  const bytes = Buffer.from(text);
  const req = Object.assign(Readable.from(bytes.length > 0 ? [bytes] : []), {
    headers: { 'content-length': String(bytes.length) },
    // Nothing more is sent: what is left over is not waited for.
    complete: true,
  });
  const ctx = { method: 'POST', req, request: {}, get: () => '' } as unknown as Context;
  await jsonBody('1kb', options)(ctx, () => Promise.resolve());
  return ctx.request.body;
}

test.each([
  ...['', ' \n', 'not json', '{', '{"name":"x"', '[]', '[{"name":"x"}]', 'null', '"x"', '5', 'true', 'name=x'],
  ...["{'name':'x'}", '{"name":"x",}', '\ufeff', '{"name":NaN}', '{"name":"\u0001"}', '{"__proto__":{"a":1}}'],
  `{"a":${'['.repeat(400)}${']'.repeat(400)}}`,
])('%j is no body', (text) => expect(read(text)).rejects.toMatchObject({ status: 400, message: 'Invalid JSON body.' }));

test.each(['{}', '{"constructor":{"prototype":{"a":1}},"toString":null}'])('%s is one', async (text) =>
  expect(JSON.stringify(await read(text))).toBe(text),
);

test('text that no engine stores is refused by its field, unless the caller looks for it', async () => {
  const text = '{"a":[{"b":"\\u0000"}]}';
  await expect(read(text)).rejects.toMatchObject({
    status: 400,
    message: 'a[0].b: must be text without NUL characters and lone surrogates',
  });
  expect(await read(text, { anyText: true })).toEqual({ a: [{ b: '\0' }] });
});

test('what is longer than one may be is 413', async () => {
  const sized = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
  expect(await read(sized(1024))).toBeDefined();
  await expect(read(sized(1025))).rejects.toMatchObject({ status: 413, message: 'The body must be at most 1kb.' });
});
