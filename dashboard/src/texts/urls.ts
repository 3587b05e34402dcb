/** Texts of the URLs that are pasted into ad networks and trackers. */

export const urls = {
  system: 'Ad network or tracker',
  systemHint: 'The URL gets its macros; any other has words in braces that you replace',
  any: 'Any ad server',
  sorts: { network: 'Ad networks', tracker: 'Trackers' } as const,
  kinds: {
    click: 'Click',
    impression: 'Impression',
    ctv: 'Impression on TV',
    link: 'Tracking link',
    postback: 'Postback',
  } as const,
  abouts: {
    token: 'Put the token of the partner in place of YOUR_TOKEN.',
    click: '',
    impression: '',
    ctv: '',
    link: 'People are sent through it: it leads them to the store or the website.',
    postback: 'What it wants to hear of an install: the URL of a postback. Words in capitals are yours to replace.',
  } as const,
  noLink: 'Its clicks come by a tracking link, and the project has no domain for one yet.',
  checked: 'Macros as documented at',
};
