/** Secrets at rest: sealed in PostgreSQL, also those of earlier versions; another key; a lost one. */
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { TOTP } from 'otpauth';
import { createSeal } from '../../../src/lib/seal';
import { collectApp, appEvent } from '../../support/collect/collect-client';
import { readBrowser, readOperator, PASSWORD, type Browser } from '../../support/people/person';
import { readPostgres } from '../../support/postgres';
import { startReceiver, type Receiver } from '../../support/deliveries/receiver';
import { ADMIN_TOKEN, eventually, startService, type RunningService } from '../../support/service';

const EMAIL = 'sealed@adtrail.example';
const KEY = 'server-key-of-sealed';
const HOOK_SECRET = `whsec_${crypto.randomBytes(24).toString('base64')}`;
const HEADER = 'Bearer credential-of-a-header';
const SECRET = 'credential-of-a-template';
const USER = 'user-to-forget';
const ENV = {
  OUTBOX_ALLOW_PRIVATE: '127.0.0.1/32',
  OUTBOX_RETRIES: '1,1,1,1,1,1',
  LIMIT_IP: 'off',
  LIMIT_SIGN_IN: 'off',
};
const OTHER_KEY = 'another-key-of-the-tests';

let service: RunningService;
let receiver: Receiver;
let operator: Browser;
let totpSecret = '';
let recoveryCodes: string[] = [];
let shop = 0;

const document = () => ({
  accounts: [{ name: 'Acme' }],
  partners: [
    {
      name: 'Mobi',
      postback_secrets: [{ name: 'key', value: SECRET }],
      postbacks: [
        {
          event: 'install',
          method: 'GET',
          url: `${receiver.url}/pb?k={secret:key}`,
          headers: { Authorization: HEADER },
        },
      ],
    },
  ],
  projects: [
    {
      name: 'Shop',
      account: 'Acme',
      timezone: 'UTC',
      server_keys: [KEY],
      apps: [{ platform: 'ANDROID', app_id: 'com.acme.shop' }],
      webhooks: [{ url: `${receiver.url}/hook`, events: ['install'], secret: HOOK_SECRET }],
    },
  ],
});

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService(ENV);
  operator = await readOperator(service, EMAIL);
  totpSecret = (await operator.send('POST', '/auth/v1/me/second-factor')).body.secret as string;
  const given = { secret: totpSecret, code: readCode(0), password: PASSWORD };
  const confirmed = await operator.send('POST', '/auth/v1/me/second-factor/confirm', given);
  recoveryCodes = confirmed.body.recovery_codes as string[];
  await service.apply(document());
  const { body } = await service.admin('GET', '/projects');
  shop = (body.projects as { id: number }[])[0]?.id as number;
}, 180_000);
afterAll(async () => {
  await service?.dispose();
  await receiver?.close();
});

/** Each code works once: those of later steps come from the future. */
function readCode(step: number): string {
  return new TOTP({ secret: totpSecret }).generate({ timestamp: Date.now() + step * 30_000 });
}
const signIn = (code: string) =>
  readBrowser(service).send('POST', '/auth/v1/sign-in', { email: EMAIL, password: PASSWORD, code });
const install = async (id: string) =>
  expect((await collectApp(service, [appEvent('install', { install_id: id })], { 'service-key': KEY })).accepted).toBe(
    1,
  );
const restart = async (env: NodeJS.ProcessEnv) => {
  await service.stop();
  await service.restart({ ...ENV, ...env });
};
const ownKey = () => fs.readFileSync(path.join(service.dataDir, 'seal-key'), 'utf8').trim();
const query = async <T>(sql: string, values: unknown[] = []) => {
  const postgres = readPostgres(service);
  try {
    return (await postgres.rows(sql, values)) as T[];
  } finally {
    await postgres.close();
  }
};
interface Texts {
  totp: string;
  hook: string;
  header: string;
  secret: string;
}
const texts = async () =>
  (
    await query<Texts>(
      `SELECT (SELECT totp_secret FROM users WHERE email = $1) AS totp, (SELECT secret FROM webhook_secrets) AS hook,
        (SELECT headers->>'Authorization' FROM postback_templates) AS header,
        (SELECT secret FROM postback_secrets) AS secret`,
      [EMAIL],
    )
  )[0] as Texts;
const sealed = expect.stringMatching(/^sealed:[0-9a-f]{8}:[A-Za-z0-9+/]+=*$/) as string;
const allSealed = { totp: sealed, hook: sealed, header: sealed, secret: sealed };
const sealKeyFinding = async () => {
  const { body } = await service.admin('GET', '/doctor');
  return (body.findings as { about: string; state: string; says: string }[]).find(({ about }) => about === 'Seal key');
};
const attempts = async (install_id: string) =>
  (await service.admin('GET', `/projects/${shop}/postbacks/log?install_id=${install_id}`)).body.attempts as {
    outcome: string;
    error: string;
  }[];

