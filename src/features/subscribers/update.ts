// Updates fields of a subscriber's record, decided on the locked row.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { type Caller, isAgentUser } from '../../auth/caller.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { violatedConstraint } from '../../db/driver/errors.ts';
import { kycLimits } from '../../kernel/kyc.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy, tidyOptional } from '../../kernel/text.ts';
import { changeAccount } from '../../ledger/accounts.ts';
import { recordPhoneChange } from '../../parties/phone-change.ts';
import { isUnverified, notVerified } from '../../parties/registration.ts';
import { phoneTakenRefusal, RESOURCE, type SubscriberContext, subscriberNotFound } from './context.ts';
import { birthRefusal, documentRefusal, kycRefusal, readPhone } from './input.ts';
import type { createPhoneVerification } from './phone-verification.ts';
import { isRegisteredBy, type SubscriberRow } from './record.ts';
import { update } from './schemas.ts';
import { lockSubscriber, PHONE_KEY, phoneTaken, type SubscriberChange, updateSubscriber } from './store.ts';

export type Update = Static<typeof update>;
export interface Updated {
  row: SubscriberRow;
  raisesLevel: boolean;
  /** Its payments disappear from the lists of staff, or appear there again. */
  changesPep: boolean;
  /** What is sent to the old number, or from the old partner wallet, no longer reaches this wallet. */
  redirects: boolean;
}

type Run<Result> = (trx: DatabaseTransaction) => Promise<Result | Refusal>;
type Field = keyof Update & keyof SubscriberRow;

const FIELDS = Object.keys(update.properties) as Field[];

const TAKEN: Record<string, () => Refusal> = {
  [PHONE_KEY]: phoneTakenRefusal,
  subscribers_partner_wallet_id_key: () =>
    refuse('PARTNER_WALLET_TAKEN', 'This partner wallet is linked to another subscriber.'),
  subscribers_identity_key: () =>
    refuse('DUPLICATE_IDENTITY', 'Another subscriber at KYC level 2 or 3 has this id_type and id_number.'),
};

type PhoneVerification = Pick<ReturnType<typeof createPhoneVerification>, 'endUnverified' | 'sendForChange'>;

