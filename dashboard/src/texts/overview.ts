/** Texts of the overview. */
export const overview = {
  app: 'App',
  campaigns: 'Top campaigns',
  channels: 'Top channels',
  countries: 'Top countries',
  sources: 'Top sources',
  emptyApp: 'No installs or clicks yet',
  emptyAppText: 'Send a first install from your app or your server; it is here within a minute.',
  emptyWeb: 'No visits yet',
  emptyWebText: 'Put the script into the pages of your website.',
  completeUntil: (time: string) => `Complete until ${time}`,
  unconverted: (currencies: string) => `Amounts in ${currencies} are left out: they have no exchange rate.`,
};
