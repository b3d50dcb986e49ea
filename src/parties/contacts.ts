// What distinguishes parties of the same name: phone number, account number, owner and town.
import type { Load } from '../db/batch-loader.ts';
import { text } from '../db/driver/columns.ts';
import type { Reader } from '../db/driver/reader.ts';
import { lookup } from '../db/lookup.ts';
import { maskedPhone } from '../kernel/phone.ts';
import { lastFour } from '../kernel/text.ts';
import type { AccountKind } from '../ledger/account-kinds.ts';
import type { AgentRow } from './agent.ts';

export interface Contact {
  /** E.164. */
  phone_number: string | null;
  /** For merchants, the id that terminals send. */
  account_number: string | null;
  /** The person who owns an agent's or merchant's business. */
  owner: string | null;
  location: string | null;
}

export const NO_CONTACT: Contact = { phone_number: null, account_number: null, owner: null, location: null };

/** Not with the look-ups of payments, which need none of it. */
export function createContacts(reader: Reader, findAgent: Load<string, AgentRow | null>) {
  const findSubscriber = lookup(reader, {
    ...{ name: 'subscriber-contact', table: 'subscribers', by: 'id' },
    columns: { phone_number: text, account_number: text },
  });
  const findProcessor = lookup(reader, {
    ...{ name: 'processor-contact', table: 'processors', by: 'id' },
    columns: { phone_number: text, merchant_id: text, contact_name: text },
  });

  return async function contactOf(id: string, kind: AccountKind | null): Promise<Contact> {
    switch (kind) {
      case 'wallet':
        return { ...NO_CONTACT, ...(await findSubscriber(id)) };
      case 'agent_float': {
        const agent = await findAgent(id);
        if (!agent) return NO_CONTACT;
        const { phone_number, first_name, last_name, location } = agent;
        return { ...NO_CONTACT, phone_number, owner: `${first_name} ${last_name}`, location };
      }
      case 'processor': {
        const found = await findProcessor(id);
        if (!found) return NO_CONTACT;
        const { phone_number, merchant_id, contact_name } = found;
        return { ...NO_CONTACT, phone_number, account_number: merchant_id, owner: contact_name };
      }
      default:
        return NO_CONTACT;
    }
  };
}

/** For readers who may not see the numbers: enough to compare with a number that they know. */
export function maskedContact(contact: Contact, kind: AccountKind | null): Contact {
  const { phone_number, account_number } = contact;
  return {
    ...contact,
    phone_number: phone_number && maskedPhone(phone_number),
    account_number: kind === 'wallet' ? account_number && lastFour(account_number) : account_number,
  };
}
