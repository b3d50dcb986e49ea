// A side of a payment: what it is, and the link to its record if the role may open it.
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useCan } from '../api/user.ts';
import { Link } from './link.tsx';
import { Absent } from './values.tsx';

type Kind = 'customer' | 'agent' | 'merchant' | 'partner' | 'operator';

const PREFIXES: [prefix: string, kind: Kind][] = [
  ['sub_', 'customer'],
  ['agent_', 'agent'],
  ['commission_agent_', 'agent'],
  ['proc_', 'merchant'],
  ['ptn_', 'partner'],
];

const SCREENS: Partial<Record<Kind, { path: string; permission: string }>> = {
  customer: { path: '/customers', permission: 'subscribers:read' },
  agent: { path: '/agents', permission: 'agents:read' },
  merchant: { path: '/merchants', permission: 'processors:read' },
  partner: { path: '/partners', permission: 'partners:read' },
};

export const kindOfParty = (id: string): Kind => PREFIXES.find(([prefix]) => id.startsWith(prefix))?.[1] ?? 'operator';

export function useKindName(): (id: string) => string {
  const { t } = useLingui();
  const names: Record<Kind, string> = {
    customer: t`Customer`,
    agent: t`Agent`,
    merchant: t`Merchant`,
    partner: t`Partner`,
    operator: t`Operator`,
  };
  return (id) => names[kindOfParty(id)];
}

interface Sides {
  direction?: string | null;
  payer_name?: string | null;
  payee_name?: string | null;
}

/** The name of the other side of a payment in the history of one account. */
export const otherName = ({ direction, payer_name, payee_name }: Sides) =>
  direction === 'debit' ? payee_name : payer_name;

/** The name, or the kind and the end of the id if the name is not known. */
export function Party({ id, name }: { id: string | null | undefined; name?: ReactNode }) {
  const can = useCan();
  const kindName = useKindName();
  if (!id) return name || <Absent />;
  const screen = SCREENS[kindOfParty(id)];
  const text = name || (screen ? `${kindName(id)}\u00a0…${id.slice(-6)}` : kindName(id));
  if (!screen || !can(screen.permission)) return <>{text}</>;
  return <Link to={`${screen.path}/${id.replace('commission_', '')}`}>{text}</Link>;
}
