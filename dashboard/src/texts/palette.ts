/** Texts of the command palette. */
export const palette = {
  title: 'Go to …',
  placeholder: 'A page, a campaign, an install by any ID, a setting',
  nothing: 'Nothing is called that',
  groups: {
    pages: 'Pages',
    campaigns: 'Campaigns',
    installs: 'Installs',
    settings: 'Settings',
    places: 'Projects and partners',
    help: 'Help',
  },
  installs: (id: string) => `All installs with ${id}`,
  reference: 'API reference',
  document: 'OpenAPI document',
  keys: '↑ ↓ to choose, Enter to open, Esc to close',
};
