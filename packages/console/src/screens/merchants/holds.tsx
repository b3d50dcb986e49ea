// What customers' authorised payments hold for a merchant.
import { useLingui } from '@lingui/react/macro';
import { useHoldColumns, useHoldList } from '../../components/hold-columns.tsx';
import { RecordList } from '../../components/list/list.tsx';
import { Party } from '../../components/party.tsx';

export default function MerchantHolds({ id }: { id: string }) {
  const { t } = useLingui();
  const { amount, until, captured, status } = useHoldColumns();
  const list = useHoldList(`holds-${id}`, { processor_id: id });
  const columns = [
    {
      title: t`Customer`,
      keep: 'title' as const,
      cell: ({ payer_id, payer_name }: { payer_id: string | null; payer_name?: string | null }) => (
        <Party id={payer_id} name={payer_name} />
      ),
    },
    ...[until, captured, amount, status],
  ];
  return <RecordList definition={{ ...list, columns }} />;
}
