// A movement's description in a statement, from the side of the wallet's holder.
import { isMovementType, MOVEMENT_TYPES } from '../../ledger/movement-types.ts';

export function describeEntry(type: string, paid: boolean, counterparty: string | null): string {
  const label = labelOf(type, paid);
  // Without a name, "Transfer to" is shortened to "Transfer".
  if (counterparty === null) return label.replace(/ (?:to|from|for)$/, '');
  return / (?:to|from|for)$/.test(label) ? `${label} ${counterparty}` : `${label}, ${counterparty}`;
}

/** Old movements may have a type that is no longer in the registry. */
function labelOf(type: string, paid: boolean): string {
  const labels = isMovementType(type) ? MOVEMENT_TYPES[type].labels : null;
  return labels ? labels[paid ? 0 : 1] : sentenceCase(type);
}

function sentenceCase(type: string): string {
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
