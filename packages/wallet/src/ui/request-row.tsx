// A payment request in a list, and its words.
import { t } from '@lingui/core/macro';
import type { PaymentRequest } from '../data/types.ts';
import { money } from '../format.ts';
import { Link } from './screen.tsx';

export const INCOMING = '/me/payment-requests/incoming?limit=50';

export const requestSum = ({ amount }: PaymentRequest) => (amount === null ? t`Any amount` : money(amount));

export function RequestRow({ request, isOwn = false }: { request: PaymentRequest; isOwn?: boolean }) {
  const { id, payee_name, description, status } = request;
  const title = isOwn ? description || t`Your request` : t`${payee_name} asks you to pay`;
  return (
    <Link to={`/requests/${id}`} class="row">
      <span class="grow">
        <strong>{title}</strong>
        <small>{isOwn ? requestStatus(status) : description}</small>
      </span>
      <span class="went">{requestSum(request)}</span>
    </Link>
  );
}

export function requestStatus(status: PaymentRequest['status']): string {
  switch (status) {
    case 'open':
      return t`Open`;
    case 'paid':
      return t`Paid`;
    case 'declined':
      return t`Declined`;
    case 'expired':
      return t`Too late`;
    case 'cancelled':
      return t`Cancelled`;
  }
}
