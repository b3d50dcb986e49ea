// A partner's name by its id, and partners as the options of a filter.
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Party } from '../../components/party.tsx';

function usePartners() {
  const isReadable = useCan()('partners:read');
  const { data } = useRead(['partners', 'names'], (options) => kissi.partners.list({ limit: '100' }, options), {
    enabled: isReadable,
  });
  return data?.partners ?? [];
}

export function PartnerName({ id }: { id: string | null | undefined }) {
  const name = usePartners().find((partner) => partner.id === id)?.name;
  return <Party id={id} name={name} />;
}

export const usePartnerOptions = () => usePartners().map(({ id, name }) => ({ value: id, label: name }));
