// A movement in a few words, as the holder of the wallet would put it.

/** For what was paid, and for what was received. */
const WORDS: Record<string, readonly [paid: string, received: string]> = {
  transfer_p2p: ['Transfer to', 'Transfer from'],
  vult_fund: ['Funding for', 'Funding from'],
  wallet_withdraw: ['Cash withdrawal', 'Cash withdrawal'],
  agent_cashin: ['Cash deposit', 'Cash deposit'],
  pos_payment: ['Card payment', 'Card payment'],
  pos_refund: ['Refund', 'Refund'],
  inbound_credit: ['Payment to', 'Payment from'],
  inbound_reversal: ['Reversal for', 'Reversal from'],
  partner_cashin: ['Cash deposit', 'Cash deposit'],
  processor_transfer: ['Payment', 'Payment'],
};

export function describeEntry(type: string, paid: boolean, counterparty: string | null): string {
  const words = WORDS[type]?.[paid ? 0 : 1] ?? sentenceCase(type);
  // "Transfer to" wants somebody; where nobody is known by name, the bare word will do.
  if (counterparty === null) return words.replace(/ (?:to|from|for)$/, '');
  return / (?:to|from|for)$/.test(words) ? `${words} ${counterparty}` : `${words}, ${counterparty}`;
}

function sentenceCase(type: string): string {
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
