/** New rows come in at the top only while nobody points at the list: nothing jumps away under the pointer. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Install } from './questions';

/** How long a row counts as new. */
const NEW_MS = 8_000;

interface Held {
  /** The rows to show. */
  readonly rows: readonly Install[] | undefined;
  /** How many wait to be shown. */
  readonly waiting: number;
  readonly show: () => void;
  /** Those that have come since the list was opened, a moment ago. */
  readonly fresh: ReadonlySet<string>;
}

/** `list` says what is listed: another list is shown at once, and nothing of it is new. */
export function useHeldRows(latest: readonly Install[] | undefined, list: string, isHeld: boolean): Held {
  const [shown, setShown] = useState<{ list: string; ids: readonly string[] }>();
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const timers = useRef(new Set<number>());
  const known = shown?.list === list ? shown.ids : undefined;
  const ids = useMemo(() => latest?.map((one) => one.install_id), [latest]);
  const coming = useMemo(() => (known && ids ? ids.filter((id) => !known.includes(id)) : []), [known, ids]);

  const show = () => {
    if (!ids) return;
    if (known && coming.length > 0) mark(coming);
    setShown({ list, ids });
  };
  const mark = (some: readonly string[]) => {
    setFresh((before) => new Set([...before, ...some]));
    const timer = window.setTimeout(() => {
      timers.current.delete(timer);
      setFresh((before) => new Set([...before].filter((id) => !some.includes(id))));
    }, NEW_MS);
    timers.current.add(timer);
  };
  const isDue = ids !== undefined && (known === undefined || (!isHeld && coming.length > 0));
  useEffect(() => {
    if (isDue) show();
    // What is shown changes with the answer and with the pointer alone.
  }, [isDue, ids]);
  useEffect(() => () => timers.current.forEach((timer) => window.clearTimeout(timer)), []);

  const rows = useMemo(() => {
    if (!latest || !known || coming.length === 0) return latest;
    const byId = new Map(latest.map((one) => [one.install_id, one]));
    return known.flatMap((id) => byId.get(id) ?? []);
  }, [latest, known, coming]);
  return { rows, waiting: known && isHeld ? coming.length : 0, show, fresh };
}
