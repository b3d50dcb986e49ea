// A public page: its frame in either language, its policy, and the reply that carries it.
import { createHash } from 'node:crypto';
import { okJson, type Reply } from '../endpoint.ts';
import { type Html, html, trusted } from './html.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from './language.ts';
import { STYLE } from './style.ts';

/** A script of the service that a page contains, admitted by its hash. */
export interface Script {
  text: string;
  hash: string;
}

export interface Page {
  language: Language;
  title: string;
  operator: string;
  /** The path that the language links open. */
  path: string;
  main: Html;
  /** Attributes of <main> that the script reads, by name without "data-". */
  data?: Record<string, string>;
  script?: Script;
}

const FOOTERS: Record<Language, string> = {
  en: 'Nobody needs your PIN here. Type it only in your wallet and by USSD, and never tell it to anyone, not even to us.',
  kri: 'Nɔbɔdi nɔ nid yu PIN na ya. Rayt am na yu walɛt ɛn USSD nɔmɔ, ɛn nɔ tɛl am to ɛnibɔdi, nɔto wi sɛf.',
};

const LANGUAGE_LABELS: Record<Language, string> = { en: 'Language', kri: 'Langwej' };

const ICON = trusted(
  '<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0b6b4a"/><path d="M10 7h12M16 7v13" stroke="#fff" stroke-width="3" stroke-linecap="round" fill="none"/><path d="M16 17l4.5 8.5h-9z" fill="#fff"/></svg>',
);

export function scriptOf(text: string): Script {
  return { text, hash: sourceHash(text) };
}

function sourceHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const STYLE_HASH = sourceHash(STYLE);

/** Nothing from another origin, and no page of another site may show this one. */
function policy(script: Script | undefined): string {
  const forScript = script ? `script-src ${script.hash}; connect-src 'self'; ` : '';
  return `default-src 'none'; ${forScript}style-src ${STYLE_HASH}; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
}

/** Browsers ask for HTML when they open a page, programs do not. */
export function acceptsPage(accept: string): boolean {
  return accept.includes('text/html');
}

/** On what the choice between a page and JSON depends, for caches. */
export const JSON_OR_PAGE = { vary: 'accept' };

/** The same address as JSON, for programs. */
export function jsonOfPage(content: object): Reply {
  return { ...okJson(JSON.stringify(content)), headers: JSON_OR_PAGE };
}

export function pageReply(status: number, page: Page): Reply {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-language': page.language,
    'content-security-policy': policy(page.script),
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'x-robots-tag': 'noindex, nofollow',
    vary: 'accept, accept-language',
  };
  // A buffer, because the reply schemas are for JSON.
  return { status, body: Buffer.from(documentText(page)), headers };
}

function documentText({ language, title, operator, path, main, data = {}, script }: Page): string {
  const attributes = Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`);
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${trusted(STYLE)}</style>
</head>
<body>
<header>
<p class="operator">${ICON} ${operator}</p>
<nav aria-label="${LANGUAGE_LABELS[language]}">${LANGUAGES.map((each) => languageLink(each, language, path))}</nav>
</header>
<p id="live" class="unseen" role="status" aria-live="polite"></p>
<main${attributes}>
${main}
</main>
<footer><p>${FOOTERS[language]}</p></footer>
${script ? html`<script>${trusted(script.text)}</script>` : null}
</body>
</html>
`.text;
}

function languageLink(language: Language, current: Language, path: string): Html {
  const name = LANGUAGE_NAMES[language];
  if (language === current) return html`<span aria-current="true" lang="${language}">${name}</span>`;
  return html`<a href="${path}?lang=${language}" lang="${language}" hreflang="${language}">${name}</a>`;
}
