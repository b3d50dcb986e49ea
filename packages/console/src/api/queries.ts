// Reading from the service: one cache for all screens.
import { KissiConnectionError, KissiError } from '@kissi/client';
import { QueryCache, QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { noteRestriction, session } from './session.ts';
import { createStore, useStore } from './store.ts';

/** False while the service cannot be reached or is failing: what is shown may be old. */
export const reachable = createStore(true);

const queryCache = new QueryCache({
  onSuccess: () => noteReachable(true),
  onError: (error) => {
    noteRestriction(error);
    noteReachable(!isOutage(error));
  },
});

const isOutage = (error: unknown) =>
  error instanceof KissiConnectionError || (error instanceof KissiError && (error.status ?? 0) >= 500);

function noteReachable(isReachable: boolean): void {
  if (isReachable !== reachable.get()) reachable.set(isReachable);
}

/** The client retries by itself, so a failed query is shown at once. */
export const queryClient = new QueryClient({
  queryCache,
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

interface ReadOptions {
  enabled?: boolean;
  /** Reads again after this time while the page is visible. */
  everyMs?: number;
  /** Shows the previous data while the next is loaded, for lists with filters. */
  keepPrevious?: boolean;
}

/**
 * `key`: the name of the resource and what identifies it, such as ['subscriber', id].
 * An error while reading again does not replace the data, because the screen may contain a form that is being filled in.
 * For the same reason nothing is read while the console is locked.
 */
export function useRead<T>(
  key: readonly unknown[],
  read: (options: { signal: AbortSignal }) => PromiseLike<T>,
  { enabled = true, everyMs, keepPrevious = false }: ReadOptions = {},
): UseQueryResult<T> {
  const isLocked = useStore(session).kind === 'locked';
  const result = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => read({ signal }),
    enabled: enabled && !isLocked,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    ...(keepPrevious ? { placeholderData: (previous: T | undefined) => previous as never } : {}),
  });
  return result.data === undefined ? result : ({ ...result, error: null } as UseQueryResult<T>);
}

/** After a change: everything about these resources is read again. Without names: everything. */
export function readAgain(...names: string[]): Promise<void> {
  if (names.length === 0) return queryClient.invalidateQueries();
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => names.includes(String(queryKey[0])) });
}
