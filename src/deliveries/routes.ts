/** The log of postbacks and webhooks, replays and tests (docs/contract/postbacks.md). */
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { ConfigSnapshot } from '../configuration/config-snapshot';
import { ApiError, UnavailableError } from '../errors';
import { administratorLimitKey, type Administrators } from '../http/administrators';
import { jsonBody } from '../http/body';
import { readId } from '../http/ids';
import { withRateLimit } from '../http/limits';
import { requestIdIn } from '../http/request-id';
import { createRouter } from '../http/router';
import { readQueryString } from '../http/target';
import type { Log } from '../lib/log';
import { sha256 } from '../lib/secrets';
import { readLogInput, readPartnerTestInput, readReplayInput, readTestInput } from './input';
import { presentReplayed } from './presenter';
import { replayMessages } from './replay';
import { partnerExists, readPending, searchLog, type Whose } from './service';
import { testDestination, type TestEngines, type TestInput } from './testing';

export interface PostbackLogOptions extends TestEngines {
  readonly admins: Administrators;
  readonly snapshot: Pick<ConfigSnapshot, 'project' | 'partnerOfToken' | 'stale'>;
  /** For searches, replays and tests, each by who asks. */
  readonly limiters: Readonly<Record<'search' | 'replay' | 'test', RateLimiterAbstract | undefined>>;
  readonly log: Pick<Log, 'info'>;
}

/** Where a partner asks with its own token. */
const OWN = '/v1/postbacks';

export function postbackLogRoutes({ admins, snapshot, limiters, log, ...engines }: PostbackLogOptions): Router {
  const router = createRouter();
  const body = jsonBody('100kb');
  const testing = new Set<string>();
  const readProjectId = (ctx: { params: Record<string, string | undefined> }) => {
    const project = snapshot.project(readId(ctx.params.id, 'Project'));
    if (!project) throw new ApiError(404, 'Project not found.');
    return project.id;
  };
  const readPartnerId = async (ctx: { params: Record<string, string | undefined> }) => {
    const partner = readId(ctx.params.id, 'Partner');
    if (!(await partnerExists(engines, partner))) throw new ApiError(404, 'Partner not found.');
    return partner;
  };
  /** The partner of the token in the request. */
  const partnerWhoAsks = (ctx: Context) => {
    const partner = snapshot.partnerOfToken(sha256(ctx.get('X-Service-Token').trim()));
    if (snapshot.stale) throw new UnavailableError();
    if (partner === undefined) throw new ApiError(401, 'Unauthorized access.');
    return partner;
  };
  const search = <T>(key: string, work: () => Promise<T>) => withRateLimit(limiters.search, key, work);

  /** One at a time for each caller, but for what is only looked at. */
  const test = async (key: string, whose: Whose, input: TestInput) => {
    if (input.dryRun) return search(key, () => testDestination(engines, whose, input));
    if (testing.has(key)) throw new ApiError(429, 'A test is under way. Please wait for it.', { 'Retry-After': '1' });
    testing.add(key);
    try {
      return await withRateLimit(limiters.test, key, () => testDestination(engines, whose, input));
    } finally {
      testing.delete(key);
    }
  };

  const ofProject = '/admin/v1/projects/:id/postbacks';
  router.get(`${ofProject}/log`, admins.project('installs'), async (ctx) => {
    const input = { ...readLogInput(readQueryString(ctx), 'partner'), project: readProjectId(ctx) };
    ctx.body = await search(administratorLimitKey(ctx), () => searchLog(engines, 'project', input));
  });
  router.get(`${ofProject}/pending`, admins.project('installs'), async (ctx) => {
    const project = readProjectId(ctx);
    ctx.body = await search(administratorLimitKey(ctx), () => readPending(engines, { project }));
  });
  router.post(`${ofProject}/replay`, admins.project('settings'), body, async (ctx) => {
    const input = readReplayInput(readProjectId(ctx), ctx.request.body);
    const { selection, dryRun } = input;
    const asker = administratorLimitKey(ctx);
    const replayed = await withRateLimit(limiters.replay, asker, () => replayMessages(engines, input));
    if (!dryRun)
      log.info(
        { requestId: requestIdIn(ctx.res) },
        `Project ${selection.project} sends ${replayed.messages} messages once more, as ${asker} asked`,
      );
    ctx.body = presentReplayed(replayed, dryRun);
  });
  router.post(`${ofProject}/test`, admins.project('settings'), body, async (ctx) => {
    const project = readProjectId(ctx);
    const input = readTestInput(ctx.request.body);
    ctx.body = await test(administratorLimitKey(ctx), { project }, input);
  });

  const ofPartner = '/admin/v1/partners/:id/postbacks';
  router.get(`${ofPartner}/log`, admins.partner('partner'), async (ctx) => {
    const input = { ...readLogInput(readQueryString(ctx), 'project'), partner: await readPartnerId(ctx) };
    ctx.body = await search(administratorLimitKey(ctx), () => searchLog(engines, 'partner', input));
  });
  router.get(`${ofPartner}/pending`, admins.partner('partner'), async (ctx) => {
    const partner = await readPartnerId(ctx);
    ctx.body = await search(administratorLimitKey(ctx), () => readPending(engines, { partner }));
  });

  router.post(`${ofPartner}/test`, admins.partner('partner-postbacks'), body, async (ctx) => {
    const partner = await readPartnerId(ctx);
    const input = readPartnerTestInput(ctx.request.body);
    ctx.body = await test(administratorLimitKey(ctx), { partner }, input);
  });

  router.get(`${OWN}/log`, async (ctx) => {
    const partner = partnerWhoAsks(ctx);
    const input = { ...readLogInput(readQueryString(ctx), 'project'), partner };
    ctx.body = await search(`partner ${partner}`, () => searchLog(engines, 'partner', input));
  });
  router.get(`${OWN}/pending`, async (ctx) => {
    const partner = partnerWhoAsks(ctx);
    ctx.body = await search(`partner ${partner}`, () => readPending(engines, { partner }));
  });
  return router;
}
