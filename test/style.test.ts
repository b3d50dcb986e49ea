// Tests the code rules: layer dependencies, import cycles, file sizes, first lines and forbidden markers.
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAX_LINES = 300;
const GENERATED = /^(src\/db\/schema\/generated\.ts|packages\/client\/src\/generated\/.+)$/;

/** The layers that each layer may import besides itself. */
const ALLOWED_IMPORTS: Record<string, string[]> = {
  main: ['app', 'features', 'db', 'kernel'],
  app: ['features', 'webhooks', 'tracing', 'payments', 'parties', 'ledger', 'audit', 'http', 'auth', 'db', 'kernel'],
  features: ['webhooks', 'payments', 'parties', 'ledger', 'audit', 'http', 'pdf', 'qr', 'auth', 'db', 'kernel'],
  webhooks: ['auth', 'db', 'kernel'],
  payments: ['parties', 'ledger', 'db', 'kernel'],
  parties: ['ledger', 'audit', 'auth', 'db', 'kernel'],
  ledger: ['db', 'kernel'],
  http: ['auth', 'qr', 'kernel'],
  tracing: ['kernel'],
  pdf: ['kernel'],
  qr: ['kernel'],
  audit: ['auth', 'db', 'kernel'],
  auth: ['db', 'kernel'],
  db: ['kernel'],
  kernel: [],
};

interface Source {
  path: string;
  text: string;
  /** Paths of the project files that it imports. */
  imports: string[];
}

let sources: Source[] = [];

/** Static and dynamic imports, re-exports, and imports of types. */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g;

/** The files that the names of the packages stand for, such as @kissi/signatures/node. */
async function readPackages(): Promise<Map<string, string>> {
  const manifests = await Array.fromAsync(glob('packages/*/package.json', { cwd: ROOT }));
  const entries = manifests.map(async (path) => {
    const { name, exports = {} } = JSON.parse(await readFile(join(ROOT, path), 'utf8'));
    const files: [string, string][] = Object.entries(typeof exports === 'string' ? { '.': exports } : exports);
    return files.map(([entry, file]) => [join(name, entry), join(dirname(path), file)] as const);
  });
  return new Map((await Promise.all(entries)).flat());
}

async function readSources(patterns: string[]): Promise<Source[]> {
  const paths = (await Array.fromAsync(glob(patterns, { cwd: ROOT }))).sort();
  const packageFiles = await readPackages();
  return Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(ROOT, path), 'utf8');
      const named = [...text.matchAll(IMPORT)].map(([, target = '']) => target);
      const own = named.filter((target) => target.startsWith('.')).map((target) => join(dirname(path), target));
      return { path, text, imports: [...own, ...named.flatMap((target) => packageFiles.get(target) ?? [])] };
    }),
  );
}

const layerOf = (path: string) => (path === 'src/main.ts' ? 'main' : (path.split('/')[1] ?? ''));
/** Each subfolder of admin and of partners is a separate feature. */
const featureOf = (path: string) => path.match(/^src\/features\/((?:admin|partners)\/[^/]+|[^/]+)\//)?.[1];
const isTest = ({ path }: Source) => path.endsWith('.test.ts');

before(async () => {
  sources = await readSources([
    'src/**/*.ts',
    'packages/*/{src,scripts,test}/**/*.{ts,tsx}',
    'examples/*/src/**/*.ts',
    'test/**/*.ts',
    'bench/**/*.ts',
    'scripts/**/*.ts',
  ]);
});

const production = () => sources.filter((source) => source.path.startsWith('src/') && !isTest(source));

describe('structure', () => {
  test('imports follow the layers of the architecture', () => {
    for (const { path, imports } of production()) {
      const layer = layerOf(path);
      const allowed = ALLOWED_IMPORTS[layer];
      assert.ok(allowed, `${path} is in no known layer`);
      for (const target of imports.filter((imported) => imported.startsWith('src/'))) {
        const other = layerOf(target);
        assert.ok(other === layer || allowed.includes(other), `${path} must not import ${target}`);
      }
    }
  });

  test('a feature imports only the service of another feature', () => {
    for (const { path, imports } of production()) {
      const own = featureOf(path);
      for (const target of imports) {
        const other = featureOf(target);
        // The routes of admin combine the routes of its subfolders.
        if (!own || !other || own === other || other.startsWith(`${own}/`)) continue;
        assert.match(target, /\/service\.ts$/, `${path} must not import ${target}`);
      }
    }
  });

  test('packages do not import from the service', () => {
    const ofPackages = sources.filter(({ path }) => path.startsWith('packages/'));
    assert.ok(ofPackages.length > 0);
    for (const { path, imports } of ofPackages) {
      const service = imports.filter((target) => target.startsWith('src/'));
      assert.deepEqual(service, [], `${path} imports from src/`);
    }
  });

  test('there are no import cycles in the whole repository, not even of types', () => {
    const graph = new Map(sources.map(({ path, imports }) => [path, imports]));
    assert.ok(graph.get('packages/client/src/index.ts')?.includes('packages/signatures/src/index.ts'));
    const done = new Set<string>();
    const visit = (path: string, trail: string[]): void => {
      assert.ok(!trail.includes(path), `import cycle: ${[...trail, path].join(' → ')}`);
      if (done.has(path)) return;
      for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
      done.add(path);
    };
    for (const path of graph.keys()) visit(path, []);
  });

  test('every module of src is used by another file of src or by a script', () => {
    const used = new Set(sources.filter((source) => !isTest(source)).flatMap(({ imports }) => imports));
    const unused = production().filter(({ path }) => path !== 'src/main.ts' && !used.has(path));
    assert.deepEqual(
      unused.map(({ path }) => path),
      [],
    );
  });

  test('pg stays inside src/db/driver: everything else uses Kysely or prepared statements', () => {
    for (const { path, text } of production()) {
      if (path.startsWith('src/db/driver/')) continue;
      assert.doesNotMatch(text, /(?:from|import|require)\s*\(?'pg(?:-[\w-]+)?(?:\/[^']*)?'/, `${path} imports pg`);
      assert.doesNotMatch(text, /\b(?:pool|client|reader|connection)\w*\.query\(/i, `${path} queries pg directly`);
    }
  });

  test('only src/main.ts reads process.env', () => {
    const readers = production().filter(({ text }) => text.includes('process.env'));
    assert.deepEqual(
      readers.map(({ path }) => path),
      ['src/main.ts'],
    );
  });
});

describe('files', () => {
  test('every file begins with a comment that states its purpose', () => {
    for (const { path, text } of sources) assert.match(text, /^\/\/ \S.{15,}/, `${path} has no first line`);
  });

  test(`no file of the service or the console is longer than ${MAX_LINES} lines`, () => {
    const ofConsole = sources.filter(({ path }) => path.startsWith('packages/console/'));
    for (const { path, text } of [...production(), ...ofConsole]) {
      if (GENERATED.test(path)) continue;
      const lines = text.split('\n').length;
      assert.ok(lines <= MAX_LINES, `${path} has ${lines} lines`);
    }
  });

  test('there are no TODO markers, type suppressions or skipped tests', () => {
    const forbidden = /\b(?:TODO|FIXME|XXX)\b|@ts-ignore|@ts-nocheck|\bas any\b|\.(?:only|skip|todo)\(/;
    for (const { path, text } of sources) {
      if (path === relative(ROOT, fileURLToPath(import.meta.url))) continue;
      assert.doesNotMatch(text, forbidden, `${path} has a forbidden marker`);
    }
  });
});
