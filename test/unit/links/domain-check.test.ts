/** Whether a tracking domain leads to this service, by a DNS of its own. */
import { checkDomain, type DomainResolver } from '../../../src/domains/check';

/** Jest's clock does not have the promises of timers. */
jest.mock('node:timers/promises', () => ({
  setTimeout: (ms: number, value: unknown) => new Promise((resolve) => setTimeout(resolve, ms, value)),
}));

type Zone = Record<string, { cname?: string[]; a?: string[]; aaaa?: string[] }>;
const nothing = () => Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });

function readResolver(zone: Zone): DomainResolver {
  const ask = (type: 'cname' | 'a' | 'aaaa') => (name: string) => {
    const found = zone[name]?.[type];
    return found ? Promise.resolve(found) : Promise.reject(nothing());
  };
  return { resolveCname: ask('cname'), resolve4: ask('a'), resolve6: ask('aaaa') };
}
const HOST = 'links.adtrail.example';
const ZONE: Zone = { [HOST]: { a: ['192.0.2.1'], aaaa: ['2001:db8::1'] } };
/** Time passes at once. */
async function soon<T>(asked: Promise<T>): Promise<T> {
  await jest.advanceTimersByTimeAsync(3_000);
  return asked;
}
const check = (zone: Zone, host = HOST) =>
  soon(checkDomain(readResolver({ ...ZONE, ...zone }), 'go.acme.example', host));
beforeAll(() => jest.useFakeTimers());
afterAll(() => jest.useRealTimers());

test.each([
  ['a CNAME', { 'go.acme.example': { cname: [HOST], a: ['192.0.2.1'] } }, true],
  ['a CNAME in capitals, with a dot', { 'go.acme.example': { cname: ['LINKS.adtrail.example.'] } }, true],
  ['a chain', { 'go.acme.example': { cname: ['x.acme.example'] }, 'x.acme.example': { cname: [HOST] } }, true],
  ['the same address', { 'go.acme.example': { a: ['192.0.2.1'] } }, true],
  ['the same address of version 6', { 'go.acme.example': { aaaa: ['2001:db8::1'] } }, true],
  ['another address', { 'go.acme.example': { a: ['192.0.2.9'] } }, false],
  ['another name', { 'go.acme.example': { cname: ['elsewhere.example'] } }, false],
  ['nothing', {}, false],
  ['itself', { 'go.acme.example': { cname: ['go.acme.example'] } }, false],
])('%s', async (_, zone: Zone, ok) => {
  const found = await check(zone);
  expect(found).toMatchObject({ ok, expected: `CNAME ${HOST}`, addresses: ['192.0.2.1', '2001:db8::1'] });
  expect(found.msg).toContain(ok ? 'leads to this service' : `Set CNAME ${HOST}`);
});

test('records are told', async () => {
  const { records } = await check({ 'go.acme.example': { cname: [HOST], a: ['192.0.2.1'] } });
  expect(records).toEqual([
    { type: 'CNAME', value: HOST },
    { type: 'A', value: '192.0.2.1' },
  ]);
});

test('a service reached by its address expects that', async () => {
  const found = await check({ 'go.acme.example': { a: ['192.0.2.7'] } }, '192.0.2.7');
  expect(found).toMatchObject({ ok: true, expected: 'A 192.0.2.7' });
});

test('one that is reached on its own machine says so', async () => {
  for (const host of ['localhost', '127.0.0.1', '::1'])
    expect(await check({}, host)).toMatchObject({ ok: false, msg: expect.stringContaining('public name') as string });
});

test('a DNS that fails or hangs is no answer', async () => {
  const failing = () => Promise.reject(Object.assign(new Error('SERVFAIL'), { code: 'ESERVFAIL' }));
  const hanging = () => new Promise<string[]>(() => undefined);
  for (const ask of [failing, hanging]) {
    const resolver = { resolveCname: ask, resolve4: ask, resolve6: ask };
    const found = await soon(checkDomain(resolver, 'go.acme.example', HOST));
    expect(found).toMatchObject({ ok: false, records: [], msg: expect.stringContaining('within 3 seconds') as string });
  }
});
