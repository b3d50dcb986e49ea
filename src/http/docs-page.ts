// The page on which the OpenAPI document is read and tried.
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type FastifySchema } from 'fastify';
import { DOCUMENT_PATH } from './openapi.ts';

export const PAGE_PATH = '/docs';

// The page builds itself with inline script and style, from this server alone.
const PAGE_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

/**
 * The page and its script are a tenth of what the whole service holds in memory, and most gateways are never asked for
 * them: so they are loaded by whoever asks first.
 */
export function servePage(app: FastifyInstance): void {
  let site: Promise<FastifyInstance> | null = null;
  const schema = { hide: true } as FastifySchema;
  const handler = async ({ url }: FastifyRequest, reply: FastifyReply) => {
    site ??= loadSite().catch((error) => {
      site = null;
      throw error;
    });
    const { statusCode, headers, rawPayload } = await (await site).inject(url);
    const { location, 'content-type': type } = headers;
    reply.code(statusCode).header('content-security-policy', PAGE_POLICY);
    if (location !== undefined) reply.header('location', location);
    if (type !== undefined) reply.header('content-type', type);
    return reply.send(rawPayload);
  };
  for (const path of [PAGE_PATH, `${PAGE_PATH}/`, `${PAGE_PATH}/js/scalar.js`]) app.get(path, { schema, handler });
}

/** It loads nothing from elsewhere: its script comes from the package, its fonts are the reader's own. */
async function loadSite(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const site = fastify();
  await site.register(scalar, {
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
  return site;
}
