// What a merchant asked customers to pay: charges and links.
import { useLingui } from '@lingui/react/macro';
import { RecordList } from '../../components/list/list.tsx';
import { useRequestColumns, useRequestList } from '../../components/request-columns.tsx';

export default function MerchantRequests({ id }: { id: string }) {
  const { t } = useLingui();
  const { what, time, payments, amount, status } = useRequestColumns();
  const list = useRequestList(`requests-${id}`, { processor_id: id });
  const phone = {
    title: t`Asked number`,
    keep: 'desktop' as const,
    cell: ({ payer_phone }: { payer_phone: string | null }) => payer_phone ?? '–',
  };
  return <RecordList definition={{ ...list, columns: [what, time, phone, payments, amount, status] }} />;
}
