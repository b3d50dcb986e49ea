// Sends texts through the messaging platform: one POST per text, in the format of the WhatsApp Cloud API.
import { SECOND_MS } from '../../../kernel/clock.ts';
import type { MessagingConfig } from '../../../kernel/config/config.ts';
import { type PostResponse, parseJson, postJson, reasonOf } from '../json-post.ts';
import type { SendText, Sent } from '../provider.ts';

export type PlatformConfig = NonNullable<MessagingConfig['platform']>;

const TIMEOUT_MS = 15 * SECOND_MS;

export function platformSender({ url: address, token }: PlatformConfig): SendText {
  const url = new URL(address);
  const headers = { Authorization: `Bearer ${token}` };
  return async ({ to, text }, signal) => {
    const body = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to,
      type: 'text',
      text: { preview_url: false, body: text },
    };
    try {
      return outcomeOf(await postJson({ url, headers, body, timeoutMs: TIMEOUT_MS, signal }));
    } catch (error) {
      return { outcome: 'failed', reason: reasonOf(error) };
    }
  };
}

// Statuses worth a retry: the operator can fix the cause (token, URL), or it passes.
const RETRYABLE_STATUSES = [401, 403, 404, 408, 425, 429];

function outcomeOf({ status, text }: PostResponse): Sent {
  if (status >= 200 && status <= 299) return { outcome: 'sent' };
  const { error } = (parseJson(text) ?? {}) as { error?: { code?: unknown } };
  // Only the platform's error code: its message may quote the text that was sent.
  const code = Number.isSafeInteger(error?.code) ? `, error ${error?.code}` : '';
  const refused = status >= 400 && status < 500 && !RETRYABLE_STATUSES.includes(status);
  return { outcome: refused ? 'refused' : 'failed', reason: `status ${status}${code}` };
}
