// Approving, paying, stopping and retrying bulk payments.
import { createApproval } from './approval.ts';
import { createChanges } from './changes.ts';
import type { ExecutionContext } from './context.ts';
import { createEnding } from './ending.ts';
import { createPayers } from './payers.ts';
import { createRetry } from './retry.ts';
import { createRunner } from './runner.ts';
import { createUnclaimed } from './unclaimed.ts';

export interface ExecutionDependencies extends ExecutionContext {
  /** Called when a retry waits to be checked. */
  uploaded(): void;
}

export function createExecution(context: ExecutionDependencies) {
  const wake = () => void run().catch(() => undefined);
  const readyPayer = createPayers(context);
  const approval = createApproval(context, readyPayer, wake);
  const changes = createChanges(context, wake);
  const ending = createEnding(context);
  const runner = createRunner(context, { readyPayer, approval, ending, changes });
  const follow = createUnclaimed(context.database);
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  let running: Promise<void> | null = null;

  /** One run at a time: it takes on whatever becomes due while it runs. */
  function run(): Promise<void> {
    running ??= runner.run(stopping.signal).finally(() => {
      running = null;
    });
    return running;
  }

  return {
    approve: approval.approve,
    stop: changes.stop,
    cancelApproved: changes.cancelApproved,
    retryFailed: createRetry(context, context.uploaded),

    /** Pays what is due, until nothing is. */
    run(signal?: AbortSignal): Promise<void> {
      signal?.addEventListener('abort', stop, { once: true });
      return run();
    },
    followCodes: follow,

    /** Finishes the chunks in work; another gateway goes on. */
    async stopRunning(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

export type Execution = ReturnType<typeof createExecution>;
