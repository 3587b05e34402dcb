/** Texts of the page of one install: why it was credited as it was. */

export const install = {
  waitingTitle: 'This install is being decided',
  waiting: 'It was received a moment ago. The decision is here within some seconds; this page asks by itself.',
  missingTitle: 'No such install',
  missing: 'No install with this ID was received for this project.',
  why: 'Why',
  creditedTo: (campaign: string) => `Credited to ${campaign}`,
  organic: 'Organic: credited to nobody',
  of: (partner: string) => `of ${partner}`,
  decidedAt: (time: string) => `Decided ${time}, for good. Nothing that arrives later changes it.`,
  sentences: {
    attribution: () => 'The install event itself said where it came from. That goes before every touch.',
    referrer: (after: string) =>
      `The app store named this click when the app was first opened, ${after} after it. No other sign is as sure.`,
    device_click: (after: string) =>
      `It is the last click with the advertising ID of this device, ${after} before the install.`,
    ip_click: (after: string) => `It is the last click from the address of this device, ${after} before the install.`,
    device_impression: (after: string) =>
      `No click could be credited. It is the last ad shown on this device, ${after} before the install.`,
    ctv_impression: (after: string) =>
      `No click could be credited. It is the last TV ad shown at this address, ${after} before the install.`,
  } as Readonly<Record<string, (after: string) => string>>,
  organicNone: 'No click or impression shares an advertising ID or an address with this install.',
  organicSome: (count: number) =>
    count === 1
      ? 'One touch shares an advertising ID or the address with this install, but it could not be credited.'
      : `${count} touches share an advertising ID or the address with this install, but none could be credited.`,
  reinstall: 'A reinstall: this device had the app before.',
  timeline: 'Time line',
  timelineAbout: 'Every touch that was considered, before the install. The band is the time in which it counts.',
  timelineEmpty: 'No touch shares an advertising ID or an address with this install.',
  scale: 'Scale of time',
  log: 'Log',
  linear: 'Linear',
  before: (time: string) => `${time} before`,
  after: (time: string) => `${time} after`,
  window: (time: string) => `counts up to ${time} before`,
  windowOff: 'never counts',
  legend: { credited: 'Credited', eligible: 'Beaten by another', out: 'Could not count', window: 'Look-back window' },
  verdicts: {
    credited: 'Credited',
    lower_rule: 'A better match won',
    older_than_winner: 'A later touch won',
    outside_window: 'Too long before',
    later_than_install: 'After the install',
    received_too_late: 'Received too late',
    already_used: 'Credited already',
    switched_off: 'Switched off',
    other_app: 'Another app',
    other_os: 'Another system',
    carries_id: 'Another device',
  } as Readonly<Record<string, string>>,
  touches: { click: 'Click', impression: 'Impression', ctv_impression: 'TV ad' } as Readonly<Record<string, string>>,
  noCampaign: 'Deleted campaign',
  limited: (count: number) => `The ${count} latest are shown.`,
  whyNot: 'Why does another partner not get it?',
  whyNotAbout: 'Choose one to see what it sent for this install, and what became of that.',
  choosePartner: 'Choose a partner',
  noPartners: 'No partner works with this project.',
  got: (partner: string) => `${partner} gets this install.`,
  gotText: 'One of its touches is the one that was credited.',
  lost: (partner: string, count: number) =>
    `${partner} had ${count === 1 ? 'one touch' : `${count} touches`} of this device or address, but not the best one.`,
  never: (partner: string) => `${partner} sent no touch of this device or address that was accepted.`,
  neverText:
    'So there is nothing that could be credited to it. Either it reported none, or the report names another device, ' +
    'or it was refused.',
  traffic: (from: string, to: string) => `What it sent from ${from} to ${to}`,
  tv: 'TV ads',
  noneRefused: 'None of its requests was refused in these days.',
  openPartner: 'All about this partner',
  conditions: 'A touch is credited with this install only if all of this holds',
  conditionsAbout: 'For a touch that is not in the time line at least one of the first two does not.',
  names: 'It names this install',
  namesText: (ids: readonly string[], ip: string | null) => {
    const device =
      ids.length > 0 ? `the advertising ID ${ids.join(' or ')}` : 'an advertising ID (this device sent none)';
    const address = ip ? `the address ${ip} (clicks and TV ads)` : 'an address (none is stored of this install)';
    return `By ${device}, by ${address}, or as the click that the store referrer names.`;
  },
  accepted: 'It was accepted, and in time',
  acceptedText: (time: string) =>
    `The service received it before the install, that is before ${time}. What was refused counts as never sent.`,
  inTime: 'It happened within its window',
  inTimeText: (time: string, windows: string) => `Before ${time}, and not longer before than its window${windows}.`,
  windows: (list: string) => ` (here: ${list})`,
  sameApp: 'It is for this app',
  sameAppText: (app: string) => `It names ${app}, or no app at all.`,
  comparable: 'Nothing speaks against it',
  comparableText:
    'For clicks by address: it has no advertising ID that could be compared, and its user agent is of the same ' +
    'system. An impression is credited only once.',
  switchedOn: 'It is switched on',
  switchedOnText: 'The switches of its partner, and of the project, let this kind of touch count.',
  best: 'It is the best',
  bestText:
    'What comes with the install goes first, then the store referrer, clicks of the device, clicks of the address, ' +
    'impressions of the device, TV ads. Within one kind the latest wins.',
  details: 'Device and user',
  fields: {
    app: 'App',
    received: 'Received',
    os: 'System',
    gaid: 'Google advertising ID',
    idfa: 'Apple advertising ID',
    ip: 'IP address',
    ua: 'User agent',
    user: 'User',
    event: 'ID of the event',
    touch: 'ID of the touch',
  },
  others: 'All of them',
  eventsShown: (shown: number, total: number) =>
    shown < total ? `The latest ${shown} of ${total}` : 'The latest first',
  eventColumns: { amount: 'Amount' },
  types: {
    install: 'Install',
    open: 'Open',
    signup: 'Sign-up',
    event: 'Event',
    payment: 'Payment',
    refund: 'Refund',
    uninstall: 'Uninstall',
  } as Readonly<Record<string, string>>,
};
