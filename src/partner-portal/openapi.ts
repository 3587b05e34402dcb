/** The partner portal for the OpenAPI document (docs/contract/partners.md). */
import {
  errorReply,
  pageParameters,
  paginationSchema,
  reportUnavailable,
  type ApiSection,
  type Operation,
  type Parameter,
} from '../openapi/operation';
import { closed, instant, list, mapTo, named, nullable, choice, Type, type TSchema } from '../lib/schema';
import { CAMPAIGN_PAGE, CREDITED, GRANULARITIES, MAX_DAYS, MAX_ID, MAX_SEARCH } from './input';

const count = Type.Integer({ minimum: 0 });
const id = Type.Integer({ minimum: 1 });
const text = Type.String();
const flag = Type.Boolean();
const day = Type.String({ format: 'date' });
const completeUntil = nullable({
  ...instant,
  description: 'Everything accepted up to then is in the credited figures; null while that is not known.',
});

const campaign = named(
  'PartnerCampaign',
  closed({
    display_id: text,
    name: text,
    project_id: id,
    project: text,
    account: text,
    active: flag,
    paused: flag,
    created_at: instant,
    switches: closed({
      s2s_clicks: flag,
      s2s_traffic: flag,
      view_through: flag,
      ctv_apps: list(text),
      view_window_hours: count,
    }),
  }),
);
const figures = {
  clicks: { ...count, description: 'Clicks by S2S, each once.' },
  impressions: count,
  ctv_impressions: count,
  link_clicks: { ...count, description: 'Clicks on tracking links.' },
  repeats: { ...count, description: 'Accepted S2S requests that repeated an earlier one.' },
  installs: { ...count, description: 'Credited installs, by their own time.' },
  reinstalls: count,
  reengagements: count,
  signups: { ...count, description: 'Events of credited installs and reinstalls, by their own time.' },
  payments: count,
  events: count,
  refused: mapTo(count, { description: 'Refused S2S requests by reason.' }),
};
const traffic = named(
  'PartnerTraffic',
  closed({
    from: day,
    to: day,
    granularity: choice(GRANULARITIES, { type: 'string' }),
    buckets: list(closed({ time: { ...instant, description: 'When the bucket begins.' }, ...figures })),
    totals: closed(figures),
    complete_until: completeUntil,
  }),
);
const trafficByProject = named(
  'PartnerTrafficByProject',
  closed({
    from: day,
    to: day,
    projects: list(closed({ project_id: id, project: text, account: text, ...figures })),
    complete_until: completeUntil,
  }),
);
const credited = named(
  'CreditedInstall',
  closed({
    install_time: instant,
    kind: choice(['install', 'reinstall'], { type: 'string' }),
    project_id: id,
    display_id: text,
    campaign: text,
    touch_type: text,
    rule: { ...text, description: 'Rule that decided.' },
    country: { ...text, description: 'ISO 3166-1 alpha-2; empty if unknown.' },
    platform: text,
    suspicious: flag,
  }),
);

const partnerId: Parameter = {
  name: 'id',
  in: 'path',
  description: 'ID of the partner, as its list gives it.',
  schema: id,
  example: 1,
};
const days = (most: string): Parameter[] => [
  { name: 'from', in: 'query', required: true, description: 'First day, UTC.', schema: day, example: '2026-03-01' },
  {
    name: 'to',
    in: 'query',
    required: true,
    description: `Last day, UTC; a range has at most ${most}.`,
    schema: day,
    example: '2026-03-31',
  },
];
const project: Parameter = {
  name: 'project_id',
  in: 'query',
  description: 'One project that works with the partner; by default all.',
  schema: Type.Integer({ minimum: 1, maximum: MAX_ID }),
};

function operation(
  at: string,
  one: Pick<Operation, 'operationId' | 'summary' | 'description' | 'responses'> & {
    readonly parameters: readonly Parameter[];
  },
): Operation {
  return {
    ...one,
    method: 'get',
    path: `/admin/v1/partners/{id}/${at}`,
    security: ['adminToken'],
    parameters: [partnerId, ...one.parameters],
    responses: {
      ...one.responses,
      400: errorReply(400, 'A parameter is missing or malformed.', 'from: must be a day, written YYYY-MM-DD'),
      401: errorReply(401, 'The admin token is missing or wrong.', 'Unauthorized access.'),
    },
  };
}
const answer = (description: string, schema: TSchema) => ({ 200: { description, schema } });
const unknown = { 404: errorReply(404, 'There is no such partner, or project of it.', 'Partner not found.') };

export const partnerPortalApi: ApiSection = {
  tag: 'Partner portal',
  description: 'What a partner sees of itself, over all advertisers that work with it.',
  operations: [
    operation('campaigns', {
      operationId: 'listPartnerCampaigns',
      summary: 'List the campaigns of a partner',
      description: 'Of all advertisers, newest first, in pages; with what each has switched on for the partner.',
      parameters: [
        ...pageParameters(CAMPAIGN_PAGE),
        {
          name: 'search',
          in: 'query',
          description: 'Part of a name or display ID, in any case.',
          schema: Type.String({ maxLength: MAX_SEARCH }),
        },
      ],
      responses: {
        ...answer('A page of campaigns.', closed({ campaigns: list(campaign), pagination: paginationSchema })),
        ...unknown,
        422: errorReply(
          422,
          '`page` or `limit` is out of bounds.',
          "Invalid page number '0'. Page must be a positive integer.",
        ),
      },
    }),
    operation('traffic', {
      operationId: 'partnerTraffic',
      summary: 'Show the traffic of a partner',
      description: 'By hours or days, UTC: what it sent, what was refused and why, and what it is credited with.',
      parameters: [
        ...days(`${MAX_DAYS.day} days, by hours ${MAX_DAYS.hour}`),
        {
          name: 'granularity',
          in: 'query',
          description: 'By default by days.',
          schema: choice(GRANULARITIES, { type: 'string' }),
          example: 'day',
        },
        project,
      ],
      responses: { ...answer('The traffic.', traffic), ...unknown, 503: reportUnavailable },
    }),
    operation('traffic/projects', {
      operationId: 'partnerTrafficByProject',
      summary: 'Show the traffic of a partner by project',
      description: 'The same figures of whole days, UTC, for each project that works with the partner.',
      parameters: days(`${MAX_DAYS.day} days`),
      responses: { ...answer('The projects.', trafficByProject), ...unknown, 503: reportUnavailable },
    }),
    operation('credited', {
      operationId: 'listCreditedInstalls',
      summary: 'List the latest installs that a partner is credited with',
      description: 'The latest first; nothing of devices and persons.',
      parameters: [
        ...days(`${MAX_DAYS.day} days`),
        project,
        {
          name: 'limit',
          in: 'query',
          description: 'How many.',
          schema: Type.Integer({ minimum: 1, ...CREDITED }),
          example: CREDITED.default,
        },
      ],
      responses: {
        ...answer('The installs.', closed({ installs: list(credited), complete_until: completeUntil })),
        ...unknown,
        503: reportUnavailable,
      },
    }),
  ],
};
