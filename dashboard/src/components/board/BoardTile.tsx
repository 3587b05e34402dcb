/** An item of a board with its figures: a heading, or what a question answers, as it is to be drawn. */
import { ActionIcon, Paper, Text, Title, Tooltip } from '@mantine/core';
import { IconPhotoDown } from '@tabler/icons-react';
import { useMemo, type ReactNode } from 'react';
import type { Report } from '../../api/queries';
import type { Shown } from '../../api/boards';
import { rowName } from '../../names';
import { useFormats } from '../../session';
import { dimensionText, metricText, texts } from '../../texts';
import { boards as text } from '../../texts/boards';
import { pickColors } from '../chart/colors';
import { composeImage } from '../chart/compose-image';
import { useChartImages } from '../chart/image';
import { useLook } from '../chart/look';
import { MixedChart } from '../chart/MixedChart';
import { placeNotes, type Dated } from '../chart/notes';
import { DataTable } from '../DataTable';
import { Figure, Figures } from '../Figure';
import { download } from '../files';
import { metricColumn, type Column } from '../table-columns';
import classes from './Board.module.css';
import { describeRange } from './described';
import { chooseChart, draw, readAsked, type Asked, type Drawing } from './drawing';
import { readHeight } from './places';

interface Props {
  readonly item: Shown;
  /** For images: whose figures they are. */
  readonly project: string;
  /** The notes of the project, where the board shows them. */
  readonly notes?: readonly Dated[];
  /** At the right of the heading, besides the image. */
  readonly tools?: ReactNode;
}

export function BoardTile({ item, project, notes, tools }: Props) {
  if (item.heading !== null)
    return (
      <div className={classes.heading}>
        <Title order={2} size="h4" style={{ flex: 1 }}>
          {item.heading}
        </Title>
        <div className={classes.tools}>{tools}</div>
      </div>
    );
  return <Answered item={item} project={project} notes={notes ?? NO_NOTES} tools={tools} />;
}

const NO_NOTES: readonly Dated[] = [];

function Answered({ item, project, notes, tools }: Props) {
  const formats = useFormats();
  const report = item.figures ?? undefined;
  const asked = report && readAsked(report);
  const chart = asked && chooseChart(item.chart ?? 'table', asked);
  const isDrawn = chart === 'line' || chart === 'area' || chart === 'bar';
  const drawing = useMemo(() => (report && isDrawn ? draw(report, formats) : undefined), [report, isDrawn, formats]);
  const placed = useMemo(
    () => (drawing?.steps && drawing.grain ? placeNotes(notes, drawing.steps, drawing.grain) : undefined),
    [notes, drawing],
  );
  const compared = useMemo(() => {
    const { from, to } = asked?.compare ?? {};
    return from && to ? { name: texts.period.versus(formats.range(from, to)) } : undefined;
  }, [asked?.compare?.from, asked?.compare?.to, formats]);
  const title = item.title ?? '';
  const range = asked ? describeRange(asked, formats) : '';
  return (
    <Paper component="section" className={classes.tile}>
      <div className={classes.head}>
        <div className={classes.names}>
          <Title order={3} size="h5" className={classes.name} title={title}>
            {title}
          </Title>
          <Text size="xs" c="dimmed" className={classes.name}>
            {range}
          </Text>
        </div>
        <div className={classes.tools}>
          {drawing && <SaveImage title={title} about={`${project} · ${range}`} drawing={drawing} />}
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
        {report && asked && chart === 'number' && <Numbers report={report} asked={asked} title={title} />}
        {report && asked && chart === 'table' && <Rows report={report} asked={asked} title={title} />}
        {drawing && asked && isDrawn && (
          <>
            <MixedChart
              title={title}
              labels={drawing.labels}
              labelName={dimensionText(asked.dimensions[0] ?? '')}
              series={drawing.series}
              shape={drawing.isOverTime ? chart : 'bar'}
              compared={compared}
              openFrom={drawing.openFrom}
              notes={placed}
              height={readHeight(item.h)}
            />
            {drawing.all > drawing.series.length && (
              <Text size="xs" c="dimmed">
                {text.firstSeries(drawing.series.length, drawing.all)}
              </Text>
            )}
          </>
        )}
      </div>
    </Paper>
  );
}

interface Of {
  readonly report: Report;
  readonly asked: Asked;
  readonly title: string;
}

const Numbers = ({ report, asked, title }: Of) => {
  const [row] = report.results;
  return (
    <Figures label={title}>
      {asked.metrics.map((metric, at) => (
        <Figure key={metric} metric={metric} value={row?.metrics[at] ?? null} before={row?.comparison?.[at]} />
      ))}
    </Figures>
  );
};

function Rows({ report, asked, title }: Of) {
  type Row = Report['results'][number];
  const question = { source: asked.source, dimensions: [...asked.dimensions] };
  const columns: Column<Row>[] = [
    ...asked.dimensions.map((dimension, at): Column<Row> => ({
      id: `dimension ${dimension}`,
      header: dimensionText(dimension),
      value: (row) => rowName(question, row, at),
    })),
    ...asked.metrics.flatMap((metric, at): Column<Row>[] => [
      metricColumn<Row>(metric, at, report.totals),
      ...(asked.compare
        ? [
            {
              id: `${metric} before`,
              header: text.before(metricText(metric).label),
              kind: metricText(metric).kind,
              value: (row: Row) => row.comparison?.[at],
            },
          ]
        : []),
    ]),
  ];
  return (
    <DataTable
      label={title}
      columns={columns}
      rows={report.results}
      rowId={({ dimensions }) => dimensions.join('\n')}
      empty={
        <Text size="sm" c="dimmed" p="md">
          {text.noFigures}
        </Text>
      }
    />
  );
}

function SaveImage({ title, about, drawing }: { title: string; about: string; drawing: Drawing }) {
  const look = useLook();
  const chart = useChartImages().find((one) => one.title === title);
  if (!chart) return null;
  const save = async () => {
    const places = pickColors(drawing.series, look.colors.length);
    const legend = drawing.series.map(({ name }, at) => ({ name, color: look.colors[places[at] ?? 0] as string }));
    const image = await composeImage({ chart: chart.image(), title, about, legend, look });
    download(`${title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}.png`, image);
  };
  return (
    <Tooltip label={text.png(title)}>
      <ActionIcon size="sm" aria-label={text.png(title)} onClick={() => void save()}>
        <IconPhotoDown size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
