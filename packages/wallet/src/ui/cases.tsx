// A reported problem in a list, and the words for its kind, its state and its steps.
import { t } from '@lingui/core/macro';
import type { OwnCase, OwnCaseDetails } from '../data/types.ts';
import { money, time } from '../format.ts';
import { Link } from './screen.tsx';

export const CASES = '/me/cases?limit=20';

/** What can be reported without a transfer to ask back. */
export const REPORTED: readonly OwnCase['kind'][] = ['failed_payment', 'agent', 'fraud', 'other'];

export function CaseRow({ of }: { of: OwnCase }) {
  const { id, number, state, recall } = of;
  return (
    <Link to={`/problems/${id}`} class="row">
      <span class="grow">
        <strong>{caseTitle(of)}</strong>
        <small>{isAsked(of) ? t`Your answer is needed` : `${number} · ${caseState(state)}`}</small>
      </span>
      {recall && <span class="went">{money(recall.amount)}</span>}
    </Link>
  );
}

/** The customer is asked to return a transfer, and has not answered. */
export const isAsked = ({ role, recall }: OwnCase) =>
  role === 'recipient' && recall?.state === 'asked' && recall.contested_at === null;

export function caseTitle({ role, kind, recall }: OwnCase): string {
  return role === 'recipient' ? t`${recall?.counterparty ?? ''} asks for money back` : kindName(kind);
}

export function kindName(kind: OwnCase['kind']): string {
  switch (kind) {
    case 'wrong_transfer':
      return t`Money to the wrong person`;
    case 'failed_payment':
      return t`A payment that failed`;
    case 'agent':
      return t`An agent`;
    case 'fraud':
      return t`Fraud`;
    case 'other':
      return t`Something else`;
  }
}

export function caseState(state: OwnCase['state']): string {
  switch (state) {
    case 'open':
      return t`We have it`;
    case 'waiting_customer':
      return t`We need an answer from you`;
    case 'waiting_other_party':
      return t`We ask the other side`;
    case 'investigating':
      return t`We are looking into it`;
    case 'resolved':
      return t`Resolved`;
    case 'rejected':
      return t`Closed`;
  }
}

/** Where a recall stands, for the side that looks on. */
export function recallText({ role, recall }: OwnCase): string {
  if (!recall) return '';
  const { state, returned, answer_by, contested_at, amount } = recall;
  const isOwn = role === 'customer';
  const until = answer_by ? time(answer_by) : '';
  switch (state) {
    case 'staff_decides':
      return t`We decide first whether we can ask the other person.`;
    case 'placing':
      return t`We are holding what is left.`;
    case 'asked':
      if (contested_at) return t`${money(amount)} is held while we look into it.`;
      return t`The other person is asked, and has until ${until}.`;
    case 'nothing_left':
      return t`Nothing was left in the other wallet.`;
    case 'returned':
      return isOwn ? t`${money(returned)} came back to you.` : t`You returned ${money(returned)}.`;
    case 'contested':
      return isOwn
        ? t`The other person says that the money is theirs.`
        : t`You said that the money is yours. You can use it again.`;
    case 'expired':
      return isOwn ? t`The other person did not answer.` : t`The time is over. You can use the money again.`;
  }
}

/** Null: what was written says it. */
export function stepText({ kind, state }: OwnCaseDetails['timeline'][number]): string | null {
  if (state !== null) return caseState(state);
  switch (kind) {
    case 'opened':
      return t`Reported`;
    case 'complex':
      return t`We need more time`;
    case 'recall_confirmed':
      return t`You asked for the money back`;
    case 'recall_asked':
      return t`The other person was asked`;
    case 'recall_returned':
      return t`The money was returned`;
    case 'recall_contested':
      return t`The other person did not agree`;
    case 'recall_expired':
      return t`No answer in time`;
    case 'recall_nothing_left':
      return t`Nothing was left`;
    default:
      return null;
  }
}
