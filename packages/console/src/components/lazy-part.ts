// Parts of the console in their own files: loaded when they are shown, and again after a failure.
import { type ComponentType, createElement, lazy } from 'react';

/** Before each further attempt. A phone often loses its connection for a moment only. */
const WAITS_MS = [500, 2_000];

/** Like React's lazy, which would keep a failure until the page is loaded again. */
export function lazyPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let Shown = lazy(attempt);
  async function attempt() {
    const isAsked = isAskedAgain;
    isAskedAgain = false;
    try {
      return await loadPatiently(load, isAsked ? [] : WAITS_MS);
    } catch (error) {
      if (isAsked && (await isReachable())) return reloaded();
      failed.push(() => {
        Shown = lazy(attempt);
      });
      throw new NotLoaded(String(error));
    }
  }
  return (props: Props) => createElement(Shown as unknown as ComponentType<Props>, props);
}

/** The files of a part could not be loaded. */
export class NotLoaded extends Error {}

const failed: (() => void)[] = [];

/** The parts that could not be loaded are loaded when they are shown again. */
export function forgetFailures(): void {
  for (const forget of failed.splice(0)) forget();
}

/** The user asks for the parts that could not be loaded. */
export function askAgain(): void {
  isAskedAgain = true;
  forgetFailures();
}

let isAskedAgain = false;

async function isReachable(): Promise<boolean> {
  return fetch('/health', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );
}

/** Browsers may remember that a module could not be loaded until the whole page is loaded again. */
function reloaded(): Promise<never> {
  location.reload();
  return new Promise(() => undefined);
}

async function loadPatiently<Part>(load: () => Promise<Part>, waitsMs: readonly number[]): Promise<Part> {
  for (const waitMs of waitsMs) {
    try {
      return await loadWithStyles(load);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  return loadWithStyles(load);
}

async function loadWithStyles<Part>(load: () => Promise<Part>): Promise<Part> {
  await Promise.all([...lostStyles].map(loadAgain));
  return load();
}

/** A second attempt to load a part does not load its lost style sheets again, and would show it without them. */
const lostStyles = new Set<HTMLLinkElement>();

addEventListener('error', noteLostStyle, { capture: true });

function noteLostStyle({ target }: Event): void {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lostStyles.add(target);
}

function loadAgain(lost: HTMLLinkElement): Promise<unknown> {
  const link = lost.cloneNode() as HTMLLinkElement;
  lostStyles.delete(lost);
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => reject(new Error(`${link.href} could not be loaded.`));
    lost.replaceWith(link);
  });
}
