/** Statements to begin with, in the zone and the currency of the project. Each says what it counts. */

export interface Example {
  readonly name: string;
  /** What its numbers count. */
  readonly about: string;
  readonly query: string;
}

interface Project {
  readonly timezone: string;
  readonly currency: string;
}

const literal = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;

const today = ({ timezone }: Project) => `toDate(now(), ${literal(timezone)})`;
/** The first of the last `days` days of the project. */
const since = (project: Project, days: number) => `${today(project)} - ${days - 1}`;

/** How many percent of journeys were active on a day after they began, among those for which it is over. */
const retention = (project: Project, day: number) =>
  `round(100 * countIf(has(active_dates, start_day + ${day}) AND start_day + ${day} < ${today(project)})
    / nullIf(countIf(start_day + ${day} < ${today(project)}), 0), 2) AS day_${day}`;

/** Amounts of rows with currency, day and amount as sums of the project's currency, by the rates of their days. */
const inCurrency = ({ currency }: Project, rows: string, by: readonly string[], value: string) =>
  `SELECT ${by.map((name) => `paid.${name} AS ${name}`).join(', ')},
  round(sum(toFloat64(paid.amount) * multiIf(paid.currency = paid.own, 1,
    if(paid.currency = 'USD', 1, unit.usd) / if(paid.own = 'USD', 1, home.usd))), 2) AS ${value}
FROM (SELECT *, ${literal(currency)} AS own FROM (
${rows.replace(/^/gm, '  ')}
)) AS paid
ASOF LEFT JOIN exchange_rates AS unit ON paid.currency = unit.currency AND paid.rate_day >= unit.date
ASOF LEFT JOIN exchange_rates AS home ON paid.own = home.currency AND paid.rate_day >= home.date
GROUP BY ${by.join(', ')}
ORDER BY ${by.join(', ')}`;

const listInstalls = (project: Project): Example[] => [
  {
    name: 'Installs per day',
    about: 'First installs of the last 28 days, without reinstalls: the dashboard’s installs.',
    query: `SELECT start_day AS day, countIf(kind = 'install') AS installs
FROM journeys
WHERE report_view = 'user_acquisition' AND start_day >= ${since(project, 28)}
GROUP BY day
ORDER BY day`,
  },
  {
    name: 'Organic share per day',
    about: 'Installs that no campaign is credited with, and their share in percent.',
    query: `SELECT start_day AS day, countIf(campaign_id = 0) AS organic, count() AS installs,
  round(100 * organic / installs, 2) AS organic_percent
FROM journeys
WHERE report_view = 'user_acquisition' AND kind = 'install' AND start_day >= ${since(project, 28)}
GROUP BY day
ORDER BY day`,
  },
  {
    name: 'Installs by campaign',
    about: 'First installs of the last 28 days by the campaign that is credited; organic for none.',
    query: `SELECT if(journey.campaign_id = 0, 'organic', campaign.display_id) AS campaign, count() AS installs
FROM journeys AS journey
LEFT JOIN campaigns AS campaign ON journey.campaign_id = campaign.campaign_id
WHERE report_view = 'user_acquisition' AND kind = 'install' AND start_day >= ${since(project, 28)}
GROUP BY campaign
ORDER BY installs DESC, campaign`,
  },
  {
    name: 'Installs by country',
    about: 'First installs of the last 28 days by the country of the address, empty where it is not known.',
    query: `SELECT country, count() AS installs
FROM installs
WHERE NOT reinstall AND toDate(install_time, ${literal(project.timezone)}) >= ${since(project, 28)}
GROUP BY country
ORDER BY installs DESC, country`,
  },
  {
    name: 'Decisions by network and rule',
    about: 'Installs and reinstalls of the last 28 days, by ad network or partner and the rule that credited them.',
    query: `SELECT lower(if(network != '', toString(network), replaceAll(partner_name, ' ', '_'))) AS ad_network, rule,
  countIf(NOT reinstall) AS installs, countIf(reinstall) AS reinstalls
FROM installs
WHERE toDate(install_time, ${literal(project.timezone)}) >= ${since(project, 28)}
GROUP BY ad_network, rule
ORDER BY installs DESC
LIMIT 200`,
  },
  {
    name: 'Time from touch to install',
    about: 'Hours from the credited touch to the install: the median, nine of ten, by campaign.',
    query: `SELECT campaign_name, touch_type, count() AS installs,
  round(quantileExact(0.5)(touch_to_install_ms) / 3600000, 2) AS median_hours,
  round(quantileExact(0.9)(touch_to_install_ms) / 3600000, 2) AS nine_of_ten_hours
FROM installs
WHERE touch_to_install_ms IS NOT NULL AND toDate(install_time, ${literal(project.timezone)}) >= ${since(project, 28)}
GROUP BY campaign_name, touch_type
ORDER BY installs DESC`,
  },
  {
    name: 'Why the latest installs were credited so',
    about: 'Each touch that was considered for the last 20 installs, with its rule and verdict.',
    query: `SELECT install_id, install_time, rule AS decided_by, candidate.rule AS tried_rule,
  candidate.touch_type AS touch, if(candidate.rule = '', NULL, candidate.touch_time) AS touch_time,
  candidate.verdict AS verdict
FROM (SELECT install_id, install_time, rule, candidates FROM installs ORDER BY install_time DESC LIMIT 20)
LEFT ARRAY JOIN candidates AS candidate
ORDER BY install_time DESC, touch_time DESC`,
  },
];

