// Cases as staff and customers see them.
import { iso } from '../../kernel/clock.ts';
import type { CaseFile } from './files.ts';
import { recallView, stateAt } from './recalls/view.ts';
import type { CaseRow, EventRow, FoundCase, Recall } from './store.ts';
import { type CaseState, RULE_TEXTS } from './tables.ts';

function common(row: CaseRow) {
  const { id, number, kind, state, transaction_id, is_complex, resolve_by, created_at, closed_at } = row;
  const times = { resolve_by: iso(resolve_by), created_at: iso(created_at), closed_at: closed_at && iso(closed_at) };
  return { id, number, kind, state, transaction_id, is_complex, ...times };
}

export function isOverdue({ closed_at, resolve_by, acknowledge_by, acknowledged_at }: CaseRow, now: number): boolean {
  if (closed_at) return false;
  return resolve_by.getTime() <= now || (acknowledged_at === null && acknowledge_by.getTime() <= now);
}

function fields(row: FoundCase, now: number) {
  const {
    channel,
    subscriber_id,
    customer_name,
    description,
    assignee_id,
    assignee_name,
    opened_by_id,
    opened_by_name,
    acknowledged_at,
  } = row;
  return {
    ...common(row),
    ...{
      channel,
      subscriber_id,
      customer_name,
      description,
      assignee_id,
      assignee_name,
      opened_by: opened_by_id,
      opened_by_name,
    },
    acknowledge_by: iso(row.acknowledge_by),
    acknowledged_at: acknowledged_at && iso(acknowledged_at),
    is_overdue: isOverdue(row, now),
    updated_at: iso(row.updated_at),
  };
}

export function caseView(row: FoundCase, now: number) {
  return { ...fields(row, now), recall_state: row.recall_state };
}

interface Parts {
  recall: Recall | null;
  events: readonly EventRow[];
  files: readonly CaseFile[];
}

export function caseDetails(row: FoundCase, { recall, events, files }: Parts, now: number) {
  return {
    ...fields(row, now),
    recall: recall && recallView(recall, now),
    timeline: events.map(({ id, kind, text, details, is_shown, actor_type, actor_id, actor_name, at }) => ({
      ...{ id, kind, text, details: details as Record<string, unknown>, is_shown, actor_type, actor_id, actor_name },
      at: iso(at),
    })),
    files: [...files],
  };
}

interface OwnParts {
  /** Whose view it is. */
  subscriberId: string;
  recall: Recall | null;
  /** Of the other party of a recall. */
  counterparty: string;
  canConfirm: boolean;
}

export function ownCaseView(row: CaseRow, { subscriberId, recall, counterparty, canConfirm }: OwnParts, now: number) {
  const isCustomer = row.subscriber_id === subscriberId;
  return {
    ...common(row),
    role: isCustomer ? ('customer' as const) : ('recipient' as const),
    // What the sender wrote is for staff: a recipient must not be talked into returning the money.
    description: isCustomer ? row.description : null,
    can_confirm: canConfirm,
    recall: recall && {
      state: stateAt(recall, now),
      reason: recall.outside_rule && RULE_TEXTS[recall.outside_rule],
      counterparty,
      amount: isCustomer ? recall.amount : (recall.held ?? 0),
      returned: recall.returned,
      answer_by: recall.expires_at && iso(recall.expires_at),
      contested_at: recall.contested_at && iso(recall.contested_at),
    },
  };
}

export function canHaveRecall({ kind, transaction_id, closed_at }: CaseRow): boolean {
  return kind === 'wrong_transfer' && transaction_id !== null && closed_at === null;
}

/** What recipients see of the timeline: their own part in it. */
const RECIPIENTS = ['recall_asked', 'recall_returned', 'recall_contested', 'recall_expired'];

export function ownTimeline(events: readonly EventRow[], subscriberId: string, isCustomer: boolean) {
  return events
    .filter(({ is_shown, kind, actor_id }) =>
      isCustomer ? is_shown || actor_id === subscriberId : RECIPIENTS.includes(kind),
    )
    .map(({ kind, text, details, actor_id, at }) => ({
      kind,
      state: kind === 'state' ? (details as { to: CaseState }).to : null,
      text,
      by_you: actor_id === subscriberId,
      at: iso(at),
    }));
}
