// The payments of the agent.
import { useLingui } from '@lingui/react/macro';
import { kissi } from '../../api/session.ts';
import { History as OwnHistory } from '../../components/own/history.tsx';
import { OwnPage } from '../../components/own/own-page.tsx';
import { HOME, useAgentId } from './own-agent.ts';

export function History() {
  const { t } = useLingui();
  const id = useAgentId();
  return (
    <OwnPage title={t`History`} home={HOME} narrow>
      <OwnHistory
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
    </OwnPage>
  );
}
