// The documentation page, which renders the OpenAPI document.
import fastify, { type FastifyInstance, type FastifySchema } from 'fastify';
import { ICON_PATH } from './front-page.ts';
import { DOCUMENT_PATH } from './openapi.ts';

const PAGE_PATH = '/docs';
const INDEX = `${PAGE_PATH}/`;
const LABELS = `${PAGE_PATH}/labels.js`;
const RENDERED = [INDEX, `${PAGE_PATH}/js/scalar.js`];

/** The theme's greys and blues have less contrast with their background than WCAG AA requires (4.5 to 1). */
const CONTRAST_CSS = `
.light-mode { --scalar-color-2: #565656; --scalar-color-3: #636363; --scalar-color-blue: #00609c;
  --scalar-color-green: #07653f; --scalar-color-orange: #9a4a00; --scalar-color-red: #b3211f;
  --scalar-color-purple: #5b32b4; --scalar-color-yellow: #7a5a00; --scalar-color-accent: #0b6b4a; }
.dark-mode { --scalar-color-2: #b4b4b4; --scalar-color-3: #9b9b9b; --scalar-color-accent: #58cfa2; }`;

/** The renderer's copy buttons have a picture and no name. */
const LABELS_SCRIPT = `const label = () => {
  for (const button of document.querySelectorAll('button.scalar-code-copy:not([aria-label]), button[class*="copy-button"]:not([aria-label])'))
    button.setAttribute('aria-label', 'Copy');
};
new MutationObserver(label).observe(document.documentElement, { childList: true, subtree: true });
label();
`;

// The page needs inline scripts and styles, and loads everything from this server.
const PAGE_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

interface File {
  type: string;
  bytes: Buffer;
}

/**
 * Loads the page and its script with the first request: they would be a tenth of the service's memory, and most
 * gateways never serve them. All replies share one buffer, because unauthenticated clients can request the page many
 * times at once without reading the replies.
 */
export function serveDocsPage(app: FastifyInstance): void {
  const hidden = { schema: { hide: true } as FastifySchema };
  let files: Promise<Map<string, File>> | null = null;
  const load = () => {
    files ??= loadFiles().catch((error) => {
      files = null;
      throw error;
    });
    return files;
  };
  app.get(PAGE_PATH, hidden, (_request, reply) => reply.redirect(`${PAGE_PATH}/`, 301));
  for (const path of [...RENDERED, LABELS]) {
    app.get(path, hidden, async (_request, reply) => {
      const { type, bytes } = (await load()).get(path) as File;
      return reply.type(type).header('content-security-policy', PAGE_POLICY).send(bytes);
    });
  }
}

/** Renders the files of the package, configured to load no scripts or fonts from other servers. */
async function loadFiles(): Promise<Map<string, File>> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const renderer = fastify();
  await renderer.register(scalar, {
    routePrefix: PAGE_PATH,
    configuration: {
      url: DOCUMENT_PATH,
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      pageTitle: 'Kissi API',
      customCss: CONTRAST_CSS,
    },
  });
  const rendered = RENDERED.map(async (path) => {
    const { headers, rawPayload } = await renderer.inject(path);
    const bytes = path === INDEX ? completed(rawPayload) : rawPayload;
    return [path, { type: String(headers['content-type']), bytes }] as const;
  });
  const files = new Map<string, File>(await Promise.all(rendered).finally(() => renderer.close()));
  return files.set(LABELS, { type: 'text/javascript; charset=utf-8', bytes: Buffer.from(LABELS_SCRIPT) });
}

/** The renderer's page names neither its language nor an icon. */
function completed(page: Buffer): Buffer {
  const added = `<link rel="icon" href="${ICON_PATH}" type="image/svg+xml"><script src="${LABELS}" defer></script></head>`;
  return Buffer.from(page.toString().replace('<html>', '<html lang="en">').replace('</head>', added));
}
