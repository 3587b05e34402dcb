/** Texts of the list of campaigns and of a campaign's page. */
import { counted } from './count';

export const campaigns = {
  search: 'Search by name or ID',
  states: { all: 'All', active: 'Active', paused: 'Paused' },
  table: 'Campaigns and their figures',
  network: 'Network',
  partner: 'Partner',
  channel: 'Channel',
  systemCampaign: 'Main domain',
  organicAbout: 'No campaign is credited with these',
  total: 'All campaigns',
  mature: (share: string) => `${share} mature`,
  belowTarget: 'Below target',
  below: (day: number) => `It has not reached the target by day ${day}`,
  open: (name: string) => `Show ad sets and ads of ${name}`,
  shut: (name: string) => `Hide ad sets and ads of ${name}`,
  withoutAdSet: 'Without an ad set',
  withoutAd: 'Without an ad',
  noAdSets: 'No ad sets are known of it',
  noAds: 'No ads are known of it',
  failedBelow: 'These could not be loaded. Close and open the row to try again.',
  found: (shown: string, all: string) =>
    shown === all ? counted(all, 'campaign', 'campaigns') : `${shown} of ${all} campaigns`,
  pages: 'Pages of the table',
  tooMany: (shown: string, all: string) =>
    `These are the first ${shown} of ${all} campaigns with figures. Filter to see the others.`,
  empty: 'No campaigns yet',
  create: 'Create a campaign',
  emptyText: 'Create a campaign with its link; clicks and installs appear here within a minute.',
  nothingFound: 'No campaign matches',
  nothingFoundText: 'Change the search, the state or the filters.',
  reset: 'Show all campaigns',
  details: 'Open its page',
  copyLink: 'Copy its link',
  verdict: {
    title: 'Which campaign should I stop?',
    about: (day: number, target: string, share: string) =>
      `How much of their cost the installs of the period had paid back by day ${day}; the target is ${target}. ` +
      `${share} of the installs are old enough.`,
    day: 'Day of the verdict',
    chart: 'Cost paid back, by campaign',
    paidBack: 'Paid back',
    target: 'Target',
    below: (count: number, day: number) =>
      count === 1
        ? `One campaign has not reached the target by day ${day}.`
        : `${count} campaigns have not reached the target by day ${day}.`,
    none: (day: number) => `Every campaign that can be judged has reached the target by day ${day}.`,
    best: (name: string, share: string) => `${name} pays back the most: ${share} of its cost.`,
    young: (day: number) => `No install of the period is ${day} days old.`,
    youngText: 'Choose fewer days or a longer period to see what pays back.',
    someYoung: (count: number) =>
      count === 1 ? 'One campaign is too young to be judged.' : `${count} campaigns are too young to be judged.`,
    noSpend: 'No spend is known in this period.',
    noSpendText: 'Connect an ad network or upload spend, and the campaigns that lose money are shown here.',
    share: (share: string) => `paid back ${share}`,
    of: (share: string) => `${share} of its installs are old enough`,
    more: (count: number) => `and ${count} more`,
    all: (day: number) => `Sort by ROAS D${day}`,
  },
  pause: {
    resume: 'Resume',
    title: (name: string) => `Pause ${name}?`,
    text: 'Its link still leads to your website or store, but counts no clicks, and no new install is credited to it.',
    network: (network: string) => `Spending at ${network} goes on until you stop it there, too.`,
    paused: (name: string) => `${name} is paused.`,
    failed: 'Nothing was changed',
  },
  one: {
    back: 'All campaigns',
    missing: 'There is no such campaign',
    missingText: 'It may have been deleted, or it belongs to another project.',
    figures: 'Figures of the campaign',
    byDay: (metric: string) => `${metric} by day`,
    belowText: (share: string, target: string, day: number) =>
      `Its installs had paid back ${share} of their cost by day ${day}; the target of the project is ${target}.`,
    payback: {
      title: 'Payback by day since install',
      about: (day: string, horizon: number, share: string) =>
        `Installs up to ${day}, of which day ${horizon} has ended: ${share} of the installs of the period`,
      ltv: 'LTV',
      roas: 'ROAS',
      which: 'Figure',
      upTo: (days: number) => `${days} days`,
      cost: 'Cost per install',
      target: 'Target',
      targetCost: 'Cost per install, with the target',
      revenue: 'Revenue per install',
      reached: (percent: string, horizon: number, day: number, target: string) =>
        `By day ${horizon} they had paid back ${percent} of their cost; the target of ${target} was reached ` +
        (day === 0 ? 'on the day of the install.' : `by day ${day}.`),
      notYet: (percent: string, horizon: number, target: string) =>
        `By day ${horizon} they had paid back ${percent} of their cost; the target is ${target}.`,
      noCost: 'No spend is known for these installs, so there is no cost to pay back.',
      tooYoung: (horizon: number) =>
        `No install of the period is ${horizon} days old. Choose fewer days or a longer period.`,
    },
    retention: {
      about: 'Of the installs that are old enough for a day, the share that used the app on it',
      this: 'This campaign',
    },
    parts: {
      title: 'What it consists of',
      by: 'By',
      ad: 'Ads',
      ad_set: 'Ad sets',
      keyword: 'Keywords',
      platform: 'Platforms',
      country: 'Countries',
      none: { ad: 'Without an ad', ad_set: 'Without an ad set', keyword: 'Without a keyword' },
    },
    link: {
      noDomain: 'The project has no tracking domain yet. Add one in the settings, and the campaign has a link.',
      qr: 'QR code of the link',
      desktop: 'On desktop it leads to',
      downloadQr: 'Download QR code',
      credited: 'Users credited in all',
    },
  },
};
