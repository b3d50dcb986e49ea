// Tells compliance about a processor or key that looks up many cards and is paid by few.
import { iso } from '../../kernel/clock.ts';
import type { UnpaidLookups } from '../../parties/lookup-limit.ts';
import type { Observation } from '../compliance/service.ts';

export function lookupsObserved({ processorId, keyId, day, unpaid }: UnpaidLookups): Observation {
  const since = iso(day);
  return {
    on: day,
    of: processorId ?? keyId,
    type: 'card_lookups',
    ...(processorId === null ? {} : { processor_id: processorId }),
    description: `${unpaid} cards and accounts were looked up on ${since.slice(0, 10)} and did not pay. Balances are hidden for the rest of the day.`,
    figures: { unpaid_lookups: unpaid, api_key_id: keyId, since },
  };
}
