// Whom an account paid and was paid by, as a diagram and as a table.
import type { NetworkNode, PaymentNetwork } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Button, SegmentedControl, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { Panel } from '../../../components/page.tsx';
import { SmallTable } from '../../../components/small-table.tsx';
import { Empty, Failed, Loading } from '../../../components/states.tsx';
import { Absent, label, Money } from '../../../components/values.tsx';
import { count } from '../../../format/money.ts';
import { date } from '../../../format/time.ts';
import { AccountName } from '../account-name.tsx';
import classes from './network.module.css';
import { Picture } from './picture.tsx';

const DAY_MS = 24 * 3_600_000;
/** The days before the alert are shown too. */
const DAYS_BEFORE = 7;

/** The period ends now, so an older alert needs the longer one. */
function daysFor(raisedAt: string | undefined): string {
  const age = raisedAt ? (Date.now() - Date.parse(raisedAt)) / DAY_MS : 0;
  return age + DAYS_BEFORE > 30 ? '90' : '30';
}

export function NetworkPanel({ id, raisedAt }: { id: string; raisedAt: string | undefined }) {
  const { t } = useLingui();
  const [days, setDays] = useState(() => daysFor(raisedAt));
  const [isTable, { toggle }] = useDisclosure(false);
  const { data, error, refetch } = useRead(
    ['network', id, days],
    (options) => kissi.compliance.network(id, { days }, options),
    { keepPrevious: true },
  );
  const isEmpty = data?.nodes.length === 1;
  return (
    <Panel
      title={t`Network of payments`}
      aside={
        <SegmentedControl
          size="xs"
          aria-label={t`Period`}
          value={days}
          onChange={setDays}
          data={[
            { value: '7', label: t`7 days` },
            { value: '30', label: t`30 days` },
            { value: '90', label: t`90 days` },
          ]}
        />
      }
      flush
    >
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
      {data && <Period period={data.period} raisedAt={raisedAt} />}
      {data && isEmpty && <Empty icon="network" title={t`No payments in this period`} />}
      {data && !isEmpty && <Network network={data} isTable={isTable} toggle={toggle} />}
    </Panel>
  );
}

function Period({ period, raisedAt }: { period: PaymentNetwork['period']; raisedAt: string | undefined }) {
  const [first, last] = [date(period.from), date(period.to)];
  return (
    <Text size="xs" c="dimmed" px="md">
      <Trans>
        Payments from {first} to {last}.
      </Trans>{' '}
      {raisedAt && raisedAt < period.from && <Trans>The alert was raised before this period.</Trans>}
    </Text>
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

const KINDS: Record<string, string> = {
  wallet: 'Customer',
  agent_float: 'Agent',
  agent_commission: 'Agent commission',
  processor: 'Merchant',
  partner_clearing: 'Partner',
};

function NetworkTable({ network, plain = false }: { network: PaymentNetwork; plain?: boolean }) {
  const { t } = useLingui();
  return (
    <SmallTable
      rows={network.nodes.filter(({ is_subject }) => !is_subject)}
      columns={[
        { title: t`Counterparty`, cell: ({ id, name }) => <AccountName id={id} name={name ?? id} plain={plain} /> },
        { title: t`Kind`, cell: ({ kind }) => KINDS[kind] ?? label(kind) },
        { title: t`Paid to the subject (SLE)`, end: true, cell: (node) => <Sum sum={node.paid_to_subject} /> },
        { title: t`Paid by the subject (SLE)`, end: true, cell: (node) => <Sum sum={node.paid_by_subject} /> },
      ]}
    />
  );
}

function Sum({ sum }: { sum: NetworkNode['paid_by_subject'] }) {
  if (!sum || sum.payments === 0) return <Absent />;
  return (
    <>
      <Money value={sum.value} />
      <Text size="xs" c="dimmed">
        <Plural value={sum.payments} one="# payment" other="# payments" />
      </Text>
    </>
  );
}
