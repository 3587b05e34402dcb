/** Texts of the keys of a project. */

export const keys = {
  about: 'What your servers, apps and websites send with their requests.',
  create: 'Create a key',
  kinds: {
    server_key: 'Server key',
    app_key: 'App key',
    web_key: 'Web key',
  },
  kindHints: {
    server_key: 'Secret. For your own servers: reports, campaigns, spend, and events of any kind.',
    app_key: 'Public. Built into your app: sends installs and events, and reads nothing.',
    web_key: 'Public. In the pages of your website: sends visits, and reads nothing.',
  },
  created: (kind: string) => `Your new ${kind.toLowerCase()}`,
  used: 'Last used',
  usedAbout: 'To an hour',
  works: 'Works',
  revoked: 'Revoked',
  revokeNamed: (kind: string, id: number) => `Revoke ${kind.toLowerCase()} ${id}`,
  revokeTitle: (kind: string) => `Revoke this ${kind.toLowerCase()}?`,
  revokeText: 'What still uses it is refused at once, for good.',
  usedNow: (when: string) => `It was last used ${when}.`,
  revokeDone: 'The key is revoked.',
  showRevoked: 'Show revoked keys',
  empty: 'No keys',
  emptyText: 'Create one to send the first event.',
  snippets: 'Ready to paste',
  snippetsAbout: 'With your key in place of YOUR_KEY.',
  snippetsWith: 'With the key that you just created.',
  snippetsLabel: 'Kind of key',
};
