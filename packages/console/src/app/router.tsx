// The console's addresses. Each screen is loaded when it is opened first.
import { createRootRoute, createRoute, createRouter, Navigate, type RouterHistory } from '@tanstack/react-router';
import { createElement } from 'react';
import { useUser } from '../api/user.ts';
import { lazyPart, NotLoaded } from '../components/lazy-part.ts';
import { LoadFailed } from '../components/load-boundary.tsx';
import { Failed, Forbidden, Loading, NotFound } from '../components/states.tsx';
import type { Screen } from './screen.ts';
import { homeOf, mayOpen, SCREENS } from './screens.ts';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const home = createRoute({ getParentRoute: () => root, path: '/', component: Home });

const screens = SCREENS.map((screen) =>
  createRoute({ getParentRoute: () => root, path: screen.path, component: guarded(screen) }),
);

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyPart(() => import('../screens/account/account.tsx')),
});

function Home() {
  const user = useUser();
  return <Navigate to={homeOf(user)} replace />;
}

/** The service refuses what the role may not do; the guard only spares the user a refusal. */
function guarded(screen: Screen) {
  const Content = lazyPart(screen.load);
  return function Guarded() {
    return mayOpen(screen, useUser()) ? createElement(Content) : <Forbidden />;
  };
}

/** Filters are plain text in the address: ?status=ACTIVE. */
function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

export function makeRouter(history?: RouterHistory) {
  return createRouter({
    routeTree: root.addChildren([home, account, ...screens]),
    basepath: '/console',
    parseSearch,
    stringifySearch,
    defaultPendingComponent: Loading,
    defaultErrorComponent: ({ error, reset }) =>
      error instanceof NotLoaded ? <LoadFailed retry={reset} /> : <Failed error={error} retry={reset} />,
    scrollRestoration: true,
    // The positions are in the storage of the browser, where an address with a phone number does not belong.
    getScrollRestorationKey: ({ state }) => state.__TSR_key ?? 'first',
    ...(history ? { history } : {}),
  });
}
