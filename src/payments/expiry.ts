// Ends everything that is due, a batch at a time: holds and payment requests that have expired.

const MOST = 200;

/** Somebody else may end the same ones at the same time: ending one twice does nothing. */
export function untilNoneDue<Due>(
  find: (most: number) => Promise<readonly Due[]>,
  end: (due: Due) => Promise<unknown>,
): (stopping?: AbortSignal) => Promise<void> {
  return async function run(stopping) {
    let found: readonly Due[];
    do {
      found = await find(MOST);
      await Promise.all(found.map(end));
    } while (found.length === MOST && !stopping?.aborted);
  };
}
