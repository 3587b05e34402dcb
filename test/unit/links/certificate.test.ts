/** What browsers would say of the certificate of a domain, with a server that has one of its own. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { createCertificateReader } from '../../../src/domains/certificate';

const NAME = 'go.acme.example';
let folder: string;
let server: tls.Server;
let cert: string;
let port: number;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'adtrail-certificate-'));
  const [key, file] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const named = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`, '-keyout', key, '-out', file];
  execFileSync('openssl', [...made, ...named], { stdio: 'ignore' });
  cert = fs.readFileSync(file, 'utf8');
  server = tls.createServer({ key: fs.readFileSync(key), cert });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  fs.rmSync(folder, { recursive: true });
});

test('one that is trusted and for the name', async () => {
  const read = createCertificateReader({ port, ca: cert });
  expect(await read(NAME, '127.0.0.1')).toEqual({ ok: true, msg: `${NAME} leads to this service over HTTPS.` });
  expect(await read('other.example', '127.0.0.1')).toEqual({
    ok: false,
    msg: 'other.example has no valid certificate: its certificate is for another name.',
  });
});

test('one that nobody trusts, and none', async () => {
  expect(await createCertificateReader({ port })(NAME, '127.0.0.1')).toEqual({
    ok: false,
    msg: `${NAME} has no valid certificate: its certificate is self-signed.`,
  });
  const nothing = tls.createServer();
  await new Promise<void>((resolve) => nothing.listen(0, '127.0.0.1', resolve));
  const closed = (nothing.address() as AddressInfo).port;
  await new Promise((resolve) => nothing.close(resolve));
  expect((await createCertificateReader({ port: closed })(NAME, '127.0.0.1')).msg).toContain('nothing answers');
});
