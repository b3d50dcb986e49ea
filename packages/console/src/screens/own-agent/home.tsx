// An agent's first screen: the float, today's commission and counts, and a large button for each task.
import { Trans, useLingui } from '@lingui/react/macro';
import { Suspense } from 'react';
import { useRead, useReadWith } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { lazyPart } from '../../components/lazy-part.ts';
import { OwnHome, PaymentCount } from '../../components/own/home.tsx';
import { Balance, Figure, Tile } from '../../components/own/own-page.tsx';
import { Waiting } from '../../components/states.tsx';
import { amount } from '../../format/money.ts';
import { today } from '../../format/time.ts';
import { useAgentId, useOwnAgent } from './own-agent.ts';

const Waits = lazyPart(() => import('./more/waits.tsx'));

const RECENT = 5;
const COMMISSIONS = '/agent/commissions';

export function Home() {
  const { t } = useLingui();
  const can = useCan();
  const agent = useOwnAgent();
  useReadWith(agent, 'own-agent');
  const { data, error, refetch } = agent;
  // Requested together: on a slow network each round trip takes a second.
  const today = useToday();
  useCommissions();
  if (!data) return <Waiting error={error} retry={refetch} />;
  const { business_name, float_balance_formatted, status } = data.agent;
  return (
    <OwnHome
      name={business_name}
      warning={
        status !== 'active' && <Trans>This agent is {status}: it can neither pay nor receive. Ask the operator.</Trans>
      }
      balance={
        <>
          <Balance label={t`Your float`} value={float_balance_formatted} />
          {can('agents:transfer') && (
            <Suspense>
              <Waits />
            </Suspense>
          )}
        </>
      }
      tiles={
        <>
          <Tile to="/agent/cash-in" icon="arrowDown" label={t`Cash in`} primary />
          <Tile to="/agent/cash-out" icon="arrowUp" label={t`Cash out`} primary />
          <Tile to="/agent/cash-out-code" icon="phone" label={t`Pay out a code`} />
          {can('agents:transfer') && <Tile to="/agent/transfer" icon="network" label={t`Sub-agents`} />}
          {can('subscribers:write') && <Tile to="/agent/register" icon="user" label={t`New customer`} />}
          {can('subscribers:write') && <Tile to="/agent/customers" icon="customers" label={t`Your customers`} />}
          {can('agents:float-requests') && <Tile to="/agent/float-requests" icon="inbox" label={t`Ask for float`} />}
          {can('agents:transfer') && <Tile to="/agent/float-requests" icon="inbox" label={t`Float requests`} />}
          <Tile to="/agent/history" icon="clock" label={t`History`} />
          <Tile to="/agent/pin" icon="lock" label={t`Change PIN`} />
        </>
      }
      today={today}
      figures={({ totals }) => (
        <>
          <Commission instant={totals?.commissions ?? 0} />
          {totals && (
            <>
              <Figure
                label={t`Cash in`}
                value={amount(totals.cash_in)}
                note={<PaymentCount value={totals.cash_in_count} />}
              />
              <Figure
                label={t`Cash out`}
                value={amount(totals.cash_out)}
                note={<PaymentCount value={totals.cash_out_count} />}
              />
            </>
          )}
        </>
      )}
      icon="exchange"
      receiptAt={(id) => `/agent/receipt/${id}`}
    />
  );
}

function useToday() {
  const id = useAgentId();
  const query = { from: today(), limit: String(RECENT) };
  return useRead(['own-agent', id, 'today', query], (options) => kissi.agents.transactions(id, query, options));
}

function useCommissions() {
  const id = useAgentId();
  return useRead(['own-agent', id, 'commissions'], (options) => kissi.agents.commissions(id, { limit: '1' }, options));
}

/** Commission that is settled daily or weekly is not in the movements yet. */
function Commission({ instant }: { instant: number }) {
  const { t } = useLingui();
  const { data } = useCommissions();
  if (!data) return <Figure label={t`Commission`} value="…" />;
  if (data.settlement_mode === 'instant') {
    return (
      <Figure label={t`Commission today`} value={amount(instant)} note={t`Already in your float`} to={COMMISSIONS} />
    );
  }
  const running = data.accrued_by_period?.find(({ status }) => status === 'running')?.amount ?? 0;
  const isDaily = data.settlement_mode === 'daily';
  return (
    <Figure
      label={isDaily ? t`Commission today` : t`Commission this week`}
      value={amount(running)}
      note={isDaily ? t`Paid after midnight (UTC)` : t`Paid after Sunday (UTC)`}
      to={COMMISSIONS}
    />
  );
}
