/** Whether many installs come from few addresses. */
import { Text } from '@mantine/core';
import { Figure } from '../../components/Figure';
import classes from '../../components/components.module.css';
import { Panel } from '../../components/Panel';
import { useFormats } from '../../session';
import { type MetricText } from '../../texts';
import type { Quality } from './questions';
import { partners as partnersTexts } from '../../texts/partners';

const text = partnersTexts.ips;
const count = (label: string): MetricText => ({ label, kind: 'count', better: 'neither' });

export function Addresses({
  installs,
  loading,
}: {
  installs: Quality['installs_by_ip'] | undefined;
  loading: boolean;
}) {
  const formats = useFormats();
  const { ips, most, many, ips_with_many: crowded } = installs ?? { ips: 0, most: 0, many: 10, ips_with_many: 0 };
  const verdict = crowded > 0 ? text.bad(formats.count(crowded)) : text.good;
  return (
    <Panel title={text.title} about={text.about}>
      <div className={classes.figures}>
        <Figure metric="ips" text={count(text.count)} value={ips} loading={loading} />
        <Figure metric="most" text={count(text.most)} value={most} loading={loading} />
        <Figure metric="many" text={count(text.many(formats.count(many)))} value={crowded} loading={loading} />
      </div>
      <Text size="sm" c={crowded > 0 ? 'var(--app-bad)' : 'dimmed'} mih={20}>
        {!loading && (ips === 0 ? text.none : verdict)}
      </Text>
    </Panel>
  );
}
