/** `GET /admin/v1/partners/{id}/...`: a partner's campaigns, traffic and installs (docs/contract/partners.md). */
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { administratorLimitKey, type Administrators } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { readPartnerId } from '../http/ids';
import { withRateLimit } from '../http/limits';
import { toPage } from '../lib/page';
import { checkDayRange } from '../lib/parameters';
import { choice, closed, list, rowId, Type, withDefault } from '../lib/schema';
import { normaliseText } from '../lib/text';
import { partnerId } from '../openapi/administration';
import {
  dayParameter,
  errorReply,
  limitParameter,
  pageParameters,
  paginationSchema,
  queryParameter,
  reportUnavailable,
} from '../openapi/operation';
import { pageOutOfBounds } from '../openapi/replies';
import { CAMPAIGN_PAGE, CREDITED, GRANULARITIES, MAX_DAYS, MAX_SEARCH } from './input';
import {
  formatInstant,
  presentByCampaign,
  presentByProject,
  presentCampaign,
  presentCredited,
  presentTraffic,
} from './presenter';
import * as schema from './schema';
import { credited, listCampaigns, traffic, trafficByCampaign, trafficByProject, type PortalOptions } from './service';

export interface PortalParts extends PortalOptions {
  readonly admins: Administrators;
  /** For what is computed as reports are: one partner must not take the others' places. */
  readonly limiter: RateLimiterAbstract | undefined;
}

const operation = endpoints<PortalParts>();

const auth = admin.partner('partner');
const malformed = errorReply(400, 'A parameter is missing or malformed.', 'from: must be a day, written YYYY-MM-DD');
const notFound = errorReply(404, 'There is no such partner, or project of it.', 'Partner not found.');
const days = (most: string) =>
  [
    dayParameter('from', 'First day, UTC.', '2026-03-01'),
    dayParameter('to', `Last day, UTC; a range has at most ${most}.`, '2026-03-31'),
  ] as const;
const project = queryParameter('project_id', 'One project that works with the partner; by default all.', rowId);

const limited = <T>(ctx: Pick<Context, 'state'>, { limiter }: PortalParts, work: () => Promise<T>) =>
  withRateLimit(limiter, administratorLimitKey(ctx), work);

export const partnerPortalApi: EndpointSection<PortalParts> = {
  tag: 'Partner portal',
  description: 'What a partner sees of itself, over all advertisers that work with it.',
  operations: [
    operation({
      method: 'get',
      path: '/admin/v1/partners/{id}/campaigns',
      operationId: 'listPartnerCampaigns',
      summary: 'List the campaigns of a partner',
      description: 'Of all advertisers, newest first, in pages; with what each has switched on for the partner.',
      auth,
      parameters: [
        partnerId,
        ...pageParameters(CAMPAIGN_PAGE),
        queryParameter(
          'search',
          'Part of a name or display ID, in any case.',
          withDefault(Type.String({ maxLength: MAX_SEARCH }), ''),
        ),
      ],
      responses: {
        200: {
          description: 'A page of campaigns.',
          schema: closed({ campaigns: list(schema.campaignSchema), pagination: paginationSchema }),
        },
        400: malformed,
        404: notFound,
        422: pageOutOfBounds,
      },
      handle: async (ctx, parts, { readParameters }) => {
        const { search, ...page } = readParameters();
        const { campaigns, pagination } = await listCampaigns(
          parts,
          readPartnerId(ctx),
          normaliseText(search),
          toPage(page),
        );
        return { campaigns: campaigns.map(presentCampaign), pagination };
      },
    }),
    operation({
      method: 'get',
      path: '/admin/v1/partners/{id}/traffic',
      operationId: 'partnerTraffic',
      summary: 'Show the traffic of a partner',
      description: 'By hours or days, UTC: what it sent, what was refused and why, and what it is credited with.',
      auth,
      parameters: [
        partnerId,
        ...days(`${MAX_DAYS.day} days, by hours ${MAX_DAYS.hour}`),
        queryParameter(
          'granularity',
          'What a row is.',
          withDefault(choice(GRANULARITIES, { type: 'string' }), 'day'),
          'day',
        ),
        project,
      ],
      responses: {
        200: { description: 'The traffic.', schema: schema.trafficSchema },
        400: malformed,
        404: notFound,
        503: reportUnavailable,
      },
      handle: async (ctx, parts, { readParameters }) => {
        const input = readParameters();
        checkDayRange(input, MAX_DAYS[input.granularity]);
        const id = readPartnerId(ctx);
        return presentTraffic(input, await limited(ctx, parts, () => traffic(parts, id, input)));
      },
    }),
    operation({
      method: 'get',
      path: '/admin/v1/partners/{id}/traffic/projects',
      operationId: 'partnerTrafficByProject',
      summary: 'Show the traffic of a partner by project',
      description: 'The same figures of whole days, UTC, for each project that works with the partner.',
      auth,
      parameters: [partnerId, ...days(`${MAX_DAYS.day} days`)],
      responses: {
        200: { description: 'The projects.', schema: schema.trafficByProjectSchema },
        400: malformed,
        404: notFound,
        503: reportUnavailable,
      },
      handle: async (ctx, parts, { readParameters }) => {
        const range = readParameters();
        checkDayRange(range, MAX_DAYS.day);
        const id = readPartnerId(ctx);
        const found = await limited(ctx, parts, () => trafficByProject(parts, id, range));
        return presentByProject(range, found.projects, found.traffic);
      },
    }),
    operation({
      method: 'get',
      path: '/admin/v1/partners/{id}/traffic/campaigns',
      operationId: 'partnerTrafficByCampaign',
      summary: 'Show the traffic of a partner by campaign',
      description: 'The figures of the traffic, for each campaign that had any; requests that named none are left out.',
      auth,
      parameters: [
        partnerId,
        ...days(`${MAX_DAYS.day} days`),
        project,
        limitParameter(CAMPAIGN_PAGE, 'How many campaigns.'),
      ],
      responses: {
        200: { description: 'The campaigns.', schema: schema.trafficByCampaignSchema },
        400: malformed,
        404: notFound,
        503: reportUnavailable,
      },
      handle: async (ctx, parts, { readParameters }) => {
        const input = readParameters();
        checkDayRange(input, MAX_DAYS.day);
        const id = readPartnerId(ctx);
        const found = await limited(ctx, parts, () => trafficByCampaign(parts, id, input));
        return presentByCampaign(input, found, input.limit);
      },
    }),
    operation({
      method: 'get',
      path: '/admin/v1/partners/{id}/credited',
      operationId: 'listCreditedInstalls',
      summary: 'List the latest installs that a partner is credited with',
      description:
        'The latest first, each with what the partner sent with the credited touch; nothing of devices and persons.',
      auth,
      parameters: [partnerId, ...days(`${MAX_DAYS.day} days`), project, limitParameter(CREDITED)],
      responses: {
        200: {
          description: 'The installs.',
          schema: closed({ installs: list(schema.creditedSchema), complete_until: schema.completeUntil }),
        },
        400: malformed,
        404: notFound,
        503: reportUnavailable,
      },
      handle: async (ctx, parts, { readParameters }) => {
        const input = readParameters();
        checkDayRange(input, MAX_DAYS.day);
        const id = readPartnerId(ctx);
        const { installs, completeUntil } = await limited(ctx, parts, () => credited(parts, id, input));
        return { installs: installs.map(presentCredited), complete_until: formatInstant(completeUntil) };
      },
    }),
  ],
};

export const partnerPortalRoutes = (parts: PortalParts): Router => createRoutes(partnerPortalApi, parts);
