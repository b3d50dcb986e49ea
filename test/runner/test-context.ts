// Loaded before a test file with `node --import`: the test runner finds the current test without an async hook.
import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Node's test runner records the test of every promise and every resource with an async hook. That takes up to a fifth
 * of the CPU time of a test file. The runner takes three names from node:async_hooks when it is loaded. They are
 * replaced during that time, so that an AsyncLocalStorage holds the current test; it costs almost nothing. If the
 * context of a test was lost, its file would fail because it has no tests. test-context.test.ts compares both.
 */
type Init = (asyncId: number, type: string, triggerAsyncId: number, resource: object) => void;

const currentTest = new AsyncLocalStorage<number>();
let onInit: Init | undefined;

class TestScope extends asyncHooks.AsyncResource {
  constructor(type: string, options?: asyncHooks.AsyncResourceOptions) {
    super(type, options);
    onInit?.(this.asyncId(), type, this.triggerAsyncId(), this);
  }

  override runInAsyncScope<This, Args extends unknown[], Result>(
    task: (this: This, ...args: Args) => Result,
    thisArg?: This,
    ...args: Args
  ): Result {
    // Inside of the scope: it restores the context in which it was created.
    return super.runInAsyncScope(() => currentTest.run(this.asyncId(), () => task.apply(thisArg as This, args)));
  }
}

function createHook({ init }: { init?: Init }) {
  return {
    enable() {
      onInit = init;
      return this;
    },
    disable() {
      onInit = undefined;
      return this;
    },
  };
}

const { AsyncResource: realResource, createHook: realHook, executionAsyncId: realId } = asyncHooks;
Object.assign(asyncHooks, {
  AsyncResource: TestScope,
  createHook,
  executionAsyncId: () => currentTest.getStore() ?? 0,
});
await import('node:test');
Object.assign(asyncHooks, { AsyncResource: realResource, createHook: realHook, executionAsyncId: realId });
