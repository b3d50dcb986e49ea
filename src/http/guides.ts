// The guides as documents of the documentation page: Markdown that its renderer shows beside the API reference.
import { readdir, readFile } from 'node:fs/promises';
import { compressedFile, type StaticFile, staticFile } from './static-file.ts';

const FOLDER = new URL('../../docs/guides/', import.meta.url);
const PICTURES = new URL('../../docs/console/', import.meta.url);
export const GUIDES_PATH = '/docs/guides';

/** In the order of the menu. The names are those of the files. */
const GUIDES = {
  tour: 'A first tour',
  'quick-start': 'Quick start',
  terminal: 'Terminals',
  app: 'Apps',
  partner: 'Partner banks',
  webhooks: 'Webhooks',
  'errors-and-retries': 'Errors and retries',
  'going-live': 'Going live',
  lab: 'The lab',
  messaging: 'Messaging',
  'sms-provider': 'SMS providers',
  'ussd-gateway': 'Connect a USSD gateway',
  staff: 'Staff',
  'staff-api': 'Staff over the API',
  finance: 'Finance',
  approvals: 'Approvals',
  'staff-login': 'Staff logins',
};

/** A document that the documentation page offers, with its address. */
export interface Source {
  title: string;
  slug: string;
  url: string;
}

export const GUIDE_SOURCES: readonly Source[] = Object.entries(GUIDES).map(([slug, title]) => ({
  title: `Guide: ${title}`,
  slug,
  url: `${GUIDES_PATH}/${slug}.json`,
}));

/** All guides and their pictures, by path. */
export async function loadGuides(): Promise<Map<string, StaticFile>> {
  const guides = GUIDE_SOURCES.map(async ({ slug, url }) => [url, await guideFile(slug)] as const);
  const names = (await readdir(PICTURES)).filter((name) => name.endsWith('.png'));
  const pictures = names.map(async (name) => {
    return [`${GUIDES_PATH}/${name}`, staticFile('image/png', await readFile(new URL(name, PICTURES)))] as const;
  });
  return new Map(await Promise.all([...guides, ...pictures]));
}

/** The renderer shows the description of an OpenAPI document as a page with a table of contents. */
async function guideFile(name: string): Promise<StaticFile> {
  const text = await readFile(new URL(`${name}.md`, FOLDER), 'utf8');
  const [, title = name, body = ''] = /^# (.+)\n\n([\s\S]*)$/.exec(text) ?? [];
  const document = { openapi: '3.1.0', info: { title, version: '', description: shown(body) }, paths: {} };
  return compressedFile('application/json; charset=utf-8', Buffer.from(JSON.stringify(document)));
}

/** Links lead to other guides and to pictures of this service; other files of the repository are named only. */
function shown(markdown: string): string {
  return markdown
    .replaceAll(/\]\(([\w-]+)\.md(#[^)]*)?\)/g, (link, name) => (name in GUIDES ? `](/docs/?api=${name})` : link))
    .replaceAll(/(\]\(|src=")\.\.\/console\/([\w-]+\.png)/g, `$1${GUIDES_PATH}/$2`)
    .replaceAll(/(?<!!)\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1')
    .replaceAll(/^```(?:sh tour|ts work\/\S+)$/gm, (mark) => mark.replace(/ .*$/, ''));
}
