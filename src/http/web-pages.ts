// Serves the web console and the web wallet: the files that scripts/web/build.ts wrote, and their page for every other path.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { html } from './pages/html.ts';
import { ENCODINGS, type Encoding, type StaticFile, sendFile, staticFile, wantsPage } from './static-file.ts';

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
  webmanifest: 'application/manifest+json',
};

/** Endings of the compressed files. */
const ENDINGS: Record<Encoding, string> = { br: '.br', gzip: '.gz' };

const ASSET_CACHE = 'public, max-age=31536000, immutable';

/** Files outside the assets keep their name in every build: the manifest, icons and the service worker. */
const FILE_CACHE = 'no-cache';

const WEB_PAGES = ['console', 'wallet'] as const;
export type WebPageName = (typeof WEB_PAGES)[number];

/** What the pages name as {{operator}}, {{support}} and {{ussd}}. */
export interface PageNames {
  operator: string;
  /** Customer support's number; empty: there is none. */
  support: string;
  /** The USSD service code; empty: there is none. */
  ussd: string;
}

interface WebPage {
  permissions: string;
  policy(nonce: string): string;
}

const NO_SENSORS = 'display-capture=(), geolocation=(), microphone=(), payment=(), serial=(), usb=()';
const CLOSED = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGES: Record<WebPageName, WebPage> = {
  console: {
    permissions:
      'publickey-credentials-get=(self), publickey-credentials-create=(self), clipboard-write=(self), ' +
      `camera=(self), ${NO_SENSORS}`,
    // Mantine and uPlot write style elements, which the nonce admits; no script may be inline.
    policy: (nonce) =>
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self'; font-src 'self'; ` +
      `connect-src 'self'; manifest-src 'self'; worker-src 'self'; ${CLOSED}`,
  },
  wallet: {
    permissions: `camera=(self), clipboard-write=(self), ${NO_SENSORS}`,
    policy: () =>
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
      "manifest-src 'self'; worker-src 'self'; require-trusted-types-for 'script'; trusted-types wallet; " +
      CLOSED,
  },
};

interface Files {
  page: string;
  /** By path below the page's. */
  files: Map<string, StaticFile>;
}

const distOf = (name: WebPageName) => fileURLToPath(new URL(`../../packages/${name}/dist`, import.meta.url));

/** Those that are on, and built. */
export function servedPages(isOn: Record<WebPageName, boolean>): WebPageName[] {
  return WEB_PAGES.filter((name) => isOn[name] && existsSync(join(distOf(name), 'index.html')));
}

/**
 * Loads all files with the first request. A new build that replaces them does not remove the files that the page of a running
 * gateway names. Requests look up a path in the map and never in the file system. All replies share one buffer per file,
 * because unauthenticated clients can send many requests at once without reading the replies.
 */
export function serveWebPage(app: FastifyInstance, name: WebPageName, names: PageNames): void {
  const { permissions, policy } = PAGES[name];
  const headers = { 'cross-origin-opener-policy': 'same-origin', 'permissions-policy': permissions };
  let loaded: Promise<Files> | null = null;
  const load = () => {
    loaded ??= loadFiles(distOf(name), names).catch((error) => {
      loaded = null;
      throw error;
    });
    return loaded;
  };

  function sendPage(reply: FastifyReply, page: string): FastifyReply {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .type('text/html; charset=utf-8')
      .headers({ ...headers, 'content-security-policy': policy(nonce) })
      .send(page.replaceAll(NONCE, nonce));
  }

  app.get(`/${name}`, (_request, reply) => reply.redirect(`/${name}/`, 301));
  app.get<{ Params: { '*': string } }>(`/${name}/*`, async (request, reply) => {
    const { page, files } = await load();
    const path = request.params['*'];
    const isAsset = path.startsWith(ASSETS);
    const file = files.get(path);
    if (file) {
      // A service worker sends its requests under the policy of its own file.
      if (!isAsset) reply.header('content-security-policy', policy(''));
      return sendFile(request, reply, { file, cacheControl: isAsset ? ASSET_CACHE : FILE_CACHE });
    }
    if (isAsset || !wantsPage(request)) return reply.callNotFound();
    return sendPage(reply, page);
  });
}

async function loadFiles(dist: string, names: PageNames): Promise<Files> {
  const page = fill(await readFile(join(dist, 'index.html'), 'utf8'), names, (name) => html`${name}`.text);
  const paths = await Array.fromAsync(
    glob([`${ASSETS}**/*.{${Object.keys(TYPES)}}`, `*.{${Object.keys(TYPES)}}`], { cwd: dist }),
  );
  return {
    page,
    files: new Map(await Promise.all(paths.map(async (path) => [path, await loadFile(dist, path, names)] as const))),
  };
}

async function loadFile(dist: string, path: string, names: PageNames): Promise<StaticFile> {
  const built = await readFile(join(dist, path));
  if (FILLED.test(path)) return staticFile(typeOf(path), Buffer.from(fill(built.toString('utf8'), names, inJson)), {});
  const compressed: StaticFile['compressed'] = {};
  for (const encoding of ENCODINGS) {
    // Small files and pictures have no compressed form.
    const smaller = await readFile(join(dist, path + ENDINGS[encoding])).catch(() => null);
    if (smaller) compressed[encoding] = smaller;
  }
  return staticFile(typeOf(path), built, compressed);
}

/** The service worker changes with the names, so that browsers do not keep a page with old ones. */
const FILLED = /\.webmanifest$|^sw\.js$/;

const typeOf = (path: string) => TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream';

const inJson = (name: string) => JSON.stringify(name).slice(1, -1);

function fill(text: string, names: PageNames, written: (name: string) => string): string {
  const digest = createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 12);
  const all = { ...names, names: digest };
  return text.replace(/\{\{(operator|support|ussd|names)\}\}/g, (_, key: keyof typeof all) => written(all[key]));
}
