/** What installs earn by day since install, against what they cost and the target: when they pay back. */
import { Group, SegmentedControl, Select, Text } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { ErrorBox } from '../ErrorBox';
import { Panel } from '../Panel';
import { HORIZONS, paybackView, type Static } from '../../search';
import { useFormats } from '../../session';
import { useDayActions } from '../use-lead-on';
import { DayCurve } from './DayCurve';
import { usePayback, type PaybackAsked } from './use-payback';
import { campaigns as campaignsTexts } from '../../texts/campaigns';
import { texts } from '../../texts';

const text = campaignsTexts.one.payback;
const HEIGHT = 240;
const COLORS = { below: 'var(--app-bad)', reached: 'var(--app-good)', young: undefined, free: undefined } as const;

type View = Static<typeof paybackView>;

interface Props extends Omit<PaybackAsked, 'chosen'> {
  readonly view: View;
  readonly onChange: (changes: Partial<View>) => void;
}

export function Payback({ filters, period, hasCost = true, view, onChange }: Props) {
  const formats = useFormats();
  const found = usePayback({ filters, period, hasCost, chosen: view.horizon });
  const { question, answer, horizon, days, ltv, roas, curve, share, target, verdict } = found;
  const until = answer.data?.meta.cohorts_mature_until;
  const isLtv = !hasCost || view.payback === 'ltv';
  const goal = isLtv ? findCost(ltv, curve, target) : { name: text.target, value: target };
  const series = useMemo(
    () => [isLtv ? { name: text.revenue, values: ltv } : { name: text.roas, values: curve }],
    [isLtv, ltv, curve],
  );
  const actions = useDayActions(
    useCallback(
      (day: number) => ({ metrics: ['installs', `${isLtv ? 'ltv' : 'roas'}_d${day}`], filters }),
      [isLtv, filters],
    ),
    days,
  );
  const reachedOn = days[curve.findIndex((value) => value !== null && value >= target)] ?? horizon;
  const words = {
    below: text.notYet(formats.share(roas), horizon, formats.share(target)),
    reached: text.reached(formats.share(roas), horizon, reachedOn, formats.share(target)),
    young: text.tooYoung(horizon),
    free: text.noCost,
  };
  return (
    <Panel
      title={text.title}
      about={until ? text.about(formats.day(until), horizon, formats.whole(share)) : ' '}
      question={question}
    >
      <Group justify="space-between" gap="xs" mt={6}>
        <Text size="sm" fw={600} c={verdict && COLORS[verdict]}>
          {verdict ? words[verdict] : ' '}
        </Text>
        <Group gap="xs">
          {hasCost && (
            <SegmentedControl
              size="xs"
              aria-label={text.which}
              value={view.payback}
              data={(['ltv', 'roas'] as const).map((value) => ({ value, label: text[value] }))}
              onChange={(next) => onChange({ payback: next })}
            />
          )}
          <Select
            size="xs"
            w={96}
            aria-label={texts.days}
            allowDeselect={false}
            value={String(horizon)}
            data={HORIZONS.filter((one) => one !== 'auto').map((value) => ({
              value,
              label: text.upTo(Number(value)),
            }))}
            onChange={(next) => onChange({ horizon: HORIZONS.find((one) => one === next) ?? 'auto' })}
          />
        </Group>
      </Group>
      {answer.error ? (
        <ErrorBox error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <DayCurve
          title={text.title}
          kind={isLtv ? 'money' : 'ratio'}
          days={days}
          series={series}
          goal={goal}
          actions={actions}
          loading={answer.isPending}
          stale={answer.isPlaceholderData}
          height={HEIGHT}
        />
      )}
    </Panel>
  );
}

/** What revenue per install must be to reach the target. */
function findCost(ltv: readonly (number | null)[], roas: readonly (number | null)[], target: number) {
  // Both are of the same installs: revenue by revenue per cost is cost.
  const at = roas.findIndex((value) => (value ?? 0) > 0);
  if (at < 0) return undefined;
  const cost = (ltv[at] as number) / (roas[at] as number);
  return target === 1 ? { name: text.cost, value: cost } : { name: text.targetCost, value: cost * target };
}
