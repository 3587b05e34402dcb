/** The OpenAPI document and an interactive reference made from it, all served from here: no other host is asked. */
import fs from 'node:fs/promises';
import path from 'node:path';
import type Router from '@koa/router';
import { once } from '../lib/once';
import { createRouter } from './router';

/** Whose files the reference is made of. */
const PACKAGE = path.dirname(require.resolve('swagger-ui-dist/package.json'));

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>adtrail API reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** The validator badge would send the document to another host. */
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });
`;

const FILES: Readonly<Record<string, () => Promise<string | Buffer>>> = {
  'start.js': () => Promise.resolve(START),
  ...Object.fromEntries(
    ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'].map((name) => [
      name,
      () => fs.readFile(path.join(PACKAGE, name)),
    ]),
  ),
};

/** Nothing but what this host serves; the reference draws its icons as data. */
const POLICY =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; " +
  "frame-ancestors 'none'";

/** /openapi.json and /docs, for anybody. */
export function docsRoutes(readDocument: () => object): Router {
  const router = createRouter();
  const readText = once(() => JSON.stringify(readDocument()));
  router.get('/openapi.json', (ctx) => {
    ctx.type = 'json';
    ctx.body = readText();
  });
  router.get('/docs', (ctx) => {
    ctx.set({
      'Content-Security-Policy': POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    });
    ctx.type = 'html';
    ctx.body = PAGE;
  });
  router.get('/docs/:file', async (ctx) => {
    const name = ctx.params.file as string;
    const read = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
    if (!read) return ctx.throw(404);
    ctx.set({ 'Cache-Control': 'public, max-age=3600', 'X-Content-Type-Options': 'nosniff' });
    ctx.type = path.extname(name);
    ctx.body = await read();
  });
  return router;
}
