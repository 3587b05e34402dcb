/** A number of the period, with its change against the comparison. */
import { Group, Paper, Skeleton, Text, Tooltip, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Measured } from '../changes';
import type { Compared } from '../compared';
import { isChange, measureChange } from '../format';
import { useFormats } from '../session';
import { metricText, texts, type MetricText } from '../texts';
import classes from './components.module.css';

interface FigureBase {
  /** A metric of the queries: its label and format follow from it. */
  readonly metric: string;
  readonly value: number | null | undefined;
  /** Instead of what the metric says of itself. */
  readonly text?: MetricText;
  /** A line below the value. */
  readonly note?: string | undefined;
  readonly loading?: boolean;
  /** With these a figure is a button, for example to show its curve. */
  readonly selected?: boolean;
  readonly onSelect?: () => void;
}

/** What is compared says with what: a change without a name tells nothing. */
type Comparing =
  | { readonly before?: undefined; readonly now?: undefined; readonly compared?: Compared | undefined }
  | {
      /** Undefined: nothing is compared. */
      readonly before: number | null | undefined;
      /** What the change is measured from, where that is not the value: fewer days, or hours. */
      readonly now?: number | null;
      readonly compared: Compared | undefined;
    };

export type FigureProps = FigureBase & Comparing;

/** Several figures beside each other, as one surface. */
export const Figures = ({ children, label }: { children: ReactNode; label: string }) => (
  <Paper className={classes.figures} role="group" aria-label={label}>
    {children}
  </Paper>
);

export function Figure({ metric, value, before, loading = false, selected, onSelect, ...props }: FigureProps) {
  const { now = value, compared, note } = props;
  const formats = useFormats();
  const text = props.text ?? metricText(metric);
  const content = (
    <>
      <Tooltip label={text.about} disabled={!text.about}>
        <span className={classes.figureName}>{text.label}</span>
      </Tooltip>
      {loading ? (
        <Skeleton height={22} width="70%" mt={6} mb={5} />
      ) : (
        <span className={classes.value} title={formats.of(text.kind, value)}>
          {formats.figure(text.kind, value)}
        </span>
      )}
      <div>
        {loading ? (
          <Skeleton height={12} width="45%" />
        ) : (
          <>
            <Change text={text} value={now} before={before} compared={compared} />
            {note !== undefined && <div className={classes.note}>{note}</div>}
          </>
        )}
      </div>
    </>
  );
  if (!onSelect) return <div className={classes.figure}>{content}</div>;
  return (
    <UnstyledButton className={classes.figure} data-pressable aria-pressed={selected} onClick={onSelect}>
      {content}
    </UnstyledButton>
  );
}

interface ChangeProps {
  readonly text: MetricText;
  readonly value: number | null | undefined;
  readonly before: number | null | undefined;
  readonly compared: Compared | undefined;
}

/** The change in percent; of percentages in points. It is grey where the earlier range has no full data. */
export function Change({ text, value, before, compared }: ChangeProps) {
  const formats = useFormats();
  if (before === undefined || value === undefined) return null;
  const about = [
    before !== null && texts.tools.figure.before(formats.of(text.kind, before), compared?.name ?? ''),
    compared?.isPartial && texts.tools.figure.fewDays,
    compared?.about,
  ].filter(Boolean);
  const isKnown = value !== null && before !== null && !(before === 0 && value === 0);
  return (
    <Tooltip label={about.join(' ')} disabled={about.length === 0}>
      <Text
        span
        size="xs"
        fw={isKnown ? 500 : undefined}
        className={classes.number}
        c={isKnown ? chooseColor(text, value, before, compared) : 'dimmed'}
      >
        {isKnown ? formats.change(text.kind, value, before) : texts.none}
      </Text>
    </Tooltip>
  );
}

interface CellProps {
  readonly metric: string;
  readonly value: number | null | undefined;
  /** Undefined: nothing is compared. */
  readonly change: Measured | undefined;
  readonly compared: Compared | undefined;
}

/** A figure of a row, with its change beside it. */
export function FigureCell({ metric, value, change, compared }: CellProps) {
  const formats = useFormats();
  const text = metricText(metric);
  const shown = formats.of(text.kind, value);
  if (!change) return shown;
  return (
    <Group gap={8} justify="flex-end" wrap="nowrap">
      {shown}
      <Change text={text} value={change.value} before={change.before} compared={compared} />
    </Group>
  );
}

function chooseColor({ better, kind }: MetricText, value: number, before: number, compared?: Compared): string {
  const change = before === 0 && kind !== 'percent' ? value : measureChange(kind, value, before);
  if (better === 'neither' || compared?.isPartial || !isChange(change)) return 'dimmed';
  return change > 0 === (better === 'more') ? 'var(--app-good)' : 'var(--app-bad)';
}
