// The service worker: keeps the page, its scripts and its styles, so that it opens without a network. No reply of the API.
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

interface Shell {
  page: 'console' | 'wallet';
  /** Changes with the files and with what the gateway writes into the page. */
  version: string;
  /** Below the page's path. */
  files: string[];
  /**
   * `kept`: the page of the cache, one file for all versions of it. `newest`: that of the service, because its screens are loaded
   * later from files of the same version; that of the cache only without a network.
   */
  shown: 'kept' | 'newest';
}

export function keepShell({ page, version, files, shown }: Shell): void {
  const worker = self as unknown as Worker;
  const base = `/${page}/`;
  const prefix = `kissi-${page}-`;
  const cacheName = `${prefix}${version}`;
  const kept = files.map((name) => base + name);

  async function install(): Promise<void> {
    const cache = await caches.open(cacheName);
    // The service shows the page to browsers only.
    const html = await fetch(base, { headers: { accept: 'text/html' }, credentials: 'omit', cache: 'reload' });
    if (!html.ok) throw new Error(`the page answered ${html.status}`);
    await Promise.all([cache.put(base, html), cache.addAll(kept)]);
  }

  /** Of earlier versions, once no page uses them. */
  async function removeOthers(): Promise<void> {
    const names = await caches.keys();
    const others = names.filter((name) => name.startsWith(prefix) && name !== cacheName);
    await Promise.all(others.map((name) => caches.delete(name)));
    await worker.clients.claim();
  }

  async function fromCache(key: string, request: Request): Promise<Response> {
    return (await (await caches.open(cacheName)).match(key)) ?? fetch(request);
  }

  function pageFor(request: Request): Promise<Response> {
    return shown === 'kept' ? fromCache(base, request) : fetch(request).catch(() => fromCache(base, request));
  }

  worker.addEventListener('install', (event) => event.waitUntil(install()));
  worker.addEventListener('activate', (event) => event.waitUntil(removeOthers()));
  worker.addEventListener('fetch', (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== 'GET' || origin !== location.origin) return;
    if (request.mode === 'navigate' && pathname.startsWith(base)) event.respondWith(pageFor(request));
    else if (kept.includes(pathname)) event.respondWith(fromCache(pathname, request));
  });
}
