/** Which metrics a chart draws, and on which axis: each axis has one kind of figure unless somebody chose otherwise. */
import type { Kind } from '../../texts';

export interface Axes {
  readonly left: readonly string[];
  readonly right: readonly string[];
}

/**
 * @param named what the right axis is to measure; undefined: the first kind of figure that is not on the left
 * @returns metrics of a third kind are on neither
 */
export function chooseAxes(
  metrics: readonly string[],
  named: readonly string[] | undefined,
  kind: (metric: string) => Kind,
): Axes {
  const [first = ''] = metrics;
  const others = metrics.filter((one) => kind(one) !== kind(first));
  const right = metrics.filter((one) => (named ? named.includes(one) : kind(one) === kind(others[0] ?? first)));
  const isAlike = others.length === 0 && !named;
  return isAlike
    ? { left: metrics, right: [] }
    : { left: metrics.filter((one) => kind(one) === kind(first) && !right.includes(one)), right };
}
