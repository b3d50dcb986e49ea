// Runs what a button does: once at a time, and keeps why it failed.
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Action {
  isBusy: boolean;
  error: unknown;
  run(task: () => Promise<unknown>): void;
}

export function useAction(): Action {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const isHere = useRef(true);
  useEffect(
    () => () => {
      isHere.current = false;
    },
    [],
  );
  const set = (next: typeof state) => {
    if (isHere.current) setState(next);
  };
  return {
    ...state,
    run(task) {
      if (state.isBusy) return;
      set({ isBusy: true, error: null });
      task().then(
        () => set({ isBusy: false, error: null }),
        (error) => set({ isBusy: false, error }),
      );
    },
  };
}
