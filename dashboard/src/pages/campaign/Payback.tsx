/** What installs earn by day since install, against what they cost: when they pay back. */
import { Group, SegmentedControl, Select, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useReport, type Report } from '../../api/queries';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { todayIn, type Period } from '../../period';
import { useView } from '../../search';
import { useFormats, useProject } from '../../session';
import { DayCurve } from './DayCurve';
import { chooseHorizon, paybackQuestion, choosePoints } from './questions';
import { campaignSearch, HORIZONS } from './search';
import { campaigns as campaignsTexts } from '../../texts/campaigns';
import { texts } from '../../texts';

const text = campaignsTexts.one.payback;
const HEIGHT = 240;

/** The values of a figure at each day; empty of an answer to another question. */
function listValues(report: Report | undefined, figure: 'ltv' | 'roas', days: readonly number[]) {
  const { metrics = [] } = (report?.query ?? {}) as { metrics?: string[] };
  const row = report?.results[0]?.metrics ?? [];
  return days.map((day) => row[metrics.indexOf(`${figure}_d${day}`)] ?? null);
}

export function Payback({ campaign, period }: { campaign: string; period: Period }) {
  const [{ payback, horizon: chosen }, setView] = useView(campaignSearch);
  const project = useProject();
  const formats = useFormats();
  const horizon = chosen === 'auto' ? chooseHorizon(period, todayIn(project.timezone)) : Number(chosen);
  const question = paybackQuestion(campaign, period, horizon);
  const answer = useReport(project.id, question);
  const { data } = answer;
  const days = choosePoints(horizon);
  const ltv = useMemo(() => listValues(data, 'ltv', days), [data, days]);
  const roas = useMemo(() => listValues(data, 'roas', days), [data, days]);
  const until = data?.meta.cohorts_mature_until;
  const isLtv = payback === 'ltv';
  const last = roas.at(-1) ?? null;
  // Both are of the same installs: revenue by revenue per cost is cost.
  const at = roas.findIndex((value) => (value ?? 0) > 0);
  const cost = at < 0 ? undefined : (ltv[at] as number) / (roas[at] as number);
  const goal = isLtv
    ? cost !== undefined
      ? { name: text.cost, value: cost }
      : undefined
    : { name: text.breakEven, value: 1 };
  const series = useMemo(
    () => [isLtv ? { name: text.revenue, values: ltv } : { name: text.roas, values: roas }],
    [isLtv, ltv, roas],
  );
  const paidBack = days[roas.findIndex((value) => value !== null && value >= 1)];
  const isKnown = data !== undefined && !answer.isPlaceholderData;
  const words = () => {
    if (!isKnown) return ' ';
    if (ltv.every((value) => value === null)) return text.tooYoung;
    if (last === null) return text.noCost;
    return paidBack === undefined
      ? text.notYet(`${Math.round(last * 100)}%`, horizon)
      : text.paidBack(paidBack, horizon);
  };
  const color = !isKnown || last === null ? undefined : paidBack === undefined ? 'var(--app-bad)' : 'var(--app-good)';
  return (
    <Panel title={text.title} about={until ? text.about(formats.day(until), horizon) : ' '} question={question}>
      <Group justify="space-between" gap="xs" mt={6}>
        <Text size="sm" fw={600} c={color}>
          {words()}
        </Text>
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={text.which}
            value={payback}
            data={(['ltv', 'roas'] as const).map((value) => ({ value, label: text[value] }))}
            onChange={(next) => setView({ payback: next }, { replace: true })}
          />
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
            onChange={(next) => setView({ horizon: (next ?? 'auto') as typeof chosen }, { replace: true })}
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
          loading={answer.isPending}
          stale={answer.isPlaceholderData}
          height={HEIGHT}
        />
      )}
    </Panel>
  );
}
