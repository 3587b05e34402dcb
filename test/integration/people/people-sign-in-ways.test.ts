/** Links by e-mail, and signing in through a provider of identities (docs/contract/people.md). */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { TOTP } from 'otpauth';
import { SMTPServer } from 'smtp-server';
import { ownNames } from '../../support/workspace/own-names';
import { readBrowser, readOperator, PASSWORD, readToken, type Browser } from '../../support/people/person';
import { readPostgres } from '../../support/postgres';
import { eventually, freePort, root, type RunningService } from '../../support/service';
import { sharedService, startBeside } from '../../support/shared-service';

const CLIENT = { id: 'adtrail', secret: 'a secret that the test and the provider share' };

const shared = sharedService();
const own = ownNames('sign-in-ways');
const OLGA = 'olga@sign-in.example';
let service: RunningService;
let provider: ChildProcess;
let providerPort: number;
let smtp: SMTPServer;
/** What the server says to every mail; null to take it. */
let refusal: Error | null = null;
let operator: Browser;
let acme: number;
let beta: number;
const mails: string[] = [];

beforeAll(async () => {
  const [port, smtpPort] = [await freePort(), await freePort()];
  providerPort = await freePort();
  const url = `http://127.0.0.1:${port}`;
  smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        if (!refusal) mails.push(text.replace(/=\r?\n/g, '').replaceAll('=3D', '='));
        done(refusal);
      });
    },
  });
  smtp.listen(smtpPort, '127.0.0.1');
  const issuer = `http://127.0.0.1:${providerPort}`;
  const script = path.join(root, 'test', 'support', 'people', 'oidc-provider.mjs');
  const args = [script, issuer, CLIENT.id, CLIENT.secret, `${url}/auth/v1/oidc/callback`];
  provider = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(provider.stdout as NodeJS.ReadableStream, 'data');
  service = await startBeside(shared, {
    PORT: String(port),
    PUBLIC_URL: url,
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    SMTP_FROM: 'adtrail@adtrail.example',
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'Acme ID',
    LIMIT_IP: 'off',
    LIMIT_SIGN_IN: '1000/600s',
  });
  await service.apply(own.document({ accounts: [{ name: 'Acme' }, { name: 'Beta' }] }));
  const { accounts } = (await service.admin('GET', '/accounts')).body as { accounts: { id: number; name: string }[] };
  [acme = 0, beta = 0] = ['Acme', 'Beta'].map((name) => accounts.find((one) => one.name === own(name))?.id);
  operator = await readOperator(service, OLGA);
});
afterAll(async () => {
  provider.kill();
  await service.dispose();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
});

const mailTo = (email: string) =>
  eventually(`a mail to ${email}`, () => mails.find((mail) => mail.includes(`To: ${email}`)));
/** The latest mail to an address, which is one more than there were `before`. */
const nextMailTo = (email: string, before: number) =>
  eventually(`another mail to ${email}`, () => {
    const found = mails.filter((mail) => mail.includes(`To: ${email}`));
    return found.length > before ? found.at(-1) : undefined;
  });
const mailsTo = (email: string) => mails.filter((mail) => mail.includes(`To: ${email}`)).length;
const linkIn = (mail: string) => /http:\/\/\S+\/welcome#link_[\w-]+/.exec(mail)?.[0];

test('pages hear what there is to sign in with', async () => {
  expect((await readBrowser(service).send('GET', '/auth/v1/providers')).body).toEqual({
    mail: true,
    oidc: { name: 'Acme ID' },
  });
});

test('an invitation is mailed, and its link is not shown to who invites', async () => {
  const invited = { email: 'mia@x.sign-in.example', role: 'owner', account_id: acme };
  const { body } = await operator.send('POST', '/auth/v1/invitations', invited);
  expect(body).toMatchObject({ mailed: true });
  expect(body).not.toHaveProperty('link');
  const mail = await mailTo('mia@x.sign-in.example');
  expect(mail).toMatch(new RegExp(`Subject: Invitation to ${own('Acme')}`));
  const followed = await readBrowser(service).send('POST', '/auth/v1/links/follow', {
    token: readToken(linkIn(mail)),
    name: 'Mia',
    password: PASSWORD,
  });
  expect(followed.status).toBe(200);
});

