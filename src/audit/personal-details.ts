// Free text about a customer in audit entries: encrypted with the customer's own key. The chain covers the encrypted text, so it
// still verifies when erasure has destroyed the key.
import type { OwnKeys } from '../auth/own-keys.ts';
import type { Queries } from '../db/database.ts';

export interface PersonalDetails {
  /** Null: about no customer, and stored as it is. */
  subscriberId: string | null;
  /** Fields of the entry's details. */
  texts: Record<string, unknown>;
}

interface Sealed {
  subscriber_id: string;
  text: string;
}

type Details = Record<string, unknown>;

const FIELD = 'sealed';
const CONTEXT = 'audit';

/** What is stored instead. */
export async function sealedDetails(keys: OwnKeys, trx: Queries, personal: PersonalDetails): Promise<Details> {
  const { subscriberId, texts } = personal;
  if (subscriberId === null || Object.keys(texts).length === 0) return texts;
  const sealed = await keys.seal(trx, subscriberId, JSON.stringify(texts), CONTEXT);
  return { [FIELD]: { subscriber_id: subscriberId, text: sealed?.toString('base64') ?? null } };
}

/** The details as they were recorded; without the texts, if the customer's key was destroyed. */
export async function openedDetails(keys: OwnKeys, queries: Queries, details: unknown): Promise<Details> {
  const { [FIELD]: sealed, ...open } = details as Details & { [FIELD]?: Partial<Sealed> };
  if (typeof sealed?.subscriber_id !== 'string' || typeof sealed.text !== 'string') return details as Details;
  const text = await keys.open(queries, sealed.subscriber_id, Buffer.from(sealed.text, 'base64'), CONTEXT);
  return text === null ? { ...open, erased: true } : { ...open, ...(JSON.parse(text) as Details) };
}
