/** The steps of the page of funnels. */
import {
  buildQuestion,
  joinStep,
  moveStep,
  nameStep,
  readSteps,
  removeStep,
  replaceStep,
  splitStep,
  type View,
} from '../../../dashboard/src/pages/funnel/steps';
import { funnelSearch } from '../../../dashboard/src/pages/funnel/search';
import { withDefaults } from '../../../dashboard/src/search';

const view = (given: object): View => withDefaults(funnelSearch, given as Record<string, unknown>);
const period = { from: '2026-03-01', to: '2026-03-31' } as Parameters<typeof buildQuestion>[1];

test('a step is a kind of event, or an event by its name', () => {
  expect(splitStep('event:level:2')).toEqual({ type: 'event', name: 'level:2' });
  expect(splitStep('signup')).toEqual({ type: 'signup', name: '' });
  expect(joinStep('event', 'level:2')).toBe('event:level:2');
  expect(joinStep('open', 'level')).toBe('open');
  expect([nameStep('event:level'), nameStep('signup')]).toEqual(['level', 'Sign-up']);
});

test('steps are replaced, taken out and moved', () => {
  const steps = ['install', 'open', 'payment'];
  expect(replaceStep(steps, 1, 'signup')).toEqual(['install', 'signup', 'payment']);
  expect(removeStep(steps, 0)).toEqual(['open', 'payment']);
  expect(moveStep(steps, 2, -1)).toEqual(['install', 'payment', 'open']);
});

test('one step is no funnel; an event without a name is not asked for', () => {
  expect(readSteps(view({ steps: ['open'] }))).toEqual(['install', 'signup', 'payment']);
  expect(buildQuestion(view({ steps: ['install', 'event:'] }), period)).toBeUndefined();
  expect(buildQuestion(view({ by: 'none', window: '1', order: 'strict' }), period)).toEqual({
    steps: ['install', 'signup', 'payment'],
    from: '2026-03-01',
    to: '2026-03-31',
    order: 'strict',
    window_seconds: 86_400,
    dimensions: [],
  });
});
