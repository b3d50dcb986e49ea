// What the sides of a payment earned by it: kept with the movement, and taken back with whatever of it is refunded.
export interface Earned {
  payer: number;
  payee: number;
}

/** Among the details of a movement, where somebody earned something. */
export function withEarned(details: Record<string, unknown>, { payer, payee }: Earned): Record<string, unknown> {
  return payer === 0 && payee === 0 ? details : { ...details, earned: { payer, payee } };
}

export function takeEarned({ earned, ...details }: Record<string, unknown>): {
  earned: Earned;
  details: Record<string, unknown>;
} {
  return { earned: (earned as Earned | undefined) ?? NOTHING, details };
}

const NOTHING: Earned = { payer: 0, payee: 0 };

/** What goes back of it with a part of the whole: rounded down, so that parts never take more than was earned. */
export function earnedOn(part: number, whole: number, earned: number): number {
  return Number((BigInt(earned) * BigInt(part)) / BigInt(whole));
}
