/** Alerts as answers (pure). */
import type { Seals } from '../lib/seal';
import { presentReceiver, type ReceiverRow } from '../notices/receivers';
import type { Judgement } from './judging';
import type { AlertRow, EventRow } from './queries';
import type { Condition } from './condition';
import { explain } from './telling';

export function presentAlert(row: AlertRow, receivers: readonly ReceiverRow[], seals: Seals) {
  const { id, name, question, question_id, condition, enabled, created_by, created_at, updated_at } = row;
  const { outcome, breaches, judged_at, saved, partner } = row;
  const state = !enabled ? 'off' : breaches.length > 0 ? 'firing' : (outcome?.state ?? 'waiting');
  return {
    id,
    name,
    ...(question === null ? {} : { question }),
    question_id,
    saved,
    condition,
    partner,
    enabled,
    created_by,
    created_at,
    updated_at,
    receivers: receivers.filter((one) => one.alert_id === row.id).map((one) => presentReceiver(one, seals)),
    state: {
      state,
      reason: outcome?.reason ?? null,
      ...(outcome?.range ? { range: outcome.range } : {}),
      judged_at,
      firing: breaches,
    },
  };
}

export const presentEvents = (rows: readonly EventRow[], condition: Condition, limit: number) => ({
  events: rows.slice(0, limit).map((event) => ({ ...event, why: explain(condition, event.details) })),
  more: rows.length > limit,
});

export function presentJudgement(judgement: Judgement) {
  if (judgement.state === 'waiting') {
    const { reason, problem } = judgement;
    return { state: 'waiting', reason: problem ?? reason, values: [] };
  }
  const { range, metric, points } = judgement;
  const values = points.map(({ value, label, figure, comparison, verdict }) => ({
    value,
    label,
    figure,
    ...(comparison === undefined ? {} : { comparison }),
    state: verdict.state,
    reason: verdict.state === 'not_judged' ? verdict.reason : null,
    expected: verdict.state === 'not_judged' ? null : verdict.expected,
  }));
  return { state: 'judged', reason: null, range, metric, values };
}
