// The lab's phone: plays the USSD menus as a number, and shows the messages that the number received.
import type { Actor, AuditLog } from '../../audit/log.ts';
import type { Database } from '../../db/database.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { Messaging, SentMessage } from '../messaging/service.ts';
import type { UssdService } from '../ussd/service.ts';
import { subscriberWith } from './store.ts';

export interface PhoneContext {
  database: Database;
  audit: AuditLog;
  pep: Pick<PepGuard, 'refusalOf'>;
  ussd: Pick<UssdService, 'answer'>;
  messaging: Pick<Messaging, 'outbox'>;
  readPhone: PhoneReader;
  /** Such as *715#; empty: there is none. */
  ussdServiceCode: string;
}

/** A step of a session. `sequence` 0: `input` is what was dialled after the service code. */
export interface PhoneStep {
  phone_number: string;
  session_id: string;
  sequence: number;
  input?: string;
}

export interface PhoneState {
  phoneNumber: string;
  serviceCode: string | null;
  /** Newest first. */
  messages: SentMessage[];
}

export type LabPhone = ReturnType<typeof createLabPhone>;

const SHOWN_MESSAGES = 50;
const READ_MESSAGES = 100;
/** What users of the console get: a password or code of an administrator is none of the lab's. */
const OF_STAFF = ['credentials', 'pep_code', 'login_limit', 'password_code', 'password_recovered'];
/** So that the menus can be played before the operator has a service code. */
const ANY_CODE = '*000#';

export function createLabPhone(context: PhoneContext) {
  const { database, audit, pep, ussd, messaging, readPhone, ussdServiceCode } = context;
  const { queries } = database;

  /** Whose phone it is. Staff plays a politically exposed person's phone with access only. */
  async function holderOf(actor: Actor, text: string): Promise<{ number: string; id: string | null } | Refusal> {
    const number = readPhone(text);
    if (number === null) return refuse('INVALID_REQUEST', 'phone_number is not a valid phone number.');
    const id = (await subscriberWith(queries, number)) ?? null;
    return (await pep.refusalOf(actor, id, 'payment')) ?? { number, id };
  }

  return {
    /** A session belongs to the user who began it. */
    async step(actor: Actor, { phone_number, session_id, sequence, input = '' }: PhoneStep) {
      const holder = await holderOf(actor, phone_number);
      if (holder instanceof Refusal) return holder;
      if (sequence === 0) {
        const about = holder.id === null ? {} : { resourceType: 'subscriber', resourceId: holder.id };
        await audit.record(queries, actor, { action: 'lab.dial', ...about });
      }
      const call = {
        gateway: 'lab' as const,
        sessionId: `${actor.caller.id}:${session_id}`,
        phoneNumber: holder.number,
        serviceCode: ussdServiceCode || ANY_CODE,
        position: sequence,
        typedAfter: () => input,
        dialled: input.split('*').filter((each) => each !== ''),
      };
      return ussd.answer(call, { ip: actor.ip, requestId: actor.requestId });
    },

    async state(actor: Actor, phoneNumber: string): Promise<PhoneState | Refusal> {
      const holder = await holderOf(actor, phoneNumber);
      if (holder instanceof Refusal) return holder;
      const { messages } = await messaging.outbox({ limit: READ_MESSAGES, offset: 0 }, holder.number);
      return {
        phoneNumber: holder.number,
        serviceCode: ussdServiceCode || null,
        messages: messages.filter(({ kind }) => !OF_STAFF.includes(kind)).slice(0, SHOWN_MESSAGES),
      };
    },
  };
}
