// The process that runs several test files: each file it is sent becomes one test whose module is imported as a suite.
import { describe, test } from 'node:test';

/** Sent by the runner (test/runner/shared-process.ts). */
export interface FileRequest {
  path: string;
  /** Temporary files of the test. */
  folder: string;
  timeoutMs: number;
}

const requests: FileRequest[] = [];
let wake = () => {};
let open = true;
process.on('message', (request: FileRequest) => {
  requests.push(request);
  wake();
});
process.once('disconnect', () => {
  open = false;
  wake();
});

for (let request = await nextRequest(); request; request = await nextRequest()) {
  const { path, folder, timeoutMs: timeout } = request;
  process.env.TMPDIR = folder;
  process.env.TEST_FILE = path;
  // A suite runs the hooks of the file before and after its tests. The test around it ends when the suite has ended.
  await test(path, { timeout }, () => {
    describe(path, { timeout }, () => import(`../../${path}`));
  });
}

async function nextRequest(): Promise<FileRequest | undefined> {
  while (open && requests.length === 0) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  return requests.shift();
}
