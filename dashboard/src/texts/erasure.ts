/** Texts of forgetting persons. */

export const erasure = {
  about:
    'Forget a person who asks for it, or hand over what there is of them. What is forgotten is blank within a ' +
    'minute, and off the disk within a day.',
  form: 'A person',
  formAbout: 'Every install that the identifier is known from, with its touches and visits.',
  kind: 'Known by',
  kinds: { user: 'User ID', gaid: 'Android advertising ID (GAID)', idfa: 'Apple advertising ID (IDFA)' },
  value: 'Identifier',
  hints: {
    user: 'As your app or website sends it',
    gaid: 'For example 38400000-8cf0-11bd-b23e-10b96e40000d',
    idfa: 'For example 6D92078A-8246-4BA4-AE5B-76104861E7DC',
  },
  count: 'See what there is',
  found: 'Found now',
  foundNothing: 'Nothing is known of this person: there is nothing to forget or to hand over.',
  counted: {
    installs: ['install', 'installs'],
    app_events: ['app event', 'app events'],
    clicks: ['click', 'clicks'],
    impressions: ['impression', 'impressions'],
    ctv_impressions: ['TV impression', 'TV impressions'],
    visitors: ['website visitor', 'website visitors'],
    web_events: ['web event', 'web events'],
  } as Readonly<Record<string, readonly [one: string, many: string]>>,
  export: 'Download their data',
  exportAbout: 'Every row that is theirs, for who asks for their own data. The audit log has who took it, and when.',
  exported: 'The file is saved.',
  submit: 'Forget this person',
  confirmTitle: 'Forget this person?',
  confirmText:
    'Counts and credits stay. This cannot be undone. What is received afterwards is new, and is not part of it.',
  confirm: 'Forget for good',
  done: 'The person is being forgotten; the receipt is below.',
  keptInFiles: 'Files of exports keep whoever is forgotten',
  keptInFilesText: (exports: string) =>
    `These write nothing now: ${exports}. Once one of them goes well again, its files follow; of one that is to stay ` +
    'off, delete them yourself.',
  toExports: 'Exports',
  receipts: 'Receipts',
  receiptsAbout: 'Proof of what was asked for and done. They do not say who it was.',
  id: 'Receipt',
  asked: 'Asked for',
  hidden: 'Hidden since',
  removed: 'Off the disk since',
  receiptFound: 'Found',
  nothingFound: 'Nothing',
  states: { waiting: 'Waiting', hidden: 'Hidden', removed: 'Removed', failed: 'Tried again' },
  empty: 'Nobody has been forgotten yet',
  emptyText: 'Each request gets a receipt, which is listed here.',
};
