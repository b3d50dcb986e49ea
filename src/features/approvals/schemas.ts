// Schemas and views of approvals and approval policies.
import { type Static, Type } from 'typebox';
import { idField, narration, textOrNull, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { amountField } from '../../http/payment-endpoint.ts';
import { putBody } from '../../http/put.ts';
import { iso } from '../../kernel/clock.ts';
import { withoutBalances } from '../../payments/replays.ts';
import { ACTION_NAMES, POLICY_ACTION_NAMES, type PolicyAction } from './actions.ts';
import { type BankEntry, bankEntry } from './bank-entry.ts';
import type { ApprovalUsers } from './people.ts';
import type { ApprovalRow, Policy } from './store.ts';
import type { Summary } from './summary.ts';

const STATUSES = ['pending', 'approved', 'executed', 'failed', 'rejected', 'withdrawn', 'expired'] as const;
const orNull = (type: 'object' | 'integer', description: string) =>
  Type.Unsafe<unknown>({ type: [type, 'null'], ...(type === 'object' ? OPEN : {}), description });
const STAFF_ONLY = "Null for processors' users.";
const OPEN = { additionalProperties: true };

const recentChange = Type.Object(
  {
    at: timestamp(),
    action: Type.String({ description: 'As in the audit log, for example subscriber.update.' }),
    fields: Type.Array(Type.String(), { description: 'The changed fields of an update.' }),
    by: textOrNull('The id of the user or API key. Null: the service or the public.'),
    by_name: textOrNull(),
    approved_by: textOrNull('The id of the user who approved it.'),
    approved_by_name: textOrNull(),
  },
  { title: 'RecentChange' },
);
export type RecentChange = Static<typeof recentChange>;

export const approvalRecord = Type.Object(
  {
    id: Type.String(),
    action: Type.Enum(ACTION_NAMES, { description: 'The action whose policy applies.' }),
    operation: Type.String({ description: 'The operation of that action, for example users.create.' }),
    status: Type.Enum([...STATUSES], {
      description: 'approved: decided, and the money is being moved. failed: approved, but the execution was refused.',
    }),
    requested_by: Type.String({ description: "The user's id." }),
    requested_by_name: textOrNull(),
    requested_by_email: textOrNull(),
    requested_at: timestamp(),
    expires_at: timestamp(),
    request_id: textOrNull('As the requester sent it. Null while PEP access is required.'),
    amount: orNull('integer', 'Minor units. Null for an action without an amount.'),
    params: orNull('object', "The parameters in the request's path. Null while PEP access is required."),
    input: orNull(
      'object',
      'The body of the request without its secrets. Null while PEP access is required, and for roles that do not see the changed record in full.',
    ),
    summary: orNull(
      'object',
      'text; parties, with id and name as of the request; the changed values in before and after. Null while PEP access is required.',
    ),
    recent_changes: Type.Unsafe<RecentChange[] | null>({
      type: ['array', 'null'],
      items: recentChange,
      description:
        "For PIN resets read by id: what happened to the holder's record in the last 30 days, newest first. Otherwise null.",
    }),
    bank_entries: Type.Unsafe<BankEntry[] | null>({
      type: ['array', 'null'],
      items: bankEntry,
      description:
        "For requests about money at a bank, read by id: what the bank statements say. Pay-out returns: entries of the pay-out, and the credit the request names. Write-offs: the entries to be written off. Agents' floats and partners' settlements: open entries of the amount, and those matched with the transaction. Otherwise null.",
    }),
    decided_by: textOrNull("The user's id."),
    decided_by_name: textOrNull(`Null if it is not decided. ${STAFF_ONLY}`),
    decided_by_email: textOrNull(`Null if it is not decided. ${STAFF_ONLY}`),
    decided_at: textOrNull('ISO 8601, UTC.'),
    reason: textOrNull('Why it was rejected.'),
    result: orNull('object', 'The reply of the executed request without its secrets.'),
    refusal: orNull('object', 'Why the execution was refused: code and message.'),
    finished_at: textOrNull('ISO 8601, UTC.'),
    secrets_available: Type.Boolean({ description: 'The requester can collect the secrets of the result, once.' }),
    not_independent: Type.Optional(
      Type.Literal(true, {
        description:
          "Of a pending approval: the reader is not independent of the requester, or, read by id, of who uploaded the bank's credit that a return names (NOT_INDEPENDENT).",
      }),
    ),
  },
  { title: 'Approval' },
);

const done = { success: Type.Literal(true), message: Type.String() };

export const approvalReply = Type.Object({ approval: approvalRecord });
export const decidedReply = Type.Object({ ...done, approval: approvalRecord }, { title: 'DecidedApproval' });
/** The reply 202 of every route that a policy can subject to approval. */
export const pendingReply = Type.Object(
  { ...done, approval: approvalRecord },
  {
    title: 'PendingApproval',
    description: 'A policy applies: nothing was executed, and another user must approve the request.',
  },
);
export const collectedReply = Type.Object({
  ...done,
  secrets: Type.Object({}, { additionalProperties: true, description: 'Shown only once.' }),
});

export const rejectBody = Type.Object({ reason: narration('Why the request is rejected.') });

export const approvalsQuery = listQuery({
  status: Type.Optional(Type.Enum([...STATUSES])),
  action: Type.Optional(Type.Enum(ACTION_NAMES)),
  requested_by: Type.Optional(idField('a user')),
  party_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Naming this customer, agent, merchant, partner or user.',
    }),
  ),
  transaction_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Requests that posted this transaction, returned or reversed it, or ask to.',
    }),
  ),
  sort: Type.Optional(Type.Enum(['newest', 'oldest'], { description: 'newest (default) or oldest first.' })),
});
export const approvalsReply = listReply('approvals', approvalRecord);

