/** What a MixedChart draws. */
import type { Kind } from '../../texts';

export interface MixedSeries {
  readonly name: string;
  readonly kind: Kind;
  readonly axis: 'left' | 'right';
  /** What is drawn: its colour stays the same in all charts. */
  readonly entity?: string;
  /** One for each label; null leaves a gap. */
  readonly values: readonly (number | null)[];
  readonly before?: readonly (number | null)[];
}