test('who has forgotten the password gets a link, which leads to the service whatever the request says', async () => {
  const ask = (email: string) =>
    readBrowser(service).send('POST', '/auth/v1/password-link', { email }, { 'X-Forwarded-Host': 'evil.example' });
  const before = mails.length;
  const [known, unknown] = [await ask(OLGA), await ask('nobody@x.sign-in.example')];
  expect([known.status, unknown.status]).toEqual([202, 202]);
  expect(known.body).toEqual(unknown.body);
  const mail = await mailTo(OLGA);
  expect(linkIn(mail)?.startsWith(`${service.url}/welcome#`)).toBe(true);
  expect(mails).toHaveLength(before + 1);
});

/** An account that somebody makes in advance, by an invitation that was handed over: nobody has proven its address. */
async function madeInAdvance(email: string, account = acme): Promise<Browser> {
  // A mail that cannot be sent is shown to who invites.
  refusal = new Error('not now');
  const invited = { email, role: 'viewer', account_id: account };
  const { body } = await operator.send('POST', '/auth/v1/invitations', invited);
  refusal = null;
  expect(body).toMatchObject({ mailed: false, link: expect.any(String) as string });
  const browser = readBrowser(service);
  const answer = { token: readToken(body.link), name: 'Made before', password: PASSWORD };
  expect((await browser.send('POST', '/auth/v1/links/follow', answer)).status).toBe(200);
  return browser;
}
async function addSecondFactor(browser: Browser): Promise<{ secret: string; recovery: string[] }> {
  const secret = (await browser.send('POST', '/auth/v1/me/second-factor')).body.secret as string;
  const given = { secret, code: new TOTP({ secret }).generate(), password: PASSWORD };
  const { status, body } = await browser.send('POST', '/auth/v1/me/second-factor/confirm', given);
  expect(status).toBe(200);
  return { secret, recovery: body.recovery_codes as string[] };
}
async function memberId(email: string): Promise<number | undefined> {
  const { members } = (await operator.send('GET', `/auth/v1/members?account_id=${acme}`)).body;
  return (members as { id: number; email: string }[]).find((one) => one.email === email)?.id;
}
const readStatus = async (browser: Browser) => (await browser.send('GET', '/auth/v1/me')).status;
const signInWith = async (email: string, password: string, code?: string) =>
  (await readBrowser(service).send('POST', '/auth/v1/sign-in', { email, password, code })).status;

