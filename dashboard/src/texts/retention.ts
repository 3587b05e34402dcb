/** Texts of the retention page. */

export const retention = {
  about: 'How many of those who installed came back, by the day, week or month of their install.',
  cohorts: 'Cohorts by',
  units: { day: 'Day', week: 'Week', month: 'Month' },
  definition: 'Active',
  definitions: { classic_retention: 'on day N', retention: 'up to day N', rolling_retention: 'on day N or later' },
  meanings: {
    classic_retention: 'Classic retention: of 100 installs, how many were active on exactly day N after the install.',
    retention: 'Of 100 installs, how many were active at least once on the days 1 to N after the install.',
    rolling_retention: 'Rolling retention: of 100 installs, how many were active on day N or on any day after it.',
  },
  horizons: { d14: 'to 14', d30: 'to 30', d90: 'to 90' },
  curveAbout: 'Each point counts the installs whose day has ended. Press a cohort in the table to draw it here.',
  dayAxis: 'Days since install',
  table: 'Cohorts',
  imageTitle: (project: string, from: string, to: string) => `${project}: retention, installs from ${from} to ${to}`,
  tableAbout: (day: string) => `Installs up to ${day} count in every column.`,
  shortDay: (n: number) => `D${n}`,
  all: 'All cohorts',
  draw: (cohort: string) => `Draw ${cohort} in the chart`,
  full: (value: string, installs: string) => `${value} of ${installs} installs`,
  partial: (value: string, counted: string, all: string, until: string) =>
    `${value} of ${counted} installs, those up to ${until}. ` +
    `The day has not ended yet for the others of the ${all} installs of this cohort.`,
  open: 'This day has not ended yet for any install of the cohort.',
  nobody: 'No install of the cohort counts here.',
  legend: 'How to read the table',
  scale: 'Share of active installs',
  partialMark: 'Striped: the day has ended for some installs of the cohort only, and only those count',
  openMark: 'Not yet: the day has not ended for any install of the cohort',
  empty: 'No installs in this period',
  emptyText: 'Send a first install from your app or your server, or choose other days.',
  noMatch: 'No install matches the filters',
};
