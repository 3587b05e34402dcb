/** The statements that somebody ran last in a project, kept in this browser. */
import { useState } from 'react';

const MAX = 30;
const keyFor = (projectId: number) => `adtrail.sql.${projectId}`;

export interface Ran {
  readonly query: string;
  readonly at: string;
}

function read(projectId: number): Ran[] {
  try {
    const kept = JSON.parse(localStorage.getItem(keyFor(projectId)) ?? '[]') as unknown;
    if (!Array.isArray(kept)) return [];
    const isWhole = (one: Partial<Ran> | null): one is Ran =>
      typeof one?.query === 'string' && typeof one.at === 'string';
    return (kept as (Partial<Ran> | null)[]).filter(isWhole).slice(0, MAX);
  } catch {
    return [];
  }
}

/** The last first, each statement once. */
export function useHistory(projectId: number) {
  const [ran, setRan] = useState(() => read(projectId));
  const keep = (list: Ran[]) => {
    setRan(list);
    try {
      localStorage.setItem(keyFor(projectId), JSON.stringify(list));
    } catch {
      // A browser without room for it forgets.
    }
  };
  return {
    ran,
    note: (query: string) =>
      keep([{ query, at: new Date().toISOString() }, ...ran.filter((one) => one.query !== query)].slice(0, MAX)),
    forget: () => keep([]),
  };
}
