/** Links by e-mail, and signing in through a provider of identities (docs/contract.md, People). */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';
import { browserOf, operatorOf, PASSWORD, tokenOf, type Browser } from '../support/person';
import { eventually, freePort, root, startService, type RunningService } from '../support/service';

const CLIENT = { id: 'adtrail', secret: 'a secret that the test and the provider share' };

let service: RunningService;
let provider: ChildProcess;
let smtp: SMTPServer;
let operator: Browser;
const mails: string[] = [];

beforeAll(async () => {
  const [port, smtpPort, providerPort] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        mails.push(text.replace(/=\r?\n/g, '').replaceAll('=3D', '='));
        done();
      });
    },
  });
  smtp.listen(smtpPort, '127.0.0.1');
  const issuer = `http://127.0.0.1:${providerPort}`;
  const script = path.join(root, 'test', 'support', 'oidc-provider.mjs');
  const args = [script, issuer, CLIENT.id, CLIENT.secret, `${url}/auth/v1/oidc/callback`];
  provider = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(provider.stdout as NodeJS.ReadableStream, 'data');
  service = await startService({
    PORT: String(port),
    PUBLIC_URL: url,
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    SMTP_FROM: 'adtrail@adtrail.example',
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'Acme ID',
    LIMIT_IP: 'off',
  });
  await service.apply({ accounts: [{ name: 'Acme' }] });
  operator = await operatorOf(service);
});
afterAll(async () => {
  provider.kill();
  await service.dispose();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
});

const mailTo = (email: string) =>
  eventually(`a mail to ${email}`, () => mails.find((mail) => mail.includes(`To: ${email}`)));
const linkIn = (mail: string) => /http:\/\/\S+\/welcome#link_[\w-]+/.exec(mail)?.[0];

test('pages hear what there is to sign in with', async () => {
  expect((await browserOf(service).send('GET', '/auth/v1/providers')).body).toEqual({
    mail: true,
    oidc: { name: 'Acme ID' },
  });
});

test('an invitation is mailed, and its link is not shown to who invites', async () => {
  const invited = { email: 'mia@x.example', role: 'owner', account_id: 1 };
  const { body } = await operator.send('POST', '/auth/v1/invitations', invited);
  expect(body).toMatchObject({ mailed: true });
  expect(body).not.toHaveProperty('link');
  const mail = await mailTo('mia@x.example');
  expect(mail).toMatch(/Subject: Invitation to Acme/);
  const followed = await browserOf(service).send('POST', '/auth/v1/links/follow', {
    token: tokenOf(linkIn(mail)),
    name: 'Mia',
    password: PASSWORD,
  });
  expect(followed.status).toBe(200);
});

test('who has forgotten the password gets a link, which leads to the service whatever the request says', async () => {
  const ask = (email: string) =>
    browserOf(service).send('POST', '/auth/v1/password-link', { email }, { 'X-Forwarded-Host': 'evil.example' });
  const before = mails.length;
  const [known, unknown] = [await ask('olga@adtrail.example'), await ask('nobody@x.example')];
  expect([known.status, unknown.status]).toEqual([202, 202]);
  expect(known.body).toEqual(unknown.body);
  const mail = await mailTo('olga@adtrail.example');
  expect(linkIn(mail)?.startsWith(`${service.url}/welcome#`)).toBe(true);
  expect(mails).toHaveLength(before + 1);
});

describe('through a provider', () => {
  /** Goes the whole way as a browser with cookies does; ends with the answer of the service. */
  async function signIn(login: string, to = '/projects/1/overview'): Promise<Response> {
    const jars: Record<string, Map<string, string>> = {};
    const visit = async (url: string, init: RequestInit = {}): Promise<Response> => {
      const { origin } = new URL(url);
      const jar = (jars[origin] ??= new Map());
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) };
      const response = await fetch(url, { ...init, headers, redirect: 'manual' });
      for (const one of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(one) as unknown as [string, string, string];
        jar.set(name, value);
      }
      return response;
    };
    const follow = async (response: Response, from: string): Promise<Response> => {
      const location = response.headers.get('location');
      if (!location || (response.url.startsWith(service.url) && response.url.includes('/callback'))) return response;
      const next = new URL(location, from).href;
      return follow(await visit(next), next);
    };
    const form = async (page: Response, fields: Record<string, string>): Promise<Response> => {
      const action = /action="([^"]+)"/.exec(await page.text())?.[1] as string;
      const at = new URL(action, page.url).href;
      return follow(await visit(at, { method: 'POST', body: new URLSearchParams(fields) }), at);
    };
    const start = `${service.url}/auth/v1/oidc/start?to=${encodeURIComponent(to)}`;
    const login1 = await follow(await visit(start), start);
    const consent = await form(login1, { prompt: 'login', login, password: 'any' });
    return form(consent, { prompt: 'consent' });
  }

  test('a person who is there signs in, and comes to the page that was asked for', async () => {
    const response = await signIn('olga@adtrail.example');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/projects/1/overview']);
    const cookie = response.headers.getSetCookie().find((one) => one.startsWith('adtrail_session='));
    const browser = browserOf(service);
    browser.cookie = cookie?.split(';')[0] as string;
    expect((await browser.send('GET', '/auth/v1/me')).body).toMatchObject({ user: { email: 'olga@adtrail.example' } });
  });

  test('who is invited comes in; who is not, or whose address nobody has checked, does not', async () => {
    const uninvited = await signIn('stranger@x.example');
    expect([uninvited.status, uninvited.headers.get('location')]).toEqual([302, '/sign-in?error=uninvited']);
    expect(uninvited.headers.getSetCookie().some((one) => one.startsWith('adtrail_session='))).toBe(false);
    const invited = { email: 'pat@x.example', role: 'viewer', account_id: 1 };
    await operator.send('POST', '/auth/v1/invitations', invited);
    expect((await signIn('pat@x.example')).headers.get('location')).toBe('/projects/1/overview');
    const { members, invitations } = (await operator.send('GET', '/auth/v1/members?account_id=1')).body;
    expect(members).toContainEqual(expect.objectContaining({ email: 'pat@x.example', name: 'Pat of the provider' }));
    expect(invitations).toEqual([]);
    await operator.send('POST', '/auth/v1/invitations', { ...invited, email: 'unverified@x.example' });
    expect((await signIn('unverified@x.example')).headers.get('location')).toBe('/sign-in?error=provider');
  });

  test('leads to no other site, and an answer without its beginning is refused', async () => {
    const response = await signIn('olga@adtrail.example', '//evil.example/');
    expect(response.headers.get('location')).toBe('/');
    const forged = await service.request('/auth/v1/oidc/callback?code=x&state=y', { redirect: 'manual' });
    expect(forged.headers.get('location')).toBe('/sign-in?error=provider');
    expect(forged.headers.getSetCookie().some((one) => one.startsWith('adtrail_session='))).toBe(false);
  });
});
