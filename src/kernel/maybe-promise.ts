// Values that are usually known at once: a step of a payment waits only if there is something to wait for.

export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` at once if the value is known. */
export function andThen<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