describe('an account that was made in advance', () => {
  test("is its owner's once mail has arrived: an invitation of another account", async () => {
    const email = 'victim@mail.sign-in.example';
    const attacker = await madeInAdvance(email);
    const { recovery } = await addSecondFactor(attacker);
    await operator.send('POST', '/auth/v1/invitations', { email, role: 'owner', account_id: beta });
    const token = readToken(linkIn(await mailTo(email)));
    const browser = readBrowser(service);
    const look = await browser.send('POST', '/auth/v1/links/look', { token });
    // As for somebody who is new: name and password are asked for.
    expect(look.body).toMatchObject({ email, known: false });
    const own = { token, name: 'The victim', password: 'a password of the victim' };
    expect((await browser.send('POST', '/auth/v1/links/follow', { ...own, name: undefined })).status).toBe(400);
    const followed = await browser.send('POST', '/auth/v1/links/follow', own);
    expect(followed.body).toMatchObject({ user: { email, name: 'The victim', second_factor: false } });
    expect([await readStatus(attacker), await readStatus(browser)]).toEqual([401, 200]);
    expect(await signInWith(email, PASSWORD, recovery[0])).toBe(401);
    expect(await signInWith(email, own.password)).toBe(200);
  });

  test('or a link for a new password that was mailed', async () => {
    const email = 'asking@mail.sign-in.example';
    const attacker = await madeInAdvance(email);
    await addSecondFactor(attacker);
    await readBrowser(service).send('POST', '/auth/v1/password-link', { email });
    const token = readToken(linkIn(await mailTo(email)));
    const password = 'a password of the victim';
    const browser = readBrowser(service);
    expect((await browser.send('POST', '/auth/v1/links/follow', { token, password })).status).toBe(200);
    expect([await readStatus(attacker), await readStatus(browser)]).toEqual([401, 200]);
    expect(await signInWith(email, password)).toBe(200);
    // Proven is proven: from now on mail does not pass by the second factor.
    const secret = (await browser.send('POST', '/auth/v1/me/second-factor')).body.secret as string;
    const given = { secret, code: new TOTP({ secret }).generate(), password };
    expect((await browser.send('POST', '/auth/v1/me/second-factor/confirm', given)).status).toBe(200);
    const member = await memberId(email);
    const before = mailsTo(email);
    await operator.send('POST', `/auth/v1/members/${member}/password-link`);
    const again = readToken(linkIn(await nextMailTo(email, before)));
    const another = { token: again, password: 'another password of theirs' };
    expect(await readBrowser(service).send('POST', '/auth/v1/links/follow', another)).toMatchObject({
      status: 401,
      body: { second_factor: true },
    });
  });

  test('a link that was handed over proves nothing, whoever follows it', async () => {
    const email = 'handed@mail.sign-in.example';
    await madeInAdvance(email);
    const postgres = readPostgres(shared);
    const provenAt = async () =>
      (await postgres.rows<{ proven_at: Date | null }>('SELECT proven_at FROM users WHERE email = $1', [email]))[0]
        ?.proven_at;
    expect(await provenAt()).toBeNull();
    await readBrowser(service).send('POST', '/auth/v1/password-link', { email });
    const token = readToken(linkIn(await mailTo(email)));
    await readBrowser(service).send('POST', '/auth/v1/links/follow', { token, password: PASSWORD });
    expect(await provenAt()).toBeInstanceOf(Date);
    refusal = new Error('not now');
    const id = await memberId(email);
    const { link } = (await operator.send('POST', `/auth/v1/members/${id}/password-link`)).body;
    refusal = null;
    await readBrowser(service).send('POST', '/auth/v1/links/follow', { token: readToken(link), password: PASSWORD });
    expect(await provenAt()).toBeNull();
    await postgres.close();
  });
});

