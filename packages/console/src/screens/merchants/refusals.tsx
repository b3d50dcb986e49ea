// A merchant's refused payments.
import { RefusalList } from '../refusals/list.tsx';

export default function MerchantRefusals({ id }: { id: string }) {
  return (
    <RefusalList
      resource={`processor-refusals-${id}`}
      read={(client, query, options) => client.processors.refusals(id, query, options)}
    />
  );
}
