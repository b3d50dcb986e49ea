// Ask for money: how much and what for; then the code, the QR and the link to share. A person named by number gets a notice.
import { readMoney } from '@kissi/client/money';
import { t } from '@lingui/core/macro';
import { useRef, useState } from 'preact/hooks';
import { post } from '../data/api.ts';
import type { SentRequest } from '../data/types.ts';
import { readPerson } from '../payee.ts';
import { go } from '../router.ts';
import { Fault, Field, Switch } from '../ui/parts.tsx';
import { Screen } from '../ui/screen.tsx';
import { useAction } from '../ui/use-action.ts';
import { AmountField } from './quoted.tsx';

const DAY_SECONDS = 86_400;
const MANY_DAYS = 30;

export function Ask() {
  const { isBusy, error, run } = useAction();
  const [sum, setSum] = useState('');
  const [text, setText] = useState('');
  const [phone, setPhone] = useState('');
  const [isForMany, setForMany] = useState(false);
  const [wrong, setWrong] = useState<'sum' | 'text' | 'phone' | null>(null);
  // Repeated after a lost reply, it makes one request.
  const id = useRef(`w-${crypto.randomUUID()}`);
  const ask = () => {
    const amount = readMoney(sum);
    const asked = isForMany ? '' : phone.trim();
    const person = readPerson(asked);
    const payer = person && 'phone_number' in person ? person.phone_number : null;
    const isSum = sum.trim() === '' || amount !== null;
    const isPhone = asked === '' || payer !== null;
    const next = !isSum ? 'sum' : text.trim() === '' ? 'text' : !isPhone ? 'phone' : null;
    setWrong(next);
    if (next) return;
    run(async () => {
      const { payment_request } = await post<{ payment_request: SentRequest }>('/me/payment-requests', {
        ...{ request_id: id.current, description: text.trim(), single_use: !isForMany },
        expires_in: isForMany ? MANY_DAYS * DAY_SECONDS : DAY_SECONDS,
        ...(amount === null ? {} : { amount }),
        ...(payer ? { payer_phone: payer } : {}),
      });
      go(`/requests/${payment_request.id}`, { replace: true });
    });
  };
  return (
    <Screen isForm title={t`Ask for money`} action={t`Ask`} onAction={ask} isBusy={isBusy}>
      <AmountField value={sum} onValue={setSum} isWrong={wrong === 'sum'} hint={t`Empty: the payer chooses.`} />
      <Field
        label={t`What for?`}
        error={wrong === 'text' ? t`Say what it is for: the payer reads it.` : null}
        maxLength={100}
        value={text}
        onValue={setText}
      />
      <Switch
        name={t`Many can pay it`}
        text={t`A link for everybody, good for ${MANY_DAYS} days.`}
        isOn={isForMany}
        onChange={setForMany}
      />
      {!isForMany && (
        <Field
          label={t`Whom? (optional)`}
          hint={t`A mobile number gets a message. You can also share the link.`}
          error={wrong === 'phone' ? t`Enter a number such as 076 123 456.` : null}
          type="tel"
          value={phone}
          onValue={setPhone}
        />
      )}
      <Fault error={error} />
    </Screen>
  );
}
