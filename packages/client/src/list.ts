// A list: a promise of its first page, and an async iterable over the records of all pages.

/** What list replies have in common. */
interface Page {
  total_count?: number;
  offset?: number;
  next_cursor?: string | null;
}

type Query = Record<string, unknown>;

export interface ListSource<P> {
  /** Fetches the page with these changes of the parameters. */
  page(changes: Query): Promise<P>;
  csv(): Promise<ReadableStream<Uint8Array>>;
  items: string;
}

/**
 * `await list` is the first page as the service returned it; `for await (const record of list)` runs over all records
 * and fetches the next page when it is needed.
 */
export class List<P, Item> implements PromiseLike<P>, AsyncIterable<Item> {
  readonly #source: ListSource<P>;
  #first: Promise<P> | null = null;

  constructor(source: ListSource<P>) {
    this.#source = source;
  }

  // biome-ignore lint/suspicious/noThenProperty: a list can be awaited, and iterated without being awaited.
  then<A = P, B = never>(
    onFulfilled?: ((page: P) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#firstPage().then(onFulfilled, onRejected);
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<P | B> {
    return this.#firstPage().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<P> {
    return this.#firstPage().finally(onFinally);
  }

  /** The pages, one after another. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    for (let page: P | null = await this.#firstPage(); page !== null; ) {
      yield page;
      const next = this.#changesAfter(page);
      page = next === null ? null : await this.#source.page(next);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page);
  }

  /** All records, or the first `max`. */
  async toArray({ max = Number.POSITIVE_INFINITY }: { max?: number } = {}): Promise<Item[]> {
    const items: Item[] = [];
    if (max <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }

  /** The whole list as a CSV file. */
  csv(): Promise<ReadableStream<Uint8Array>> {
    return this.#source.csv();
  }

  #firstPage(): Promise<P> {
    this.#first ??= this.#source.page({});
    return this.#first;
  }

  #itemsOf(page: P): Item[] {
    return (page as Record<string, unknown>)[this.#source.items] as Item[];
  }

  /** Prefers the cursor, which neither skips nor repeats records when the list changes. */
  #changesAfter(page: P): Query | null {
    const { next_cursor, total_count, offset = 0 } = page as Page;
    if (next_cursor !== undefined) return next_cursor === null ? null : { cursor: next_cursor, offset: undefined };
    const { length } = this.#itemsOf(page);
    const end = offset + length;
    return length === 0 || total_count === undefined || end >= total_count ? null : { offset: end };
  }
}
