/**
 * What each operation of administration demands of who asks (docs/contract/people.md). The guards of the real routes
 * are read, not asked: that a guard keeps its word is tested over HTTP, in test/integration/people/people.test.ts.
 */
import type { Middleware } from 'koa';
import type { Administrators } from '../../../src/http/administrators';
import { FEATURES } from '../../../src/wiring/features';

const NAME = Symbol('guard');
const guard = (name: string): Middleware => Object.assign(() => Promise.resolve(), { [NAME]: name });
const admins: Administrators = {
  known: guard('anybody'),
  adminToken: guard('the admin token'),
  installation: guard('installation'),
  isByOperator: () => Promise.resolve(false),
  anywhere: (permission) => guard(`${permission}, anywhere`),
  project: (permission) => guard(`${permission} of the project`),
  account: (permission) => guard(`${permission} of the account`),
  partner: (permission) => guard(`${permission} of the partner`),
};

/** Whatever the routes are given besides: nothing of it is used before a request comes. */
const anything: unknown = new Proxy(() => anything, {
  get(_, name) {
    if (name === Symbol.iterator) return () => [][Symbol.iterator]();
    if (name === Symbol.toPrimitive) return () => 1;
    return name === 'then' ? undefined : anything;
  },
});

/** Below /admin/v1. */
const DEMANDED = {
  anybody: ['GET /accounts', 'GET /exchange_rates', 'GET /partners', 'GET /projects', 'POST /projects'],
  'the admin token': ['POST /backups'],
  'account of the account': ['PUT /accounts/:id'],
  installation: [
    'POST /catch-up',
    'GET /doctor',
    'POST /exchange_rates',
    'GET /ingest',
    'DELETE /ingest/:name',
    'POST /projects/:id/clicks',
    'POST /projects/:id/domains/:domain_id/confirm',
    'GET /quarantine',
    'POST /quarantine/dismiss',
    'POST /quarantine/retry',
    'PUT /workspace',
  ],
  'status, anywhere': ['GET /status'],
  'erasure of the project': [
    'DELETE /projects/:id/devices/:kind/:value',
    'GET /projects/:id/forgotten',
    'GET /projects/:id/forgotten/:receipt_id',
    'POST /projects/:id/persons/count',
    'POST /projects/:id/persons/export',
  ],
  'installs of the project': [
    'GET /projects/:id/installs/:install_id/explain',
    'GET /projects/:id/postbacks/log',
    'GET /projects/:id/postbacks/pending',
  ],
  'keys of the project': [
    'GET /projects/:id/keys',
    'POST /projects/:id/keys',
    'DELETE /projects/:id/keys/:key_id',
    'PUT /projects/:id/keys/:key_id',
  ],
  'links of the project': [
    'POST /projects/:id/campaigns/:display_id/pause',
    'POST /projects/:id/campaigns/:display_id/unpause',
  ],
  'reports of the project': [
    'GET /projects/:id/apps',
    'GET /projects/:id/campaigns',
    'GET /projects/:id/channels',
    'GET /projects/:id/domains',
    'GET /projects/:id/network_accounts',
    'GET /projects/:id/partners',
    'GET /projects/:id/setup',
    'GET /projects/:id/store_listings',
  ],
  'settings of the project': [
    'PUT /projects/:id',
    'DELETE /projects/:id/apps/:app',
    'DELETE /projects/:id/channels/:slug',
    'DELETE /projects/:id/domains/:domain_id',
    'POST /projects/:id/domains/:domain_id/check',
    'PUT /projects/:id/partners/:partner_id',
    'GET /projects/:id/postback_overrides',
    'DELETE /projects/:id/postback_overrides/:event',
    'PUT /projects/:id/postback_overrides/:event',
    'POST /projects/:id/postback_overrides/preview',
    'GET /projects/:id/postback_secrets',
    'DELETE /projects/:id/postback_secrets/:name',
    'PUT /projects/:id/postback_secrets/:name',
    'POST /projects/:id/postbacks/replay',
    'POST /projects/:id/postbacks/test',
    'DELETE /projects/:id/store_listings/:listing',
    'GET /projects/:id/webhooks',
    'POST /projects/:id/webhooks',
    'DELETE /projects/:id/webhooks/:webhook',
    'PUT /projects/:id/webhooks/:webhook',
    'POST /projects/:id/webhooks/:webhook/rotate',
  ],
  'connections of the project': [
    'GET /projects/:id/exports',
    'GET /projects/:id/readers',
    'POST /projects/:id/readers',
    'DELETE /projects/:id/readers/:user',
  ],
  'partner of the partner': [
    'GET /partners/:id/campaigns',
    'GET /partners/:id/credited',
    'GET /partners/:id/postback_secrets',
    'GET /partners/:id/postbacks',
    'GET /partners/:id/postbacks/log',
    'GET /partners/:id/postbacks/pending',
    'POST /partners/:id/postbacks/preview',
    'GET /partners/:id/refused-requests',
    'GET /partners/:id/touches',
    'GET /partners/:id/traffic',
    'GET /partners/:id/traffic/campaigns',
    'GET /partners/:id/traffic/projects',
  ],
  'partner-postbacks of the partner': [
    'DELETE /partners/:id/postback_secrets/:name',
    'PUT /partners/:id/postback_secrets/:name',
    'DELETE /partners/:id/postbacks/:event',
    'PUT /partners/:id/postbacks/:event',
    'POST /partners/:id/postbacks/test',
  ],
  'partner-tokens of the partner': [
    'DELETE /partners/:id/tokens',
    'GET /partners/:id/tokens',
    'POST /partners/:id/tokens',
  ],
};

test('each operation of administration demands what it should', () => {
  const shared = new Set(['administration', 'records', 'reporting', 'status']);
  const parts = new Proxy({}, { get: (_, name) => (name === 'admins' ? admins : given(name)) });
  const given = (name: string | symbol) => (shared.has(String(name)) ? { admins } : anything);
  const routers = FEATURES.flatMap(({ wire }) => wire?.(parts as never) ?? []);
  const demanded: Record<string, string[]> = {};
  for (const { methods, path, stack } of routers.flatMap((router) => router.stack)) {
    const [, below] = /^\/admin\/v1(\/.*)/.exec(String(path)) ?? [];
    const guards = (stack as { [NAME]?: string }[]).flatMap((one) => one[NAME] ?? []).join(' and ');
    for (const method of below ? methods.filter((one) => one !== 'HEAD') : [])
      (demanded[guards] ??= []).push(`${method} ${below}`);
  }
  const inOrder = (table: Record<string, string[]>) =>
    Object.fromEntries(Object.entries(table).map(([guards, operations]) => [guards, operations.sort()]));
  expect(inOrder(demanded)).toEqual(inOrder(DEMANDED));
});
