/** A list of what is sent: each with its state, what it is, and what can be done with it. */
import { Badge, Button, Group, Skeleton, Stack, Text, type ButtonProps } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useFormats } from '../../session';
import { postbacks as text } from '../../texts/postbacks';
import { ErrorBox } from '../ErrorBox';
import { Panel } from '../Panel';
import classes from './Postbacks.module.css';
import { texts } from '../../texts';

interface ListProps<T> {
  readonly title: string;
  readonly about: string;
  readonly answer: UseQueryResult<readonly T[]>;
  /** The button that adds one; none for readers. */
  readonly add: (ButtonProps & { readonly children: string }) | undefined;
  readonly empty: ReactNode;
  /** The height of what stands there until the answer does. */
  readonly height: number;
  readonly entry: (one: T, onEdit: () => void) => ReactNode;
  /** The form of one, or of a new one, with the others that there are. */
  readonly form: (one: T | undefined, others: readonly T[], onClose: () => void) => ReactNode;
}

export function EntryList<T extends { readonly id: unknown }>({
  title,
  about,
  answer: { data, error, isPending, refetch },
  add,
  empty,
  height,
  entry,
  form,
}: ListProps<T>) {
  const [edited, setEdited] = useState<T | 'new'>();
  return (
    <Panel
      title={title}
      about={about}
      tools={add && <Button size="xs" {...add} onClick={() => setEdited('new')} />}
      flush
    >
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {isPending && !error && <Skeleton height={height} m="md" w="auto" />}
      {data?.length === 0 && empty}
      {data && data.length > 0 && (
        // Without bullets, some readers of the screen take a list for none.
        <ul className={classes.entries} role="list" aria-label={title}>
          {data.map((one) => entry(one, () => setEdited(one)))}
        </ul>
      )}
      {edited &&
        form(
          edited === 'new' ? undefined : edited,
          (data ?? []).filter((one) => edited === 'new' || one.id !== edited.id),
          () => setEdited(undefined),
        )}
    </Panel>
  );
}

/** What may be on or off, or is switched off by who received it. */
export interface State {
  readonly enabled: boolean;
  readonly switched_off_at: string | null;
}

export const isOn = ({ enabled, switched_off_at }: State): boolean => enabled && switched_off_at === null;
export const isGone = ({ enabled, switched_off_at }: State): boolean => enabled && switched_off_at !== null;

interface Props {
  readonly title: ReactNode;
  readonly state: State;
  /** Beside the title, in place of whether it is on. */
  readonly badge?: ReactNode;
  /** Buttons; none for readers. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

export function Entry({ title, state, badge, actions, children }: Props) {
  const formats = useFormats();
  return (
    <li className={classes.entry}>
      <Stack gap={6}>
        <Group gap={6} justify="space-between" align="flex-start">
          <div style={{ flex: '1 1 240px' }}>{title}</div>
          {isGone(state) || !badge ? <StateBadge state={state} /> : badge}
        </Group>
        {isGone(state) && (
          <Text size="sm" c="var(--app-bad)">
            {text.gone(formats.time(state.switched_off_at))}
          </Text>
        )}
        {children}
        {actions && (
          <Group gap={6} pt={2}>
            {actions}
          </Group>
        )}
      </Stack>
    </li>
  );
}

function StateBadge({ state }: { state: State }) {
  if (isGone(state)) return <PlainBadge color="red">{text.states.gone}</PlainBadge>;
  return state.enabled ? (
    <PlainBadge color="teal">{texts.on}</PlainBadge>
  ) : (
    <PlainBadge color="gray">{texts.off}</PlainBadge>
  );
}

export const PlainBadge = ({ color, children }: { color: string; children: string }) => (
  <Badge size="sm" variant="light" color={color} tt="none" flex="none">
    {children}
  </Badge>
);

/** Method and URL of a request. */
export const Address = ({ method, url }: { method?: string; url: string }) => (
  <div className={classes.address}>
    {method && <b>{method} </b>}
    {url}
  </div>
);
