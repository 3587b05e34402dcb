/** How an alert is: a badge, with why where it is not judged. */
import { Badge, Tooltip } from '@mantine/core';
import type { Alert } from '../../api/alerts';
import { alerts as text } from '../../texts/alerts';
import { explainReason } from './words';

const COLORS = { waiting: 'gray', fine: 'green', firing: 'red', not_judged: 'gray', failed: 'yellow', off: 'gray' };

export function State({ state: { state, reason } }: { state: Alert['state'] }) {
  const why = state === 'not_judged' || state === 'failed' ? explainReason(reason) : undefined;
  return (
    <Tooltip label={why} disabled={why === undefined}>
      <Badge variant="light" color={COLORS[state]} tabIndex={why ? 0 : undefined}>
        {text.states[state]}
      </Badge>
    </Tooltip>
  );
}
