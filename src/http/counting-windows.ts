// A limit counted in this process: so many requests of each caller in a window that begins with its first one.

export interface Spent {
  allowed: boolean;
  remaining: number;
  msBeforeNext: number;
}

export type Consume<Result> = (key: string) => Result;

interface Window {
  count: number;
  endsAt: number;
}

/** `now`: of a clock that is never set back, because a window would then last longer. */
export function countingWindows(
  { points, duration }: { points: number; duration: number },
  now: () => number = () => performance.now(),
): Consume<Spent> {
  const durationMs = duration * 1_000;
  /** In the order of their ends, since all are equally long. */
  const windows = new Map<string, Window>();

  function open(key: string, at: number): Window {
    for (const [other, { endsAt }] of windows) {
      if (endsAt > at) break;
      windows.delete(other);
    }
    const window = { count: 0, endsAt: at + durationMs };
    windows.delete(key);
    windows.set(key, window);
    return window;
  }

  return (key) => {
    const at = now();
    const known = windows.get(key);
    const window = known && known.endsAt > at ? known : open(key, at);
    window.count += 1;
    return {
      allowed: window.count <= points,
      remaining: Math.max(0, points - window.count),
      msBeforeNext: window.endsAt - at,
    };
  };
}
