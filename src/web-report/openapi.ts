/** Web campaign reporting for the OpenAPI document (docs/contract/web-report.md). */
import { closed, list, mapTo, named, nullable, choice, Type } from '../lib/schema';
import {
  envelope,
  errorReply,
  rateLimited,
  reportUnavailable,
  suspended,
  type ApiSection,
  type Parameter,
} from '../openapi/operation';
import { CHANNELS } from '../web-channels/classify';
import { GROUPINGS, MAX_EVENTS, MAX_LIMIT, MAX_PAGE, MODELS, NETWORKS, SORT_FIELDS, SORT_ORDERS, UTM } from './input';

const count = Type.Integer({ minimum: 0 });
const ratio = nullable(Type.Number());
const text = Type.String();
const day = Type.String({ format: 'date' });

const metrics = {
  visitors: { ...count, description: 'Unique visitors.' },
  sessions: { ...count, description: 'Unique sessions.' },
  page_views: count,
  signups: { ...count, description: 'Sign-up events.' },
  unique_signup_users: { ...nullable(Type.Integer()), minimum: 0 },
  conversion: Type.Number({ description: 'Visitors who signed up, in percent of visitors.' }),
  purchases: count,
  revenue: Type.Number({ description: 'Revenue sent with purchases, without conversion.' }),
  spend: { ...ratio, description: 'Null where no spend matches.' },
  roas: ratio,
  cost_per_visitor: ratio,
  custom_events: mapTo(closed({ count })),
};

const row = named(
  'WebCampaignRow',
  closed({
    id: nullable(text),
    name: text,
    channel: nullable(text),
    source: nullable(text),
    tracking_link: nullable(text),
    paused: { ...nullable(Type.Boolean()), description: 'Null outside `group_by=campaign`.' },
    merged: { ...nullable(Type.Boolean()), description: 'Null outside `group_by=campaign`.' },
    ...metrics,
  }),
);

const pagination = named(
  'WebPagination',
  closed({
    total: count,
    pages: count,
    page: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1 }),
    truncated: Type.Boolean({ description: 'Whether Google campaigns beyond the first 1,000 are left out.' }),
  }),
);

const data = closed({
  campaigns: list(row),
  totals: named('WebTotals', closed(metrics)),
  pagination,
  attribution: choice(MODELS, { type: 'string' }),
  group_by: choice(GROUPINGS, { type: 'string' }),
  network: choice([...NETWORKS, null], { type: ['string', 'null'] }),
  from: day,
  to: day,
});

const query = (name: string, description: string, schema: Parameter['schema'], example?: unknown): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
  ...(example === undefined ? {} : { example }),
});

const parameters: Parameter[] = [
  query('from', 'First day, in Asia/Kolkata; by default the day on which the project was created.', day),
  query('to', 'Last day; by default today. An explicit range spans at most 366 days.', day),
  query('start_date', 'Alias of `from`.', day),
  query('end_date', 'Alias of `to`.', day),
  query('group_by', 'What a row is.', choice(GROUPINGS, { type: 'string', default: 'campaign' }), 'campaign'),
  query(
    'network',
    'Required with `network_campaign`, `ad_set` and `ad`, refused with the other groupings.',
    choice(NETWORKS, { type: 'string' }),
  ),
  query('network_campaign_id', 'Rows under this campaign of the ad network; with network groupings only.', text),
  query('ad_set_id', 'Rows under this ad set or ad group; with network groupings only.', text),
  query(
    'attribution',
    'Which touch of a visitor is credited.',
    choice(MODELS, { type: 'string', default: 'last_touch' }),
    'last_touch',
  ),
  query('channel', `Credited channel: ${CHANNELS.join(', ')}.`, text),
  query('source', 'Credited source, for example `facebook`.', text),
  ...UTM.map((name) => query(name, `Credited \`${name}\`, exactly.`, text)),
  query('search', 'Part of the `id` of a row, in any case.', text),
  query('events', `Names of custom events to count, separated by commas; at most ${MAX_EVENTS}.`, text, 'add_to_cart'),
  query(
    'sort_field',
    'What rows are sorted by.',
    choice(SORT_FIELDS, { type: 'string', default: 'visitors' }),
    'visitors',
  ),
  query('sort_order', 'Which way.', choice(SORT_ORDERS, { type: 'string', default: 'descending' }), 'descending'),
  query(
    'page',
    'Which page, from 1. One past the last is empty.',
    Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1 }),
    1,
  ),
  query('limit', 'Rows on a page.', Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: 10 }), 10),
];

export const webReportApi: ApiSection = {
  tag: 'Reporting',
  description: 'Reports, with the server key of a project.',
  operations: [
    {
      method: 'get',
      path: '/api/v1/reporting/web-campaigns',
      operationId: 'reportWebCampaigns',
      summary: 'Report on web campaigns',
      description:
        'Visitors, sessions, sign-ups, purchases and spend by campaign, channel, source or ad. Days are those of ' +
        'Asia/Kolkata; uniques are exact over the whole range. Each parameter may be sent once. One request a ' +
        'minute for each key.',
      security: ['serviceKey'],
      parameters,
      responses: {
        200: { description: 'A page of rows, and the totals over all of them.', schema: envelope(200, data) },
        400: errorReply(
          400,
          'A value is unknown, does not go with another, or is sent twice.',
          "Invalid group_by 'x'. It must be one of campaign, channel, source, network_campaign, ad_set, ad.",
        ),
        401: errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.'),
        402: suspended,
        403: errorReply(
          403,
          'Web campaigns are not turned on for the project.',
          'Web campaigns are not enabled for this project.',
        ),
        422: errorReply(
          422,
          'A date, the range, `page`, `limit` or `events` is out of bounds.',
          "Invalid from '2026-13-01'. It must be a date, YYYY-MM-DD.",
        ),
        429: rateLimited,
        503: reportUnavailable,
      },
    },
  ],
};
