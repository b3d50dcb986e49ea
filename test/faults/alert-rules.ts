// Compliance rules of the fault run, in addition to the default ones: higher amounts are flagged or blocked.
import type { Kissi } from '@kissi/client';

export const ALERT_RULES = {
  types: ['transfer_p2p', 'inbound_credit'],
  flagAbove: 100_000,
  blockAbove: 300_000,
} as const;

export async function makeAlertRules(admin: Kissi): Promise<void> {
  const { types, flagAbove, blockAbove } = ALERT_RULES;
  const rules = [
    { outcome: 'flag', threshold: flagAbove },
    { outcome: 'block', threshold: blockAbove },
  ] as const;
  for (const { outcome, threshold } of rules) {
    const name = `${outcome} above ${threshold}`;
    await admin.rules.create({ name, kind: 'amount', transaction_types: [...types], threshold, outcome });
  }
}
