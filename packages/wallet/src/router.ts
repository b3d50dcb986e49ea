// Addresses below /wallet, and the steps of a screen: the browser's back button goes back one step.
import { useEffect, useState } from 'preact/hooks';

const BASE = '/wallet';

export interface Route {
  path: string;
  step: number;
}

const here = (): Route => ({
  path: location.pathname.slice(BASE.length) || '/',
  step: Number(history.state?.step ?? 0),
});

const listeners = new Set<() => void>();
const changed = () => {
  for (const listener of listeners) listener();
};
addEventListener('popstate', changed);

/** `replace`: back does not return to the screen that is left. */
export function go(path: string, { replace = false, step = 0 } = {}): void {
  const depth = Number(history.state?.depth ?? 0);
  const state = { step, depth: replace ? depth : depth + 1 };
  if (replace) history.replaceState(state, '', BASE + path);
  else history.pushState(state, '', BASE + path);
  changed();
}

/** Home, or a screen whose way back is home. The steps that led here are gone: a payment is not entered again by mistake. */
export function goHome(path = '/'): void {
  const depth = Number(history.state?.depth ?? 0);
  const arrive = () => {
    go('/', { replace: true });
    if (path !== '/') go(path);
  };
  if (depth === 0) arrive();
  else {
    addEventListener('popstate', arrive, { once: true });
    history.go(-depth);
  }
}

/** Home, if the wallet was opened at this screen. */
export function back(): void {
  if (history.state?.depth > 0) history.back();
  else goHome();
}

export function useRoute(): Route {
  const [route, setRoute] = useState(here);
  useEffect(() => {
    const update = () => setRoute(here());
    listeners.add(update);
    return () => void listeners.delete(update);
  }, []);
  return route;
}

/** The steps of a screen that stays mounted. `known`: how far its data reaches; after a reload it starts again. */
export function useStep(known: number): [step: number, forward: (step: number) => void] {
  const { path, step } = useRoute();
  return [Math.min(step, known), (next) => go(path, { step: next })];
}