const listUsers = (project: Project): Example[] => [
  {
    name: 'Retention by install week',
    about:
      'Percent of the users of the last 10 weeks who were active on day 1, 7 and 30 itself (classic retention), of ' +
      'those for whom that day is over.',
    query: `SELECT toMonday(start_day) AS week, count() AS installs,
  ${[1, 7, 30].map((day) => retention(project, day)).join(',\n  ')}
FROM journeys
WHERE report_view = 'user_acquisition' AND kind = 'install' AND start_day >= ${since(project, 70)}
GROUP BY week
ORDER BY week`,
  },
  {
    name: 'Revenue per day',
    about: 'Payments less refunds of the last 28 days, in the project’s currency by the rates of their days.',
    query: inCurrency(
      project,
      `SELECT day, toString(currency_code) AS currency, utc_day AS rate_day, amount
FROM journeys
ARRAY JOIN money_days AS day, money_utc_days AS utc_day, money_currencies AS currency_code, money_amounts AS amount
WHERE report_view = 'user_acquisition' AND day >= ${since(project, 28)}`,
      ['day'],
      'revenue',
    ),
  },
  {
    name: 'Value by install week',
    about:
      'What users paid within 7 days of their install, by the week of the install, in the project’s currency: of ' +
      'installs for which these days are over.',
    query: inCurrency(
      project,
      `SELECT toMonday(start_day) AS week, toString(currency_code) AS currency, utc_day AS rate_day, amount
FROM journeys
ARRAY JOIN money_days AS day, money_utc_days AS utc_day, money_currencies AS currency_code, money_amounts AS amount
WHERE report_view = 'user_acquisition' AND start_day >= ${since(project, 70)}
  AND start_day + 7 < ${today(project)} AND day BETWEEN start_day AND start_day + 7`,
      ['week'],
      'revenue_d7',
    ),
  },
  {
    name: 'App events by name',
    about: 'Events of the last 7 days, and how many installs sent them. Each event counts once.',
    query: `SELECT type, name, count() AS events, uniqExact(install_id) AS installs
FROM app_events
WHERE toDate(time, ${literal(project.timezone)}) >= ${since(project, 7)}
GROUP BY type, name
ORDER BY events DESC`,
  },
  {
    name: 'Sign-ups per day',
    about: 'Sign-ups of the last 28 days by the day on which they happened.',
    query: `SELECT day, count() AS signups
FROM journeys
ARRAY JOIN signup_days AS day
WHERE report_view = 'user_acquisition' AND day >= ${since(project, 28)}
GROUP BY day
ORDER BY day`,
  },
  {
    name: 'Unique visitors per day',
    about: 'Visitors of the website with any event on the day; who comes on two days counts on both.',
    query: `SELECT toDate(at, ${literal(project.timezone)}) AS day, uniqExact(visitor_id) AS visitors
FROM web_visitors
ARRAY JOIN \`hit.time\` AS at
WHERE day >= ${since(project, 28)}
GROUP BY day
ORDER BY day`,
  },
  {
    name: 'Most viewed pages',
    about: 'Page views of the last 7 days by path.',
    query: `SELECT path(url) AS page, count() AS views, uniqExact(visitor_id) AS visitors
FROM web_events
WHERE type = 'page_view' AND toDate(time, ${literal(project.timezone)}) >= ${since(project, 7)}
GROUP BY page
ORDER BY views DESC
LIMIT 50`,
  },
];

