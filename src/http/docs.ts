/** The OpenAPI document and an interactive reference made from it, all served from here: no other host is asked. */
import fs from 'node:fs/promises';
import path from 'node:path';
import type Router from '@koa/router';
import { once } from '../lib/once';
import { Type } from '../lib/schema';
import { errorReply, pathParameter } from '../openapi/operation';
import { anybody } from './auth-schemes';
import { createRoutes, endpoints, type Endpoint } from './endpoint';

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

interface DocsParts {
  /** The document, as JSON. */
  readonly readText: () => string;
}

const operation = endpoints<DocsParts>();

/** /openapi.json and /docs, for anybody. */
export const docsOperations: readonly Endpoint<DocsParts>[] = [
  operation({
    method: 'get',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'This document',
    description: 'OpenAPI 3.1.',
    auth: anybody,
    responses: {
      200: {
        description: 'The document.',
        schema: {
          type: 'object',
          required: ['openapi', 'info', 'paths'],
          properties: { openapi: Type.String(), info: { type: 'object' }, paths: { type: 'object' } },
        },
      },
    },
    handle: (ctx, { readText }) => {
      ctx.type = 'json';
      return readText();
    },
  }),
  operation({
    method: 'get',
    path: '/docs',
    operationId: 'getDocs',
    summary: 'Interactive reference',
    description: 'A page for people, made from the document.',
    auth: anybody,
    responses: { 200: { description: 'The page.', type: 'text/html', schema: Type.String() } },
    handle: (ctx) => {
      ctx.set({
        'Content-Security-Policy': POLICY,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      });
      ctx.type = 'html';
      return PAGE;
    },
  }),
  operation({
    method: 'get',
    path: '/docs/{file}',
    operationId: 'getDocsFile',
    summary: 'A file of the interactive reference',
    description: 'Script and style of the page.',
    auth: anybody,
    parameters: [pathParameter('file', 'Its name.', Type.String(), 'swagger-ui.css')],
    responses: {
      200: { description: 'The file.', type: '*/*', schema: {} },
      404: errorReply(404, 'There is no such file.', 'Not found.'),
    },
    handle: async (ctx) => {
      const name = ctx.params.file;
      const read = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
      if (!read) return ctx.throw(404);
      ctx.set({ 'Cache-Control': 'public, max-age=3600', 'X-Content-Type-Options': 'nosniff' });
      ctx.type = path.extname(name);
      return read();
    },
  }),
];

export const docsRoutes = (readDocument: () => object): Router =>
  createRoutes({ operations: docsOperations }, { readText: once(() => JSON.stringify(readDocument())) });
