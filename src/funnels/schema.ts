/** Answers about funnels as JSON Schema (docs/contract/queries.md). */
import { closed, instant, list, named, nullable, Type } from '../lib/schema';

const count = Type.Integer({ minimum: 0 });
const figure = (description: string) => nullable(Type.Number({ description }));

const steps = list(
  named(
    'FunnelStep',
    closed({
      installs: { ...count, description: 'Installs that reached the step.' },
      conversion: figure('Of those that began, in percent.'),
      conversion_from_previous: figure('Of those that reached the step before, in percent.'),
      median_seconds: figure('From the step before to this one: half took no longer. Null for the first step.'),
      average_seconds: figure('From the step before to this one, on average. Null for the first step.'),
    }),
  ),
  { description: 'In the order of `steps`.' },
);
const texts = (description: string) => list(Type.String(), { description });

export const funnelAnswerSchema = closed({
  results: list(
    closed({
      dimensions: texts('In the order of `dimensions`.'),
      labels: texts('What each of them is called.'),
      steps,
    }),
    { description: 'Most installs first.' },
  ),
  totals: steps,
  meta: closed({
    rows: { ...count, description: 'Groups, those beyond `limit` too.' },
    timezone: Type.String(),
    complete_until: nullable({
      ...instant,
      description: 'Everything accepted up to then is in the figures; null while that is not known.',
    }),
    windows_ended_until: Type.String({
      format: 'date',
      description: 'The last day whose attempts have had their whole window; later ones may still get further.',
    }),
  }),
  query: Type.Object({}, { description: 'The question as it was understood, with all defaults.' }),
});
