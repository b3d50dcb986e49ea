// Serves the web console: the files that packages/console/scripts/build.ts wrote, and its page for every other path.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { wantsPage } from './front-page.ts';

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

/** In order of preference, with the ending of the compressed file. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof ENCODINGS;

const ASSET_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' };

const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'publickey-credentials-get=(self), publickey-credentials-create=(self), clipboard-write=(self), ' +
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), serial=(), usb=()',
};

interface Asset {
  type: string;
  hash: string;
  bytes: Buffer;
  compressed: Partial<Record<Encoding, Buffer>>;
}

interface Console {
  page: string;
  /** By path relative to /console/. */
  assets: Map<string, Asset>;
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
    if (asset) return sendAsset(request, reply, asset);
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

function sendAsset({ headers }: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const encoding = encodingFor(headers['accept-encoding'], asset);
  const etag = `"${asset.hash}${encoding ? `-${encoding}` : ''}"`;
  reply.headers({ ...ASSET_HEADERS, etag });
  if (isCurrent(headers['if-none-match'], etag)) return reply.code(304).send();
  if (encoding) reply.header('content-encoding', encoding);
  return reply.type(asset.type).send((encoding && asset.compressed[encoding]) ?? asset.bytes);
}

function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

function encodingFor(header: string | string[] | undefined, { compressed }: Asset): Encoding | null {
  const accepted = qualities(String(header ?? ''));
  const names = Object.keys(ENCODINGS) as Encoding[];
  return names.find((name) => compressed[name] && (accepted.get(name) ?? accepted.get('*') ?? 0) > 0) ?? null;
}

function qualities(header: string): Map<string, number> {
  return new Map(
    header.split(',').map((entry) => {
      const [name = '', quality] = entry.split(';').map((part) => part.trim().toLowerCase());
      return [name, quality?.startsWith('q=') ? Number(quality.slice(2)) : 1] as const;
    }),
  );
}

async function loadConsole(): Promise<Console> {
  const page = await readFile(join(DIST, 'index.html'), 'utf8');
  const paths = await Array.fromAsync(glob(`${ASSETS}**/*.{${Object.keys(TYPES)}}`, { cwd: DIST }));
  return {
    page,
    assets: new Map(await Promise.all(paths.map(async (path) => [path, await loadAsset(path)] as const))),
  };
}

async function loadAsset(path: string): Promise<Asset> {
  const bytes = await readFile(join(DIST, path));
  const compressed: Asset['compressed'] = {};
  for (const [encoding, ending] of Object.entries(ENCODINGS)) {
    // Small files and pictures have no compressed form.
    const smaller = await readFile(join(DIST, path + ending)).catch(() => null);
    if (smaller) compressed[encoding as Encoding] = smaller;
  }
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { type: TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream', hash, bytes, compressed };
}
