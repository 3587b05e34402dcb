/** Boards that are there at once: for who advertises, for who works with partners, for who pays. */
import type { Place } from '../questions/board';
import type { Question } from '../questions/question';

export const TEMPLATES = ['advertiser', 'partner', 'finance'] as const;
export type Template = (typeof TEMPLATES)[number];

export type TemplateItem = Place &
  ({ readonly heading: string } | { readonly name: string; readonly question: Question });

const at = (x: number, y: number, w: number, h: number): Place => ({ x, y, w, h });
const app = (metrics: string[], more: Omit<Question, 'source' | 'metrics'>): Question => ({
  source: 'app',
  metrics,
  ...more,
});
const totals: Question['include'] = ['totals', 'organic'];

export const TEMPLATE_ITEMS: Readonly<Record<Template, readonly TemplateItem[]>> = {
  advertiser: [
    {
      name: 'Installs, spend and return, last 28 days',
      question: app(['installs', 'spend', 'revenue', 'roas'], {
        range: 'last_28_days',
        compare: 'previous_period',
        chart: 'number',
      }),
      ...at(0, 0, 12, 2),
    },
    {
      name: 'Installs by day',
      question: app(['installs'], {
        dimensions: ['day'],
        range: 'last_28_days',
        compare: 'previous_period',
        chart: 'line',
      }),
      ...at(0, 2, 8, 4),
    },
    {
      name: 'Installs by country',
      question: app(['installs'], { dimensions: ['country'], range: 'last_28_days', limit: 10, chart: 'bar' }),
      ...at(8, 2, 4, 4),
    },
    { heading: 'Campaigns', ...at(0, 6, 12, 1) },
    {
      name: 'Campaigns, last 28 days',
      question: app(['installs', 'spend', 'cpi', 'revenue', 'roas', 'retention_d7'], {
        dimensions: ['campaign'],
        range: 'last_28_days',
        limit: 50,
        include: totals,
        chart: 'table',
      }),
      ...at(0, 7, 12, 5),
    },
  ],
  partner: [
    {
      name: 'Clicks and installs of partners, last 28 days',
      question: app(['clicks', 'installs', 'suspicious', 'revenue'], {
        range: 'last_28_days',
        compare: 'previous_period',
        include: [],
        chart: 'number',
      }),
      ...at(0, 0, 12, 2),
    },
    {
      name: 'Clicks by day and partner',
      question: app(['clicks'], { dimensions: ['day', 'partner'], range: 'last_28_days', include: [], chart: 'line' }),
      ...at(0, 2, 6, 4),
    },
    {
      name: 'Installs by day and partner',
      question: app(['installs'], {
        dimensions: ['day', 'partner'],
        range: 'last_28_days',
        include: [],
        chart: 'area',
      }),
      ...at(6, 2, 6, 4),
    },
    { heading: 'Quality', ...at(0, 6, 12, 1) },
    {
      name: 'Partners, last 28 days',
      question: app(['clicks', 'installs', 'suspicious', 'signups', 'conversion', 'revenue', 'retention_d7'], {
        dimensions: ['partner'],
        range: 'last_28_days',
        include: ['totals'],
        chart: 'table',
      }),
      ...at(0, 7, 12, 5),
    },
  ],
  finance: [
    {
      name: 'Spend and return, this month',
      question: app(['spend', 'revenue', 'profit', 'roas'], {
        range: 'this_month',
        compare: 'previous_period',
        chart: 'number',
      }),
      ...at(0, 0, 12, 2),
    },
    {
      name: 'Spend and revenue by day, this month',
      question: app(['spend', 'revenue'], { dimensions: ['day'], range: 'this_month', chart: 'line' }),
      ...at(0, 2, 6, 4),
    },
    {
      name: 'Spend by network, this month',
      question: app(['spend'], {
        dimensions: ['network'],
        range: 'this_month',
        include: [],
        limit: 10,
        chart: 'bar',
      }),
      ...at(6, 2, 6, 4),
    },
    { heading: 'Months and campaigns', ...at(0, 6, 12, 1) },
    {
      name: 'Months of this year',
      question: app(['spend', 'revenue', 'profit', 'roas'], {
        dimensions: ['month'],
        range: 'this_year',
        include: totals,
        chart: 'table',
      }),
      ...at(0, 7, 12, 4),
    },
    {
      name: 'What campaigns cost and earn, this month',
      question: app(['spend', 'revenue', 'profit', 'roas'], {
        dimensions: ['campaign'],
        range: 'this_month',
        order_by: [['spend', 'desc']],
        limit: 50,
        include: totals,
        chart: 'table',
      }),
      ...at(0, 11, 12, 5),
    },
  ],
};
