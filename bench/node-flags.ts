// The Node flags of a checkout's `npm start`, so that the benchmarks measure the service as it runs in production.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const THIS_CHECKOUT = fileURLToPath(new URL('..', import.meta.url));

/** BENCH_NODE_FLAGS adds flags for profiling, such as '--cpu-prof --cpu-prof-dir=/tmp/profile'. */
export function readNodeFlags(root = THIS_CHECKOUT): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const own = scripts.start.split(' ').filter((word) => word.startsWith('--'));
  return [...own, ...(process.env.BENCH_NODE_FLAGS?.split(' ') ?? [])];
}
