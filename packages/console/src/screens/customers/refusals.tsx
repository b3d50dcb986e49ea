// A customer's refused payments, on every channel.
import { RefusalList } from '../refusals/list.tsx';

export default function CustomerRefusals({ id }: { id: string }) {
  return (
    <RefusalList
      resource={`subscriber-refusals-${id}`}
      withPlace
      embedded
      read={(client, query, options) => client.subscribers.refusals(id, query, options)}
    />
  );
}
