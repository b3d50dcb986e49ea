// The page that a browser shows at /: what this service is, and links to what people can open.
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { wantsPage } from './static-file.ts';
import type { WebPageName } from './web-pages.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #16211d; --quiet: #53625c; --paper: #fbfcfb; --line: #d9e0dc; --mark: #0b6b4a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9f0ec; --quiet: #a3b3ab; --paper: #101613; --line: #2c3833; --mark: #58cfa2; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: 100%; max-width: 34rem; }
h1 { margin: 0 0 .5rem; font-size: 2rem; letter-spacing: -.02em; }
p { margin: 0 0 2rem; color: var(--quiet); }
ul { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
li { border-bottom: 1px solid var(--line); }
a { display: block; padding: 1rem 0; color: inherit; text-decoration: none; }
a:hover strong, a:focus-visible strong { text-decoration: underline; }
a:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
strong { display: block; color: var(--mark); }
span { color: var(--quiet); font-size: .9375rem; }
`;

export const ICON_PATH = '/icon.svg';

/** A Kissi penny: an iron rod with a crossbar at one end and a blade at the other. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#0b6b4a"/>
<path d="M10 7h12M16 7v13" stroke="#fff" stroke-width="3" stroke-linecap="round" fill="none"/>
<path d="M16 17l4.5 8.5h-9z" fill="#fff"/>
</svg>
`;

/** The documentation has its own origin. */
const ICON_HEADERS = { 'cache-control': 'public, max-age=86400', 'cross-origin-resource-policy': 'cross-origin' };

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = `default-src 'none'; img-src 'self'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export interface Link {
  href: string;
  title: string;
  text: string;
}

const DOCS: Link = {
  href: '/docs/',
  title: 'Documentation',
  text: 'How to authenticate, every operation, examples, guides.',
};
const CONSOLE: Link = { href: '/console/', title: 'Console', text: 'For staff, agents and merchants.' };
const WALLET: Link = { href: '/wallet/', title: 'Wallet', text: 'For customers, on a phone.' };
const HEALTH: Link = { href: '/health', title: 'Health', text: 'Whether the service can process payments.' };

const WEB_PAGES: Record<WebPageName, Link> = { console: CONSOLE, wallet: WALLET };

/** Other clients than browsers get 404 at /, like at any unknown path. */
export function serveFrontPage(app: FastifyInstance, pages: { webPages: readonly WebPageName[]; docs: boolean }): void {
  const links = [...pages.webPages.map((name) => WEB_PAGES[name]), ...(pages.docs ? [DOCS] : []), HEALTH];
  const page = Buffer.from(pageOf(links));
  const icon = Buffer.from(ICON);
  app.get(ICON_PATH, (_request, reply) => reply.type('image/svg+xml').headers(ICON_HEADERS).send(icon));
  app.get('/', (request, reply) => {
    if (!wantsPage(request)) return reply.callNotFound();
    return reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(page);
  });
}

function pageOf(links: Link[]): string {
  const items = links.map(
    ({ href, title, text }) => `<li><a href="${href}"><strong>${title}</strong><span>${text}</span></a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kissi</title>
<link rel="icon" href="${ICON_PATH}" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Kissi</h1>
<p>Wallets, cards, agents, merchants and partner banks. This is the payment service of a mobile-money operator.</p>
<nav aria-label="Pages"><ul>${items.join('')}</ul></nav>
</main>
</body>
</html>
`;
}
