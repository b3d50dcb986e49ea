// An account's name by its id, with a link to its screen.
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Link } from '../../components/link.tsx';
import { Absent } from '../../components/values.tsx';
import { screenOf } from './words.ts';

interface AccountNameProps {
  id: string | null | undefined;
  /** Without it the name is read from the service. */
  name?: string | null | undefined;
  /** As text only, inside of another link. */
  plain?: boolean;
}

export function AccountName({ id, name, plain = false }: AccountNameProps) {
  const found = useName(name ? null : (id ?? null));
  if (!id) return <Absent />;
  const shown = name ?? found ?? shortened(id);
  const screen = plain ? null : screenOf(id);
  return screen ? <Link to={screen}>{shown}</Link> : <span>{shown}</span>;
}

/** Null while it loads, and if it cannot be read, such as that of a politically exposed person. */
function useName(id: string | null): string | null {
  const can = useCan();
  const prefix = id?.split('_')[0] ?? '';
  const isReadable =
    (prefix === 'sub' && can('subscribers:read')) ||
    (prefix === 'agent' && can('agents:read')) ||
    (prefix === 'proc' && can('processors:read'));
  const { data } = useRead(['account-name', id], () => readName(id ?? ''), { enabled: id !== null && isReadable });
  return data ?? null;
}

async function readName(id: string): Promise<string | null> {
  if (id.startsWith('agent_')) {
    const { agent } = await kissi.agents.get(id);
    return agent.business_name || `${agent.first_name} ${agent.last_name}`;
  }
  if (id.startsWith('proc_')) {
    const { processor } = await kissi.processors.get(id);
    return processor.business_name;
  }
  const { subscriber } = await kissi.subscribers.get(id);
  return `${subscriber.first_name} ${subscriber.last_name}`;
}

const shortened = (id: string) => (id.length > 14 ? `${id.slice(0, 5)}…${id.slice(-6)}` : id);
