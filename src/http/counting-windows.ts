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

export function countingWindows({ points, duration }: { points: number; duration: number }): Consume<Spent> {
  const durationMs = duration * 1_000;
  /** In the order of their ends, since all are equally long. */
  const windows = new Map<string, Window>();

  function open(key: string, now: number): Window {
    for (const [other, { endsAt }] of windows) {
      if (endsAt > now) break;
      windows.delete(other);
    }
    const window = { count: 0, endsAt: now + durationMs };
    windows.delete(key);
    windows.set(key, window);
    return window;
  }

  return (key) => {
    const now = Date.now();
    const known = windows.get(key);
    const window = known && known.endsAt > now ? known : open(key, now);
    window.count += 1;
    return {
      allowed: window.count <= points,
      remaining: Math.max(0, points - window.count),
      msBeforeNext: window.endsAt - now,
    };
  };
}