test('who asks for a new password again and again gets one mail, whose link goes on working', async () => {
  const email = 'again@mail.sign-in.example';
  await madeInAdvance(email);
  const asked = await Promise.all(
    Array.from({ length: 5 }, () => readBrowser(service).send('POST', '/auth/v1/password-link', { email })),
  );
  expect(asked.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
  const token = readToken(linkIn(await mailTo(email)));
  const ask = (address: string) => readBrowser(service).send('POST', '/auth/v1/password-link', { email: address });
  await ask('mia@x.sign-in.example');
  await nextMailTo('mia@x.sign-in.example', 1);
  expect(mailsTo(email)).toBe(1);
  const follow = { token, password: 'a password that is new' };
  expect((await readBrowser(service).send('POST', '/auth/v1/links/follow', follow)).status).toBe(200);
});

test('after ten minutes a mail may have been lost: another one is sent', async () => {
  const [email, later] = ['aged@mail.sign-in.example', 'later@mail.sign-in.example'];
  for (const address of [email, later]) await madeInAdvance(address);
  const ask = (address: string) => readBrowser(service).send('POST', '/auth/v1/password-link', { email: address });
  const postgres = readPostgres(shared);
  const age = (minutes: number) =>
    postgres.rows(
      `UPDATE sign_in_links AS link SET created_at = now() - $2 * interval '1 minute' FROM users
       WHERE users.id = link.user_id AND users.email = $1`,
      [email, minutes],
    );
  await ask(email);
  await mailTo(email);
  await age(9);
  await ask(email);
  await ask(later);
  await mailTo(later);
  expect(mailsTo(email)).toBe(1);
  await age(11);
  await ask(email);
  await nextMailTo(email, 1);
  expect(mailsTo(email)).toBe(2);
  await postgres.close();
});

test('a mail has names as words: no link, no address and no line of who invites', async () => {
  const email = 'relayed@mail.sign-in.example';
  await operator.send('PUT', '/auth/v1/me/name', { name: 'Win at https://evil.example/x or mail me@evil.example' });
  await operator.send('POST', '/auth/v1/invitations', { email, role: 'viewer', account_id: beta });
  const mail = await mailTo(email);
  expect(mail).toContain('Win at https evil example x or mail me evil example invites you to');
  expect(mail).not.toContain('evil.example');
  await operator.send('PUT', '/auth/v1/me/name', { name: 'Olga' });
});

describe('through a provider', () => {
  /** Goes the whole way as a browser with cookies does; ends with the answer of the service. */
  async function signIn(
    login: string,
    to = '/projects/1/overview',
    jars: Record<string, Map<string, string>> = {},
  ): Promise<Response> {
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
    const response = await signIn(OLGA);
    expect([response.status, response.headers.get('location')]).toEqual([302, '/projects/1/overview']);
    const cookie = response.headers.getSetCookie().find((one) => one.startsWith('adtrail_session='));
    const browser = readBrowser(service);
    browser.cookie = cookie?.split(';')[0] as string;
    expect((await browser.send('GET', '/auth/v1/me')).body).toMatchObject({ user: { email: OLGA } });
    // Her address was not proven before: the password and the session of then are gone.
    expect([await readStatus(operator), await signInWith(OLGA, PASSWORD)]).toEqual([401, 401]);
    operator.cookie = browser.cookie;
  });

  test('who is invited comes in; who is not, or whose address nobody has checked or knows, does not', async () => {
    const uninvited = await signIn('stranger@x.sign-in.example');
    expect([uninvited.status, uninvited.headers.get('location')]).toEqual([302, '/sign-in?error=uninvited']);
    expect(uninvited.headers.getSetCookie().some((one) => one.startsWith('adtrail_session='))).toBe(false);
    const invited = { email: 'pat@x.sign-in.example', role: 'viewer', account_id: acme };
    await operator.send('POST', '/auth/v1/invitations', invited);
    expect((await signIn('pat@x.sign-in.example')).headers.get('location')).toBe('/projects/1/overview');
    const { members, invitations } = (await operator.send('GET', `/auth/v1/members?account_id=${acme}`)).body;
    expect(members).toContainEqual(
      expect.objectContaining({ email: 'pat@x.sign-in.example', name: 'Pat of the provider' }),
    );
    expect(invitations).toEqual([]);
    for (const email of ['unverified@x.sign-in.example', 'unknown@x.sign-in.example']) {
      await operator.send('POST', '/auth/v1/invitations', { ...invited, email });
      const { status, headers } = await signIn(email);
      expect([email, status, headers.get('location')]).toEqual([email, 302, '/sign-in?error=provider']);
    }
  });

  test('of an account that was made in advance nothing lets others in afterwards', async () => {
    const email = 'victim@oidc.sign-in.example';
    const attacker = await madeInAdvance(email);
    const { recovery } = await addSecondFactor(attacker);
    expect((await signIn(email)).headers.get('location')).toBe('/projects/1/overview');
    expect(await readStatus(attacker)).toBe(401);
    expect(await signInWith(email, PASSWORD, recovery[0])).toBe(401);
    expect(await signInWith(email, PASSWORD)).toBe(401);
    // What the person adds now stays.
    const cookie = (await signIn(email)).headers.getSetCookie().find((one) => one.startsWith('adtrail_session='));
    const person = readBrowser(service);
    person.cookie = cookie?.split(';')[0] as string;
    expect((await person.send('GET', '/auth/v1/me')).body.user).toMatchObject({
      second_factor: false,
      password: false,
    });
    // Without a password the session has to be a new one.
    const secret = (await person.send('POST', '/auth/v1/me/second-factor')).body.secret as string;
    const confirm = () =>
      person.send('POST', '/auth/v1/me/second-factor/confirm', { secret, code: new TOTP({ secret }).generate() });
    const postgres = readPostgres(shared);
    const age = (minutes: number) =>
      postgres.rows(
        `UPDATE sessions SET created_at = now() - $2 * interval '1 minute' FROM users
         WHERE users.id = sessions.user_id AND users.email = $1`,
        [email, minutes],
      );
    await age(11);
    expect((await confirm()).status).toBe(403);
    await age(9);
    expect((await confirm()).status).toBe(200);
    await signIn(email);
    expect((await person.send('GET', '/auth/v1/me')).body.user).toMatchObject({ second_factor: true });
    // An invitation counts as long as its maker may make it.
    const inviter = readBrowser(service);
    await operator.send('POST', '/auth/v1/invitations', {
      email: 'inviter@oidc.sign-in.example',
      role: 'admin',
      account_id: beta,
    });
    const token = readToken(linkIn(await mailTo('inviter@oidc.sign-in.example')));
    await inviter.send('POST', '/auth/v1/links/follow', { token, name: 'Inviter', password: PASSWORD });
    const invited = { email: 'guest@oidc.sign-in.example', role: 'engineer', account_id: beta };
    expect((await inviter.send('POST', '/auth/v1/invitations', invited)).status).toBe(201);
    await postgres.rows(
      `UPDATE memberships SET role = 'viewer' FROM users
       WHERE users.id = user_id AND email = 'inviter@oidc.sign-in.example'`,
    );
    await postgres.close();
    expect((await signIn('guest@oidc.sign-in.example')).headers.get('location')).toBe('/sign-in?error=uninvited');
  });

  test("a second factor of the person's own is asked for", async () => {
    const email = 'factor@oidc.sign-in.example';
    await operator.send('POST', '/auth/v1/invitations', { email, role: 'viewer', account_id: acme });
    const token = readToken(linkIn(await mailTo(email)));
    const person = readBrowser(service);
    await person.send('POST', '/auth/v1/links/follow', { token, name: 'Fay', password: PASSWORD });
    const { recovery } = await addSecondFactor(person);
    // An invitation to another account is not accepted before the code either.
    await operator.send('POST', '/auth/v1/invitations', { email, role: 'owner', account_id: beta });
    const jars: Record<string, Map<string, string>> = {};
    const response = await signIn(email, '/projects/1/overview', jars);
    expect(response.headers.get('location')).toBe('/sign-in?step=code&to=%2Fprojects%2F1%2Foverview');
    expect(response.headers.getSetCookie().some((one) => one.startsWith('adtrail_session='))).toBe(false);
    const kept = `adtrail_oidc=${jars[service.url]?.get('adtrail_oidc')}`;
    const say = async (code: string, Cookie = kept) =>
      readBrowser(service).send('POST', '/auth/v1/oidc/code', { code }, { Cookie });
    expect((await say('000000')).status).toBe(401);
    expect((await say(recovery[0] as string, 'adtrail_oidc=x')).status).toBe(401);
    expect((await person.send('GET', '/auth/v1/me')).body.accounts).toHaveLength(1);
    expect(await say(recovery[0] as string)).toMatchObject({
      status: 200,
      body: { user: { email }, accounts: [{ name: own('Acme') }, { name: own('Beta') }] },
    });
    expect((await say(recovery[0] as string)).status).toBe(401);
    // What is kept for the way to the provider says for nobody that the provider has vouched.
    const start = await service.request('/auth/v1/oidc/start');
    const pending = start.headers.getSetCookie()[0]?.split(';')[0] as string;
    expect(pending).toMatch(/^adtrail_oidc=\w/);
    expect((await say(recovery[1] as string, pending)).status).toBe(401);
  });

  // Which others do not: test/unit/people/safe-path.test.ts.
  test('leads to no other site', async () => {
    expect((await signIn(OLGA, '/%2e//evil.example')).headers.get('location')).toBe('/');
  });

  test('an answer without its beginning is refused', async () => {
    const forged = await service.request('/auth/v1/oidc/callback?code=x&state=y', { redirect: 'manual' });
    expect(forged.headers.get('location')).toBe('/sign-in?error=provider');
    expect(forged.headers.getSetCookie().some((one) => one.startsWith('adtrail_session='))).toBe(false);
  });
});
