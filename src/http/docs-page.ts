// The documentation page, which renders the OpenAPI document.
import fastify, { type FastifyInstance, type FastifySchema } from 'fastify';
import { DOCUMENT_PATH } from './openapi.ts';

const PAGE_PATH = '/docs';
const FILES = [`${PAGE_PATH}/`, `${PAGE_PATH}/js/scalar.js`];

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
  for (const path of FILES) {
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
    },
  });
  const rendered = FILES.map(async (path) => {
    const { headers, rawPayload } = await renderer.inject(path);
    return [path, { type: String(headers['content-type']), bytes: rawPayload }] as const;
  });
  return new Map(await Promise.all(rendered).finally(() => renderer.close()));
}
