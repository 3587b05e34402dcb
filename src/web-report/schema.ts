/** The answer of web reporting as JSON Schema (docs/contract/web-report.md). */
import { choice, closed, list, mapTo, named, nullable, Type } from '../lib/schema';
import { GROUPINGS, MODELS, NETWORKS } from './input';

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

export const reportSchema = closed({
  campaigns: list(row),
  totals: named('WebTotals', closed(metrics)),
  pagination,
  attribution: choice(MODELS, { type: 'string' }),
  group_by: choice(GROUPINGS, { type: 'string' }),
  network: choice([...NETWORKS, null], { type: ['string', 'null'] }),
  from: day,
  to: day,
});
