/// <reference lib="dom" />
/** The packed `@adtrail/client` in a page: its modules as they are, without a bundler. */
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type * as client from '../../clients/typescript/src/index';
import { addDays } from '../../src/lib/time';
import { inBrowser, launch } from '../support/chromium';
import { packClient } from '../support/client/packed';
import { ask } from '../support/reports/query';
import { newTid } from '../support/s2s/s2s-client';
import { eventually, temporaryFolder } from '../support/service';
import { sharedService } from '../support/shared-service';
import { ownNames } from '../support/workspace/own-names';
import { GAID, TOKEN, workspace } from '../support/workspace/workspace';

const service = sharedService();
const own = ownNames('client-in-page');
const KEY = own('key');
const WEB_KEY = own('web');
const PAGE = `<!doctype html><title>A page</title><script type="importmap">{"imports": {
  "@adtrail/client": "/modules/@adtrail/client/dist/esm/index.js",
  "openapi-fetch": "/modules/openapi-fetch/dist/index.mjs"
}}</script>
<script type="module">import * as client from '@adtrail/client'; window.client = client;</script>`;
const TODAY = new Date().toISOString().slice(0, 10);
const QUESTION = {
  source: 'app' as const,
  metrics: ['clicks'],
  from: addDays(TODAY, -1),
  to: addDays(TODAY, 1),
};

const folder = temporaryFolder();
let modules: string;
let site: http.Server;
let chromium: Browser;
let page: Page;

/** The page, the modules, and the service below one origin, as behind a proxy of somebody's own. */
function serve(request: http.IncomingMessage, response: http.ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', 'http://site');
  if (pathname === '/page') return void response.setHeader('Content-Type', 'text/html').end(PAGE);
  if (pathname.startsWith('/modules/')) {
    response.setHeader('Content-Type', 'text/javascript');
    return void response.end(fs.readFileSync(path.join(modules, path.normalize(pathname.slice('/modules'.length)))));
  }
  const headers = { ...request.headers, host: new URL(service.url).host };
  const options = { method: request.method, headers };
  request.pipe(
    http.request(`${service.url}${request.url}`, options, (answer) => {
      response.writeHead(answer.statusCode as number, answer.headers);
      answer.pipe(response);
    }),
  );
}

/** What the page has loaded. */
type Loaded = Window & { readonly client: typeof client };

inBrowser('the client in a page', () => {
  beforeAll(async () => {
    modules = packClient(folder);
    const [first, ...others] = workspace.projects;
    await service.apply(
      own.document({
        ...workspace,
        projects: [{ ...first, server_keys: ['key'], web_keys: ['web'] }, ...others],
      }),
    );
    const tid = newTid('client-in-page');
    const query = new URLSearchParams({ c: 'AbC123', app_id: 'com.acme.shop', gaid: GAID, tid });
    const headers = { 'X-Service-Token': own(TOKEN) };
    expect((await service.request(`/v1/click?${query.toString()}`, { headers })).status).toBe(200);
    site = http.createServer(serve);
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    chromium = await launch();
    page = await chromium.newPage();
    await eventually('the click is in the figures', async () =>
      (await ask(service, KEY, QUESTION)).results[0]?.metrics[0] === 1 ? true : undefined,
    );
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/page`);
  });
  afterAll(async () => {
    await chromium?.close();
    site?.closeAllConnections();
    site?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  test('asks questions of the origin that it is on, and reads rows as they come', async () => {
    const found = await page.evaluate(
      async ([serviceKey, body]) => {
        const { ApiFailure, createClient } = (window as unknown as Loaded).client;
        const asking = createClient({ url: location.origin, serviceKey });
        const { data } = await asking.POST('/api/v1/reporting/query', { body });
        const rows = [];
        const byCampaign = { ...body, dimensions: ['campaign'] };
        for await (const row of await asking.stream('/api/v1/reporting/query', { body: byCampaign })) rows.push(row);
        const missing = asking.GET('/api/v1/boards/{id}', { params: { path: { id: 987_654 } } });
        const failure = await missing.catch((error: unknown) => error);
        return { data, rows, code: failure instanceof ApiFailure ? failure.code : '' };
      },
      [KEY, QUESTION] as const,
    );
    expect(found).toMatchObject({ data: { results: [{ metrics: [1] }] }, code: 'not_found' });
    expect(found.rows).toMatchObject([{ clicks: 1 }]);
  });

  test('from another origin it may send what visitors do, and ask nothing', async () => {
    const found = await page.evaluate(
      async ([url, serviceKey, webKey, body]) => {
        const { createClient } = (window as unknown as Loaded).client;
        const there = createClient({ url, serviceKey, webKey, maxRetries: 0 });
        const events = [
          { event_id: 'from-a-page', type: 'page_view' as const, visitor_id: 'v', session_id: 's', ...body },
        ];
        const { data } = await there.POST('/collect/v1/web', { body: { events } });
        const asked = there.GET('/api/v1/campaigns').then(
          () => 'answered',
          (error: { code: string }) => error.code,
        );
        return { data, asked: await asked };
      },
      [service.url, KEY, WEB_KEY, { url: 'https://acme.example/', time: new Date().toISOString() }] as const,
    );
    expect(found).toMatchObject({ data: { accepted: 1 }, asked: 'unreachable' });
  });

  test('a stream is sent over HTTP/2 alone, and is nowhere else taken for sent', async () => {
    const found = await page.evaluate(async (serviceKey) => {
      const { createClient } = (window as unknown as Loaded).client;
      const sending = createClient({ url: location.origin, serviceKey });
      const bytes = new TextEncoder().encode('{"day": "2026-01-05", "text": "Sent as bytes"}');
      const headers = { 'Content-Type': 'application/json' };
      const whole = await sending.POST('/api/v1/annotations', { body: new Blob([bytes]), headers });
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(bytes);
          controller.close();
        },
      });
      const streamed = sending.POST('/api/v1/annotations', { body, headers }).then(
        () => 'sent',
        (error: { code: string }) => error.code,
      );
      return { status: whole.response.status, text: whole.data.text, streamed: await streamed };
    }, KEY);
    expect(found).toEqual({ status: 201, text: 'Sent as bytes', streamed: 'unreachable' });
  });
});
