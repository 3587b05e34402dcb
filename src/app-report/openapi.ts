/** App reporting for the OpenAPI document (docs/contract/app-report.md). */
import {
  closed,
  instant,
  list,
  mapTo,
  named,
  nullable,
  choice,
  ofTypes,
  optional,
  Type,
  type TSchema,
} from '../lib/schema';
import {
  envelope,
  errorReply,
  pageParameters,
  paginationSchema,
  rateLimited,
  reportUnavailable,
  suspended,
  type ApiSection,
  type Parameter,
  type Schema,
} from '../openapi/operation';
import { VIEWS } from '../figures/app-model';
import { SORT_FIELDS } from './input';

const text = Type.String();
const flag = Type.Boolean();
const count = Type.String({ pattern: '^\\d{1,3}(,\\d{3})*$', description: 'A count with thousands separators.' });
const money = Type.String({ minLength: 1, description: 'Money in `display_currency`.' });
const share = ofTypes<number | string>(['number', 'string'], {
  description: 'Percent with up to two decimals; `-` while no install is old enough.',
});
const days = (of: TSchema, ...numbers: number[]) =>
  closed(Object.fromEntries(numbers.map((number) => [`d${number}`, of])));

const metrics = {
  clicks: count,
  installs: count,
  'sign-ups': count,
  conversion: Type.String({ pattern: '^\\d+\\.\\d\\d%$' }),
  revenue: money,
  spend: money,
  revenue_event_count: count,
  roas: Type.Optional(Type.String({ pattern: '^-?\\d+\\.\\d\\d$' })),
  cost_per_install: Type.Optional(money),
  cost_per_reinstall: Type.Optional(money),
  cost_per_signup: Type.Optional(money),
  custom_events: mapTo(closed({ count, amount: Type.Optional(money) })),
  payment_events: mapTo(closed({ count, total: money })),
  cost_per_custom_events: mapTo(money),
  cost_per_payment_events: mapTo(money),
  retention: days(share, 1, 7, 14, 30),
  rolling_retention: days(share, 1, 7),
};
const ad = named(
  'ReportedAdCreative',
  closed({ id: text, name: text, type: text, deeplink: Type.Integer({ minimum: 0 }), ...metrics }),
);
const keyword = named('ReportedKeyword', closed({ id: text, name: text, ...metrics, suspicious_installs: count }));
const adSet = named(
  'ReportedAdSet',
  closed({
    id: text,
    name: text,
    ...metrics,
    suspicious_installs: count,
    daywise_revenue: days(money, 0, 3, 7, 30),
    ios: flag,
    android: flag,
    ...optional({ adCreatives: list(ad), keywords: list(keyword) }),
  }),
);
const account = closed({
  id: Type.Integer(),
  name: text,
  email: text,
  status: text,
  capi_configured: flag,
  account_name: Type.Optional(text),
  external_customer_id: text,
});
const campaign = named(
  'ReportedCampaign',
  closed({
    id: Type.Integer(),
    active: flag,
    created_at: instant,
    display_id: text,
    link: text,
    name: text,
    ...metrics,
    ...optional({ reinstalls: count, reengagements: count }),
    uninstalls: count,
    suspicious_installs: count,
    click_through_attribution: count,
    view_through_attribution: count,
    meta: flag,
    meta_web_to_app: flag,
    google: flag,
    google_web_to_app: flag,
    tiktok: flag,
    snapchat: flag,
    linkedin: flag,
    ad_network_code: Type.Optional(text),
    ios: flag,
    android: flag,
    activity_in_last_x_days: Type.Integer({ minimum: 0 }),
    active_users: Type.Integer({ minimum: 0 }),
    has_date_filter: flag,
    domain: nullable(closed({ id: Type.Integer(), name: text })),
    custom_store_listing: nullable(text),
    classic_retention: days(share, 1, 7, 14, 30),
    daywise_revenue: days(money, 0, 3, 7, 30),
    network_account: nullable(account),
    adSets: Type.Optional(list(adSet)),
  }),
);
const data = closed({
  campaigns: list(campaign),
  pagination: paginationSchema,
  display_currency: text,
  view: choice(VIEWS, { type: 'string' }),
  unconverted_currencies: Type.Optional(
    list(text, { description: 'Currencies without an exchange rate; their amounts are left out.' }),
  ),
});

const query = (name: string, description: string, schema: Schema, example?: unknown): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
  ...(example === undefined ? {} : { example }),
});
const date = Type.String({ format: 'date' });
const names = (what: string) => `Comma-separated ${what}. Unknown ones are dropped silently.`;

export const appReportApi: ApiSection = {
  tag: 'App reporting',
  description: 'Clicks, installs, money and retention of app campaigns, with the server key of a project.',
  operations: [
    {
      method: 'get',
      path: '/api/v1/reporting/campaigns',
      operationId: 'reportAppCampaigns',
      summary: 'Report on app campaigns',
      description:
        'One request a minute and key. Every campaign is there, with zeros too; the range of days limits ' +
        'figures, not campaigns. Further pages go on in the order of the first.',
      security: ['serviceKey'],
      parameters: [
        query('from', "First day, in the project's time zone.", date, '2026-03-01'),
        query('to', 'Last day.', date, '2026-03-31'),
        query('start_date', 'The same as `from`, which wins.', date),
        query('end_date', 'The same as `to`, which wins.', date),
        query('active', 'Campaigns by whether they are active.', choice(['true', 'false'], { type: 'string' })),
        query('network', '`ad_network_code` of the campaigns.', text, 'meta'),
        query('meta_account_id', 'ID of one Meta account.', Type.Integer({ minimum: 1 })),
        query('platform', 'Only what belongs to one platform.', choice(['ios', 'android'], { type: 'string' })),
        query('search', 'Part of name, display ID, domain, deeplink or tracking link, in any case; or a link.', text),
        query(
          'view',
          '`retargeting` reports reinstalls and re-engagements.',
          choice(VIEWS, { type: 'string', default: 'user_acquisition' }),
        ),
        query(
          'sort_field',
          'What to sort by; ties by ID, missing values last.',
          choice(SORT_FIELDS, { type: 'string', default: 'installs' }),
        ),
        query(
          'sort_order',
          'The direction.',
          choice(['descending', 'ascending'], { type: 'string', default: 'descending' }),
        ),
        ...pageParameters({ default: 10, maximum: 100 }),
        query('events', names('event names to count'), text, 'level_up'),
        query('payment_events', names('revenue types to count'), text, 'DEFAULT'),
        query('cost_per_event', names('names to divide the spend by'), text),
        query('unique_user_events', names('event names of which users are counted'), text),
        query('active_users', 'Days of the window of active users.', Type.Integer({ minimum: 1, default: 7 })),
      ],
      responses: {
        200: { description: 'A page of campaigns.', schema: envelope(200, data) },
        400: errorReply(400, 'A parameter is invalid.', "Invalid from '2026-02-30'. A date is written YYYY-MM-DD."),
        401: errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.'),
        402: suspended,
        422: errorReply(422, '`page` or `limit` is out of bounds.', 'Limit 101 exceeds maximum allowed value of 100.'),
        429: rateLimited,
        503: reportUnavailable,
      },
    },
  ],
};
