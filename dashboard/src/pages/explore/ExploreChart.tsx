/** The chart of the question: its figures over time, or beside its rows. */
import { Group, MultiSelect, SegmentedControl, Select } from '@mantine/core';
import { MixedChart } from '../../components/chart/MixedChart';
import { ErrorBox } from '../../components/ErrorBox';
import { Notes } from '../../components/Notes';
import { Panel } from '../../components/Panel';
import { metricText } from '../../texts';
import { explore as text } from '../../texts/explore';
import { choices, GRAIN_CHOICES } from './choices';
import { readDimensions, readMetric, readMetrics } from './questions';
import { useDrawing, type Asked } from './use-drawing';

export function ExploreChart(asked: Asked) {
  const { title, question, isRows, error, refetch, notes, chart, press, ...shown } = useDrawing(asked);
  return (
    <Panel title={title} question={question} tools={<Tools {...asked} {...shown} isRows={isRows} />}>
      {error ? (
        <ErrorBox error={error} onRetry={refetch} />
      ) : (
        <MixedChart title={title} {...chart} notes={notes.placed} onPoint={press} height={300} />
      )}
      {!isRows && <Notes {...notes.list} />}
    </Panel>
  );
}

type ToolsProps = Pick<Asked, 'view' | 'onChange'> &
  Pick<ReturnType<typeof useDrawing>, 'axes' | 'isRows' | 'isByLine'>;

/** What is drawn: of the metrics, over what, in which shape. */
function Tools({ view, axes, isRows, isByLine, onChange }: ToolsProps) {
  const metrics = readMetrics(view).map((value) => ({ value, label: metricText(value).label }));
  return (
    <Group gap="xs">
      {metrics.length > 1 && !isByLine && (
        <MultiSelect
          size="xs"
          miw={130}
          aria-label={text.right}
          placeholder={axes.right.length === 0 ? text.right : undefined}
          value={[...axes.right]}
          data={metrics}
          onChange={(next) => onChange({ right: next })}
        />
      )}
      {metrics.length > 1 && isByLine && (
        <Select
          size="xs"
          w={140}
          aria-label={text.metric}
          allowDeselect={false}
          value={readMetric(view)}
          data={metrics}
          onChange={(metric) => onChange({ metric: metric ?? undefined })}
        />
      )}
      {!isRows && (
        <SegmentedControl
          size="xs"
          aria-label={text.shape}
          value={view.shape}
          data={choices(text.shapes)}
          onChange={(shape) => onChange({ shape })}
        />
      )}
      {readDimensions(view).length > 0 && (
        <SegmentedControl
          size="xs"
          aria-label={text.over}
          value={view.over}
          data={choices(text.overs)}
          onChange={(over) => onChange({ over })}
        />
      )}
      {!isRows && (
        <Select
          size="xs"
          w={100}
          aria-label={text.grain}
          allowDeselect={false}
          value={view.grain}
          data={GRAIN_CHOICES}
          onChange={(grain) => onChange({ grain: grain ?? view.grain })}
        />
      )}
    </Group>
  );
}
