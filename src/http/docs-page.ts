// The page on which the OpenAPI document is read and tried.
import fastify, { type FastifyInstance, type FastifySchema } from 'fastify';
import { DOCUMENT_PATH } from './openapi.ts';

const PAGE_PATH = '/docs';
const FILES = [`${PAGE_PATH}/`, `${PAGE_PATH}/js/scalar.js`];

// The page builds itself with inline script and style, from this server alone.
const PAGE_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

interface File {
  type: string;
  bytes: Buffer;
}

/**
 * The page and its script are a tenth of what the whole service holds in memory, and most gateways are never asked for
 * them: so they are loaded by whoever asks first. Then they are made once, and all replies are of the same bytes: anybody may
 * ask, a thousand times in one packet and without ever reading a reply.
 */
export function servePage(app: FastifyInstance): void {
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

/** As the package gives them. They load nothing from elsewhere: the script comes along, the fonts are the reader's own. */
async function loadFiles(): Promise<Map<string, File>> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const maker = fastify();
  await maker.register(scalar, {
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
  const made = FILES.map(async (path) => {
    const { headers, rawPayload } = await maker.inject(path);
    return [path, { type: String(headers['content-type']), bytes: rawPayload }] as const;
  });
  return new Map(await Promise.all(made).finally(() => maker.close()));
}
