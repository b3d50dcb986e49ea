// Serves the web console: the files that packages/console/scripts/build.ts wrote, and its page for every other path.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { wantsPage } from './front-page.ts';
import { ENCODINGS, type Encoding, type StaticFile, sendFile, staticFile } from './static-file.ts';

const DIST = fileURLToPath(new URL('../../packages/console/dist', import.meta.url));
const PATH = '/console';
const ASSETS = 'assets/';
const NONCE = '{{nonce}}';

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  woff2: 'font/woff2',
};

/** Endings of the compressed files. */
const ENDINGS: Record<Encoding, string> = { br: '.br', gzip: '.gz' };

const ASSET_CACHE = 'public, max-age=31536000, immutable';

const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'publickey-credentials-get=(self), publickey-credentials-create=(self), clipboard-write=(self), ' +
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), serial=(), usb=()',
};

interface Console {
  page: string;
  /** By path relative to /console/. */
  assets: Map<string, StaticFile>;
}

export function isConsoleBuilt(): boolean {
  return existsSync(join(DIST, 'index.html'));
}

/**
 * Loads all files with the first request. A new build that replaces them does not remove the files that the page of a running
 * gateway names. Requests look up a path in the map and never in the file system. All replies share one buffer per file,
 * because unauthenticated clients can send many requests at once without reading the replies.
 */
export function serveConsole(app: FastifyInstance): void {
  let loaded: Promise<Console> | null = null;
  const load = () => {
    loaded ??= loadConsole().catch((error) => {
      loaded = null;
      throw error;
    });
    return loaded;
  };
  app.get(PATH, (_request, reply) => reply.redirect(`${PATH}/`, 301));
  app.get<{ Params: { '*': string } }>(`${PATH}/*`, async (request, reply) => {
    const { page, assets } = await load();
    const path = request.params['*'];
    const asset = assets.get(path);
    if (asset) return sendFile(request, reply, { file: asset, cacheControl: ASSET_CACHE });
    if (path.startsWith(ASSETS) || !wantsPage(request)) return reply.callNotFound();
    return sendPage(reply, page);
  });
}

/** Mantine and uPlot write style elements, which the nonce admits; no script may be inline. */
function policyOf(nonce: string): string {
  return (
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self'; font-src 'self'; ` +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  );
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .type('text/html; charset=utf-8')
    .headers({ ...PAGE_HEADERS, 'content-security-policy': policyOf(nonce) })
    .send(page.replaceAll(NONCE, nonce));
}

async function loadConsole(): Promise<Console> {
  const page = await readFile(join(DIST, 'index.html'), 'utf8');
  const paths = await Array.fromAsync(glob(`${ASSETS}**/*.{${Object.keys(TYPES)}}`, { cwd: DIST }));
  return {
    page,
    assets: new Map(await Promise.all(paths.map(async (path) => [path, await loadAsset(path)] as const))),
  };
}

async function loadAsset(path: string): Promise<StaticFile> {
  const bytes = await readFile(join(DIST, path));
  const compressed: StaticFile['compressed'] = {};
  for (const encoding of ENCODINGS) {
    // Small files and pictures have no compressed form.
    const smaller = await readFile(join(DIST, path + ENDINGS[encoding])).catch(() => null);
    if (smaller) compressed[encoding] = smaller;
  }
  return staticFile(TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream', bytes, compressed);
}
