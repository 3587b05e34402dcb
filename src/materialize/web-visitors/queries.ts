/** The queries behind web visitors, one function per file. Times are milliseconds since 1970. */
import { command, postgresQuery, query } from '../queries';

/** Instants from which on a pause of any campaign holds, or no longer holds, ascending. */
export const readPauseTimes = postgresQuery<{ ms: number }>('web-visitors.pause-times');
/** Every so many visitors one, in order, among those with an event since then. */
export const readBoundaries = query<{ visitor_id: string }>('web-visitors.boundaries');
export const emptyVisitors = command('web-visitors.empty');
export const deriveTouches = command('web-visitors.derive-touches');
export const deriveVisitors = command('web-visitors.derive');
