/** Whom something is sent to, in a form: those that are there, and new ones to be typed. */
import { ActionIcon, Badge, Button, Group, Input, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { GivenReceiver, Receiver } from '../../api/alerts';
import { MAX_RECEIVERS } from '../../api/generated-limits';
import { choices } from '../../choices';
import { receivers as text } from '../../texts/alerts';

type Kind = Receiver['kind'];
/** One that is there, or one that is typed. */
export type Edited = { readonly known: Receiver } | { readonly kind: Kind; readonly typed: string };

export const editReceivers = (known: readonly Receiver[]): Edited[] => known.map((one) => ({ known: one }));

/** As the service takes them; what was left empty is left out. */
export const readReceivers = (edited: readonly Edited[]): GivenReceiver[] =>
  edited.flatMap((one): GivenReceiver[] => {
    if ('known' in one) return [{ id: one.known.id, kind: one.known.kind }];
    const typed = one.typed.trim();
    if (typed === '') return [];
    return [one.kind === 'email' ? { kind: one.kind, address: typed } : { kind: one.kind, url: typed }];
  });

interface Props {
  readonly value: readonly Edited[];
  readonly onChange: (next: Edited[]) => void;
  /** Kinds that can be added. */
  readonly kinds: readonly Kind[];
  readonly error?: string | undefined;
}

export function Receivers({ value, onChange, kinds, error }: Props) {
  const [first = 'email'] = kinds;
  const put = (at: number, next: Edited) => onChange(value.map((one, i) => (i === at ? next : one)));
  const remove = (at: number) => onChange(value.filter((_, i) => i !== at));
  return (
    <Input.Wrapper label={text.label} error={error}>
      <Stack gap={6} mt={4}>
        {value.map((one, at) => (
          <Group key={'known' in one ? `known-${one.known.id}` : `new-${at}`} gap="xs" wrap="nowrap">
            {'known' in one ? (
              <Known receiver={one.known} />
            ) : (
              <Typed one={one} at={at + 1} kinds={kinds} onChange={(next) => put(at, next)} />
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={text.remove('known' in one ? one.known.to : text.kinds[one.kind])}
              onClick={() => remove(at)}
            >
              <IconTrash size={15} />
            </ActionIcon>
          </Group>
        ))}
        {value.length < MAX_RECEIVERS && (
          <Button
            variant="subtle"
            size="compact-xs"
            style={{ alignSelf: 'flex-start' }}
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...value, { kind: first, typed: '' }])}
          >
            {text.add}
          </Button>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

const Known = ({ receiver: { kind, to, unsubscribed_at } }: { receiver: Receiver }) => (
  <Group gap="xs" style={{ flex: 1, minWidth: 0 }}>
    <Badge variant="default" size="sm">
      {text.kinds[kind]}
    </Badge>
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {to}
    </Text>
    {unsubscribed_at !== null && (
      <Text size="xs" c="dimmed">
        {text.unsubscribed}
      </Text>
    )}
  </Group>
);

interface TypedProps {
  readonly one: Extract<Edited, { kind: Kind }>;
  readonly at: number;
  readonly kinds: readonly Kind[];
  readonly onChange: (next: Edited) => void;
}

function Typed({ one, at, kinds, onChange }: TypedProps) {
  return (
    <>
      {kinds.length > 1 && (
        <Select
          size="xs"
          w={110}
          aria-label={text.kind(at)}
          allowDeselect={false}
          data={choices(text.kinds).filter(({ value }) => kinds.includes(value))}
          value={one.kind}
          onChange={(kind) => kind && onChange({ ...one, kind })}
        />
      )}
      <TextInput
        size="xs"
        style={{ flex: 1 }}
        aria-label={text.address(text.kinds[one.kind], at)}
        type={one.kind === 'email' ? 'email' : 'url'}
        placeholder={text.inputs[one.kind]}
        value={one.typed}
        onChange={({ currentTarget }) => onChange({ ...one, typed: currentTarget.value })}
      />
    </>
  );
}
