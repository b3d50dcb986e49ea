// Reads for screens: what was read before shows at once, and is replaced when the reply arrives. In memory only.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { get } from './api.ts';

const known = new Map<string, unknown>();

export function forgetLoads(): void {
  known.clear();
}

export interface Load<Data> {
  data: Data | null;
  error: unknown;
  reload(): void;
}

export function useLoad<Data>(path: string): Load<Data> {
  const [state, setState] = useState<{ path: string; error: unknown; turn: number }>({ path, error: null, turn: 0 });
  useEffect(() => {
    let isCurrent = true;
    get<Data>(path).then(
      (data) => {
        known.set(path, data);
        if (isCurrent) setState((last) => ({ ...last, path, error: null }));
      },
      (error) => isCurrent && setState((last) => ({ ...last, path, error })),
    );
    return () => {
      isCurrent = false;
    };
  }, [path, state.turn]);
  const reload = useCallback(() => setState((last) => ({ ...last, error: null, turn: last.turn + 1 })), []);
  return { data: (known.get(path) as Data | undefined) ?? null, error: state.error, reload };
}
