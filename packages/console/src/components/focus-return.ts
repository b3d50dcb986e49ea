// Gives the focus back after a dialog: to what opened it, or to the nearest place that is still there.
import { useEffect } from 'react';

const CONTROL = 'a[href], button, input, select, textarea, [tabindex]';
/** Parts that are gone when the dialog closes. What opened them comes before them in `visited`. */
const PASSING = '[role="dialog"], [role="menu"], [role="listbox"]';
const ROW = 'tr, li';
const MOST_VISITED = 20;

/** The controls that had the focus or were clicked, newest first. */
const visited: HTMLElement[] = [];
let stopWatching: (() => void) | undefined;

/** Rendered while the dialog is open. */
export function useFocusReturn(): void {
  useEffect(() => {
    const places = placesToReturn();
    return () => giveBack(places);
  }, []);
}

/** The opener, such as a menu's item and the menu's button, then the row of a list. */
function placesToReturn(): HTMLElement[] {
  note({ target: document.activeElement });
  // A field of the dialog itself may have the focus already.
  const lasting = visited.findIndex((element) => element.isConnected && element.closest(PASSING) === null);
  const openers = visited.slice(0, lasting + 1);
  const row = openers.at(-1)?.closest<HTMLElement>(ROW);
  return row ? [...openers, row] : openers;
}

function giveBack(places: readonly HTMLElement[]): void {
  stopWatching?.();
  const focusNearest = () => places.some(takesFocus) || focusHeading();
  focusNearest();
  // What has the focus now may be removed a moment later, when the page is drawn with the change.
  const observer = new MutationObserver(() => document.activeElement === document.body && focusNearest());
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  const stop = () => {
    observer.disconnect();
    for (const event of ['keydown', 'pointerdown']) removeEventListener(event, stop, { capture: true });
  };
  for (const event of ['keydown', 'pointerdown']) addEventListener(event, stop, { capture: true });
  stopWatching = stop;
}

function takesFocus(place: HTMLElement): boolean {
  const control = place.matches(CONTROL) ? place : place.querySelector<HTMLElement>(CONTROL);
  control?.focus({ preventScroll: true });
  return control !== null && document.activeElement === control;
}

function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>('#main h1');
  if (!heading) return false;
  heading.tabIndex = -1;
  return takesFocus(heading);
}

function note({ target }: Pick<Event, 'target'>): void {
  const control = target instanceof Element ? target.closest<HTMLElement>(CONTROL) : null;
  if (!control || visited[0] === control) return;
  visited.unshift(control);
  visited.splice(MOST_VISITED);
}

for (const event of ['focusin', 'pointerdown']) addEventListener(event, note, { capture: true });
