/** What a process and its draining thread tell each other. */
import type { DrainEvents, Pace } from './drainer-options';

/** What the thread is started with. */
export interface ThreadData {
  readonly root: string;
  readonly clickhouseUrl: string;
  readonly clickhousePassword: string | undefined;
  /** Whether the tables are distributed over several servers. */
  readonly clustered: boolean;
  readonly pace: Pace;
  readonly sync: boolean;
}

export type ToThread =
  | { readonly type: 'written'; readonly folder: string; readonly segment: string }
  | { readonly type: 'sealed'; readonly folder: string; readonly segment: string }
  | { readonly type: 'drain-now' }
  | { readonly type: 'adopt'; readonly folder: string }
  | { readonly type: 'stop'; readonly ms: number };

/** Each event of the drainer by its name, with its arguments. */
export type FromThread =
  | {
      readonly [Name in keyof DrainEvents]: { readonly type: Name; readonly args: Parameters<DrainEvents[Name]> };
    }[keyof DrainEvents]
  | { readonly type: 'stopped' };
