// npm run size -w packages/client: prints the client's size in a browser bundle, minified and compressed.
import { gzipSync } from 'node:zlib';
import { build as bundle } from 'esbuild';
import { build, DIST } from './build.ts';

export interface BundleSize {
  minified: number;
  gzipped: number;
}

/** The size of a program with this source text. Requires the built package. */
export async function bundleSize(source: string): Promise<BundleSize> {
  const { outputFiles } = await bundle({
    stdin: { contents: source, resolveDir: DIST, loader: 'js' },
    ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', target: 'es2022', write: false },
  });
  const { contents } = outputFiles[0] ?? { contents: new Uint8Array(0) };
  return { minified: contents.length, gzipped: gzipSync(contents).length };
}

export const PROGRAMS = {
  'the whole client': `export { Kissi } from './index.js';`,
  'one operation': `export { createClient, payInApp } from './operations.js';`,
  'webhook verification': `export { verifyWebhook } from './index.js';`,
};

if (import.meta.main) {
  await build();
  for (const [name, source] of Object.entries(PROGRAMS)) {
    const { minified, gzipped } = await bundleSize(source);
    process.stdout.write(`${name}: ${minified} bytes minified, ${gzipped} bytes with gzip\n`);
  }
}
