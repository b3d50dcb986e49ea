// For the builds: puts the names of the built files into the service worker. Its text changes with each of them, so browsers update it.
import { createHash } from 'node:crypto';

/** What the bundler has of a file. */
interface Built {
  type: 'chunk' | 'asset';
  code?: string;
  source?: string | Uint8Array;
  imports?: string[];
  dynamicImports?: string[];
  moduleIds?: string[];
  viteMetadata?: { importedCss: Set<string> };
}
type Bundle = Record<string, Built>;

/** `isKept`: whether a part that is loaded later is kept, by a source file in it; absent: every part is. */
export function shellList(isKept?: (source: string) => boolean) {
  return {
    name: 'shell-list',
    generateBundle: {
      // After the plugins that add the style and the page.
      order: 'post' as const,
      handler(_options: unknown, bundle: object) {
        const built = bundle as Bundle;
        const worker = built['sw.js'];
        const page = built['index.html'];
        if (!worker?.code || page?.type !== 'asset') throw new Error('there is no service worker or no page');
        const list = JSON.stringify(shellFiles(built, String(page.source), isKept));
        const version = createHash('sha256').update(`${list}${page.source}`).digest('hex').slice(0, 12);
        worker.code = worker.code
          .replace(/(["'`])__FILES__\1/, () => JSON.stringify(list))
          .replace('__VERSION__', version);
      },
    },
  };
}

function shellFiles(built: Bundle, page: string, isKept?: (source: string) => boolean): string[] {
  const assets = Object.keys(built).filter((name) => name.startsWith('assets/') && /\.(js|css)$/.test(name));
  if (!isKept) return assets.sort();
  const found = new Set<string>(assets.filter((name) => page.includes(name)));
  const later = assets.filter((name) => built[name]?.moduleIds?.some(isKept));
  for (const name of [...found, ...later]) addWithImports(built, name, found);
  return [...found].filter((name) => assets.includes(name)).sort();
}

function addWithImports(built: Bundle, name: string, found: Set<string>): void {
  const { imports = [], viteMetadata } = built[name] ?? {};
  found.add(name);
  for (const style of viteMetadata?.importedCss ?? []) found.add(style);
  for (const imported of imports) if (!found.has(imported)) addWithImports(built, imported, found);
}
