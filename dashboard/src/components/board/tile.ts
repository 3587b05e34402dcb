/** What the parts of a tile are given. */
import type { toPage } from '../../addresses';
import type { Shown } from '../../api/boards';
import type { Report } from '../../api/queries';
import type { ReadChange } from '../../changes';
import type { Compared } from '../../compared';
import type { Range } from '../../period';
import type { Asked, Value } from '../chart/answers';

/** What of an answer is pressed: a value of a dimension, or days. */
export interface Point {
  readonly filter?: Value;
  readonly days?: Range;
}

/** The address at which a question, or a point of its answer, is looked into; strangers have none. */
export type Lead = (item: Shown, point?: Point) => ReturnType<typeof toPage>;

/** An answer with what is known of it. */
export interface Answered {
  readonly item: Shown;
  readonly report: Report;
  readonly asked: Asked;
  readonly title: string;
  readonly readChange: ReadChange;
  readonly compared: Compared | undefined;
  readonly lead: Lead | undefined;
}
