/** A number of the period, with its change against the comparison. */
import { Paper, Skeleton, Text, Tooltip, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats } from '../session';
import { metricText, texts, type MetricText } from '../texts';
import classes from './components.module.css';

export interface FigureProps {
  /** A metric of the queries: its label and format follow from it. */
  readonly metric: string;
  readonly value: number | null | undefined;
  /** Instead of what the metric says of itself. */
  readonly text?: MetricText;
  /** Undefined: nothing is compared. */
  readonly before?: number | null;
  readonly loading?: boolean;
  /** With these a figure is a button, for example to show its curve. */
  readonly selected?: boolean;
  readonly onSelect?: () => void;
}

/** Several figures beside each other, as one surface. */
export const Figures = ({ children, label }: { children: ReactNode; label: string }) => (
  <Paper className={classes.figures} role="group" aria-label={label}>
    {children}
  </Paper>
);

export function Figure({ metric, value, before, loading = false, selected, onSelect, ...props }: FigureProps) {
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
      <div>{loading ? <Skeleton height={12} width="45%" /> : <Change text={text} value={value} before={before} />}</div>
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
}

/** The change in percent; of percentages in points. */
export function Change({ text, value, before }: ChangeProps) {
  const formats = useFormats();
  if (before === undefined || value === undefined) return null;
  if (value === null || before === null || (before === 0 && value === 0))
    return (
      <Text span size="xs" c="dimmed">
        {texts.none}
      </Text>
    );
  const isPoints = text.kind === 'percent';
  const change = isPoints ? value - before : ((value - before) / Math.abs(before)) * 100;
  const label = before === 0 && !isPoints ? texts.tools.figure.isNew : changeText(change, isPoints);
  return (
    <Tooltip label={texts.tools.figure.before(formats.of(text.kind, before))}>
      <Text span size="xs" fw={500} className={classes.number} c={chooseColor(text, change)}>
        {label}
      </Text>
    </Tooltip>
  );
}

const signed = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

function changeText(change: number, isPoints: boolean): string {
  if (Math.abs(change) < 0.05) return texts.tools.figure.unchanged;
  const arrow = change > 0 ? '↑' : '↓';
  return `${arrow} ${signed.format(change).replace(/^[+-]/, '')}${isPoints ? ' pp' : '%'}`;
}

function chooseColor({ better }: MetricText, change: number): string {
  if (better === 'neither' || Math.abs(change) < 0.05) return 'dimmed';
  return change > 0 === (better === 'more') ? 'var(--app-good)' : 'var(--app-bad)';
}
