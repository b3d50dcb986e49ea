// Withdraw: a code with which any agent pays out, for 30 minutes. The agent never sees the PIN.
import { readMoney } from '@kissi/client/money';
import { t } from '@lingui/core/macro';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { get, post, serviceTime } from '../data/api.ts';
import { useLoad } from '../data/load.ts';
import { newPending } from '../data/payment.ts';
import type { CashOutCode, CashOutPrice } from '../data/types.ts';
import { digits, money } from '../format.ts';
import { useStep } from '../router.ts';
import { Big, Fault } from '../ui/parts.tsx';
import { Screen } from '../ui/screen.tsx';
import { useAction } from '../ui/use-action.ts';
import { Payment } from './payment.tsx';
import { AmountField } from './quoted.tsx';

export function Withdraw() {
  const codes = useLoad<{ cash_out_codes: CashOutCode[] }>('/me/cash-out-codes?limit=5');
  const [text, setText] = useState('');
  const [price, setPrice] = useState<CashOutPrice | null>(null);
  const [isWrong, setWrong] = useState(false);
  const { isBusy, error, run } = useAction();
  const [step, forward] = useStep(price === null ? 0 : 1);
  if (step === 1 && price !== null) return <CodeStep price={price} onPrice={setPrice} />;
  const next = () => {
    const amount = readMoney(text);
    setWrong(amount === null);
    if (amount === null) return;
    run(async () => {
      setPrice(await get<CashOutPrice>(`/me/cash-out-codes/price?amount=${amount}`));
      forward(1);
    });
  };
  const live = (codes.data?.cash_out_codes ?? []).filter(({ status }) => status === 'active');
  return (
    <Screen isForm title={t`Withdraw`} action={t`Go on`} onAction={next} isBusy={isBusy}>
      <p>{t`You get a code. Any agent pays you out with it, within 30 minutes.`}</p>
      {live.length > 0 && <h2>{t`Codes in use`}</h2>}
      {live.map((code) => (
        <LiveCode key={code.id} code={code} reload={codes.reload} />
      ))}
      <AmountField value={text} onValue={setText} isWrong={isWrong} />
      <Fault error={error} />
    </Screen>
  );
}

function CodeStep({
  price: { amount, fee, total },
  onPrice,
}: {
  price: CashOutPrice;
  onPrice(now: CashOutPrice): void;
}) {
  const name = t`an agent`;
  const pending = useMemo(
    () => newPending({ quote_id: null, path: '/me/cash-out-codes', name, amount, total }),
    [amount, total, name],
  );
  return (
    <Payment
      title={t`Withdraw`}
      action={t`Get the code`}
      lines={[
        [t`Amount`, money(amount)],
        [t`Fee`, fee === 0 ? t`None` : money(fee)],
        [t`Total`, <strong>{money(total)}</strong>],
      ]}
      pending={pending}
      onQuote={onPrice}
    >
      {({ cash_out_code: code }) => code && <ShownCode code={code} />}
    </Payment>
  );
}

export function ShownCode({ code: { code, amount, fee, total, expires_at } }: { code: CashOutCode }) {
  return (
    <Big icon="done" title={code ? digits(code) : money(amount)}>
      <p>
        {code
          ? t`Tell the agent this code and your number. Never your PIN.`
          : t`The code was sent to you in a message.`}
      </p>
      <p>
        <Countdown until={expires_at} />
      </p>
      <p class="quiet">{t`You get ${money(amount)}. Fee ${money(fee)}, together ${money(total)}.`}</p>
    </Big>
  );
}

export function Countdown({ until }: { until: string }) {
  const [now, setNow] = useState(serviceTime);
  useEffect(() => {
    const timer = setInterval(() => setNow(serviceTime()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Math.floor((Date.parse(until) - now) / 1_000));
  if (left === 0) return <>{t`The code has ended. Your money is available again.`}</>;
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return <strong role="timer">{t`${clock} minutes left`}</strong>;
}

function LiveCode({ code: { id, amount, expires_at }, reload }: { code: CashOutCode; reload(): void }) {
  const { isBusy, error, run } = useAction();
  const cancel = () =>
    run(async () => {
      await post(`/me/cash-out-codes/${id}/cancel`);
      reload();
    });
  return (
    <div class="card">
      <p>
        <strong>{money(amount)}</strong> – <Countdown until={expires_at} />
      </p>
      <Fault error={error} />
      <button type="button" class="second" aria-disabled={isBusy} onClick={cancel}>{t`Cancel the code`}</button>
    </div>
  );
}
