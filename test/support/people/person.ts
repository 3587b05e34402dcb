/** People who sign in, as a browser does: with a cookie and the Origin of the service. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN_TOKEN, type Service } from '../service';

export const PASSWORD = 'correct horse battery';

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly response: Response;
}

/** A browser that keeps the cookie of the service. */
export interface Browser {
  cookie: string;
  /** What says that somebody was signed in in it before; it stays after signing out. */
  known: string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export function readBrowser(service: Pick<Service, 'url' | 'request'>): Browser {
  const browser: Browser = {
    cookie: '',
    known: '',
    async send(method, path, body, headers = {}) {
      const response = await service.request(path, {
        method,
        headers: {
          Origin: service.url,
          ...(browser.cookie || browser.known
            ? { Cookie: [browser.cookie, browser.known].filter(Boolean).join('; ') }
            : {}),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      for (const set of response.headers.getSetCookie()) {
        const [pair = ''] = set.split(';');
        if (pair.startsWith('adtrail_session=')) browser.cookie = pair.endsWith('=') ? '' : pair;
        if (pair.startsWith('adtrail_known=')) browser.known = pair;
      }
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      return { status: response.status, body: (isJson ? JSON.parse(text) : {}) as Answer['body'], response };
    },
  };
  return browser;
}

/** The token of a link: the fragment of its URL. */
export const readToken = (link: unknown) => String(link).split('#')[1] as string;

/** How often a new first link is tried: suites that share a service replace each other's. */
const ATTEMPTS = 10;
/** Each worker waits for a time of its own before the next attempt, or two could replace each other's for ever. */
const PAUSE_MS = 100 * Number(process.env.JEST_WORKER_ID ?? 1);

/** A browser in which a new operator is signed in. */
export async function readOperator(service: Service, email = 'olga@adtrail.example'): Promise<Browser> {
  const browser = readBrowser(service);
  for (let attempt = 1; ; attempt += 1) {
    const made = await service.request('/auth/v1/first-link', {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    const { link } = (await made.json()) as { link: string };
    const answer = { token: readToken(link), email, name: 'Olga', password: PASSWORD };
    const followed = await browser.send('POST', '/auth/v1/links/follow', answer);
    if (followed.status === 200) return browser;
    if (followed.status !== 404 || attempt === ATTEMPTS)
      throw new Error(`Not signed in: ${JSON.stringify(followed.body)}`);
    await sleep(PAUSE_MS);
  }
}

/** A browser in which a new person with a role is signed in, invited by `inviter`. */
export async function findPerson(
  service: Service,
  inviter: Browser,
  role: string,
  place: { account_id?: number; partner_id?: number },
  email = `${role}@adtrail.example`,
): Promise<Browser> {
  const { body, status } = await inviter.send('POST', '/auth/v1/invitations', { email, role, ...place });
  if (status !== 201) throw new Error(`Not invited: ${JSON.stringify(body)}`);
  const browser = readBrowser(service);
  const answer = { token: readToken(body.link), name: role, password: PASSWORD };
  const followed = await browser.send('POST', '/auth/v1/links/follow', answer);
  if (followed.status !== 200) throw new Error(`Not followed: ${JSON.stringify(followed.body)}`);
  return browser;
}
