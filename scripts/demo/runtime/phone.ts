// What a phone was sent, as the lab shows it.
import type { Demo } from '../country.ts';
import { must } from './client.ts';

/** What the pattern finds in the newest message to the number that has it. */
export async function messageTo(demo: Pick<Demo, 'session'>, phone: string, pattern: RegExp): Promise<string> {
  const path = `/admin/lab/phone?phone_number=${encodeURIComponent(phone)}`;
  const { messages } = await must(demo.session('support@kissi.example').call('GET', path), 'messages');
  for (const { text } of messages) {
    const found = pattern.exec(text)?.[0];
    if (found) return found;
  }
  throw new Error(`${phone} has no message with ${pattern}: ${JSON.stringify(messages)}`);
}
