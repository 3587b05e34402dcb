/** What the command palette offers: pages, campaigns, installs, settings and help, found by any of their words. */

export interface Command {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  /** More that it is found by, and shown beside it: an ID, a place. */
  readonly about?: string;
  readonly to: string;
  readonly search?: object;
  /** A page of the service, not of the dashboard. */
  readonly isOutside?: boolean;
}

const MAX_OF_GROUP = 8;

/** Every word that is typed has to be in the command; what begins with it comes first. */
export function findCommands(commands: readonly Command[], typed: string): Command[] {
  const words = typed.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const [first = ''] = words;
  const found = commands.filter(({ label, about = '', group }) => {
    const text = `${label} ${about} ${group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const begins = ({ label }: Command) => Number(first !== '' && label.toLowerCase().startsWith(first));
  return limitGroups(found.sort((a, b) => begins(b) - begins(a)));
}

/** The commands by their group, in the order in which groups first appear, so many of each. */
function limitGroups(commands: readonly Command[]): Command[] {
  const groups = new Map<string, Command[]>();
  for (const command of commands) {
    const own = groups.get(command.group) ?? [];
    if (own.length < MAX_OF_GROUP) groups.set(command.group, [...own, command]);
  }
  return [...groups.values()].flat();
}

const MIN_ID = 3;
/** What is looked for among installs: an ID of at least three characters, without spaces. */
export const readId = (typed: string): string | undefined => {
  const id = typed.trim();
  return id.length >= MIN_ID && !/\s/.test(id) ? id : undefined;
};
