// Reading from the service: one cache for all screens.
import { QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';

/** The client retries by itself, so a failed query is shown at once. */
export const queryClient = new QueryClient({
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

/** `key`: the name of the resource and what identifies it, such as ['subscriber', id]. */
export function useRead<T>(
  key: readonly unknown[],
  read: (options: { signal: AbortSignal }) => PromiseLike<T>,
  { enabled = true, everyMs, keepPrevious = false }: ReadOptions = {},
): UseQueryResult<T> {
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => read({ signal }),
    enabled,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    ...(keepPrevious ? { placeholderData: (previous: T | undefined) => previous as never } : {}),
  });
}

/** After a change: everything about these resources is read again. Without names: everything. */
export function readAgain(...names: string[]): Promise<void> {
  if (names.length === 0) return queryClient.invalidateQueries();
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => names.includes(String(queryKey[0])) });
}
