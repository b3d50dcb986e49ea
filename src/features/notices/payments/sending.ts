// Hands a page of notices to the provider, several at a time, and says how far it came.
import { SECOND_MS } from '../../../kernel/clock.ts';
import type { Provider } from '../../messaging/service.ts';
import type { PaymentNotice, ToldMovement } from './notices.ts';

export interface SentPage {
  /** The movements at the start of the page whose notices were all handed over. */
  handled: number;
  sent: number;
  /** Refused by the provider for good. */
  refused: number;
  /** To be tried again. */
  failed: { notice: PaymentNotice; reason: string }[];
}

/** A slow provider gets no further notices of the page. Those in progress end in time, too. */
const PAGE_MS = 10 * SECOND_MS;

/**
 * A provider that was out of order first gets one notice: as long as it fails, nothing is handled. The page ends early when the
 * provider fails, is slow, or the gateway stops; what was not begun is told with the next page.
 */
export async function sendPage(
  provider: Provider,
  page: readonly ToldMovement[],
  stopping: AbortSignal,
  isWorthSending: (notice: PaymentNotice) => boolean,
): Promise<SentPage> {
  const result: SentPage = { handled: 0, sent: 0, refused: 0, failed: [] };
  const deadline = performance.now() + PAGE_MS;
  const maySend = () => !stopping.aborted && performance.now() < deadline;
  let inProgress = 0;
  let whenFewer: (() => void) | undefined;

  async function send(notice: PaymentNotice): Promise<void> {
    inProgress += 1;
    const outcome = await provider.send(notice, stopping);
    if (outcome.outcome === 'sent') result.sent += 1;
    else if (outcome.outcome === 'refused') result.refused += 1;
    else result.failed.push({ notice, reason: outcome.reason });
    inProgress -= 1;
    whenFewer?.();
  }

  // Not Promise.race over all in progress, which would add to each of them every time.
  async function fewerThan(count: number): Promise<void> {
    while (inProgress >= count) {
      await new Promise<void>((resolve) => {
        whenFewer = resolve;
      });
    }
  }

  for (const { notices } of page) {
    for (const notice of notices) {
      // Both sides of a payment are told on the same page.
      if (notice === notices[0] && (!maySend() || provider.room() === 0)) {
        await fewerThan(1);
        return result;
      }
      if (!isWorthSending(notice)) continue;
      if (provider.room() === 1) {
        await fewerThan(1);
        const before = result.failed.length;
        await send(notice);
        if (result.failed.length > before && provider.room() === 0) {
          // The trial failed: it is told again with the next page.
          result.failed.pop();
          return result;
        }
        continue;
      }
      send(notice);
      await fewerThan(provider.slots);
    }
    result.handled += 1;
  }
  await fewerThan(1);
  return result;
}
