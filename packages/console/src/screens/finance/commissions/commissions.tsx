// Commissions: the percentages of the tiers, and the agents with what each earns.
import type { Agent } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { useCan } from '../../../api/user.ts';
import { Action } from '../../../components/action.tsx';
import { Facts } from '../../../components/facts.tsx';
import type { ListDefinition } from '../../../components/list/definition.ts';
import { RecordList } from '../../../components/list/list.tsx';
import { Page, Panel } from '../../../components/page.tsx';
import { SectionTitle, Waiting } from '../../../components/states.tsx';
import { label, Status, Titled } from '../../../components/values.tsx';

export default function Commissions() {
  const { t } = useLingui();
  return (
    <Page
      title={t`Commissions`}
      description={t`What agents earn for cash-in and cash-out. The fee settings say how much; the tier sets the share.`}
    >
      <Tiers />
      <div>
        <SectionTitle>{t`By agent`}</SectionTitle>
        <RecordList definition={useDefinition()} />
      </div>
    </Page>
  );
}

function Tiers() {
  const { t } = useLingui();
  const can = useCan();
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useRead(['commission-tiers'], (options) => kissi.commissionTiers.get(options));
  return (
    <Panel
      title={t`Tiers`}
      aside={
        can('commission:write') &&
        data && <Button variant="default" size="compact-sm" onClick={() => setOpen(true)}>{t`Change`}</Button>
      }
    >
      {!data && <Waiting error={error} retry={refetch} rows={2} />}
      {data && (
        <Facts
          facts={[
            [t`Standard`, `${data.standard} %`],
            [t`Premium`, `${data.premium} %`],
          ]}
        />
      )}
      {data && isOpen && <EditTiers tiers={data} onClose={() => setOpen(false)} />}
    </Panel>
  );
}

const PERCENTAGE = /^\d+(\.\d{1,4})?$/;

function EditTiers({ tiers, onClose }: { tiers: { standard: number; premium: number }; onClose: () => void }) {
  const { t } = useLingui();
  const [standard, setStandard] = useState(String(tiers.standard));
  const [premium, setPremium] = useState(String(tiers.premium));
  return (
    <Action
      onClose={onClose}
      title={t`Change the tiers`}
      description={t`They apply from the next payment.`}
      submitLabel={t`Save`}
      isReady={PERCENTAGE.test(standard) && PERCENTAGE.test(premium)}
      call={(client) => client.commissionTiers.update({ standard: Number(standard), premium: Number(premium) })}
      doneMessage={t`The tiers were saved.`}
      changes={['commission-tiers']}
    >
      <TextInput
        label={t`Standard (%)`}
        value={standard}
        onChange={({ currentTarget }) => setStandard(currentTarget.value)}
        inputMode="decimal"
        required
        data-autofocus
      />
      <TextInput
        label={t`Premium (%)`}
        value={premium}
        onChange={({ currentTarget }) => setPremium(currentTarget.value)}
        inputMode="decimal"
        required
      />
    </Action>
  );
}

function useDefinition(): ListDefinition<Agent> {
  const { t } = useLingui();
  return {
    resource: 'agents',
    noun: t`agents`,
    fileName: 'agents',
    items: 'agents',
    read: (client, query, options) => client.agents.list(query as never, options),
    keyOf: ({ id }) => id,
    linkOf: ({ id }) => `/finance/commissions/${id}`,
    filters: [
      { kind: 'text', name: 'search', label: t`Name`, placeholder: t`Name of the business` },
      { kind: 'choice', name: 'type', label: t`Type`, options: ['super_agent', 'sub_agent'] },
    ],
    columns: [
      {
        title: t`Agent`,
        keep: 'title',
        cell: ({ business_name, location }) => <Titled name={business_name} note={location} />,
      },
      { title: t`Type`, keep: 'tablet', cell: ({ type }) => label(type) },
      { title: t`Tier`, cell: ({ commission_tier }) => label(commission_tier) },
      { title: t`Settled`, cell: ({ settlement_mode }) => label(settlement_mode) },
      { title: t`Status`, cell: ({ status }) => <Status value={status} /> },
    ],
  };
}
