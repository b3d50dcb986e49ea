// Reports merchants and agents at whom many wrong PINs are entered to compliance.
import type { SentPins } from '../../auth/pins/guess-watch.ts';
import { iso } from '../../kernel/clock.ts';
import type { Observation } from '../compliance/service.ts';

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
