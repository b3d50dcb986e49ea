// Sends SMS through Africa's Talking: a form for each text, with the API key in a header.
import { SECOND_MS } from '../../../kernel/clock.ts';
import { type PostResponse, parseJson, postText, reasonOf } from '../json-post.ts';
import type { SendText, Sent } from '../provider.ts';

export interface AfricasTalkingConfig {
  url: string;
  username: string;
  apiKey: string;
  /** Undefined: the account's default. */
  sender: string | undefined;
}

const TIMEOUT_MS = 15 * SECOND_MS;

export function africasTalkingSender({ url: address, username, apiKey, sender }: AfricasTalkingConfig): SendText {
  const url = new URL(address);
  const headers = {
    apiKey,
    Accept: 'application/json',
    'Content-Type': 'application/x-www-form-urlencoded',
  };
  return async ({ to, text }, signal) => {
    const fields = { username, to, message: text, ...(sender === undefined ? {} : { from: sender }) };
    const body = new URLSearchParams(fields).toString();
    try {
      return outcomeOf(await postText({ url, headers, body, timeoutMs: TIMEOUT_MS, signal }));
    } catch (error) {
      return { outcome: 'failed', reason: reasonOf(error) };
    }
  };
}

// Processed, sent, queued.
const ACCEPTED = [100, 101, 102];
// Held as a risk, not a number, not supported there, on the provider's own list, does not want SMS, rejected by the network.
const PERMANENT = [401, 403, 404, 406, 409, 502];

interface Recipient {
  statusCode?: unknown;
}

/** A request that is accepted as a whole says for each number what became of it. */
function outcomeOf({ status, text }: PostResponse): Sent {
  if (status < 200 || status > 299) {
    // The API key, the balance and the username are the operator's to mend; a request that is refused otherwise stays refused.
    return { outcome: status === 400 ? 'refused' : 'failed', reason: `status ${status}` };
  }
  const reply = (parseJson(text) ?? {}) as { SMSMessageData?: { Recipients?: Recipient[] } };
  const recipients = reply.SMSMessageData?.Recipients;
  const code = Array.isArray(recipients) ? recipients[0]?.statusCode : undefined;
  // Without recipients, the reply says why in words: no valid number, or a sender that is not registered.
  if (typeof code !== 'number') return { outcome: 'failed', reason: `status ${status}, no recipient` };
  if (ACCEPTED.includes(code)) return { outcome: 'sent' };
  return { outcome: PERMANENT.includes(code) ? 'refused' : 'failed', reason: `status ${status}, code ${code}` };
}
