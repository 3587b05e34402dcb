/** Texts of the form of a new project. */
export const newProject = {
  title: 'New project',
  nameHint: 'For example the brand whose app or website it is',
  account: 'Account',
  timezoneHint: 'Days of the reports begin in it.',
  currencyHint: 'Revenue and spend are shown in it.',
  website: 'Website',
  websiteHint: 'Where links lead that have no target of their own',
};
