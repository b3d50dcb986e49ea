// Runs work for every item, one after another, whatever the outcome of the others.

/** One that fails does not keep the others from being done. Rejects with the first failure at the end. */
export async function runEach<Item>(items: Iterable<Item>, work: (item: Item) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
