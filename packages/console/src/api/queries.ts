// Reading from the service: one cache for all screens.
import { KissiConnectionError, KissiError } from '@kissi/client';
import { QueryCache, QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
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

const isRefusal = (error: unknown) => error instanceof KissiError && [403, 404].includes(error.status ?? 0);

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

export interface ReadOptions<T> {
  enabled?: boolean;
  /** Reads again after this time while the page is visible. */
  everyMs?: number;
  /** False: reading this record is audited, so it is read when a user asks for it only. */
  isPolled?: (data: T) => boolean;
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
  { enabled = true, everyMs, isPolled, keepPrevious = false }: ReadOptions<T> = {},
): UseQueryResult<T> {
  const isLocked = useStore(session).kind === 'locked';
  const result = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => read({ signal }),
    enabled: enabled && !isLocked,
    // A refusal stays one, such as of a record that this user may not see; the service is not asked again and again.
    refetchInterval: ({ state: { data, error } }) =>
      everyMs === undefined || isRefusal(error) || (data && isPolled?.(data) === false) ? false : everyMs,
    ...(keepPrevious ? { placeholderData: (previous: T | undefined) => previous as never } : {}),
  });
  if (isWithheld(result.error)) return { ...result, data: undefined } as UseQueryResult<T>;
  return result.data === undefined ? result : ({ ...result, error: null } as UseQueryResult<T>);
}

/** The user may no longer see what was read before, such as a record that is now about a politically exposed person. */
const isWithheld = (error: unknown) =>
  error instanceof KissiError && ['PEP_ACCESS_REQUIRED', 'FORBIDDEN'].includes(error.code);

/**
 * After a change: everything about these resources is read again, also lists of one party (`payouts-…`). Without names: all.
 * The counts, the overview and the timelines always.
 */
export function readAgain(...names: string[]): Promise<void> {
  changed.add('counts').add('overview');
  if (names.length === 0) return queryClient.invalidateQueries();
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => isNamed(queryKey, ['counts', 'overview', 'timeline', ...names]),
  });
}

type Counted = 'counts' | 'overview';
/** Where the user's last change is not counted yet. */
const changed = new Set<Counted>();

/** The query of a read, which counts anew after the user's change. */
export const takeChange = (name: Counted) => (changed.delete(name) ? { fresh: 'true' as const } : {});

const isNamed = ([key]: readonly unknown[], names: readonly string[]) =>
  names.some((name) => key === name || String(key).startsWith(`${name}-`));

/** Parts of a screen that were read within this time count as read together. */
const TOGETHER_MS = 2_000;

/**
 * When a screen's record was read again, for whatever reason, so are the parts that must agree with it: a balance and the
 * payments that changed it. `names` as in `readAgain`.
 */
export function useReadWith(
  { dataUpdatedAt: readAt }: Pick<UseQueryResult, 'dataUpdatedAt'>,
  ...names: string[]
): void {
  const joined = names.join(' ');
  useEffect(() => {
    void queryClient.refetchQueries({
      type: 'active',
      predicate: ({ queryKey, state }) =>
        isNamed(queryKey, joined.split(' ')) &&
        state.fetchStatus === 'idle' &&
        state.dataUpdatedAt < readAt - TOGETHER_MS &&
        !isRefusal(state.error),
    });
  }, [readAt, joined]);
}
