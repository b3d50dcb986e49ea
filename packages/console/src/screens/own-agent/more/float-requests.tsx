// Float requests: a sub-agent asks with one tap and sees the answer; a super-agent sends the float with the PIN, or declines.
import type { FloatRequest } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { readAgain } from '../../../api/queries.ts';
import { useUser } from '../../../api/user.ts';
import { Icon } from '../../../components/icon.tsx';
import { MoneyInput } from '../../../components/money-input.tsx';
import own from '../../../components/own/own.module.css';
import { OwnAction } from '../../../components/own/own-action.tsx';
import { OwnPage } from '../../../components/own/own-page.tsx';
import { askPin } from '../../../components/own/pin-input.tsx';
import { PaidReceipt, paidData } from '../../../components/own/receipt.tsx';
import { PaymentForm } from '../../../components/payment/payment.tsx';
import { Empty, RefusalNotice, Waiting } from '../../../components/states.tsx';
import { Status } from '../../../components/status.tsx';
import { useSubmit } from '../../../components/use-submit.ts';
import { amount as amountOf, money, readAmount } from '../../../format/money.ts';
import { instant } from '../../../format/time.ts';
import { CHANGES, HOME, useAgentId, useOwnAgent } from '../own-agent.ts';
import { isUndecided, useFloatRequests } from '../use-float-requests.ts';
import '../../../components/own/agent-texts.ts';

/** Minor units. */
const QUICK = [50_000, 100_000, 200_000, 500_000];

export default function FloatRequests() {
  const { t } = useLingui();
  const isSuperAgent = useUser().role === 'super_agent';
  return (
    <OwnPage title={isSuperAgent ? t`Float requests` : t`Ask for float`} home={HOME} narrow>
      {isSuperAgent ? <Received /> : <Made />}
    </OwnPage>
  );
}

function Made() {
  const { requests, error, refetch } = useFloatRequests();
  if (!requests) return <Waiting error={error} retry={refetch} />;
  const open = requests.find(isUndecided);
  const [last] = requests;
  return (
    <>
      {last && <Answer request={last} />}
      {open?.state === 'open' && <Withdraw request={open} />}
      {!open && <Ask />}
    </>
  );
}

function Ask() {
  const { t } = useLingui();
  const id = useAgentId();
  const [text, setText] = useState('');
  // A request that got no reply is asked once, however often it is sent.
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const asked = useRef(0);
  const { submit, error, isRunning } = useSubmit(
    (client) => {
      const amount = String(asked.current);
      return client.floatRequests.ask(id, { amount, request_id: `${requestId}-${amount}` });
    },
    async () => {
      setRequestId(crypto.randomUUID());
      await readAgain(...CHANGES);
    },
  );
  const typed = readAmount(text);
  const ask = (amount: number) => {
    asked.current = amount;
    void submit();
  };
  return (
    <Stack gap="md">
      <p>{t`Tap an amount: your super-agent is asked at once. No money moves before the answer.`}</p>
      <div className={own.chips}>
        {QUICK.map((amount) => (
          <button key={amount} type="button" className={own.chip} disabled={isRunning} onClick={() => ask(amount)}>
            {money(amount)}
          </button>
        ))}
      </div>
      <MoneyInput size="lg" label={t`Another amount`} value={text} onChange={setText} />
      <RefusalNotice error={error} />
      <Button size="lg" disabled={!typed} loading={isRunning} onClick={() => typed && ask(typed)}>
        {t`Ask for float`}
      </Button>
    </Stack>
  );
}

function Answer({ request }: { request: FloatRequest }) {
  const { t } = useLingui();
  const { state, amount, super_agent_name: name, reason, created_at, decided_at } = request;
  const asked = money(amount);
  const look = { color: COLORS[state] ?? 'gray', icon: <Icon name={state === 'accepted' ? 'approve' : 'clock'} /> };
  return (
    <Alert {...look} role="status">
      <Text fw={600}>{titleOf(state)}</Text>
      <Text size="sm">{t`${asked} from ${name}`}</Text>
      {reason && <Text size="sm">{reason}</Text>}
      <Text size="xs">{instant(decided_at ?? created_at)}</Text>
    </Alert>
  );
}

const COLORS: Record<string, string> = { open: 'yellow', accepting: 'yellow', accepted: 'kissi', declined: 'red' };