export function createUpdate(context: SubscriberContext, verification: PhoneVerification) {
  const { audit, notices, phone, pep, access, clock, verifyPhones } = context;

  /** Normalizes the change to the stored format. */
  function read(input: Update): SubscriberChange | Refusal {
    const refusal = birthRefusal(input.date_of_birth || undefined, clock);
    if (refusal) return refusal;
    const change = pick(input);
    if (input.first_name !== undefined) change.first_name = tidy(input.first_name);
    if (input.last_name !== undefined) change.last_name = tidy(input.last_name);
    for (const field of ['address', 'id_number', 'partner_wallet_id'] as const) {
      const text = change[field];
      if (text !== undefined) change[field] = tidyOptional(text);
    }
    if (input.phone_number === undefined) return change;
    const phoneNumber = readPhone(input.phone_number, phone);
    if (phoneNumber instanceof Refusal) return phoneNumber;
    return { ...change, phone_number: phoneNumber };
  }

  async function write(
    trx: DatabaseTransaction,
    actor: Actor,
    before: SubscriberRow,
    { change, changed }: { change: SubscriberChange; changed: Field[] },
  ): Promise<SubscriberRow> {
    const now = new Date(clock.now());
    const all = { ...change, updated_at: now };
    // A number that was not verified may belong to someone else.
    const isTold = before.phone_verified && movesPartnerWallet(before, all);
    if (isTold) await notices.tell(trx, { kind: 'partner_wallet_changed', subscriberId: before.id, values: {} });
    if (!changed.includes('phone_number')) return updateSubscriber(trx, before.id, all);
    return writePhone(trx, actor, before, all);
  }

  /** With PHONE_VERIFICATION, money sent to the new number finds the wallet only after the code from it was entered. */
  async function writePhone(trx: DatabaseTransaction, actor: Actor, before: SubscriberRow, change: SubscriberChange) {
    const { id } = before;
    if (!verifyPhones) await verification.endUnverified(trx, actor, String(change.phone_number));
    // First: it finds what ends by the number.
    await access.end(trx, { subscriberId: id, reason: 'number_changed' });
    const recorded = await recordPhoneChange(trx, actor, id, clock);
    const row = await updateSubscriber(trx, id, { ...change, ...recorded, phone_verified: !verifyPhones });
    // A number that was not verified may belong to someone else.
    const notice = { kind: 'number_changed', subscriberId: id, values: {} } as const;
    if (before.phone_verified) await notices.tell(trx, { ...notice, to: before.phone_number });
    if (verifyPhones) await verification.sendForChange(trx, row);
    else await notices.tell(trx, notice);
    return row;
  }

  async function redirectRefusal(
    trx: DatabaseTransaction,
    before: SubscriberRow,
    after: SubscriberRow,
    { isRedirect }: { isRedirect: boolean },
  ): Promise<Refusal | null> {
    const field = redirectingField(before, after);
    if (field === null) return null;
    // Each can need the approval of other people.
    if (after.kyc_level > before.kyc_level) {
      return refuse('INVALID_REQUEST', `Change ${field} and raise kyc_level in separate requests.`);
    }
    if (after.is_pep !== before.is_pep) {
      return refuse('INVALID_REQUEST', `Change ${field} and is_pep in separate requests.`);
    }
    // Somebody else has changed it since the request was read.
    if (!isRedirect) return refuse('RECORD_CHANGED', `${field} has changed: try again.`);
    if (field !== 'phone_number') return null;
    if (before.status === 'PENDING' && verifyPhones) {
      return refuse('NOT_ACTIVE', 'The subscriber is waiting for activation: the number can be changed afterwards.');
    }
    return (await phoneTaken(trx, after.phone_number)) ? phoneTakenRefusal() : null;
  }

  /** With its own action, which stays readable when the entry is masked: a marking hides payments. */
  async function recordMarking(trx: DatabaseTransaction, actor: Actor, row: SubscriberRow, isChanged: boolean) {
    if (!isChanged) return;
    const { id, is_pep } = row;
    const action = is_pep ? 'subscriber.mark_pep' : 'subscriber.unmark_pep';
    await audit.record(trx, actor, { action, resourceType: RESOURCE, resourceId: id, details: {} });
  }

  /** `isRedirect`: the request was read as one, under the policy for changes of numbers. */
  function apply(actor: Actor, id: string, change: SubscriberChange, isRedirect: boolean): Run<Updated> {
    return async (trx) => {
      const before = await lockSubscriber(trx, id);
      if (!before) return fieldRefusal(actor.caller, Object.keys(change), 1) ?? subscriberNotFound();
      const pepRefusal = await pep.refusal(actor, before, 'record', trx);
      if (pepRefusal) return pepRefusal;
      const after = { ...before, ...change } as SubscriberRow;
      const changed = FIELDS.filter((field) => after[field] !== before[field]);
      const refusal =
        // First: refusals that depend on the changed fields would tell an agent whether a guessed value is right.
        agentRefusal(actor.caller, before) ??
        fieldRefusal(actor.caller, changed, before.kyc_level) ??
        identityRefusal(actor.caller, before, changed) ??
        kycRefusal(after, changed) ??
        documentRefusal(after, changed);
      if (refusal) return refusal;
      if (changed.length === 0) return { row: before, ...NO_EFFECTS };
      if (isUnverified(before)) return notVerified('Register the subscriber again to correct the data.');
      const redirectRefused = await redirectRefusal(trx, before, after, { isRedirect });
      if (redirectRefused) return redirectRefused;
      const row = await write(trx, actor, before, { change, changed });
      if (changed.includes('kyc_level')) {
        const { maxBalance: ceiling, dailyLimit } = kycLimits(row.kyc_level);
        await changeAccount(trx, id, { ceiling, dailyLimit });
      }
      await audit.record(trx, actor, {
        action: 'subscriber.update',
        resourceType: RESOURCE,
        resourceId: id,
        details: auditDetails(changed, before, row),
      });
      const changesPep = row.is_pep !== before.is_pep;
      await recordMarking(trx, actor, row, changesPep);
      const raisesLevel = row.kyc_level > before.kyc_level;
      return { row, raisesLevel, changesPep, redirects: redirectingField(before, row) !== null };
    };
  }

  return {
    plan(actor: Actor, id: string, input: Update, { isRedirect }: { isRedirect: boolean }): Run<Updated> | Refusal {
      const change = read(input);
      return change instanceof Refusal ? change : apply(actor, id, change, isRedirect);
    },
    /** Whether the request, as it is read, needs the policy for changes of numbers. */
    isRedirect(before: SubscriberRow, input: Update): boolean {
      const change = read(input);
      return !(change instanceof Refusal) && redirectingField(before, { ...before, ...change }) !== null;
    },
    /** The refusal for a value that another subscriber has. */
    refusalOf: (error: unknown): Refusal | null => TAKEN[violatedConstraint(error) ?? '']?.() ?? null,
  };
}

