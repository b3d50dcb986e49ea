// Work that is done one after the other for each key, in the order in which it was asked for.

export class Turns<Key> {
  private readonly last = new Map<Key, Promise<unknown>>();

  /** Work that fails does not hold up what follows it. */
  take<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const before = this.last.get(key) ?? Promise.resolve();
    const result = before.then(work);
    this.last.set(
      key,
      result.catch(() => undefined),
    );
    return result;
  }
}
