// A quote as a sealed token: what the customer was shown, readable and payable only by the wallet and device that asked.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SubscriberCaller } from '../../auth/caller.ts';
import { type Clock, DAY_MS } from '../../kernel/clock.ts';
import { Derived, type Keys } from '../../kernel/key-ring.ts';

export const QUOTE_TYPES = ['transfer', 'merchant', 'payment_request'] as const;
export type QuoteType = (typeof QUOTE_TYPES)[number];

export interface QuotedPayment {
  type: QuoteType;
  /** The wallet or merchant that is paid. */
  payeeId: string;
  /** Of a payment request. */
  paymentRequestId: string | null;
  amount: number;
  /** Amount and fee. */
  total: number;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export interface OpenedQuote extends QuotedPayment {
  /** Names the quote's use in the ledger. */
  use: string;
}

export interface QuoteTokens {
  seal(caller: SubscriberCaller, quote: QuotedPayment): string;
  /** Null: it is not a quote of this wallet and device, or it is older than a day. */
  open(caller: SubscriberCaller, token: string): OpenedQuote | null;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;
const TOKEN = /^[\w-]{40,512}$/;

/**
 * No row is written for a quote, and none is read to pay it. A key seals the quotes of one UTC day: random initialisation
 * vectors do not repeat among so few.
 */
export function createQuoteTokens(masterKeys: Keys, clock: Clock): QuoteTokens {
  const derived = new Derived(masterKeys, dayKeys);
  const today = () => Math.floor(clock.now() / DAY_MS);

  return {
    seal(caller, quote) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', derived.writing(today()), iv).setAAD(ownerOf(caller));
      const body = Buffer.concat([cipher.update(JSON.stringify(Object.values(ordered(quote)))), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(caller, token) {
      if (!TOKEN.test(token)) return null;
      const sealed = Buffer.from(token, 'base64url');
      // One quote has one spelling.
      if (sealed.toString('base64url') !== token) return null;
      const days = [today(), today() - 1];
      const keys = derived.usable.flatMap((keyOf) => days.map(keyOf));
      for (const key of keys) {
        const quote = openWith(key, caller, sealed);
        if (quote) return quote;
      }
      return null;
    },
  };
}

/** The keys of the days, of which the last two are kept. */
function dayKeys(masterKey: string): (day: number) => Buffer {
  const keys = new Map<number, Buffer>();
  return (day) => {
    const known = keys.get(day);
    if (known) return known;
    for (const old of keys.keys()) if (old < day - 1) keys.delete(old);
    const key = Buffer.from(hkdfSync('sha256', masterKey, '', `kissi-quotes-v1:${day}`, 32));
    keys.set(day, key);
    return key;
  };
}

function openWith(key: Buffer, caller: SubscriberCaller, sealed: Buffer): OpenedQuote | null {
  const iv = sealed.subarray(0, IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(ownerOf(caller));
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    const [type, payeeId, paymentRequestId, amount, total, expiresAt] = JSON.parse(text.toString('utf8'));
    return { type, payeeId, paymentRequestId, amount, total, expiresAt, use: iv.toString('base64url') };
  } catch {
    return null;
  }
}

/** A quote ends with the device that asked for it, or the USSD session. */
function ownerOf({ id, channel, session, ussdSession }: SubscriberCaller): Buffer {
  return Buffer.from(JSON.stringify([id, channel, session?.deviceId ?? ussdSession]));
}

function ordered({ type, payeeId, paymentRequestId, amount, total, expiresAt }: QuotedPayment): QuotedPayment {
  return { type, payeeId, paymentRequestId, amount, total, expiresAt };
}
