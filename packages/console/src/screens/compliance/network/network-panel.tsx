// Whom an account paid and was paid by, as a diagram and as a table.
import type { PaymentNetwork } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Button, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { Panel } from '../../../components/page.tsx';
import { Empty, Failed, Loading } from '../../../components/states.tsx';
import { count } from '../../../format/money.ts';
import classes from './network.module.css';
import { NetworkTable } from './network-table.tsx';
import { Covered, PeriodChoice, PeriodDates, periodFor } from './period.tsx';
import { Picture } from './picture.tsx';

export function NetworkPanel({ id, raisedAt }: { id: string; raisedAt: string | undefined }) {
  const { t } = useLingui();
  const [period, setPeriod] = useState(() => periodFor(raisedAt));
  const [isTable, { toggle }] = useDisclosure(false);
  const { data, error, refetch } = useRead(
    ['network', id, period],
    (options) => kissi.compliance.network(id, period, options),
    { keepPrevious: true },
  );
  const isEmpty = data?.nodes.length === 1;
  return (
    <Panel title={t`Network of payments`} aside={<PeriodChoice value={period} onChange={setPeriod} />} flush>
      <PeriodDates value={period} onChange={setPeriod} />
      {error ? (
        <div style={{ padding: '0 1rem 1rem' }}>
          <Failed error={error} retry={() => void refetch()} />
        </div>
      ) : null}
      {!data && !error && (
        <div style={{ padding: '0 1rem 1rem' }}>
          <Loading rows={5} />
        </div>
      )}
      {data && <Covered period={data.period} raisedAt={raisedAt} />}
      {data && isEmpty && <Empty icon="network" title={t`No payments in this period`} />}
      {data && !isEmpty && <Network network={data} isTable={isTable} toggle={toggle} />}
    </Panel>
  );
}

interface NetworkProps {
  network: PaymentNetwork;
  isTable: boolean;
  toggle: () => void;
}

function Network({ network, isTable, toggle }: NetworkProps) {
  const { t } = useLingui();
  const shown = network.nodes.length - 1;
  const all = count(network.counterparty_count);
  return (
    <>
      <div className={classes.heads}>
        <Text size="xs">
          {shown < network.counterparty_count ? (
            <Trans>
              The {shown} largest of {all} counterparties
            </Trans>
          ) : (
            <Plural value={shown} one="# counterparty" other="# counterparties" />
          )}
          {network.truncated && (
            <>
              {'. '}
              <Trans>Totals cover the newest payments only.</Trans>
            </>
          )}
        </Text>
        <Button variant="subtle" color="gray" size="compact-xs" onClick={toggle} aria-pressed={isTable}>
          {isTable ? <Trans>Show as a diagram</Trans> : <Trans>Show as a table</Trans>}
        </Button>
      </div>
      {isTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it.
        <section className={classes.table} tabIndex={0} aria-label={t`Counterparties`}>
          <NetworkTable network={network} />
        </section>
      ) : (
        <>
          <div className={classes.heads} aria-hidden="true">
            <span>{t`Paid by`}</span>
            <span>{t`Paid to`}</span>
          </div>
          <Picture network={network} />
          <Legend network={network} />
          {/* No links here: keyboard focus would reach them unseen. */}
          <VisuallyHidden>
            <NetworkTable network={network} plain />
          </VisuallyHidden>
        </>
      )}
    </>
  );
}

function Legend({ network: { nodes, links, subject_id } }: { network: PaymentNetwork }) {
  const { t } = useLingui();
  const has = (...kinds: string[]) => nodes.some(({ kind, is_subject }) => !is_subject && kinds.includes(kind));
  const isAmong = links.some(({ from, to }) => from !== subject_id && to !== subject_id);
  return (
    <ul className={classes.legend} aria-hidden="true">
      {has('wallet') && <li>{t`Customer`}</li>}
      {has('agent_float', 'agent_commission') && <li data-kind="agent">{t`Agent`}</li>}
      {has('processor') && <li data-kind="processor">{t`Merchant`}</li>}
      {has('partner_clearing') && <li data-kind="partner">{t`Partner`}</li>}
      {isAmong && <li data-kind="among">{t`Payments among counterparties`}</li>}
    </ul>
  );
}