test('nothing of them stands in PostgreSQL as it is, and everything works', async () => {
  expect(await texts()).toEqual(allSealed);
  await install('first');
  const [hook] = await receiver.waitFor('/hook');
  expect(hook?.headers['webhook-signature']).toMatch(/^v1,/);
  expect((await signIn(readCode(1))).status).toBe(200);
  expect(await sealKeyFinding()).toMatchObject({ state: 'ok' });
  // The same document changes nothing.
  expect(await service.apply(document())).toMatchObject({ created: 0, updated: 0 });
});

test('what earlier versions left is sealed at the next start, and the audit log has nothing of it', async () => {
  await query('UPDATE users SET totp_secret = $1 WHERE email = $2', [totpSecret, EMAIL]);
  await query('UPDATE webhook_secrets SET secret = $1', [HOOK_SECRET]);
  await query(`UPDATE postback_templates SET headers = jsonb_build_object('Authorization', $1::text)`, [HEADER]);
  const former = createSeal(ADMIN_TOKEN, 'erasure requests').seal(USER);
  await query(
    `INSERT INTO erasure_requests (project_id, kind, value, retry_at)
     VALUES ($1, 'user', $2, now() + interval '1 day')`,
    [shop, former],
  );
  const noted = async () =>
    (await query<{ count: number }>('SELECT count(*)::integer AS count FROM audit_log'))[0]?.count;
  const before = await noted();
  await service.kill();
  await service.restart(ENV);
  expect(await texts()).toEqual(allSealed);
  const [request] = await query<{ value: string }>("SELECT value FROM erasure_requests WHERE kind = 'user'");
  expect(createSeal(ownKey(), 'erasure requests').open(request?.value ?? '')).toBe(USER);
  expect(await noted()).toBe(before);
  await query("DELETE FROM erasure_requests WHERE kind = 'user'");
  await query('UPDATE users SET totp_last_step = 0');
  expect((await signIn(readCode(0))).status).toBe(200);
  expect(await service.apply(document())).toMatchObject({ created: 0, updated: 0 });
}, 60_000);

describe('with another key', () => {
  beforeAll(() => restart({ SEAL_KEY: OTHER_KEY }), 60_000);

  test('the service says so, as it starts and to the doctor', async () => {
    expect(service.output()).toMatch(
      /1 second factors, 1 webhook secrets, 1 postback secrets, 1 postback headers cannot/,
    );
    expect(await sealKeyFinding()).toMatchObject({
      state: 'critical',
      says: 'does not open 1 second factors, 1 webhook secrets, 1 postback secrets, 1 postback headers',
    });
  });

  test('nobody comes in without a second factor; recovery codes work', async () => {
    await query('UPDATE users SET totp_last_step = 0');
    const refused = await signIn(readCode(1));
    expect(refused).toMatchObject({ status: 503, body: { msg: expect.stringContaining('SEAL_KEY') as string } });
    expect((await signIn('')).status).not.toBe(200);
    expect((await signIn(recoveryCodes[0] ?? '')).status).toBe(200);
  });

  test('webhooks wait, with a reason, and are sent once the key is there again', async () => {
    const before = receiver.at('/hook').length;
    await install('waits');
    const waiting = await eventually('it is tried again', async () =>
      (await attempts('waits')).find(({ outcome }) => outcome === 'retry'),
    );
    expect(waiting.error).toBe('a secret cannot be read: it was sealed with another SEAL_KEY than this process has');
    const webhook = (await query<{ id: number }>('SELECT id FROM webhooks'))[0]?.id;
    expect(await service.admin('POST', `/projects/${shop}/postbacks/test`, { webhook_id: webhook })).toMatchObject({
      status: 503,
      body: { msg: expect.stringContaining('SEAL_KEY') as string },
    });
    expect(receiver.at('/hook')).toHaveLength(before);
    await restart({});
    await receiver.waitFor('/hook', before + 1);
  }, 90_000);

  test('the former one, named by SEAL_KEY_BEFORE, makes way for the new one', async () => {
    await restart({ SEAL_KEY: OTHER_KEY, SEAL_KEY_BEFORE: ownKey() });
    expect(await sealKeyFinding()).toMatchObject({ state: 'ok' });
    await restart({ SEAL_KEY: OTHER_KEY });
    expect(await sealKeyFinding()).toMatchObject({ state: 'ok' });
    await query('UPDATE users SET totp_last_step = 0');
    expect((await signIn(readCode(0))).status).toBe(200);
  }, 90_000);
});
