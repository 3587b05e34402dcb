/** Texts of tables, charts, filters and of what can be done with a view. */
import { counted } from './count';

export const tools = {
  copyLink: 'Copy link to this view',
  copyCurl: 'Copy as curl',
  share: 'Share',
  more: 'Share and download',
  sql: {
    show: 'Show SQL',
    title: 'SQL of this view',
    about: 'Over the views of the database analytics: run as it is, it gives the rows of this view.',
    open: 'Open in SQL',
  },
  csv: 'Download CSV',
  png: 'Download PNG',
  keyPlaceholder: 'YOUR_SERVICE_KEY',
  failed: 'The file could not be made',
  table: {
    columns: 'Columns',
    totals: 'Total',
    empty: 'Nothing in this period',
    rows: (shown: string, all: string) => (shown === all ? counted(all, 'row', 'rows') : `${shown} of ${all} rows`),
    standard: 'Standard columns',
  },
  chart: {
    asTable: 'Show as a table',
    asChart: 'Show as a chart',
    series: 'Series',
    show: (series: string) => `Show ${series}`,
    before: (series: string) => `${series}, before`,
    empty: 'No figures in this period',
    description: (title: string) => `${title}. The same figures as a table: use the button above the chart.`,
  },
  filters: {
    add: 'Filter',
    dimension: 'Dimension',
    operator: 'Operator',
    values: 'Values',
    valuesHint: 'Type a value, then Enter',
    remove: (text: string) => `Remove the filter ${text}`,
    clear: 'Clear all',
    operators: { is: 'is', is_not: 'is not', contains: 'contains', contains_not: 'does not contain' },
    label: 'Filters',
  },
  figure: {
    before: (value: string) => `${value} before`,
    unchanged: 'unchanged',
    isNew: 'new',
  },
  countries: 'Countries: IP geolocation by DB-IP',
};
