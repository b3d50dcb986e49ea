// A super-agent's network: the sub-agents with their floats, and a transfer of float to one of them.
import type { ListAgentsResponse } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { MoneyInput } from '../../components/money-input.tsx';
import { contactOfAgent, NamedParty } from '../../components/named-party.tsx';
import own from '../../components/own/own.module.css';
import { OwnPage } from '../../components/own/own-page.tsx';
import { askPin } from '../../components/own/pin-input.tsx';
import { PaidReceipt, paidData } from '../../components/own/receipt.tsx';
import { PaymentForm } from '../../components/payment/payment.tsx';
import { Empty, Waiting } from '../../components/states.tsx';
import { Status } from '../../components/status.tsx';
import { amount as amountOf, minorUnitsOf, money, readAmount } from '../../format/money.ts';
import { CHANGES, HOME, useAgentId, useOwnAgent } from './own-agent.ts';

type AgentView = ListAgentsResponse['agents'][number];

export function Transfer() {
  const { t } = useLingui();
  const id = useAgentId();
  const { to } = useSearch({ strict: false }) as { to?: string };
  const navigate = useNavigate();
  const query = { parent_agent_id: id, limit: '100' };
  const { data, error, refetch } = useRead(['own-agent', id, 'network'], (options) =>
    kissi.agents.list(query, options),
  );
  const choose = (agentId?: string) =>
    void navigate({ to: '/agent/transfer', search: (agentId ? { to: agentId } : {}) as never });
  const agents = data?.agents.filter(({ status }) => status !== 'terminated');
  const chosen = agents?.find((agent) => agent.id === to);
  return (
    <OwnPage title={chosen ? t`Float to ${chosen.business_name}` : t`Sub-agents`} home={HOME} narrow>
      {!data && <Waiting error={error} retry={refetch} />}
      {chosen && <Form key={chosen.id} to={chosen} onDone={() => choose()} />}
      {agents && !chosen && <Network agents={agents} choose={choose} />}
    </OwnPage>
  );
}

function Network({ agents, choose }: { agents: AgentView[]; choose: (id: string) => void }) {
  const { t } = useLingui();
  if (agents.length === 0) return <Empty icon="network" title={<Trans>You have no sub-agents yet</Trans>} />;
  return (
    <>
      <p>{t`Choose a sub-agent to send float to.`}</p>
      <ul className={own.rows}>
        {agents.map(({ id, business_name, status, float_balance_formatted, ...agent }) => (
          <li key={id}>
            <button type="button" className={own.row} onClick={() => choose(id)} disabled={status !== 'active'}>
              <b>{business_name}</b>
              <b className={own.end}>{amountOf(minorUnitsOf(float_balance_formatted))}</b>
              <small>{contactOfAgent(agent).filter(Boolean).join(' · ')}</small>
              <small className={own.end}>{status === 'active' ? 'SLE' : <Status value={status} />}</small>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function Form({ to, onDone }: { to: AgentView; onDone: () => void }) {
  const { t } = useLingui();
  const id = useAgentId();
  const agent = useOwnAgent().data?.agent;
  const [text, setText] = useState('');
  const amount = readAmount(text);
  const recipient = <NamedParty name={to.business_name} details={contactOfAgent(to)} />;
  return (
    <PaymentForm
      kind="agent-transfer"
      large
      amount={amount}
      isReady
      summary={[[t`To`, recipient]]}
      quote={{ transaction_type: 'agent_transfer', agent_id: id }}
      confirmation={askPin(to.id, t`Your PIN`)}
      pay={(client, request_id, pin) =>
        client.agents.transferFloat({
          from_agent_id: id,
          to_agent_id: to.id,
          amount: amount ?? 0,
          pin,
          request_id,
        })
      }
      submitLabel={t`Send float`}
      doneTitle={t`Float sent`}
      receipt={(reply) => (
        <PaidReceipt
          business={agent?.business_name ?? ''}
          data={{ ...paidData(reply, 'agent_transfer', amount ?? 0), to: recipient }}
        />
      )}
      changes={CHANGES}
      onRestart={onDone}
      onClose={onDone}
    >
      <p>
        <Trans>
          Your float: {agent ? money(minorUnitsOf(agent.float_balance_formatted)) : '…'}. Float of {to.business_name}:{' '}
          {money(minorUnitsOf(to.float_balance_formatted))}.
        </Trans>
      </p>
      <MoneyInput size="lg" label={t`Amount`} value={text} onChange={setText} />
    </PaymentForm>
  );
}
