/** What a view is compared with, in words: in the legend, the tooltip and at each change. */
import type { Formats } from './format';
import { hourBucket, type Period } from './period';
import { texts } from './texts';

const text = texts.period;

/** What figures are compared with. */
export interface Compared {
  /** `vs Oct 1 – 25`. */
  readonly name: string;
  /** Grey: the range has not all of its data. */
  readonly isPartial?: boolean;
  /** What else is to be said of it. */
  readonly about?: string | undefined;
}

/** Undefined where nothing is compared. `hour`: the one that is running, of a period that is only today. */
export function describeComparison(
  period: Pick<Period, 'earlier' | 'lacksEarlier' | 'isOpen' | 'days' | 'to'>,
  formats: Formats,
  hour?: number,
): Compared | undefined {
  const { earlier, lacksEarlier: isPartial, isOpen, days } = period;
  if (!earlier) return undefined;
  const when = formats.range(earlier.from, earlier.to);
  if (isOpen && days === 1 && hour !== undefined) {
    const upTo = formats.axis(hourBucket(period.to, hour), { withDay: false });
    return { name: text.versusUpTo(when, upTo), isPartial };
  }
  return { name: text.versus(when), isPartial, about: isOpen && days > 1 ? texts.tools.figure.openDay : undefined };
}
