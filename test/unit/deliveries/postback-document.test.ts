/** Postbacks, overrides and webhooks of a workspace document: which form is refused (docs/contract/postbacks.md). */
import { workspaceSchema } from '../../../src/workspace/document';
import { validator } from '../../../src/lib/validate';
import { refusal } from '../../support/http/refusal';

const read = validator(workspaceSchema);
const URL_BASE = 'https://partner.example/pb';
const HOOK = 'https://shop.example/hook';
const install = { event: 'install', method: 'GET', url: `${URL_BASE}?t={tid}` };
const payment = {
  event: 'event:a/b',
  method: 'POST',
  url: URL_BASE,
  headers: { Authorization: 'Bearer credential-1' },
  body: { z: '{tid}', amount: ['{amount}', -0, 1.5] },
  enabled: false,
};

const base = { account: 'Acme', timezone: 'UTC' };

const partner = (...postbacks: object[]) => ({ partners: [{ name: 'Mobi', postbacks }] });
const project = (part: object) => ({ projects: [{ ...base, name: 'Shop', ...part }] });
const override = (...postback_overrides: object[]) => project({ postback_overrides });
const hook = (...webhooks: object[]) => project({ webhooks });
const many = (count: number) => Array.from({ length: count }, (_, i) => ({ ...install, event: `event:${i}` }));
const hooks = (count: number) => Array.from({ length: count }, (_, i) => ({ url: `${HOOK}/${i}`, events: ['*'] }));
const at = 'partners[0].postbacks[0]';
const of = 'projects[0].postback_overrides[0]';
const onHook = 'projects[0].webhooks[0]';

test('good ones are legal', () => {
  for (const part of [partner(install, payment), override({ event: 'signup', enabled: false }), hook(...hooks(20))])
    expect(read(part)).toEqual(part);
});

test.each<[string, object, string]>([
  ['an unknown event', partner({ ...install, event: 'open' }), `${at}.event: must match pattern`],
  ['an event without a name', partner({ ...install, event: 'event:' }), `${at}.event: must match pattern`],
  ['another method', partner({ ...install, method: 'PUT' }), `${at}.method: must be one of GET, POST`],
  ['no URL', partner({ event: 'install', method: 'GET' }), `${at}: "url" is required`],
  ['no method', partner({ event: 'install', url: URL_BASE }), `${at}: "method" is required`],
  ['an unknown field', partner({ ...install, withhold: [] }), `${at}: unknown field "withhold"`],
  ['a number as header', partner({ ...install, headers: { 'X-A': 1 } }), `${at}.headers.X-A: must be string`],
  ['a number as body', partner({ ...payment, body: 1 }), `${at}.body: must be string,object,array,null`],
  ['101 postbacks', partner(...many(101)), 'partners[0].postbacks: must NOT have more than 100 items'],
  ['another thing to withhold', override({ event: 'signup', withhold: ['ip'] }), `${of}.withhold[0]: must be one of`],
  ['201 overrides', override(...many(201)), 'projects[0].postback_overrides: must NOT have more than 200 items'],
  ['no events', hook({ url: HOOK, events: [] }), `${onHook}.events: must NOT have fewer than 1 items`],
  ['an unknown event', hook({ url: HOOK, events: ['close'] }), `${onHook}.events[0]: must match pattern`],
  ['21 webhooks', hook(...hooks(21)), 'projects[0].webhooks: must NOT have more than 20 items'],
  ['a word for a switch', project({ reject_suspicious: 'yes' }), 'projects[0].reject_suspicious: must be boolean'],
])('with %s is refused', (_, part, msg) =>
  expect(refusal(() => read(part))).toEqual([400, expect.stringContaining(msg)]),
);
