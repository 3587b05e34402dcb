/** Only paths of this host: nobody is sent elsewhere after signing in. */
export const safePath = (to: unknown): string =>
  typeof to === 'string' && /^\/(?![/\\])/.test(to) && !to.startsWith('/sign-in') ? to : '/';
