// Sends SMS through any gateway that takes a POST, by a template of its body.
import { SECOND_MS } from '../../../kernel/clock.ts';
import { postText, reasonOf } from '../json-post.ts';
import type { OutgoingText, SendText } from '../provider.ts';

export interface HttpTemplateConfig {
  url: string;
  /** `{secret}` is replaced. */
  headers: Record<string, string>;
  /** `{id}`, `{to}`, `{from}`, `{text}` and `{secret}` are replaced. */
  body: string;
  secret: string;
  sender: string;
}

const TIMEOUT_MS = 15 * SECOND_MS;
const FORM = 'application/x-www-form-urlencoded';

export function httpTemplateSender(config: HttpTemplateConfig): SendText {
  const { secret, sender } = config;
  const url = new URL(config.url);
  const replaced = Object.entries(config.headers).map(([name, value]) => [
    name.toLowerCase(),
    value.replaceAll('{secret}', () => secret),
  ]);
  const headers: Record<string, string> = { 'content-type': 'application/json', ...Object.fromEntries(replaced) };
  const isForm = headers['content-type']?.startsWith(FORM) === true;
  const encode = isForm ? encodeURIComponent : (value: string) => JSON.stringify(value).slice(1, -1);

  function bodyFor({ id, to, text }: OutgoingText): string {
    const values: Record<string, string> = { id, to, text, from: sender, secret };
    return config.body.replace(/\{(id|to|from|text|secret)\}/g, (_, name: string) => encode(values[name] ?? ''));
  }

  return async (message, signal) => {
    try {
      const { status } = await postText({ url, headers, body: bodyFor(message), timeoutMs: TIMEOUT_MS, signal });
      if (status >= 200 && status <= 299) return { outcome: 'sent' };
      const isRefused = status === 400 || status === 413 || status === 422;
      return { outcome: isRefused ? 'refused' : 'failed', reason: `status ${status}` };
    } catch (error) {
      return { outcome: 'failed', reason: reasonOf(error) };
    }
  };
}
