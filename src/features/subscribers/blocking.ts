// Blocks, unblocks and activates subscribers, each decided on the locked row.
import type { Static } from 'typebox';
import type { Actor, AuditEvent } from '../../audit/log.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { changeAccount } from '../../ledger/accounts.ts';
import type { DisablableType } from '../../ledger/movement-types.ts';
import { isUnverified, notVerified } from '../../parties/registration.ts';
import { RESOURCE, type SubscriberContext, subscriberNotFound } from './context.ts';
import type { SubscriberRow } from './record.ts';
import type { block as blockBody } from './schemas.ts';
import { lockSubscriber, type SubscriberChange, updateSubscriber } from './store.ts';

export type Block = Static<typeof blockBody>;

interface StatusChange {
  action: AuditEvent['action'];
  details?: Record<string, unknown>;
  reason?: string | undefined;
  /** Returns the change to the record, or a refusal. */
  decide(row: SubscriberRow): SubscriberChange | Refusal;
  /** Side effects in the same transaction. */
  sideEffects?(trx: DatabaseTransaction): Promise<void>;
}

export function createBlocking({ database, audit, pins, cards, pep, access, clock }: SubscriberContext) {
  function changeStatus(
    actor: Actor,
    id: string,
    { action, details = {}, reason, decide, sideEffects }: StatusChange,
  ): Promise<SubscriberRow | Refusal> {
    return database.transact(async (trx) => {
      const row = await lockSubscriber(trx, id);
      if (!row) return subscriberNotFound();
      const pepRefusal = await pep.refusal(actor, row, 'record', trx);
      if (pepRefusal) return pepRefusal;
      const change = decide(row);
      if (change instanceof Refusal) return change;
      const changed = await updateSubscriber(trx, id, { ...change, updated_at: new Date(clock.now()) });
      // Cards are locked before the account, as by changes of a single card.
      await sideEffects?.(trx);
      // Only these routes write this column, and their schemas allow no other types.
      const disabledTypes = changed.disabled_transaction_types as DisablableType[];
      await changeAccount(trx, id, { frozen: changed.status !== 'ACTIVE', disabledTypes });
      const personal = { subscriberId: id, texts: reason === undefined ? {} : { reason } };
      await audit.record(trx, actor, { action, resourceType: RESOURCE, resourceId: id, details, personal });
      return changed;
    });
  }

  return {
    /** Without types, blocks the subscriber and all its cards. With types, disables only those and keeps the status. */
    block(actor: Actor, id: string, body: Block): Promise<SubscriberRow | Refusal> {
      const reason = tidy(body.reason);
      const types = body.transaction_types;
      return changeStatus(actor, id, {
        action: 'subscriber.block',
        reason,
        details: types ? { transaction_types: types } : {},
        decide(row) {
          if (row.status === 'BLOCKED') return refuse('ALREADY_BLOCKED', 'The subscriber is already blocked.');
          if (row.status === 'PENDING')
            return refuse('NOT_ACTIVE', 'The subscriber is not active yet and cannot be blocked.');
          if (types) return disabled(row, types);
          const now = new Date(clock.now());
          return { status: 'BLOCKED', block_reason: reason, blocked_at: now, blocked_by: actor.caller.id };
        },
        async sideEffects(trx) {
          if (types) return;
          await cards.block(trx, id);
          await access.end(trx, { subscriberId: id, reason: 'blocked' });
        },
      });
    },

    unblock: (actor: Actor, id: string, reason?: string): Promise<SubscriberRow | Refusal> =>
      changeStatus(actor, id, {
        action: 'subscriber.unblock',
        reason: reason && tidy(reason),
        decide: (row) => (row.status === 'BLOCKED' ? UNBLOCKED : notBlocked(row)),
        async sideEffects(trx) {
          await pins.reset(trx, id);
          await cards.activate(trx, id);
        },
      }),

    /** Enables single types and changes nothing else; the status stays. */
    enableTypes: (actor: Actor, id: string, types: DisablableType[]): Promise<SubscriberRow | Refusal> =>
      changeStatus(actor, id, {
        action: 'subscriber.enable_types',
        details: { transaction_types: types },
        decide({ disabled_transaction_types: disabledTypes }) {
          const left = disabledTypes.filter((type) => !types.some((enabled) => enabled === type));
          if (left.length < disabledTypes.length) return { disabled_transaction_types: left };
          return refuse('NOT_BLOCKED', 'None of these transaction types is disabled.');
        },
      }),

    /** Does not replace the code that verifies the phone number. */
    activate: (actor: Actor, id: string): Promise<SubscriberRow | Refusal> =>
      changeStatus(actor, id, {
        action: 'subscriber.activate',
        decide(row) {
          if (row.status !== 'PENDING') {
            return refuse(
              'NOT_PENDING',
              `The subscriber is ${row.status}; only a PENDING subscriber can be activated.`,
            );
          }
          return isUnverified(row) ? notVerified('It is verified with the code that was sent to it.') : ACTIVATED;
        },
      }),
  };
}

const ACTIVATED: SubscriberChange = { status: 'ACTIVE' };

const UNBLOCKED: SubscriberChange = {
  status: 'ACTIVE',
  disabled_transaction_types: [],
  block_reason: null,
  blocked_at: null,
  blocked_by: null,
};

function disabled(row: SubscriberRow, types: DisablableType[]): SubscriberChange | Refusal {
  const already = row.disabled_transaction_types;
  const all = [...new Set([...already, ...types])];
  if (all.length === already.length) {
    return refuse('ALREADY_BLOCKED', 'These transaction types are already disabled.');
  }
  return { disabled_transaction_types: all };
}

function notBlocked({ disabled_transaction_types }: SubscriberRow): Refusal {
  const partly = disabled_transaction_types.length > 0;
  const hint = partly ? ' Its disabled transaction types are enabled with POST /subscribers/{id}/enable-types.' : '';
  return refuse('NOT_BLOCKED', `The subscriber is not blocked.${hint}`);
}
