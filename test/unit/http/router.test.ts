/** Paths are told apart by case, as guards, limits and the rules of proxies before the service do. */
import fs from 'node:fs';
import path from 'node:path';
import type { Context } from 'koa';
import { createRouter } from '../../../src/http/router';

const source = path.resolve(__dirname, '..', '..', '..', 'src');

test('a route has one spelling', async () => {
  const router = createRouter('/admin/v1');
  router.get('/projects/:id', (ctx) => {
    ctx.body = ctx.params.id;
  });
  const answer = async (at: string) => {
    const ctx = { method: 'GET', path: at, request: {} } as unknown as Context;
    await router.routes()(ctx as never, () => Promise.resolve());
    return ctx.body;
  };
  expect(await answer('/admin/v1/projects/X')).toBe('X');
  for (const at of ['/ADMIN/v1/projects/X', '/admin/V1/projects/X', '/admin/v1/Projects/X'])
    expect([at, await answer(at)]).toEqual([at, undefined]);
});

test('every router of the service is made so', () => {
  const files = fs.readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const makers = files.filter((file) =>
    /\bnew (?:Koa)?Router\(/.test(fs.readFileSync(path.join(source, file), 'utf8')),
  );
  expect(makers).toEqual([path.join('http', 'router.ts')]);
});