export const policyRecord = Type.Object(
  {
    action: Type.Enum(POLICY_ACTION_NAMES),
    enabled: Type.Boolean(),
    threshold: orNull('integer', 'Null: every request needs approval.'),
    updated_by: textOrNull("The user's id. Null: never changed."),
    updated_at: textOrNull('ISO 8601, UTC.'),
    locked: Type.Boolean({
      description: 'It cannot be switched off: cases.recall ever, users.change while any other policy is on.',
    }),
  },
  { title: 'ApprovalPolicy' },
);
export const policiesReply = Type.Object({ policies: Type.Array(policyRecord), count: Type.Integer() });
export const policyReply = Type.Object({ ...done, policy: policyRecord });

const editable = Type.Object({
  action: Type.Enum(POLICY_ACTION_NAMES),
  enabled: Type.Boolean(),
  threshold: Type.Optional(
    amountField(
      "Minor units. A request needs approval if its requester's total for the UTC day exceeds it. Absent: every request does.",
    ),
  ),
});
export const policyBody = putBody(editable, policyRecord);
export interface PolicyBody {
  action: PolicyAction;
  enabled: boolean;
  threshold?: string;
}

export function policyView({ action, enabled, threshold, updated_by, updated_at, locked }: Policy) {
  return { action, enabled, threshold, updated_by, updated_at: updated_at && iso(updated_at), locked };
}

/**
 * What a reader does not see. `content`: the request is about a politically exposed person, and the reader has no access.
 * `record`: it changes a subscriber's record, which the reader's role does not see in full. `balances`: the reader
 * repeated a request that another credential of the party sent first.
 */
export type Withheld = 'nothing' | 'record' | 'balances' | 'content';

/** An approval as one user sees it. */
export interface SeenApproval {
  row: ApprovalRow;
  users: ApprovalUsers;
  withheld: Withheld;
  recentChanges?: RecentChange[] | null;
  bankEntries?: BankEntry[] | null;
  notIndependent?: true;
}

export function approvalView({
  row,
  users,
  withheld,
  recentChanges = null,
  bankEntries = null,
  notIndependent,
}: SeenApproval): Static<typeof approvalRecord> {
  const { id, operation, status, requested_by, decided_by } = row;
  const { request_id, amount, reason } = withheld === 'content' ? NO_TERMS : row;
  const { params, body } = row.input as unknown as { params: object; body: object };
  const content = { params, input: body, summary: row.summary, result: row.result };
  const { text } = row.summary as unknown as Summary;
  const shown = {
    nothing: content,
    record: { params, input: null, summary: { text }, result: null },
    balances: { params, input: body, summary: { text }, result: row.result && withoutBalances(row.result as object) },
    content: NO_CONTENT,
  }[withheld];
  return {
    ...{ id, operation, status, requested_by, request_id, decided_by, reason },
    action: row.action as Static<typeof approvalRecord>['action'],
    requested_by_name: users.requester?.name ?? null,
    requested_by_email: users.requester?.email ?? null,
    decided_by_name: users.decider?.name ?? null,
    decided_by_email: users.decider?.email ?? null,
    requested_at: iso(row.requested_at),
    expires_at: iso(row.expires_at),
    amount,
    ...shown,
    recent_changes: withheld === 'nothing' ? recentChanges : null,
    bank_entries: withheld === 'nothing' ? bankEntries : null,
    decided_at: row.decided_at && iso(row.decided_at),
    refusal: row.refusal,
    finished_at: row.finished_at && iso(row.finished_at),
    secrets_available: row.sealed_result !== null,
    ...(notIndependent ? { not_independent: notIndependent } : {}),
  };
}

const NO_TERMS = { request_id: null, amount: null, reason: null };
const NO_CONTENT = { params: null, input: null, summary: null, result: null };
