/** Installs by the time since their click, and what is suspicious about the shape. */
import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useMemo } from 'react';
import { TimeChart } from '../../components/chart/TimeChart';
import { Panel } from '../../components/Panel';
import { useFormats } from '../../session';
import { slotName, judgeTraffic, type Slot } from './questions';
import { partners as partnersTexts } from '../../texts/partners';
import { texts } from '../../texts';

const text = partnersTexts.time;
const asItIs = (label: string) => label;
const NO_SLOTS: readonly Slot[] = [];

interface Props {
  readonly slots: readonly Slot[] | undefined;
  readonly loading: boolean;
  readonly stale: boolean;
}

export function TimeToInstall({ slots = NO_SLOTS, loading, stale }: Props) {
  const labels = useMemo(() => slots.map(slotName), [slots]);
  const series = useMemo(() => {
    const values = slots.map(({ installs }) => installs);
    return [{ name: texts.titles.installs, values: values.some((one) => one > 0) ? values : values.map(() => null) }];
  }, [slots]);
  return (
    <Panel title={text.title} about={text.about}>
      <TimeChart
        title={text.title}
        kind="count"
        labels={labels}
        formatLabel={asItIs}
        labelName={text.label}
        series={series}
        shape="bar"
        height={260}
        loading={loading}
        stale={stale}
      />
      {!loading && <Shape slots={slots} />}
    </Panel>
  );
}

function Shape({ slots }: { slots: readonly Slot[] }) {
  const formats = useFormats();
  const { verdict, share } = judgeTraffic(slots);
  const isBad = verdict === 'early' || verdict === 'late';
  const words = isBad ? text[verdict](formats.percent(share * 100)) : text[verdict];
  const color = isBad ? 'red' : verdict === 'good' ? 'green' : 'gray';
  return (
    <Alert
      mt="sm"
      p="xs"
      variant="light"
      color={color}
      icon={isBad ? <IconAlertTriangle size={16} /> : <IconCheck size={16} />}
      styles={{ message: { color: 'var(--mantine-color-text)' } }}
    >
      {words}
    </Alert>
  );
}
