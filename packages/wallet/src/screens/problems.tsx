// Problems that the customer reported, and transfers that others want back; one of them with what was written.
import { t } from '@lingui/core/macro';
import { useMemo, useState } from 'preact/hooks';
import { post } from '../data/api.ts';
import { useLoad } from '../data/load.ts';
import type { OwnCase, OwnCaseDetails } from '../data/types.ts';
import { money, time } from '../format.ts';
import { go } from '../router.ts';
import { CASES, CaseRow, caseState, caseTitle, isAsked, recallText, stepText } from '../ui/cases.tsx';
import { Facts, Fault, Loaded, TextField } from '../ui/parts.tsx';
import { PinField, usePin } from '../ui/pin.tsx';
import { Screen } from '../ui/screen.tsx';
import { useAction } from '../ui/use-action.ts';

export function Problems() {
  const load = useLoad<{ cases: OwnCase[] }>(CASES);
  return (
    <Screen title={t`Problems`} action={t`Report a problem`} onAction={() => go('/report')}>
      <Loaded load={load}>
        {({ cases }) =>
          cases.length === 0 ? (
            <p class="card quiet">{t`Nothing yet.`}</p>
          ) : (
            <div class="card rows">
              {cases.map((each) => (
                <CaseRow key={each.id} of={each} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Screen>
  );
}

export function Problem({ id }: { id: string }) {
  const load = useLoad<{ case: OwnCaseDetails }>(`/me/cases/${id}`);
  const found = load.data?.case;
  if (!found) {
    return (
      <Screen title={t`Problem`}>
        <Loaded load={load}>{() => null}</Loaded>
      </Screen>
    );
  }
  if (isAsked(found)) return <Answer of={found} reload={load.reload} />;
  if (found.can_confirm) return <Confirm of={found} reload={load.reload} />;
  return <Details of={found} reload={load.reload} />;
}

interface PartProps {
  of: OwnCaseDetails;
  reload(): void;
}

function Details({ of, reload }: PartProps) {
  const { id, state, closed_at, role, recall } = of;
  const { isBusy, error, run } = useAction();
  const [text, setText] = useState('');
  const isOpen = closed_at === null && role === 'customer';
  const write = () => {
    if (text.trim() === '') return;
    run(async () => {
      await post(`/me/cases/${id}/messages`, { text: text.trim() });
      setText('');
      reload();
    });
  };
  return (
    <Screen title={caseTitle(of)} {...(isOpen ? { action: t`Send the message`, onAction: write } : {})} isBusy={isBusy}>
      {recall && <p class="note">{recallText(of)}</p>}
      <CaseFacts of={of} state={caseState(state)} />
      <Steps of={of} />
      {isOpen && <TextField label={t`Write to us`} value={text} onValue={setText} />}
      <Fault error={error} />
    </Screen>
  );
}

function CaseFacts({
  of: { number, description, created_at, resolve_by, closed_at },
  state,
}: {
  of: OwnCase;
  state: string;
}) {
  return (
    <Facts
      lines={[
        [t`Case`, <span class="number">{number}</span>],
        [t`State`, state],
        [t`What happened`, description],
        [t`Since`, time(created_at)],
        [t`Answer by`, closed_at ? null : time(resolve_by)],
      ]}
    />
  );
}

function Steps({ of }: { of: OwnCaseDetails }) {
  const steps = of.timeline.filter((event) => stepText(event) !== null || event.text);
  if (steps.length === 0) return null;
  return (
    <div class="card rows">
      {steps.map((event) => (
        <p key={event.at + event.kind} class="row">
          <span class="grow">
            <strong>{stepText(event) ?? (event.by_you ? t`You` : t`Support`)}</strong>
            {event.text && <span>{event.text}</span>}
            <small>{time(event.at)}</small>
          </span>
        </p>
      ))}
    </div>
  );
}

/** Support opened the recall on the phone: only the PIN makes it one. */
function Confirm({ of, reload }: PartProps) {
  const { isBusy, error, run } = useAction();
  const pin = usePin();
  const confirm = () => {
    const digits = pin.take();
    if (digits === null) return;
    run(async () => {
      await post(`/me/cases/${of.id}/confirm`, { pin: digits });
      reload();
    });
  };
  return (
    <Screen isForm title={t`Ask for the money back?`} action={t`Ask for it back`} onAction={confirm} isBusy={isBusy}>
      <CaseFacts of={of} state={caseState(of.state)} />
      <p class="quiet">{t`Confirm only if you called us about it. We never ask for your PIN on the phone.`}</p>
      <PinField pin={pin} />
      <Fault error={error} />
    </Screen>
  );
}

/** Somebody says that a transfer reached this wallet by mistake. */
function Answer({ of, reload }: PartProps) {
  const { id, recall } = of;
  const [isReturning, setReturning] = useState(false);
  const { isBusy, error, run } = useAction();
  if (!recall) return null;
  const { counterparty, amount, answer_by } = recall;
  if (isReturning) return <Return of={of} reload={reload} back={() => setReturning(false)} />;
  const contest = () =>
    run(async () => {
      await post(`/me/cases/${id}/contest`);
      reload();
    });
  return (
    <Screen
      title={t`Sent to you by mistake?`}
      action={t`Return ${money(amount)}`}
      onAction={() => setReturning(true)}
      isBusy={isBusy}
    >
      <p class="amount">{money(amount)}</p>
      <Facts
        lines={[
          [t`From`, counterparty],
          [t`Case`, <span class="number">{of.number}</span>],
          [t`Answer by`, answer_by && time(answer_by)],
        ]}
      />
      <p class="quiet">
        {t`The sender says that this money was not for you. It is held until you answer. If it is yours, say so, and you can use it again.`}
      </p>
      <Fault error={error} />
      <button type="button" class="second" onClick={contest}>{t`It is mine`}</button>
    </Screen>
  );
}

function Return({ of, reload, back }: PartProps & { back(): void }) {
  const { isBusy, error, run } = useAction();
  const pin = usePin();
  // Sent again after a lost reply, it is the same return.
  const request_id = useMemo(() => `w-${crypto.randomUUID()}`, []);
  const amount = of.recall?.amount ?? 0;
  const send = () => {
    const digits = pin.take();
    if (digits === null) return;
    run(async () => {
      await post(`/me/cases/${of.id}/accept`, { pin: digits, request_id });
      reload();
    });
  };
  return (
    <Screen
      isForm
      title={t`Return the money`}
      action={t`Return ${money(amount)}`}
      onAction={send}
      isBusy={isBusy}
      back={back}
    >
      <Facts
        lines={[
          [t`To`, of.recall?.counterparty],
          [t`Amount`, money(amount)],
          [t`Fee`, t`None`],
        ]}
      />
      <PinField pin={pin} />
      <Fault error={error} />
    </Screen>
  );
}