const listMarketing = (project: Project): Example[] => [
  {
    name: 'Spend per day',
    about: 'Ad spend of the last 28 days in the project’s currency; no level is summed twice.',
    query: inCurrency(
      project,
      `SELECT date AS day, toString(counted_spend.currency) AS currency, date AS rate_day, spend AS amount
FROM counted_spend
WHERE scope = '' AND date >= ${since(project, 28)}`,
      ['day'],
      'spend',
    ),
  },
  {
    name: 'ROAS by campaign',
    about: 'Revenue credited to each campaign by its spend, of the last 28 days; empty without spend.',
    query: `SELECT campaign.display_id AS campaign, sumIf(sums.money, sums.side = 'revenue') AS revenue,
  sumIf(sums.money, sums.side = 'spend') AS spend, round(revenue / nullIf(spend, 0), 2) AS roas
FROM (
${inCurrency(
  project,
  `SELECT campaign_id, 'revenue' AS side, toString(currency_code) AS currency, utc_day AS rate_day, amount
FROM journeys
ARRAY JOIN money_days AS day, money_utc_days AS utc_day, money_currencies AS currency_code, money_amounts AS amount
WHERE report_view = 'user_acquisition' AND campaign_id != 0 AND day >= ${since(project, 28)}
UNION ALL
SELECT campaign_id, 'spend', toString(counted_spend.currency), date, spend
FROM counted_spend
WHERE scope = '' AND date >= ${since(project, 28)}`,
  ['campaign_id', 'side'],
  'money',
).replace(/^/gm, '  ')}
) AS sums
INNER JOIN campaigns AS campaign ON sums.campaign_id = campaign.campaign_id
GROUP BY campaign
ORDER BY spend DESC, campaign`,
  },
  {
    name: 'Clicks per day and country',
    about: 'Tracked clicks of the last 7 days. What ad networks counted themselves is in counted_spend.',
    query: `SELECT toDate(click_time, ${literal(project.timezone)}) AS day, country, count() AS clicks
FROM tracked_clicks
WHERE day >= ${since(project, 7)}
GROUP BY day, country
ORDER BY day, clicks DESC`,
  },
  {
    name: 'Clicks that repeat an address',
    about: 'Addresses with ten clicks or more on a campaign in a day of the last 7: a sign of clicks by machines.',
    query: `SELECT toDate(click_time, ${literal(project.timezone)}) AS day, campaign_name, ip, count() AS clicks,
  uniqExact(ua) AS user_agents
FROM clicks
WHERE ip != '' AND day >= ${since(project, 7)}
GROUP BY day, campaign_name, ip
HAVING clicks >= 10
ORDER BY clicks DESC
LIMIT 200`,
  },
  {
    name: 'Refused requests by reason',
    about: 'S2S requests of the last 7 days that named this project and were refused, by endpoint and reason.',
    query: `SELECT kind, outcome AS reason, sum(s2s_requests.requests) AS refused
FROM s2s_requests
WHERE outcome != 'accepted' AND toDate(hour, ${literal(project.timezone)}) >= ${since(project, 7)}
GROUP BY kind, reason
ORDER BY refused DESC`,
  },
  {
    name: 'Quality of partners',
    about: 'Installs of the last 28 days by partner, and those that look like click injection or hijacking.',
    query: `SELECT partner_name, count() AS installs, countIf(click_injection OR install_hijacking) AS suspicious,
  round(100 * suspicious / installs, 2) AS suspicious_percent
FROM installs
WHERE partner_name != '' AND NOT reinstall
  AND toDate(install_time, ${literal(project.timezone)}) >= ${since(project, 28)}
GROUP BY partner_name
ORDER BY installs DESC`,
  },
  {
    name: 'Outcomes of postbacks',
    about: 'Attempts of the last 7 days to tell partners and webhooks, by event and outcome.',
    query: `SELECT toDate(attempted_at, ${literal(project.timezone)}) AS day, kind, event, outcome, count() AS attempts,
  round(avg(latency_ms)) AS average_ms
FROM postbacks
WHERE day >= ${since(project, 7)}
GROUP BY day, kind, event, outcome
ORDER BY day, attempts DESC`,
  },
];

export const buildExamples = (project: Project): Example[] => [
  ...listInstalls(project),
  ...listUsers(project),
  ...listMarketing(project),
];
