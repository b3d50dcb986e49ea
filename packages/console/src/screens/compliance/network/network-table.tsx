// The figures of a network: each counterparty with the subject, and the payments among counterparties.
import type { NetworkNode, PaymentNetwork } from '@kissi/client';
import { Plural, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { SmallTable } from '../../../components/small-table.tsx';
import { Absent, label, Money } from '../../../components/values.tsx';
import { AccountName } from '../account-name.tsx';
import { datesOf, type Payments } from './dates.ts';

/** `plain`: without links. */
export function NetworkTable({ network, plain = false }: { network: PaymentNetwork; plain?: boolean }) {
  const { t } = useLingui();
  const kinds: Record<string, string> = {
    wallet: t`Customer`,
    agent_float: t`Agent`,
    agent_commission: t`Agent commission`,
    processor: t`Merchant`,
    partner_clearing: t`Partner`,
  };
  return (
    <>
      <SmallTable
        rows={network.nodes.filter(({ is_subject }) => !is_subject)}
        columns={[
          {
            title: t`Counterparty`,
            cell: ({ id, name, kind }) => (
              <>
                <AccountName id={id} name={name ?? id} plain={plain} />
                <Text size="xs" c="dimmed">
                  {kinds[kind] ?? label(kind)}
                </Text>
              </>
            ),
          },
          { title: t`Paid to the subject (SLE)`, end: true, cell: (node) => <Sum sum={node.paid_to_subject} /> },
          { title: t`Paid by the subject (SLE)`, end: true, cell: (node) => <Sum sum={node.paid_by_subject} /> },
        ]}
      />
      <AmongOthers network={network} plain={plain} />
    </>
  );
}

function AmongOthers({ network: { nodes, links, subject_id }, plain }: { network: PaymentNetwork; plain: boolean }) {
  const { t } = useLingui();
  const among = links.filter(({ from, to }) => from !== subject_id && to !== subject_id);
  if (among.length === 0) return null;
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const named = (id: string) => <AccountName id={id} name={names.get(id) ?? id} plain={plain} />;
  return (
    <>
      <Text size="sm" fw={600} px="md" pt="md">{t`Payments among counterparties`}</Text>
      <SmallTable
        rows={among}
        columns={[
          { title: t`Paid by`, cell: ({ from }) => named(from) },
          { title: t`Paid to`, cell: ({ to }) => named(to) },
          { title: t`Amount (SLE)`, end: true, cell: (link) => <Sum sum={link} /> },
        ]}
      />
    </>
  );
}

function Sum({ sum }: { sum: NetworkNode['paid_by_subject'] | Payments }) {
  if (!sum || sum.payments === 0) return <Absent />;
  return (
    <>
      <Money value={sum.value} />
      <Text size="xs" c="dimmed">
        <Plural value={sum.payments} one="# payment" other="# payments" />
      </Text>
      <Text size="xs" c="dimmed">
        {datesOf(sum)}
      </Text>
    </>
  );
}
