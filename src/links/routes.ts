/** What a tracking domain answers for links, and how the reference describes it (docs/contract/tracking-links.md). */
import type { Context, Middleware } from 'koa';
import { plainPath } from '../configuration/campaign-url';
import { ApiError } from '../errors';
import { clientIp } from '../http/client-ip';
import { readHostName } from '../http/host';
import { nameRoute } from '../http/observe';
import { UUID } from '../lib/uuid';
import { Type } from '../lib/schema';
import type { Counter } from '../metrics/metrics';
import {
  errorReply,
  pathParameter,
  queryParameter,
  type ApiSection,
  type Operation,
  type Parameter,
} from '../openapi/operation';
import { CARD_HEADERS } from './card';
import { linkFileOperations } from './file-routes';
import { MAX_CHARACTERS, nameForTarget, PARAMETERS } from './input';
import { openLink, type LinksOptions, type Outcome } from './service';

/**
 * Never links: a request meant for an API that is not here must not pass for a click. `qr` and the files of the domain
 * have routes of their own.
 */
const NO_LINK = /^\/(?:(?:(?:api|admin)\/)?v1\/|collect\/|\.well-known\/|(?:qr|adtrail\.js)$)/;

const header = (ctx: Context, name: string) => {
  const value = ctx.req.headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** How browsers say that they ask ahead: Chromium by the first two, Safari by the third, Firefox by the last. */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const isPrefetch = (ctx: Context) =>
  PURPOSE_HEADERS.some((name) => /\b(?:prefetch|prerender|preview)\b/i.test(header(ctx, name) ?? ''));

/**
 * Whether the browser loads a whole page ahead. It keeps the redirect, whatever its Cache-Control, and follows it when
 * the link is opened: nobody would see that. Refused, it opens the link anew.
 */
const isSpeculation = (ctx: Context) => isPrefetch(ctx) && header(ctx, 'sec-fetch-mode') === 'navigate';

const gone = (outcome: Outcome) =>
  outcome === 'expired' ? new ApiError(410, 'This link has expired.') : new ApiError(404, 'Not found.');

/** Answers every path that is nothing else; `trustProxy` as `clientIp` takes it. */
export function trackingLinks(options: LinksOptions, trustProxy: number, count: Counter<'outcome'>): Middleware {
  return async (ctx, next) => {
    if (NO_LINK.test(plainPath(ctx.path))) {
      await next();
      return;
    }
    nameRoute(ctx.res, '/:link');
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      return ctx.throw(405);
    }
    ctx.set('Cache-Control', 'no-store');
    if (isSpeculation(ctx)) {
      count.inc({ outcome: 'prefetch' });
      throw new ApiError(503, 'A tracking link is opened, and not loaded ahead.', { 'Retry-After': '1' });
    }
    const opened = await openLink(options, {
      domain: readHostName(ctx),
      target: ctx.req.url as string,
      isHead: ctx.method === 'HEAD',
      isPrefetch: isPrefetch(ctx),
      ip: clientIp(ctx.req, trustProxy),
      userAgent: header(ctx, 'user-agent') ?? '',
      platformHint: header(ctx, 'sec-ch-ua-platform'),
      referrer: header(ctx, 'referer') ?? '',
    });
    count.inc({ outcome: opened.outcome });
    if (opened.location === undefined) throw gone(opened.outcome);
    if (opened.card !== undefined) {
      ctx.status = 200;
      ctx.set(CARD_HEADERS);
      ctx.body = opened.card;
      return;
    }
    // Koa's own redirect writes the URL anew; this one is as configured.
    ctx.status = 302;
    ctx.set('Location', opened.location);
    ctx.body = '';
  };
}

const text = Type.String();
const uuid = { ...text, pattern: UUID.source.replaceAll('a-f', 'A-Fa-f') };
const carries = (name: string, description: string, schema = text) => queryParameter(name, description, schema);

/** What a link may carry; nothing in it is ever refused. */
const CARRIED: readonly Parameter[] = [
  carries('tid', "The caller's unique ID of the click: sent again, it gives the same click, which is stored once."),
  carries('click_id', 'Another name of `tid`, which wins over it.'),
  ...['s2', 's3', 's4'].map((name) => carries(name, 'Passthrough value.')),
  carries('gaid', 'Google advertising ID; anything else is ignored.', uuid),
  carries('idfa', 'Apple advertising identifier; anything else is ignored.', uuid),
  ...Object.values(PARAMETERS).map((spelling) =>
    carries(
      spelling,
      nameForTarget(spelling.toLowerCase())
        ? 'Stored with the click, and passed on to web pages.'
        : 'Stored with the click.',
    ),
  ),
];

const describeLink = (
  operation: Pick<Operation, 'path' | 'operationId' | 'summary' | 'description' | 'parameters'>,
): Operation => ({
  ...operation,
  method: 'get',
  security: [],
  responses: {
    302: {
      description:
        'On to where the campaign leads on this platform; without a campaign, to the website of the project.',
      headers: {
        Location: 'The target: its scheme, host and path come from configuration only.',
        'Cache-Control': 'Always `no-store`.',
      },
    },
    200: {
      description:
        'For programs that show what a link is, where it has a title of its own: a page with Open Graph tags.',
      type: 'text/html',
      schema: text,
    },
    404: errorReply(404, 'There is nowhere to go, or the host is no tracking domain.', 'Not found.'),
    410: errorReply(410, 'Its time is over, and there is nowhere else to go.', 'This link has expired.'),
  },
  onTrackingDomain: true,
});

const LEADS =
  'Records a click, except for HEAD requests, bots and prefetches, and leads to the target of the platform that the ' +
  'user agent names. Names of parameters other than `c` are read in any case. ' +
  `Of each value the first ${MAX_CHARACTERS} characters are stored; one with a macro that was never replaced is not. ` +
  'A browser that loads a page ahead as a navigation (`Sec-Purpose` with `Sec-Fetch-Mode: navigate`) is answered ' +
  '503, and opens the link when it is clicked.';

export const linksApi: ApiSection = {
  tag: 'Tracking links',
  description: 'What the tracking domains of projects answer, to anybody.',
  operations: [
    describeLink({
      path: '/',
      operationId: 'openLink',
      summary: 'Open a tracking link',
      description: `${LEADS} Every other path of the domain does the same with \`c\`.`,
      parameters: [queryParameter('c', "The campaign's display ID.", text, 'AbC123'), ...CARRIED],
    }),
    describeLink({
      path: '/{display_id}',
      operationId: 'openShortLink',
      summary: 'Open a tracking link by its path',
      description: `${LEADS} \`c\` in the query wins over the path.`,
      parameters: [pathParameter('display_id', "The campaign's display ID.", text, 'AbC123'), ...CARRIED],
    }),
    ...linkFileOperations,
  ],
};
