// A payment request in a list, and its words.
import { t } from '@lingui/core/macro';
import type { PaymentRequest } from '../data/types.ts';
import { money } from '../format.ts';
import { Link } from './screen.tsx';

export const INCOMING = '/me/payment-requests/incoming?limit=50';

export const requestSum = ({ amount }: PaymentRequest) => (amount === null ? t`Any amount` : money(amount));

export function RequestRow({ request, isOwn = false }: { request: PaymentRequest; isOwn?: boolean }) {
  const { id, payee_name, description } = request;
  const title = isOwn ? description || t`Your request` : t`${payee_name} asks you to pay`;
  return (
    <Link to={`/requests/${id}`} class="row">
      <span class="grow">
        <strong>{title}</strong>
        <small>{isOwn ? requestStatus(request) : description}</small>
      </span>
      <span class="went">{requestSum(request)}</span>
    </Link>
  );
}

export function requestStatus(request: PaymentRequest): string {
  // A link that many pay stays open.
  const payments = 'payment_count' in request && !request.single_use ? request.payment_count : null;
  switch (request.status) {
    case 'open':
      return payments === null ? t`Open` : t`Open, payments so far: ${payments}`;
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
