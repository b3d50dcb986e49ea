// Reports a problem, or asks for a transfer back that went to the wrong person.
import { t } from '@lingui/core/macro';
import { useId, useState } from 'preact/hooks';
import { post } from '../data/api.ts';
import { useLoad } from '../data/load.ts';
import type { OwnCase, TransactionDetails } from '../data/types.ts';
import { money, time } from '../format.ts';
import { go } from '../router.ts';
import { kindName, REPORTED } from '../ui/cases.tsx';
import { Facts, Fault, Loaded, TextField } from '../ui/parts.tsx';
import { PinField, usePin } from '../ui/pin.tsx';
import { Screen } from '../ui/screen.tsx';
import { useAction } from '../ui/use-action.ts';

const opened = async (body: object) => {
  const { case: found } = await post<{ case: OwnCase }>('/me/cases', body);
  go(`/problems/${found.id}`, { replace: true });
};

/** `transactionId`: the payment that it is about. */
export function Report({ transactionId }: { transactionId?: string }) {
  const [kind, setKind] = useState<OwnCase['kind']>(transactionId ? 'failed_payment' : 'other');
  const [text, setText] = useState('');
  const [isEmpty, setEmpty] = useState(false);
  const id = useId();
  const { isBusy, error, run } = useAction();
  const send = () => {
    setEmpty(text.trim() === '');
    if (text.trim() === '') return;
    const about = transactionId ? { transaction_id: transactionId } : {};
    run(() => opened({ kind, description: text.trim(), ...about }));
  };
  return (
    <Screen isForm title={t`Report a problem`} action={t`Send`} onAction={send} isBusy={isBusy}>
      <div class="field">
        <label for={id}>{t`What is it about?`}</label>
        <select id={id} value={kind} onChange={(event) => setKind(event.currentTarget.value as OwnCase['kind'])}>
          {REPORTED.map((each) => (
            <option key={each} value={each}>
              {kindName(each)}
            </option>
          ))}
        </select>
      </div>
      <TextField
        label={t`What happened?`}
        value={text}
        onValue={setText}
        error={isEmpty && text.trim() === '' ? t`Tell us what happened.` : null}
      />
      <p class="quiet">{t`Never write your PIN here.`}</p>
      <Fault error={error} />
    </Screen>
  );
}

export function RecallTransfer({ id }: { id: string }) {
  const load = useLoad<{ transaction: TransactionDetails }>(`/me/transactions/${id}`);
  const [text, setText] = useState('');
  const [isEmpty, setEmpty] = useState(false);
  const pin = usePin();
  const { isBusy, error, run } = useAction();
  const send = () => {
    setEmpty(text.trim() === '');
    if (text.trim() === '') return;
    const digits = pin.take();
    if (digits === null) return;
    const body = { kind: 'wrong_transfer', transaction_id: id, description: text.trim(), pin: digits };
    run(() => opened(body));
  };
  return (
    <Screen isForm title={t`Sent to the wrong person?`} action={t`Ask for it back`} onAction={send} isBusy={isBusy}>
      <Loaded load={load}>
        {({ transaction: { amount, payee, created_at } }) => (
          <Facts
            lines={[
              [t`To`, payee.name],
              [t`Amount`, money(amount)],
              [t`When`, time(created_at)],
            ]}
          />
        )}
      </Loaded>
      <p class="quiet">
        {t`What is left of the money is held, and the other person is asked to return it. They may say that it is theirs: then we cannot take it.`}
      </p>
      <TextField
        label={t`What happened?`}
        value={text}
        onValue={setText}
        error={isEmpty && text.trim() === '' ? t`Tell us what happened.` : null}
      />
      <PinField pin={pin} focus={false} />
      <Fault error={error} />
    </Screen>
  );
}
