/** What is kept of judgements, and told of them. */
import type { Condition } from './condition';

/** What figures are called and how they are written. */
export interface Metric {
  readonly name: string;
  readonly label: string;
  readonly format: 'count' | 'money' | 'percent' | 'ratio' | 'seconds';
  readonly currency: string;
}

/** Whole days of the project, or instants. */
export interface JudgedRange {
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
}

/** What came of the last judgement, as it is kept and shown. */
export interface Outcome {
  readonly state: 'firing' | 'fine' | 'not_judged' | 'failed';
  readonly reason?: string;
  readonly range?: JudgedRange;
}

/** What an event says, as it is kept. */
export interface Details {
  readonly range: JudgedRange;
  readonly metric: Metric;
  /** The first of those that fired or ended; the message names no more. */
  readonly values: readonly {
    readonly value: string;
    readonly label: string;
    readonly figure: number | null;
    readonly expected: number;
    readonly deviation?: number;
  }[];
  readonly count: number;
}

/** What a message is made of. */
export interface Told {
  readonly kind: 'fired' | 'over' | 'test';
  readonly at: Date;
  readonly details: Details;
  readonly alert_id: number;
  readonly name: string;
  readonly condition: Condition;
  readonly project_id: number;
  readonly project: string;
}
