// A process that runs several test files one after another: loading the service costs more than most files' tests.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { disownGroup, ownProcess } from '@kissi/testkit/guard';
import { killGroup } from '@kissi/testkit/leftovers';
import { CHEAP_PASSWORDS, type Limits, REPORTER, TEST_CONTEXT, track, withFolder } from './file.ts';
import type { SharedLine } from './reporter.ts';
import { type FileResult, hasTests, type Line, resultOf } from './results.ts';
import type { FileRequest } from './worker.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
/** Bounds the memory of the process: modules and compiled code of the files stay in it. */
const MAX_FILES = 20;

export interface SharedProcessOptions {
  limits: Limits;
  env: NodeJS.ProcessEnv;
}

export class SharedProcess {
  private readonly limits: Limits;
  private readonly child: ChildProcess;
  private readonly exited: Promise<number | null>;
  private readonly untrack: () => void;
  private readonly paths: string[] = [];
  private output = '';
  private isReusable = true;

  constructor({ limits, env }: SharedProcessOptions) {
    this.limits = limits;
    const imports = [TEST_CONTEXT, CHEAP_PASSWORDS].map((url) => `--import=${url}`);
    const options = [`--test-timeout=${limits.testMs}`, ...imports, `--test-reporter=${REPORTER}`];
    this.child = spawn(process.execPath, [...options, WORKER], {
      env: { ...env, TEST_LINGER_MS: String(limits.testMs) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    });
    ownProcess(this.child, { isGroup: true });
    this.untrack = track(() => this.kill());
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += chunk;
      });
    }
    this.exited = new Promise((resolve, reject) => this.child.once('exit', resolve).once('error', reject));
  }

  /** False after a failure, whose effects could reach the next file, and after a process's last file. */
  get canRunMore(): boolean {
    return this.isReusable && this.paths.length < MAX_FILES;
  }

  async run(path: string, folder: string): Promise<FileResult> {
    this.paths.push(path);
    this.output = '';
    const begun = performance.now();
    return withFolder(folder, async () => {
      const lines: Line[] = [];
      const problem = await this.runToEnd({ path, folder, timeoutMs: this.limits.fileMs }, lines);
      const result = resultOf(path, lines, problem ?? (hasTests(lines) ? null : 'it has no tests'));
      this.isReusable = result.failures.length === 0;
      if (!this.isReusable) this.kill();
      return { ...result, output: this.output, seconds: (performance.now() - begun) / 1_000 };
    });
  }

  /** Sends the file to the process and collects its results. Resolves with the problem if it does not end by itself. */
  private async runToEnd(request: FileRequest, lines: Line[]): Promise<string | null> {
    const { promise: ended, resolve: end } = Promise.withResolvers<string | null>();
    const collect = (line: SharedLine) => (line.kind === 'file ended' ? end(null) : void lines.push(line));
    const timer = setTimeout(end, request.timeoutMs, `the file did not end within ${request.timeoutMs / 1_000} s`);
    this.child.on('message', collect);
    this.child.send(request, (error) => error && end(`the process cannot be reached: ${error.message}`));
    const problem = await Promise.race([ended, this.exited.then((code) => `the process ended with ${code}`)]);
    clearTimeout(timer);
    this.child.off('message', collect);
    return problem;
  }

  /** Ends the process. Returns a failure if a file left something open that keeps it running. */
  async stop(): Promise<FileResult | null> {
    const begun = performance.now();
    if (this.child.connected) this.child.disconnect();
    const timer = setTimeout(() => this.kill(), this.limits.fileMs);
    const code = await this.exited;
    clearTimeout(timer);
    this.kill();
    disownGroup(this.child.pid);
    this.untrack();
    if (code === 0 || !this.isReusable) return null;
    const path = this.paths.join(' ');
    const result = resultOf(path, [], `the process of these files ended with ${code}`);
    return { ...result, output: this.output, seconds: (performance.now() - begun) / 1_000 };
  }

  private kill(): void {
    killGroup(this.child.pid);
  }
}
