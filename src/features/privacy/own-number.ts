// The phone number of an erased customer, which another customer may have by now.
import type { Queries } from '../../db/database.ts';
import { ENDED } from '../../parties/registration.ts';

export interface Numbered {
  id: string;
  account_number: string;
  phone_number: string;
  phone_verified: boolean;
}

/** Null: somebody else has the number, and what names it is about them. An unverified registration reserves no number. */
export async function ownNumber(trx: Queries, customer: Numbered): Promise<string | null> {
  const { id, phone_number, phone_verified } = customer;
  if (phone_verified) return phone_number;
  const others = trx.selectFrom('subscribers').select('id').where('phone_number', '=', phone_number);
  const other = await others.where('id', '<>', id).where('status', '<>', ENDED).limit(1).executeTakeFirst();
  return other ? null : phone_number;
}
