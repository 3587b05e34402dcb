/** Texts of the period and its comparison. */
export const period = {
  label: 'Period',
  presets: {
    today: 'Today',
    yesterday: 'Yesterday',
    last_7_days: 'Last 7 days',
    last_28_days: 'Last 28 days',
    last_90_days: 'Last 90 days',
    this_month: 'This month',
    last_month: 'Last month',
    last_12_months: 'Last 12 months',
  },
  range: 'From and to',
  calendar: {
    previousMonth: 'Month before',
    nextMonth: 'Next month',
    previousYear: 'Year before',
    nextYear: 'Next year',
    previousDecade: 'Ten years before',
    nextDecade: 'Ten years later',
  },
  comparison: 'Comparison',
  comparisons: {
    previous_period: 'with the period before',
    previous_year: 'with a year before',
    none: 'no comparison',
  },
  inZone: (zone: string) => (zone === 'UTC' ? 'Days in UTC' : `Days in the project's time zone, ${zone}`),
};
