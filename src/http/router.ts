/** Routers of the service. */
import Router from '@koa/router';

/** A router that tells `/admin` from `/ADMIN`, as the guards before it, their limits and a proxy's rules do. */
export const createRouter = (prefix = ''): Router => new Router({ prefix, sensitive: true });
