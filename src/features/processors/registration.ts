// Registers a processor: creates record, account and login, and queues the credentials, in one transaction.
import { randomInt } from 'node:crypto';
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { generatePassword, hashPassword } from '../../auth/passwords.ts';
import type { Queries } from '../../db/database.ts';
import { violatedConstraint } from '../../db/driver/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { groupedMerchantNumber, newMerchantNumber } from '../../kernel/merchant-number.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { openAccount } from '../../ledger/accounts.ts';
import { phoneRefusalOf } from '../admin/users/service.ts';
import { auditResource, type ProcessorContext } from './context.ts';
import { isNumberTaken } from './merchant-numbers.ts';
import type { Processor } from './record.ts';
import type { createBody } from './schemas.ts';
import { insertProcessor, type ProcessorRow } from './store.ts';

export type NewProcessor = Static<typeof createBody>;

export interface Registered {
  processor: Processor;
  userId: string;
}

interface Login {
  password: string;
  hash: string;
}

export function createRegistration({ database, audit, users, messaging, phone, clock }: ProcessorContext) {
  /** The normalized row, with a new id. */
  function newRow(input: NewProcessor, phoneNumber: string) {
    const now = new Date(clock.now());
    return {
      id: newId('proc', clock),
      merchant_id: input.merchant_id ?? newMerchantId(),
      merchant_number: newMerchantNumber(),
      business_name: tidy(input.business_name),
      contact_name: tidy(input.contact_name),
      phone_number: phoneNumber,
      email: input.email,
      created_at: now,
      updated_at: now,
    };
  }

  async function createLogin(trx: Queries, actor: Actor, row: ProcessorRow, hash: string): Promise<string | Refusal> {
    const { id: processor_id, email, phone_number } = row;
    const login = { email, phone_number, ...namesOf(row), password_hash: hash };
    const user = await users.createLogin(trx, actor, { ...login, role: 'processor', owner: { processor_id } });
    return user ? user.id : emailTaken();
  }

  async function sendCredentials(trx: Queries, row: ProcessorRow, { password }: Login): Promise<void> {
    const { email, merchant_id, merchant_number } = row;
    const lines = [`Your Kissi login: ${email}`, `Temporary password: ${password}`, `Merchant id: ${merchant_id}`];
    if (merchant_number) lines.push(`Merchant number, for customers: ${groupedMerchantNumber(merchant_number)}`);
    const text = [...lines, 'Please change the password after logging in.'].join('\n');
    await messaging.send(trx, { to: row.phone_number, kind: 'credentials', text });
  }

  async function register(trx: Queries, actor: Actor, newProcessor: ReturnType<typeof newRow>, login: Login) {
    const row = await insertProcessor(trx, newProcessor);
    await openAccount(trx, { id: row.id, kind: 'processor', openedAt: row.created_at });
    const userId = await createLogin(trx, actor, row, login.hash);
    if (userId instanceof Refusal) return userId;
    await sendCredentials(trx, row, login);
    const { merchant_id, merchant_number } = row;
    const details = { merchant_id, merchant_number, user_id: userId };
    await audit.record(trx, actor, { action: 'processor.create', ...auditResource(row.id), details });
    return { processor: { ...row, balance: 0 }, userId };
  }

  async function attempt(
    actor: Actor,
    newProcessor: ReturnType<typeof newRow>,
    login: Login,
  ): Promise<Registered | Refusal> {
    try {
      return await database.transact((trx) => register(trx, actor, newProcessor, login));
    } catch (error) {
      if (isNumberTaken(error)) return attempt(actor, { ...newProcessor, merchant_number: newMerchantNumber() }, login);
      const taken = takenRefusal(error);
      if (!taken) throw error;
      return taken;
    }
  }

  return async function create(actor: Actor, input: NewProcessor): Promise<Registered | Refusal> {
    const phoneNumber = phone(input.phone_number);
    if (phoneNumber === null) return refuse('INVALID_REQUEST', 'phone_number is not a valid phone number.');
    // Hashing is slow, so it is done before the transaction begins.
    const password = generatePassword();
    const login = { password, hash: await hashPassword(password) };
    for (;;) {
      const outcome = await attempt(actor, newRow(input, phoneNumber), login);
      const clash = outcome instanceof Refusal && outcome.code === 'DUPLICATE_MERCHANT_ID';
      // A generated merchant id that is taken is replaced.
      if (!clash || input.merchant_id !== undefined) return outcome;
    }
  };
}

function emailTaken(): Refusal {
  return refuse('DUPLICATE_EMAIL', 'email belongs to another processor or user.');
}

/** The refusal for a value that another processor or login has. */
export function takenRefusal(error: unknown): Refusal | null {
  return TAKEN[violatedConstraint(error) ?? '']?.() ?? phoneRefusalOf(error);
}

const TAKEN: Record<string, () => Refusal> = {
  processors_phone_number_key: () => refuse('DUPLICATE_PHONE', 'phone_number belongs to another processor.'),
  processors_email_key: emailTaken,
  processors_merchant_id_key: () => refuse('DUPLICATE_MERCHANT_ID', 'merchant_id belongs to another processor.'),
};

/** The last word is the last name. With a single name, the business name is the last name. */
function namesOf({ contact_name, business_name }: ProcessorRow): { first_name: string; last_name: string } {
  const at = contact_name.lastIndexOf(' ');
  if (at < 0) return { first_name: contact_name, last_name: business_name };
  return { first_name: contact_name.slice(0, at).trimEnd(), last_name: contact_name.slice(at + 1) };
}

// Without letters and digits that look or sound alike: merchant ids are read from receipts and over the phone.
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Random, so that it does not reveal the number of merchants or the time of registration. */
function newMerchantId(): string {
  const group = () => Array.from({ length: 4 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
  return `M-${group()}-${group()}`;
}
