// Work that takes a processor to itself: so many at once, so many who wait, and whoever comes then is sent away.
import { Overloaded } from './overloaded.ts';

export interface PlacesOptions {
  atOnce: number;
  mostWaiting: number;
}

/** Throws Overloaded where the work was not begun. */
export type InPlace = <T>(work: () => Promise<T>) => Promise<T>;

export function places({ atOnce, mostWaiting }: PlacesOptions): InPlace {
  let taken = 0;
  const waiting: (() => void)[] = [];

  /** Who ends hands the place on, so that nobody who comes in that moment takes it as well. */
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else taken -= 1;
  }

  return async (work) => {
    if (taken < atOnce) taken += 1;
    else if (waiting.length >= mostWaiting) throw new Overloaded();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
