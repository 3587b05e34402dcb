/** The answer of app reporting as JSON Schema (docs/contract/app-report.md). */
import { VIEWS } from '../figures/app-model';
import {
  choice,
  closed,
  instant,
  list,
  mapTo,
  named,
  nullable,
  ofTypes,
  optional,
  Type,
  type TSchema,
} from '../lib/schema';
import { paginationSchema } from '../openapi/operation';

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
export const reportSchema = closed({
  campaigns: list(campaign),
  pagination: paginationSchema,
  display_currency: text,
  view: choice(VIEWS, { type: 'string' }),
  unconverted_currencies: Type.Optional(
    list(text, { description: 'Currencies without an exchange rate; their amounts are left out.' }),
  ),
});
