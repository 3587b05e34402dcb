/** A list of what is sent: each with its state, what it is, and what can be done with it. */
import { Badge, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats } from '../../session';
import { postbacks as text } from '../../texts/postbacks';
import classes from './Postbacks.module.css';

export const Entries = ({ label, children }: { label: string; children: ReactNode }) => (
  // Without bullets, some readers of the screen take a list for none.
  <ul className={classes.entries} role="list" aria-label={label}>
    {children}
  </ul>
);

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
    <PlainBadge color="teal">{text.states.on}</PlainBadge>
  ) : (
    <PlainBadge color="gray">{text.states.off}</PlainBadge>
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
