/** The columns of the log of messages. */
import { Anchor, Text } from '@mantine/core';
import { eventName } from '../../components/postbacks/EventField';
import { PlainBadge } from '../../components/postbacks/Entries';
import type { CsvRow } from '../../components/files';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import { useFormats } from '../../session';
import { texts } from '../../texts';
import { messages as text } from '../../texts/messages';
import classes from './Messages.module.css';
import type { Attempt } from './questions';

const COLORS = { sent: 'teal', retry: 'yellow', dead: 'red', dropped: 'gray', test: 'blue' } as const;

const Dim = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed" className={classes.detail}>
    {children}
  </Text>
);

/** Who was told. */
export function nameReceiver({ kind, partner }: Attempt): string {
  if (kind === 'webhook') return text.webhook;
  return partner ? (partner.name ?? text.partner(partner.id)) : texts.none;
}

export const Outcome = ({ outcome }: { outcome: Attempt['outcome'] }) => (
  <span title={text.outcomeTexts[outcome]}>
    <PlainBadge color={COLORS[outcome]}>{text.outcomes[outcome]}</PlainBadge>
  </span>
);

const Took = ({ value }: { value: number }) => text.ms(useFormats().count(value));

export const messageColumns = (open: (attempt: Attempt) => void): Column<Attempt>[] => [
  {
    id: 'when',
    header: text.columns.when,
    value: () => null,
    cell: (one) => (
      <>
        <Anchor component="button" type="button" inherit ta="left" onClick={() => open(one)}>
          <Time value={one.attempted_at} />
        </Anchor>
        {(one.attempt > 1 || one.is_replay) && (
          <Dim>
            {[one.is_replay && text.replay, one.attempt > 1 && text.attempt(one.attempt)].filter(Boolean).join(' · ')}
          </Dim>
        )}
      </>
    ),
  },
  {
    id: 'event',
    header: texts.event,
    value: () => null,
    cell: ({ event, install_id }) => (
      <div className={classes.words}>
        {eventName(event)}
        {install_id && <Dim>{install_id}</Dim>}
      </div>
    ),
  },
  {
    id: 'to',
    header: text.columns.to,
    value: () => null,
    cell: (one) => (
      <div className={classes.words}>
        {nameReceiver(one)}
        <Dim>{one.host}</Dim>
      </div>
    ),
  },
  {
    id: 'outcome',
    header: text.outcome,
    value: () => null,
    cell: ({ outcome }) => <Outcome outcome={outcome} />,
  },
  { id: 'status', header: texts.status, about: text.columns.statusAbout, value: ({ status }) => status },
  {
    id: 'latency',
    header: text.columns.latency,
    kind: 'count',
    value: ({ latency_ms }) => latency_ms,
    cell: ({ latency_ms }) => <Took value={latency_ms} />,
  },
  {
    id: 'error',
    header: text.columns.error,
    value: () => null,
    cell: ({ error }) => <div className={classes.words}>{error ?? texts.none}</div>,
  },
  {
    id: 'next',
    header: text.columns.next,
    value: () => null,
    cell: ({ next_attempt_at }) => <Time value={next_attempt_at} />,
  },
];

/** An attempt as a row of a file. */
export const toCsvRow = ({ project, partner, macros, ...rest }: Attempt): CsvRow => ({
  ...rest,
  macros: macros.join(' '),
  project: project?.name ?? null,
  partner: partner && (partner.name ?? text.partner(partner.id)),
});
