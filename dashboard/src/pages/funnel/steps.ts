/** The steps of a funnel: what they are, and what the service is asked. */
import type { paths } from '@adtrail/client';
import type { Period } from '../../period';
import type { Static } from '../../search';
import { funnel as text } from '../../texts/funnel';
import type { funnelSearch } from './search';

export type View = Static<typeof funnelSearch>;
type Operation = paths['/api/v1/reporting/funnel']['post'];
export type FunnelQuestion = Operation['requestBody']['content']['application/json'];
export type FunnelAnswer = Operation['responses']['200']['content']['application/json'];
export type FunnelStep = FunnelAnswer['totals'][number];

export const MAX_STEPS = 8;
export const MIN_STEPS = 2;
export const DIMENSIONS = ['campaign', 'country', 'channel', 'network', 'partner', 'platform'];
const STANDARD = ['install', 'signup', 'payment'];
const DAY_SECONDS = 86_400;
const EVENT = 'event:';

export const TYPES = ['install', 'open', 'signup', 'payment', 'refund', 'uninstall', 'event'] as const;
export type StepType = (typeof TYPES)[number];

export const readSteps = ({ steps }: View): readonly string[] =>
  steps && steps.length >= MIN_STEPS ? steps : STANDARD;

/** `event:level_up` as its parts. */
export function splitStep(step: string): { readonly type: StepType; readonly name: string } {
  if (step.startsWith(EVENT)) return { type: 'event', name: step.slice(EVENT.length) };
  return { type: TYPES.find((one) => one === step) ?? 'open', name: '' };
}

export const joinStep = (type: StepType, name: string): string => (type === 'event' ? `${EVENT}${name}` : type);

export function nameStep(step: string): string {
  const { type, name } = splitStep(step);
  return type === 'event' && name !== '' ? name : text.types[type];
}

/** Undefined while the name of an event is missing. */
export function buildQuestion(view: View, { from, to }: Period): FunnelQuestion | undefined {
  const steps = [...readSteps(view)];
  if (steps.includes(EVENT)) return undefined;
  return {
    steps,
    from,
    to,
    order: view.order,
    window_seconds: Number(view.window) * DAY_SECONDS,
    dimensions: view.by === 'none' ? [] : [view.by],
    ...(view.filters && { filters: view.filters }),
  };
}

/** The steps with one of them replaced, taken out or put elsewhere. */
export const replaceStep = (steps: readonly string[], at: number, step: string): string[] =>
  steps.map((one, i) => (i === at ? step : one));
export const removeStep = (steps: readonly string[], at: number): string[] => steps.filter((_, i) => i !== at);
export function moveStep(steps: readonly string[], at: number, by: -1 | 1): string[] {
  const next = [...steps];
  const [moved] = next.splice(at, 1);
  if (moved !== undefined) next.splice(at + by, 0, moved);
  return next;
}
