/** Texts of the page of single clicks and refused requests. */

export const touches = {
  about: 'What became of a click or impression, and what was refused',
  search: 'ID of the click or impression',
  searchHint: 'tid, or the click_id or impression_id of the answer, exactly',
  find: 'Find',
  result: 'What became of it',
  types: { click: 'Click', impression: 'Impression', ctv_impression: 'TV impression' } as const,
  sources: { s2s: 'reported by S2S', link: 'on a tracking link', import: 'imported' } as const,
  states: {
    credited: 'An install is credited to it',
    not_credited: 'No install is credited to it',
    waiting: 'Accepted; no install so far',
  } as const,
  waiting: (names: string) =>
    `No install that it could match has come yet. It can be matched by ${names}; what comes later is not ruled out.`,
  waitingForNothing: 'It has nothing that an install could be matched by, but the install referrer of the store.',
  happened: 'Happened',
  accepted: 'Accepted',
  passed: 'Passed along',
  installs: 'Installs that considered it',
  installed: (kind: string) => `${kind} of `,
  kinds: { install: 'Install', reinstall: 'Reinstall' } as const,
  creditedTo: 'Credited to',
  refusedTitle: 'Refused with this tid',
  nothing: 'Nothing is known of it',
  nothingText:
    'No click or impression with this ID was accepted, and none is among the samples of refused requests: of each ' +
    'reason the latest 100 of seven days are kept. IDs must be whole; what was sent a second ago may not be here yet.',
  samples: 'Samples of refused requests',
  samplesAbout:
    'The latest 100 of each reason, for seven days. Tokens are left out, advertising IDs are cut, and addresses are ' +
    'networks.',
  anyReason: 'Any reason',
  reason: 'Reason',
  when: 'When',
  request: 'Request',
  open: 'Test',
  openNamed: (when: string) => `Open the request of ${when} in the test bench`,
  more: 'Load more',
  none: 'Nothing was refused',
  noneText: 'A refused request is here some seconds later, with the reason.',
  noneOfReason: 'Nothing was refused for this reason',
};
