/** Which series of a chart are hidden, by their names, and a function that hides one or shows it again. */
import { useCallback, useState } from 'react';

export function useHidden() {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const onToggle = useCallback(
    (name: string) =>
      setHidden((before) => {
        const next = new Set(before);
        if (!next.delete(name)) next.add(name);
        return next;
      }),
    [],
  );
  return { hidden, onToggle };
}
