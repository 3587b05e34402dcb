/** The chart of a tile; a point of it leads to the question with what it is of. */
import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { bucketRange, listBuckets } from '../../period';
import { useFormats } from '../../session';
import { dimensionText } from '../../texts';
import { boards as text } from '../../texts/boards';
import { MixedChart, type MixedChartProps } from '../chart/MixedChart';
import { placeNotes, type Dated } from '../chart/notes';
import { useBucketNames } from '../MetricCurve';
import { draw, findTime, readDays, type DrawnAnswer } from './drawing';
import { readHeight } from './places';
import type { Answered, Point } from './tile';

interface Props extends Answered {
  readonly shape: MixedChartProps['shape'];
  readonly firstDay: string | null;
  readonly notes: readonly Dated[] | undefined;
}

/** What a point of a chart is of. */
function readPoint({ granularity, range, labels, series, values }: DrawnAnswer, at: number, name: string): Point {
  const filter = values[granularity ? series.findIndex((one) => one.name === name) : at];
  if (filter) return { filter };
  const label = labels[at];
  return label && granularity && range ? { days: bucketRange(label, granularity, range) } : {};
}

export function TileChart({ item, report, asked, title, compared, lead, shape, firstDay, notes }: Props) {
  const { timezone } = useFormats();
  const navigate = useNavigate();
  const { earlier } = item;
  const drawing = useMemo(() => draw(report, earlier, timezone, firstDay), [report, earlier, timezone, firstDay]);
  const { granularity, range = asked, labels } = drawing;
  const days = useMemo(
    () => ({ ...readDays({ ...asked, ...range }, timezone, firstDay), granularity: granularity ?? ('day' as const) }),
    [asked, range, timezone, firstDay, granularity],
  );
  const names = useBucketNames(days);
  const placed = useMemo(
    () => (granularity ? placeNotes(notes, labels, granularity) : undefined),
    [notes, labels, granularity],
  );
  const named = useMemo(
    () =>
      compared && granularity && asked.compare
        ? { ...compared, labels: listBuckets(asked.compare, granularity) }
        : compared,
    [compared, asked, granularity],
  );
  const press = lead && ((at: number, name: string) => void navigate(lead(item, readPoint(drawing, at, name))));
  return (
    <>
      <MixedChart
        title={title}
        labels={labels}
        {...(granularity && names)}
        labelName={dimensionText(asked.dimensions[Math.max(0, findTime(asked))] ?? '')}
        series={drawing.series}
        shape={granularity ? shape : 'bar'}
        compared={named}
        openFrom={drawing.openFrom}
        notes={placed}
        {...(press && { onPoint: press })}
        height={readHeight(item.h)}
      />
      {drawing.all > drawing.series.length && (
        <Text size="xs" c="dimmed">
          {text.firstSeries(drawing.series.length, drawing.all)}
        </Text>
      )}
    </>
  );
}
