/** Which rows queries look at. */
import type { Query } from './input';

/** The file of function `passes`: without filters it costs no planning. */
export const passesOf = (filters: Query['filters']) => (filters.length > 0 ? 'query.passes' : 'query.passes-all');
