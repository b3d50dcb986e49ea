// The fee settings: who pays and who earns what, by type of payment.
import type { FeeSetting } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Button, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { ChoiceInput } from '../../components/choice-input.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import type { ListDefinition } from '../../components/list/definition.ts';
import { Rows } from '../../components/list/rows.tsx';
import { Page } from '../../components/page.tsx';
import { Waiting } from '../../components/states.tsx';
import { Instant, Status } from '../../components/values.tsx';
import { feeInWords, PARTIES, typeName } from './words.ts';

const PRICED = ['transfer_p2p', 'agent_cashin', 'pos_payment', 'vult_fund', 'wallet_withdraw'];

export default function Fees() {
  const { t } = useLingui();
  const can = useCan();
  const [isAdding, setAdding] = useState(false);
  const definition = useDefinition();
  const { data, error, refetch } = useRead(['fees'], (options) => kissi.fees.list({}, options));
  return (
    <Page
      title={t`Fees`}
      description={t`What each party pays or earns. A change applies from the next payment; try it first on the last 30 days.`}
      actions={
        can('fees:write') && (
          <Button
            variant="default"
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => setAdding(true)}
          >{t`Add a fee`}</Button>
        )
      }
    >
      {!data && <Waiting error={error} retry={refetch} />}
      {data && <Rows definition={definition} rows={data.settings} />}
      {isAdding && <AddFee onClose={() => setAdding(false)} />}
    </Page>
  );
}

const screenOfFee = ({ transaction_type, party_type }: Pick<FeeSetting, 'transaction_type' | 'party_type'>) =>
  `/fees/${transaction_type}/${party_type}`;

function useDefinition(): ListDefinition<FeeSetting> {
  const { t } = useLingui();
  return {
    resource: 'fees',
    noun: t`fees`,
    items: 'settings',
    read: (client, query, options) => client.fees.list(query as never, options) as never,
    keyOf: screenOfFee,
    linkOf: screenOfFee,
    columns: [
      {
        title: t`Type of payment`,
        keep: 'title',
        cell: ({ transaction_type }) => <strong>{typeName(transaction_type)}</strong>,
      },
      { title: t`Party`, cell: ({ party_type }) => PARTIES[party_type] },
      { title: t`Fee`, cell: (setting) => feeInWords(setting) },
      { title: t`Changed`, keep: 'desktop', cell: ({ updated_at }) => <Instant at={updated_at} /> },
      {
        title: t`Changed by`,
        keep: 'desktop',
        cell: ({ updated_by, updated_by_name }) => updated_by_name ?? updated_by ?? '–',
      },
      {
        title: t`Origin`,
        keep: 'tablet',
        cell: ({ is_default }) => <Status value={is_default ? t`Built in` : t`Own setting`} tone="gray" />,
      },
    ],
  };
}

/** Chooses type and party; the fee's screen then has the values. */
function AddFee({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [type, setType] = useState('transfer_p2p');
  const [party, setParty] = useState('recipient');
  return (
    <Dialog onClose={onClose} title={t`Add a fee`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void navigate({ to: `/fees/${type}/${party}` });
        }}
      >
        <Stack gap="md">
          <ChoiceInput
            label={t`Type of payment`}
            data={PRICED.map((value) => ({ value, label: typeName(value) }))}
            value={type}
            onChange={setType}
          />
          <ChoiceInput
            label={t`Party`}
            data={Object.entries(PARTIES).map(([value, label]) => ({ value, label }))}
            value={party}
            onChange={setParty}
          />
          <Button type="submit">{t`Continue`}</Button>
        </Stack>
      </form>
    </Dialog>
  );
}
