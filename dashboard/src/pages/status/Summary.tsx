/** The numbers of the status that one looks at first. */
import { Paper, Text } from '@mantine/core';
import type { Status } from '../../api/admin';
import classes from '../../components/components.module.css';
import { useFormats } from '../../session';
import { engineers as engineersTexts } from '../../texts/engineers';
import { lengthText } from '../../words';
import { texts } from '../../texts';

const text = engineersTexts.status;
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

export function Summary({ status }: { status: Status }) {
  const { count } = useFormats();
  const waiting = status.ingest.processes.flatMap(({ backlog }) => backlog);
  const slowest = Math.max(0, ...status.derived_tables.map(({ lag_seconds: lag }) => lag));
  const aside = status.quarantine.filter(({ state }) => state !== 'dismissed');
  return (
    <Paper className={classes.figures} role="group" aria-label={texts.titles.status}>
      {status.ingest.processes.length > 0 && (
        <Number name={text.waiting} value={count(sum(waiting.map(({ records }) => records)))} hint={text.ingest} />
      )}
      <Number name={text.undecided} value={count(status.decisions.undecided)} hint={text.undecidedHint} />
      <Number name={text.lag} value={lengthText(slowest)} hint={text.behind} />
      <Number name={text.setAside} value={count(sum(aside.map(({ entities }) => entities)))} hint={text.setAsideHint} />
    </Paper>
  );
}

const Number = ({ name, value, hint }: { name: string; value: string; hint: string }) => (
  <div className={classes.figure}>
    <span className={classes.figureName}>{name}</span>
    <span className={classes.value}>{value}</span>
    <Text size="xs" c="dimmed">
      {hint}
    </Text>
  </div>
);
