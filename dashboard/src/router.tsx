/** The routes: signing in alone, everything else within the shell, each page in its own chunk. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type AnyRoute,
} from '@tanstack/react-router';
import { ApiFailure, whenSignedOut } from './api/client';
import { whenBack } from './api/connection';
import { meQuery, modelQuery, queryClient } from './api/queries';
import { noteNavigation } from './components/page-header';
import { leadTo, PREFIXES } from './addresses';
import type { Area, Page } from './page';
import { pages } from './pages';
import { readSearch, Type } from './search';
import { mayOpen, findStart } from './shell/navigation';
import { CrashPage, MissingPage, NowhereAtAll } from './shell/pages';
import { Connection } from './shell/Connection';
import { Shell } from './shell/Shell';
import { findPlace, usePlace } from './session';
import { PageSkeleton } from './components/Skeletons';
import { learnModel } from './texts/metrics';

const signIn = (href: string) => redirect({ to: '/sign-in', search: href === '/' ? {} : { to: href } });

const Root = () => (
  <>
    <Connection />
    <Outlet />
  </>
);

const root = createRootRoute({ component: Root, notFoundComponent: NowhereAtAll });

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  errorComponent: CrashPage,
  async beforeLoad({ location }) {
    try {
      return { me: await queryClient.ensureQueryData(meQuery) };
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 401) throw signIn(location.href);
      throw error;
    }
  },
});

const start = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad({ context }) {
    const to = findStart(context.me);
    if (to) throw redirect({ to, replace: true });
  },
  component: lazyRouteComponent(() => import('./pages/nowhere/Nowhere')),
});

const profile = createRoute({
  getParentRoute: () => shell,
  path: '/profile',
  component: lazyRouteComponent(() => import('./pages/profile/Profile')),
});

const signInRoute = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (given: Record<string, unknown>): { to?: string; error?: string } => ({
    ...(typeof given.to === 'string' && { to: given.to }),
    ...(typeof given.error === 'string' && { error: given.error }),
  }),
  component: lazyRouteComponent(() => import('./pages/sign-in/SignIn')),
});

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyRouteComponent(() => import('./pages/welcome/Welcome')),
});

const publicBoard = createRoute({
  getParentRoute: () => root,
  path: '/public/board',
  component: lazyRouteComponent(() => import('./pages/public-board/PublicBoard')),
});

/** A place alone leads to its first page. */
const placeRoute = (area: Area) =>
  createRoute({
    getParentRoute: () => shell,
    path: `${PREFIXES[area]}/`,
    beforeLoad({ context, params, location }) {
      const place = findPlace(context.me, params, location.pathname);
      const to = place && findStart(context.me, place);
      if (to) throw redirect({ to, replace: true });
    },
    component: MissingPage,
  });

/** A page for those who may open it; for others it does not exist. */
function guarded(page: Page) {
  const Component = lazyRouteComponent(page.load);
  const Guarded = () => (mayOpen(usePlace(), page) ? <Component /> : <MissingPage />);
  return Object.assign(Guarded, { preload: Component.preload });
}

/** Pages of a project know what figures are called. Who may not see figures, or cannot reach them, has no need to. */
async function learnFigures(projectId: string): Promise<void> {
  try {
    learnModel(await queryClient.ensureQueryData(modelQuery(Number(projectId))));
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
  }
}

function pageRoute(page: Page): AnyRoute {
  const schema = page.search ?? Type.Object({});
  return createRoute({
    getParentRoute: () => shell,
    path: `${PREFIXES[page.area]}/${page.path}`,
    validateSearch: (given: Record<string, unknown>) => readSearch(schema, given),
    async beforeLoad({ params }: { params: { projectId?: string } }) {
      if (page.area === 'project' && params.projectId !== undefined) await learnFigures(params.projectId);
    },
    component: guarded(page),
  });
}

const placeRoutes = (['project', 'partner', 'installation'] as const).map(placeRoute);
const routeTree = root.addChildren([
  signInRoute,
  welcome,
  publicBoard,
  shell.addChildren([start, profile, ...placeRoutes, ...pages.map(pageRoute)]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingComponent: PageSkeleton,
  defaultPendingMs: 200,
  defaultErrorComponent: CrashPage,
  defaultNotFoundComponent: MissingPage,
  scrollRestoration: true,
});

router.subscribe('onBeforeLoad', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) noteNavigation();
});

// Pages that failed to load are loaded, and what pages show is asked again.
whenBack(() => {
  void router.invalidate();
  void queryClient.invalidateQueries();
});

/** The page's own code comes while it is asked who is signed in, not after that. */
router.subscribe('onBeforeLoad', ({ toLocation }) => {
  for (const { routeId } of router.matchRoutes(toLocation) as readonly { readonly routeId: string }[]) {
    const { component } = (router.routesById as Readonly<Record<string, AnyRoute>>)[routeId]?.options ?? {};
    // What does not load is tried again, and told of, when the page is shown.
    (component as { preload?: () => Promise<unknown> } | undefined)?.preload?.()?.catch(() => undefined);
  }
});

whenSignedOut(() => {
  const { href, pathname } = router.state.location;
  if (pathname === '/sign-in' || pathname === '/welcome') return;
  const search = href === '/' ? {} : { to: href };
  // Nothing of one user is left for the next.
  void router.navigate(leadTo('/sign-in', search)).then(() => queryClient.clear());
});

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** For the SQL page: the statement to run, which is longer than an address may be. */
    readonly statement?: string;
  }
}
