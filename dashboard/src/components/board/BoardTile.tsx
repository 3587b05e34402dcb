/** An item of a board with its figures: a heading, or what a question answers, as it is to be drawn. */
import { Anchor, Paper, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import type { Shown } from '../../api/boards';
import { readAnswered } from '../../changes';
import { describeComparison } from '../../compared';
import { useFormats } from '../../session';
import { boards as text } from '../../texts/boards';
import { readAsked } from '../chart/answers';
import type { Dated } from '../chart/notes';
import classes from './Board.module.css';
import { describeRange } from './described';
import { chooseChart, isOpen, readDays } from './drawing';
import { SaveImage } from './SaveImage';
import type { Lead } from './tile';
import { TileChart } from './TileChart';
import { TileFigures, TileTable } from './TileTable';

interface Props {
  readonly item: Shown;
  /** For images: whose figures they are. */
  readonly project: string;
  /** The first day with data, where it is known. */
  readonly firstDay: string | null;
  /** The notes of the project, where the board shows them. */
  readonly notes?: readonly Dated[];
  /** Where it leads. */
  readonly lead?: Lead;
  /** At the right of the heading, besides the image. */
  readonly tools?: ReactNode;
}

export function BoardTile(props: Props) {
  const { item, tools } = props;
  if (item.heading === null) return <Question {...props} />;
  return (
    <div className={classes.heading}>
      <Title order={2} size="h4" style={{ flex: 1 }}>
        {item.heading}
      </Title>
      <div className={classes.tools}>{tools}</div>
    </div>
  );
}

function Question({ item, project, firstDay, notes, lead, tools }: Props) {
  const formats = useFormats();
  const { figures, complete } = item;
  const title = item.title ?? '';
  const answered = useMemo(() => {
    if (!figures) return undefined;
    const asked = readAsked(figures);
    const readChange = readAnswered(figures, complete, isOpen(asked, formats.timezone));
    const compared = describeComparison(readDays(asked, formats.timezone, firstDay), formats);
    return { item, report: figures, asked, title, readChange, compared, lead };
  }, [item, figures, complete, title, formats, firstDay, lead]);
  const chart = answered && chooseChart(item.chart ?? 'table', answered.asked);
  const isDrawn = chart === 'line' || chart === 'area' || chart === 'bar';
  const range = answered ? describeRange(answered.asked, formats) : '';
  const isLed = lead !== undefined && item.error === null && figures !== null;
  return (
    <Paper component="section" className={classes.tile}>
      <div className={classes.head}>
        <div className={classes.names}>
          <Title order={2} size="h5" className={classes.name} title={title}>
            {isLed ? <Open address={lead(item)} title={title} /> : title}
          </Title>
          <Text size="xs" c="dimmed" className={classes.name}>
            {range}
          </Text>
        </div>
        <div className={classes.tools}>
          {isDrawn && <SaveImage title={title} about={`${project} · ${range}`} />}
          {tools}
        </div>
      </div>
      <div
        className={classes.content}
        tabIndex={0}
        role="region"
        aria-label={title}
        data-padded={(chart !== 'table' && chart !== 'number') || undefined}
      >
        {item.error && (
          <Text size="sm" c="dimmed" p="md" role="alert">
            {text.failed} {item.error.msg}
          </Text>
        )}
        {answered && chart === 'number' && <TileFigures {...answered} />}
        {answered && chart === 'table' && <TileTable {...answered} />}
        {answered && isDrawn && <TileChart {...answered} shape={chart} firstDay={firstDay} notes={notes} />}
      </div>
    </Paper>
  );
}

/** The question where it can be changed. */
const Open = ({ address, title }: { address: ReturnType<Lead>; title: string }) => (
  <Anchor component={Link} {...address} inherit c="inherit" title={text.open(title)}>
    {title}
  </Anchor>
);
