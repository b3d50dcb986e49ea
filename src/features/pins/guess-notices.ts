// Reports guessed PINs: to the holder whose account is locked for the day, and to compliance about merchants and agents.
import type { SentPins } from '../../auth/pins/guess-watch.ts';
import type { Queries } from '../../db/database.ts';
import { iso } from '../../kernel/clock.ts';
import type { Observation } from '../compliance/service.ts';
import type { Messaging } from '../messaging/service.ts';

export async function tellHolder(messaging: Pick<Messaging, 'send'>, trx: Queries, ownerId: string): Promise<void> {
  const subscriber = trx.selectFrom('subscribers').select('phone_number').where('id', '=', ownerId);
  const agent = trx.selectFrom('agents').select('phone_number').where('id', '=', ownerId);
  const owner = await subscriber.unionAll(agent).executeTakeFirst();
  if (owner) await messaging.send(trx, { to: owner.phone_number, kind: 'pin_guesses', text: TEXT });
}

const TEXT =
  'Your Kissi PIN was entered wrong 10 times today. Shops, agents and apps cannot use it again before midnight (UTC). ' +
  'If this was not you, call us. Never share your PIN.';

export function guessingObserved({ kind, id, wrong, right, day }: SentPins): Observation {
  const attempts = wrong + right;
  return {
    on: day,
    of: id,
    type: 'pin_guessing',
    ...(kind === 'processor' ? { processor_id: id } : { agent_id: id }),
    description: `${wrong} of ${attempts} PINs entered there on ${iso(day).slice(0, 10)} were wrong.`,
    figures: { wrong_pins: wrong, attempts, since: iso(day) },
  };
}
