// Parts of the console in their own files: loaded when they are shown, and again after a failure.
import { type ComponentType, createElement, lazy } from 'react';

/** Before each further attempt. A phone often loses its connection for a moment only. */
const WAITS_MS = [500, 2_000];

/** Like React's lazy, which would keep a failure until the page is loaded again. */
export function lazyPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let Shown = lazy(attempt);
  async function attempt() {
    try {
      return await loadPatiently(load);
    } catch (error) {
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

async function loadPatiently<Part>(load: () => Promise<Part>): Promise<Part> {
  for (const waitMs of WAITS_MS) {
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
