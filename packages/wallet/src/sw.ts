// The service worker: keeps the page, its script and its style, so that the wallet opens without a network. Nothing else.
interface WorkerEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface RequestEvent extends WorkerEvent {
  request: Request;
  respondWith(reply: Promise<Response>): void;
}
interface Worker {
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
  clients: { claim(): Promise<void> };
}

const worker = self as unknown as Worker;
const BASE = '/wallet/';
/** The gateway writes what its pages name as {{…}}: see src/http/web-pages.ts. */
const CACHE = 'kissi-wallet-__VERSION__-{{names}}';
/** The build writes their names here. */
const FILES: string[] = JSON.parse('__FILES__').map((name: string) => BASE + name);

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  // The service shows the page to browsers only.
  const page = await fetch(BASE, { headers: { accept: 'text/html' }, credentials: 'omit', cache: 'reload' });
  if (!page.ok) throw new Error(`the page answered ${page.status}`);
  await Promise.all([cache.put(BASE, page), cache.addAll(FILES)]);
}

/** Of earlier versions, once no page uses them. */
async function removeOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith('kissi-wallet-') && name !== CACHE).map((name) => caches.delete(name)),
  );
  await worker.clients.claim();
}

async function fromCache(key: string, request: Request): Promise<Response> {
  return (await (await caches.open(CACHE)).match(key)) ?? fetch(request);
}

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(removeOthers()));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate' && pathname.startsWith(BASE)) event.respondWith(fromCache(BASE, request));
  else if (FILES.includes(pathname)) event.respondWith(fromCache(pathname, request));
});
