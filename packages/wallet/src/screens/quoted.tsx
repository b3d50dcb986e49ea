// From a quote to the paid quote: transfers, payments to merchants and payments of requests.
import { readMoney } from '@kissi/client/money';
import { t } from '@lingui/core/macro';
import { useMemo, useState } from 'preact/hooks';
import { post } from '../data/api.ts';
import { newPending } from '../data/payment.ts';
import type { Quote } from '../data/types.ts';
import { money } from '../format.ts';
import { type Named, typedNumber } from '../payee.ts';
import { Fault, Field } from '../ui/parts.tsx';
import { Screen } from '../ui/screen.tsx';
import { useAction } from '../ui/use-action.ts';
import { Payment, type PaymentLines } from './payment.tsx';

export async function quote(named: Named, amount?: number): Promise<Quote> {
  const body = { ...named, ...(amount === undefined ? {} : { amount }) };
  return (await post<{ quote: Quote }>('/me/quote', body)).quote;
}

function pathOf({ type, payment_request_id }: Quote): string {
  if (type === 'transfer') return '/me/transfers';
  return type === 'merchant' ? '/me/payments' : `/me/payment-requests/${payment_request_id}/approve`;
}

interface PayQuoteProps {
  first: Quote;
  named: Named;
  /** The payment page that the customer came from. */
  page?: string | null;
}

export function PayQuote({ first, named, page }: PayQuoteProps) {
  const [current, setCurrent] = useState(first);
  const { recipient_name: name, amount, fee, total } = current;
  const pending = useMemo(
    () => newPending({ quote_id: current.id, path: pathOf(current), name, amount }),
    [current, name, amount],
  );
  const lines: PaymentLines = [
    [t`To`, name],
    [t`Number`, typedNumber(named)],
    [t`Amount`, money(amount)],
    [t`Fee`, fee === 0 ? t`None` : money(fee)],
    [t`Total`, <strong>{money(total)}</strong>],
  ];
  const isTransfer = current.type === 'transfer';
  return (
    <Payment
      title={isTransfer ? t`Send money` : t`Pay`}
      action={isTransfer ? t`Send ${money(amount)}` : t`Pay ${money(amount)}`}
      lines={lines}
      pending={pending}
      onQuote={setCurrent}
      onward={page && <a class="button second" href={page}>{t`Back to the payment page`}</a>}
    />
  );
}

/** For payments whose payer chooses how much. */
export function AmountStep({ title, named, onQuote }: { title: string; named: Named; onQuote(quote: Quote): void }) {
  const { isBusy, error, run } = useAction();
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const to = typedNumber(named);
  const next = () => {
    const amount = readMoney(text);
    setWrong(amount === null);
    if (amount !== null) run(async () => onQuote(await quote(named, amount)));
  };
  return (
    <Screen isForm title={title} action={t`Go on`} onAction={next} isBusy={isBusy}>
      {to && <p>{t`To ${to}`}</p>}
      <AmountField value={text} onValue={setText} isWrong={isWrong} />
      <Fault error={error} />
    </Screen>
  );
}

export function AmountField({
  value,
  onValue,
  isWrong,
  hint,
}: {
  value: string;
  onValue(text: string): void;
  isWrong: boolean;
  hint?: string;
}) {
  return (
    <Field
      label={t`Amount`}
      prefix="SLE"
      hint={hint}
      error={isWrong ? t`Enter an amount, such as 25 or 25.50.` : null}
      inputMode="decimal"
      maxLength={14}
      class="sum"
      value={value}
      onValue={onValue}
    />
  );
}
