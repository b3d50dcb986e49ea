// The words of the receipt page in both languages.
import type { Language } from '../../http/pages/language.ts';
import type { ReceiptStatus } from './receipt.ts';

interface Texts {
  title: string;
  types: Record<string, string>;
  otherType: string;
  states: Record<ReceiptStatus, string>;
  /** `amount`: how much was given back. */
  partly(amount: string): string;
  payer: string;
  payee: string;
  time: string;
  number: string;
  genuine: string;
  /** A screenshot can be forged; the page behind the link cannot. */
  checkAddress(operator: string, host: string): string;
  readAt(time: string): string;
  check: string;
  scan: string;
  qrLabel: string;
  proof: string;
  proofText: string;
  signature: string;
  key: string;
  until(day: string): string;
  missing: { title: string; text: string; next: string };
  busy: { title: string; text: string };
  failed: { title: string; text: string };
}

const en: Texts = {
  title: 'Receipt',
  types: {
    transfer_p2p: 'Transfer',
    agent_cashin: 'Cash deposit',
    pos_payment: 'Payment',
    pos_refund: 'Refund',
    vult_fund: 'Transfer from a partner',
    wallet_withdraw: 'Cash withdrawal',
    inbound_credit: 'Transfer from a bank',
    inbound_reversal: 'Reversal of a transfer from a bank',
    partner_cashin: 'Cash deposit',
    processor_transfer: 'Payment by a merchant',
    processor_payout: 'Pay-out to a bank',
    payout_returned: 'Returned pay-out',
    suspense_refund: 'Deposit taken back',
  },
  otherType: 'Payment',
  states: {
    completed: 'Paid',
    partly_refunded: 'Refunded in part',
    refunded: 'Refunded in full',
    reversed: 'Reversed',
    partly_recalled: 'Returned in part by the recipient',
    recalled: 'Returned in full by the recipient',
  },
  partly: (amount) => `${amount} was given back.`,
  payer: 'From',
  payee: 'To',
  time: 'Time',
  number: 'Number',
  genuine: 'Is this receipt genuine?',
  checkAddress: (operator, host) =>
    `It is genuine if your browser shows ${host} as the address of this page. ${operator} made the page from its own books.`,
  readAt: (time) => `Status of ${time}. Reload the page to see the status now.`,
  check: 'Shown to you by someone else?',
  scan: 'A picture can be forged. Scan this code with your own phone and compare the page that opens.',
  qrLabel: 'QR code with the link of this receipt',
  proof: 'Signature for programs',
  proofText:
    'A program gets the signed text from this address with the header Accept: application/json, and the public key from /.well-known/kissi-keys.json.',
  signature: 'Signature (Ed25519)',
  key: 'Key',
  until: (day) => `This link works until ${day}.`,
  missing: {
    title: 'This receipt is not available',
    text: 'The link may be incomplete, older than 13 months, or withdrawn. Some receipts open only for the people in the payment.',
    next: 'Ask the person who sent you the link. If you paid or were paid, look in your own transactions.',
  },
  busy: {
    title: 'Too many requests',
    text: 'Many people use this connection at the moment. Wait a minute, then reload the page.',
  },
  failed: {
    title: 'Something went wrong',
    text: 'The receipt could not be read. No money moved. Try again in a minute.',
  },
};

const kri: Texts = {
  title: 'Risit',
  types: {
    transfer_p2p: 'Mɔni we dɛn sɛn',
    agent_cashin: 'Put mɔni insay',
    pos_payment: 'Pement',
    pos_refund: 'Rifɔnd',
    vult_fund: 'Mɔni frɔm wan patna',
    wallet_withdraw: 'Pul mɔni',
    inbound_credit: 'Mɔni frɔm bank',
    inbound_reversal: 'Mɔni we go bak to bank',
    partner_cashin: 'Put mɔni insay',
    processor_transfer: 'Pement frɔm wan shɔp',
    processor_payout: 'Pe-awt to bank',
    payout_returned: 'Pe-awt we kam bak',
    suspense_refund: 'Mɔni we dɛn tek bak',
  },
  otherType: 'Pement',
  states: {
    completed: 'Dɔn pe',
    partly_refunded: 'Dɛn dɔn gi sɔm pan di mɔni bak',
    refunded: 'Dɛn dɔn gi ɔl di mɔni bak',
    reversed: 'Di pement dɔn go bak',
    partly_recalled: 'Di pɔsin we get am dɔn gi sɔm bak',
    recalled: 'Di pɔsin we get am dɔn gi ɔl bak',
  },
  partly: (amount) => `${amount} dɔn go bak.`,
  payer: 'Frɔm',
  payee: 'To',
  time: 'Tɛm',
  number: 'Nɔmba',
  genuine: 'Dis risit na tru risit?',
  checkAddress: (operator, host) =>
    `Na tru risit if yu brawza de sho ${host} as di adrɛs fɔ dis pej. ${operator} mek di pej frɔm in yon buk dɛm.`,
  readAt: (time) => `Na so i bi na ${time}. Opin di pej bak fɔ si aw i bi naw.`,
  check: 'Na ɔda pɔsin sho yu am?',
  scan: 'Pɔsin kin mek lay-lay pikchɔ. Skan dis kod wit yu yon fon ɛn luk if di pej we opin na di sem.',
  qrLabel: 'QR kod wit di link fɔ dis risit',
  proof: 'Signechɔ fɔ kɔmpyuta program',
  proofText:
    'Wan program go gɛt di tɛks we dɛn sayn na dis adrɛs wit di hɛda Accept: application/json, ɛn di pɔblik ki na /.well-known/kissi-keys.json.',
  signature: 'Signechɔ (Ed25519)',
  key: 'Ki',
  until: (day) => `Dis link go wok te ${day}.`,
  missing: {
    title: 'Dis risit nɔ de',
    text: 'I kin bi se di link nɔ kɔmplit, i dɔn pas 13 mɔnt, ɔ dɛn dɔn tek am bak. Sɔm risit de opin fɔ di wan dɛm nɔmɔ we pe ɔ gɛt di mɔni.',
    next: 'Aks di pɔsin we sɛn yu di link. If na yu pe ɔ gɛt di mɔni, luk na yu yon pement dɛm.',
  },
  busy: {
    title: 'Bɔku pipul de tray',
    text: 'Bɔku pipul de yuz dis kɔnɛkshɔn naw. Wet wan minit, dɔn opin di pej bak.',
  },
  failed: { title: 'Sɔmtin nɔ go fayn', text: 'Wi nɔ ebul rid di risit. Nɔ mɔni nɔ muf. Tray bak afta wan minit.' },
};

export const TEXTS: Record<Language, Texts> = { en, kri };
