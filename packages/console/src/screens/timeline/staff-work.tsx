// What staff did with a record: changes, notes, requests for approval, cases and alerts.
import type { Approval, AuditEntry, Case, ListedAlert, SubscriberNote } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { ActorName } from '../../components/actor-name.tsx';
import { actionInWords } from '../../components/audit-words.ts';
import { label, Status } from '../../components/values.tsx';
import { sentenceOf } from '../approvals/words.ts';
import { STATE_TONES, useKindNames, useStateNames } from '../cases/words.ts';
import { alertTitle } from '../compliance/words.ts';
import { paged, type TimelineRecord, type TimelineSource } from './entry.ts';

export function useChanges({ kind, id }: TimelineRecord): TimelineSource<AuditEntry>[] {
  const { t } = useLingui();
  const can = useCan();
  if (!can('audit:read')) return [];
  const hasNotes = kind === 'customer' && can('subscribers:notes');
  return [
    {
      id: 'changes',
      kind: 'changes',
      read: paged(
        (page, options) => kissi.audit.list({ resource_id: id, ...page }, options),
        ({ logs }) => (hasNotes ? logs.filter(({ action }) => !action.endsWith('.add_note')) : logs),
      ),
      at: ({ at }) => at,
      key: (entry) => entry.id,
      show: (entry) => {
        const name = entry.user_names[String(entry.details.approved_by)];
        const approved = name && t`approved by ${name}`;
        return {
          what: actionInWords(entry.action),
          note: [changedFields(entry), approved].filter(Boolean).join(' · '),
          by: entry.actor_id === id ? label(entry.actor_type) : <ActorName entry={entry} />,
        };
      },
    },
  ];
}

/** The fields that a change changed, and the reason that was given for it. */
function changedFields({ details }: AuditEntry): string {
  const isChange = (value: unknown) =>
    typeof value === 'object' && value !== null && ('from' in value || 'to' in value);
  const { reason } = details as { reason?: unknown };
  const fields = Object.entries(details).filter(([, value]) => isChange(value));
  const names = fields.map(([name]) => label(name)).join(', ');
  return [names, typeof reason === 'string' ? reason : ''].filter(Boolean).join(' · ');
}

export function useNotes({ kind, id }: TimelineRecord): TimelineSource<SubscriberNote>[] {
  const { t } = useLingui();
  if (!useCan()('subscribers:notes') || kind !== 'customer') return [];
  return [
    {
      id: 'notes',
      kind: 'notes',
      read: paged(
        (page, options) => kissi.subscribers.notes(id, page, options),
        ({ notes }) => notes,
      ),
      at: ({ created_at }) => created_at,
      key: (note) => note.id,
      show: ({ text, author_name }) => ({ what: t`Note`, note: text, by: author_name ?? t`Former user` }),
    },
  ];
}

export function useApprovals({ kind, id }: TimelineRecord): TimelineSource<Approval>[] {
  const { t } = useLingui();
  if (!useCan()('approvals:read')) return [];
  const about = kind === 'transaction' ? { transaction_id: id } : { party_id: id };
  const decisionOf = ({ status, decided_by_name: name, reason }: Approval) => {
    if (!name || status === 'withdrawn') return '';
    return [status === 'rejected' ? t`rejected by ${name}` : t`approved by ${name}`, reason].filter(Boolean).join(': ');
  };
  return [
    {
      id: 'approvals',
      kind: 'approvals',
      read: paged(
        (page, options) => kissi.approvals.list({ ...about, ...page }, options),
        ({ approvals }) => approvals,
      ),
      at: ({ requested_at }) => requested_at,
      key: (approval) => approval.id,
      show: (approval) => ({
        what: sentenceOf(approval),
        note: decisionOf(approval),
        by: approval.requested_by_name,
        to: `/approvals/${approval.id}`,
        status: <Status value={approval.status} />,
      }),
    },
  ];
}

export function useCases({ kind, id }: TimelineRecord): TimelineSource<Case>[] {
  const kinds = useKindNames();
  const states = useStateNames();
  const about = { customer: { subscriber_id: id }, transaction: { transaction_id: id } }[kind as string];
  if (!useCan()('cases:read') || !about) return [];
  return [
    {
      id: 'cases',
      kind: 'cases',
      read: paged(
        (page, options) => kissi.cases.list({ ...about, ...page }, options),
        ({ cases }) => cases,
      ),
      at: ({ created_at }) => created_at,
      key: (each) => each.id,
      show: ({ number, description, state, opened_by_name, customer_name, ...each }) => ({
        what: `${kinds[each.kind]} · ${number}`,
        note: description,
        by: opened_by_name ?? customer_name,
        to: `/cases/${each.id}`,
        status: <Status value={state} text={states[state]} tone={STATE_TONES[state]} />,
      }),
    },
  ];
}

type Alert = ListedAlert & { created_at: string };

export function useAlerts({ kind, id }: TimelineRecord): TimelineSource<Alert>[] {
  const { t } = useLingui();
  const about = {
    customer: { subscriber_id: id },
    agent: { agent_id: id },
    merchant: { processor_id: id },
    transaction: { transaction_id: id },
  }[kind as string];
  if (!useCan()('compliance:read') || !about) return [];
  return [
    {
      id: 'alerts',
      kind: 'cases',
      read: paged(
        (page, options) => kissi.alerts.list({ ...about, ...page }, options),
        ({ alerts }) => alerts.filter((alert): alert is Alert => alert.created_at !== undefined),
      ),
      at: ({ created_at }) => created_at,
      key: (alert) => alert.id,
      show: (alert) => ({
        what: t`Alert: ${alertTitle(alert)}`,
        note: alert.description,
        by: alert.reported_by_name ?? t`the service`,
        to: `/alerts/${alert.id}`,
        status: <Status value={alert.status} />,
      }),
    },
  ];
}
