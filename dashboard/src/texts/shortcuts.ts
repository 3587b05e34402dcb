/** Texts of the keys that do something. */
export const shortcuts = {
  title: 'Keyboard shortcuts',
  help: 'Show this list',
  palette: 'Go to anything',
  search: 'Search in the page, or go to anything',
  points: 'In a chart: choose a point, open it',
  close: 'Close what is open',
  goTo: (page: string) => `Go to ${page}`,
  then: 'then',
  about: 'They work unless you are typing.',
};