const NO_EFFECTS = { raisesLevel: false, changesPep: false, redirects: false };

type Reachable = Pick<SubscriberRow, 'phone_number' | 'partner_wallet_id'>;
type ReachableChange = { [Field in keyof Reachable]?: Reachable[Field] | undefined };

/** The changed field by which money found the wallet until now. The first partner wallet redirects nothing. */
function redirectingField(before: Reachable, after: ReachableChange): keyof Reachable | null {
  if (after.phone_number !== undefined && after.phone_number !== before.phone_number) return 'phone_number';
  return movesPartnerWallet(before, after) ? 'partner_wallet_id' : null;
}

function movesPartnerWallet({ partner_wallet_id: old }: Reachable, { partner_wallet_id: next }: ReachableChange) {
  return old !== null && next !== undefined && next !== old;
}

/** The sent fields that the schema knows; a body may contain others, which are ignored. Empty text clears a field. */
function pick(input: Update): SubscriberChange {
  return Object.fromEntries(
    FIELDS.flatMap((field) => (input[field] === undefined ? [] : [[field, input[field] === '' ? null : input[field]]])),
  );
}

/** The names of the changed fields, not their values: the audit log is permanent and must not store personal data. */
function auditDetails(changed: Field[], before: SubscriberRow, after: SubscriberRow): Record<string, unknown> {
  const assessed = (['kyc_level', 'is_pep'] as const).filter((field) => changed.includes(field));
  const changes = assessed.map((field) => [field, { from: before[field], to: after[field] }]);
  return { fields: changed, ...Object.fromEntries(changes) };
}

/** Assessments of a person, reserved for compliance. */
const FOR_COMPLIANCE = ['kyc_level', 'is_pep'];

/** What compliance verified before it raised the level. */
const IDENTITY = ['first_name', 'last_name', 'date_of_birth', 'id_number', 'id_type', 'id_document_url', 'selfie_url'];

/**
 * Fields that determine which wallet receives a subscriber's money and how many cards can spend it. An agent could
 * use them to redirect payments, so only staff may change them.
 */
const NOT_FOR_AGENTS = ['phone_number', 'partner_wallet_id', 'max_child_cards'];

/** By the changed fields and the level before the change. A field that keeps its value is not a change. */
function fieldRefusal(caller: Caller, fields: readonly string[], level: number): Refusal | null {
  const role = caller.kind === 'user' ? caller.role : null;
  const restricted = FOR_COMPLIANCE.find((candidate) => fields.includes(candidate));
  if (restricted !== undefined && role !== 'compliance_user' && role !== 'system_admin') {
    return refuse('FORBIDDEN', `Only a compliance_user or a system_admin can change ${restricted}.`);
  }
  const allowed = [...FOR_COMPLIANCE, ...(level > 1 ? IDENTITY : [])];
  const other = fields.find((candidate) => !allowed.includes(candidate));
  if (role === 'compliance_user' && other !== undefined) {
    const who = 'support_user, sales_user and system_admin can';
    return refuse('FORBIDDEN', `The role compliance_user cannot change ${other} at KYC level ${level}: ${who}.`);
  }
  const field = NOT_FOR_AGENTS.find((candidate) => fields.includes(candidate));
  if (field === undefined || (role !== 'super_agent' && role !== 'sub_agent')) return null;
  return refuse('FORBIDDEN', `Agents cannot change a subscriber's ${field}: contact support.`);
}

/** Users of agents change only subscribers they registered, until compliance has verified them. */
export function agentRefusal(caller: Caller, row: SubscriberRow): Refusal | null {
  if (!isAgentUser(caller)) return null;
  if (!isRegisteredBy(caller, row)) {
    return refuse('FORBIDDEN', 'You can change only subscribers that you registered.');
  }
  return row.kyc_level === 1 ? null : refuse('FORBIDDEN', 'The subscriber is verified: contact support.');
}

/** On the record before the change: a request cannot lower the level to get around the check. */
export function identityRefusal(
  caller: Caller,
  { kyc_level }: SubscriberRow,
  changed: readonly string[],
): Refusal | null {
  const field = IDENTITY.find((candidate) => changed.includes(candidate));
  const role = caller.kind === 'user' ? caller.role : null;
  if (kyc_level === 1 || field === undefined || role === 'compliance_user' || role === 'system_admin') return null;
  return refuse('FORBIDDEN', `Only a compliance_user or a system_admin can change ${field} at KYC level ${kyc_level}.`);
}
