// What `npm start` tells Node, so that the bench measures the service as it is run.
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  scripts: { start: string };
};

/** With more for profiles and experiments, such as BENCH_NODE_FLAGS='--cpu-prof --cpu-prof-dir=/tmp/profile'. */
export const NODE_FLAGS: readonly string[] = [
  ...scripts.start.split(' ').filter((word) => word.startsWith('--')),
  ...(process.env.BENCH_NODE_FLAGS?.split(' ') ?? []),
];
