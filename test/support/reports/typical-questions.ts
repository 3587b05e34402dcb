/** Questions that people ask: their SQL is committed in test/fixtures/sql, `make bench-query` measures them. */

const APP = { source: 'app', from: '2026-01-01', to: '2026-01-31' };
const WEB = { ...APP, source: 'web' };

/** Each with its name, and the tables that it needs and no others. */
export const TYPICAL: readonly [name: string, question: object, tables: readonly string[]][] = [
  ['installs-by-campaign', { ...APP, metrics: ['installs'], dimensions: ['campaign'] }, ['campaigns', 'journeys']],
  ['installs-by-day', { ...APP, metrics: ['installs'], dimensions: ['day'] }, ['journeys']],
  ['installs-without-organic', { ...APP, metrics: ['installs'], dimensions: ['week'], include: [] }, ['journeys']],
  [
    'five-metrics-by-campaign-and-day',
    { ...APP, metrics: ['clicks', 'installs', 'revenue', 'spend', 'roas'], dimensions: ['campaign', 'day'] },
    ['campaigns', 'counted_spend', 'daily_clicks', 'exchange_rates', 'journeys'],
  ],
  ['clicks-by-hour', { ...APP, metrics: ['clicks'], dimensions: ['hour'] }, ['campaigns', 'clicks', 'counted_spend']],
  [
    'clicks-by-country',
    { ...APP, metrics: ['clicks'], dimensions: ['country'] },
    ['campaigns', 'clicks', 'counted_spend'],
  ],
  ['installs-by-country', { ...APP, metrics: ['installs'], dimensions: ['country'] }, ['journeys']],
  ['installs-by-rule', { ...APP, metrics: ['installs'], dimensions: ['app', 'rule'] }, ['journeys']],
  [
    'active-users-by-partner',
    { ...APP, metrics: ['active_users'], dimensions: ['partner'] },
    ['campaigns', 'journeys'],
  ],
  [
    'retention-by-week',
    {
      ...APP,
      metrics: ['retention_d7', 'classic_retention_d1', 'rolling_retention_d30'],
      dimensions: ['install_week'],
    },
    ['journeys'],
  ],
  ['retention-triangle', { ...APP, metrics: ['active_users'], dimensions: ['install_week', 'day_n'] }, ['journeys']],
  [
    'ltv-and-roas-by-campaign',
    { ...APP, metrics: ['ltv_d0', 'ltv_d30', 'roas_d30'], dimensions: ['campaign'] },
    ['campaigns', 'counted_spend', 'exchange_rates', 'journeys'],
  ],
  [
    'events-by-network',
    { ...APP, metrics: ['event:level', 'event_users:level', 'event_amount:level'], dimensions: ['network'] },
    ['campaigns', 'exchange_rates', 'journeys'],
  ],
  [
    'filtered-by-name-and-platform',
    {
      ...APP,
      metrics: ['signups', 'conversion'],
      filters: [
        ['contains', 'campaign_name', ['spring']],
        ['is', 'platform', ['IOS']],
      ],
    },
    ['campaigns', 'journeys'],
  ],
  [
    'spend-by-keyword',
    { ...APP, metrics: ['spend', 'impressions'], dimensions: ['keyword'] },
    ['ad_spend', 'exchange_rates'],
  ],
  ['visitors-by-day', { ...WEB, metrics: ['visitors', 'sessions'], dimensions: ['day'] }, ['web_visitors']],
  [
    'visitors-by-campaign',
    { ...WEB, metrics: ['visitors'], dimensions: ['campaign'] },
    ['campaigns', 'web_touches', 'web_visitors'],
  ],
  [
    'visitors-by-landing-page-and-country',
    { ...WEB, metrics: ['visitors', 'bounce_rate'], dimensions: ['landing_page', 'country'] },
    ['web_visitors'],
  ],
  [
    'purchases-by-source-on-phones',
    { ...WEB, metrics: ['purchases', 'revenue'], dimensions: ['source'], filters: [['is', 'device', ['mobile']]] },
    ['web_touches', 'web_visitors'],
  ],
  [
    'web-roas-by-channel',
    { ...WEB, metrics: ['spend', 'revenue', 'roas'], dimensions: ['channel'] },
    ['campaigns', 'counted_spend', 'exchange_rates', 'web_touches', 'web_visitors'],
  ],
];
