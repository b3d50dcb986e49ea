// The Node flags of `npm start`, so that the benchmarks measure the service as it runs in production.
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  scripts: { start: string };
};

/** BENCH_NODE_FLAGS adds flags for profiling, such as '--cpu-prof --cpu-prof-dir=/tmp/profile'. */
export const NODE_FLAGS: readonly string[] = [
  ...scripts.start.split(' ').filter((word) => word.startsWith('--')),
  ...(process.env.BENCH_NODE_FLAGS?.split(' ') ?? []),
];
