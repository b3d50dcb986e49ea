// The agent's payments.
import { useLingui } from '@lingui/react/macro';
import { kissi } from '../../api/session.ts';
import { OwnHistory } from '../../components/own/history.tsx';
import { HOME, useAgentId } from './own-agent.ts';

export function History() {
  const { t } = useLingui();
  const id = useAgentId();
  return (
    <OwnHistory
      title={t`History`}
      home={HOME}
      resource={['own-agent', id]}
      choices={[
        ['', t`All`],
        ['agent_cashin', t`Cash in`],
        ['wallet_withdraw', t`Cash out`],
        ['agent_transfer', t`Float`],
      ]}
      read={(query, options) => kissi.agents.transactions(id, query as never, options)}
      receiptAt={(transaction) => `/agent/receipt/${transaction}`}
    />
  );
}
