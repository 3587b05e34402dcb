/** Which links of the list are selected, and what can be done with them. */
import { Button, Group, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useFormats } from '../../session';
import { links as text } from '../../texts/links';
import { EditMany } from './EditMany';

export function useChosen() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const chosen = useMemo(
    () => ({
      ids,
      toggle: (id: string) =>
        setIds((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id])),
    }),
    [ids],
  );
  return { chosen, clear: () => setIds(new Set()) };
}

interface Props {
  readonly ids: ReadonlySet<string>;
  readonly clear: () => void;
}

export function Selection({ ids, clear }: Props) {
  const { count } = useFormats();
  const [isEditing, setEditing] = useState(false);
  if (ids.size === 0) return null;
  return (
    <>
      <Group gap="xs" role="status">
        <Text size="sm">{text.selected(count(ids.size))}</Text>
        <Button size="compact-xs" onClick={() => setEditing(true)}>
          {text.many.open}
        </Button>
        <Button size="compact-xs" variant="default" onClick={clear}>
          {text.many.clear}
        </Button>
      </Group>
      {isEditing && (
        <EditMany
          displayIds={[...ids]}
          onClose={() => setEditing(false)}
          onDone={() => {
            setEditing(false);
            clear();
          }}
        />
      )}
    </>
  );
}