function titleOf(state: FloatRequest['state']) {
  if (state === 'accepted') return <Trans>The float was sent</Trans>;
  if (state === 'declined') return <Trans>Declined</Trans>;
  if (state === 'cancelled') return <Trans>You took the request back</Trans>;
  return state === 'expired' ? <Trans>Not answered in time</Trans> : <Trans>Waiting for the answer</Trans>;
}

function Withdraw({ request: { id } }: { request: FloatRequest }) {
  const { t } = useLingui();
  const { submit, error, isRunning } = useSubmit(
    (client) => client.floatRequests.cancel(id),
    () => readAgain(...CHANGES),
  );
  return (
    <>
      <RefusalNotice error={error} />
      <Button size="lg" variant="default" loading={isRunning} onClick={() => void submit()}>
        {t`Take the request back`}
      </Button>
    </>
  );
}

function Received() {
  const { requests, received, error, refetch } = useFloatRequests();
  const [chosen, choose] = useState<{ request: FloatRequest; answer: 'accept' | 'decline' } | null>(null);
  const close = () => {
    choose(null);
    void readAgain(...CHANGES);
  };
  if (!requests) return <Waiting error={error} retry={refetch} />;
  if (chosen?.answer === 'accept') return <Accept request={chosen.request} onDone={close} />;
  if (chosen) return <Decline request={chosen.request} onClose={close} />;
  const decided = requests.filter((request) => !received.includes(request));
  return (
    <>
      {received.length === 0 && <Empty icon="inbox" title={<Trans>Nobody waits for float</Trans>} />}
      {received.map((request) => (
        <Request key={request.id} request={request} choose={(answer) => choose({ request, answer })} />
      ))}
      {decided.length > 0 && (
        <ul className={own.rows}>
          {decided.map(({ id, agent_name, amount, state, created_at }) => (
            <li key={id} className={own.row}>
              <b>{agent_name}</b>
              <b className={own.end}>{amountOf(amount)}</b>
              <small>{instant(created_at)}</small>
              <small className={own.end}>
                <Status value={state} />
              </small>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Request({ request, choose }: { request: FloatRequest; choose: (answer: 'accept' | 'decline') => void }) {
  const { t } = useLingui();
  const { agent_name, amount, note, created_at } = request;
  return (
    <section className={own.balance} aria-label={agent_name}>
      <b>{agent_name}</b>
      <Text size="xl" fw={700}>
        {money(amount)}
      </Text>
      {note && <p>{note}</p>}
      <Text size="sm">{instant(created_at)}</Text>
      <Group grow mt="sm" gap="xs">
        {request.state === 'open' && (
          <Button size="lg" variant="default" onClick={() => choose('decline')}>{t`Decline`}</Button>
        )}
        <Button size="lg" onClick={() => choose('accept')}>{t`Send float`}</Button>
      </Group>
    </section>
  );
}

function Accept({ request, onDone }: { request: FloatRequest; onDone: () => void }) {
  const { t } = useLingui();
  const agentId = useAgentId();
  const business = useOwnAgent().data?.agent.business_name ?? '';
  const { id, agent_name, amount } = request;
  return (
    <PaymentForm
      kind="float-request"
      requestId={id}
      large
      amount={amount}
      isReady
      summary={[[t`To`, agent_name]]}
      quote={{ transaction_type: 'agent_transfer', agent_id: agentId }}
      confirmation={askPin(id, t`Your PIN`)}
      pay={(client, _requestId, pin) => client.floatRequests.accept(id, { pin })}
      submitLabel={t`Send float`}
      doneTitle={t`Float sent`}
      receipt={(reply) => (
        <PaidReceipt business={business} data={{ ...paidData(reply, 'agent_transfer', amount), to: agent_name }} />
      )}
      changes={CHANGES}
      onRestart={onDone}
      onClose={onDone}
    />
  );
}

function Decline({ request, onClose }: { request: FloatRequest; onClose: () => void }) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  return (
    <OwnAction
      title={t`Decline`}
      submitLabel={t`Decline`}
      isReady={reason.trim() !== ''}
      call={(client) => client.floatRequests.decline(request.id, { reason: reason.trim() })}
      changes={CHANGES}
      onClose={onClose}
    >
      <Textarea
        label={t`Why`}
        size="lg"
        required
        maxLength={500}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </OwnAction>
  );
}
