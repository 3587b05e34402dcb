/** The queries behind web visitors, one function per file. Times are milliseconds since 1970. */
import { postgresQuery } from '../../db/sql';
import { command, query } from '../queries';

/** Instants from which on a pause of any campaign holds, or no longer holds, ascending. */
export const readPauseTimes = postgresQuery<{ ms: number }>('web-visitors.pause-times');
export const batches = 'web_visitor_batches';
export const selectChanged = command('web-visitors.select-changed');
/** Up to two visitors of a chunk. */
export const readSeeds = query<{ project_id: number; entity: string }>('web-visitors.seeds');
export const clear = command('web-visitors.clear');
export const split = command('web-visitors.split');
export const emptyVisitors = command('web-visitors.empty');
export const deriveTouches = command('web-visitors.derive-touches');
export const deriveVisitors = command('web-visitors.derive');

export const selectFormer = command('web-visitors.select-former');
/** The last visitor that a run took up. */
export const readLastVisitor = query<{ project_id: number; visitor_id: string }>('web-visitors.last-visitor');
