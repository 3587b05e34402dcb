/** The Host of a request is read strictly, and a host has one spelling. */
import { readHost } from '../../../src/http/host';
import { canonicalDomain, isDomain } from '../../../src/lib/urls';

const DOMAIN = 'go.acme.example';

test.each([
  [DOMAIN, DOMAIN, DOMAIN],
  ['GO.Acme.example.', DOMAIN, DOMAIN],
  [`${DOMAIN}:8080`, DOMAIN, `${DOMAIN}:8080`],
  [`${DOMAIN}.:8080`, DOMAIN, `${DOMAIN}:8080`],
  [`${DOMAIN}:`, DOMAIN, DOMAIN],
  [`${DOMAIN}:65535`, DOMAIN, `${DOMAIN}:65535`],
  ['under_score.example', 'under_score.example', 'under_score.example'],
  ['127.0.0.1:80', '127.0.0.1', '127.0.0.1:80'],
  ['[2001:DB8::1]:80', '2001:db8::1', '[2001:db8::1]:80'],
  ['[::]', '::', '[::]'],
])('%j is the host %s', (header, name, withPort) => expect(readHost(header)).toEqual({ name, withPort }));

test.each([
  ...['x@', 'x:y@', '/', 'y x@', 'http://', 'x\t', '#@', '?@'].map((before) => `${before}${DOMAIN}`),
  ...['/', '/x', ' x', '#x', '?x', ':x', ':80:80', ':99999', ':65536', '@x'].map((after) => `${DOMAIN}${after}`),
  ...['[', '[::', ':', '', '%', '\xff', 'a b', '[::1]:99999999', '[1]', '-a.example', 'x'.repeat(20_000)],
  undefined,
])('%j is no host', (header) => expect(readHost(header)).toBeUndefined());

test.each([
  ['GO.Acme.example', DOMAIN],
  ['go.acme.example.', DOMAIN],
  ['Bücher.example', 'xn--bcher-kva.example'],
  ['\uff11\uff12\uff17.0.0.1', '127.0.0.1'],
])('%s is written %s', (host, canonical) => expect(canonicalDomain(host)).toBe(canonical));

test.each(['localhost', 'a.LOCALHOST.', '127.0.0.1', '1', '0x7f.1', 'a.0x', '2130706433'])('%s is no domain', (host) =>
  expect(isDomain(host)).toBe(false),
);
test.each([DOMAIN, '1.acme.example', 'localhost.example'])('%s is one', (host) => expect(isDomain(host)).toBe(true));
