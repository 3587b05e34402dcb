/** Texts of the page of web visits. */

export const web = {
  about: 'Where the visitors of the website come from, and what they do.',
  tabs: {
    channel: 'Channels',
    source: 'Sources',
    campaign: 'Campaigns',
    landing_page: 'Landing pages',
    page: 'Pages',
    exit_page: 'Exit pages',
    country: 'Countries',
    device: 'Devices',
    browser: 'Browsers',
  },
  models: { both: 'First and last touch', last_touch: 'Last touch', first_touch: 'First touch' },
  model: 'Credit',
  modelTexts: {
    both:
      'What a visitor does is credited to the latest source that is not direct (last touch), or to the earliest one ' +
      '(first touch). More first than last: it brings people whom others win.',
    last_touch: 'What a visitor does is credited to the latest source that is not direct.',
    first_touch: 'What a visitor does is credited to the earliest source that is not direct.',
  },
  sessions: {
    landing_page: 'The page with which a session began. It does not depend on the touch that is credited.',
    page: 'The pages that were seen; sessions and their bounces are those that saw the page.',
    exit_page: 'The page with which a session ended.',
    country: 'Where sessions came from. It does not depend on the touch that is credited.',
    device: 'What sessions came with. It does not depend on the touch that is credited.',
    browser: 'What sessions came with. It does not depend on the touch that is credited.',
  },
  last: (metric: string) => `${metric}, last`,
  first: (metric: string) => `${metric}, first`,
  difference: 'First − last',
  differenceAbout: (metric: string) => `${metric} by first touch less those by last touch`,
  curve: (metric: string, what: string, by: string) => `${metric} ${by}, top ${what.toLowerCase()}`,
  curveAbout: {
    last_touch: 'Credited by last touch.',
    first_touch: 'Credited by first touch.',
  },
  more: (rows: string) => `The first ${rows} rows are shown; the download has all.`,
  emptyText: 'Put the script into the pages of your website, or choose other days.',
  noMatch: 'No visit matches the filters',
};
