// An address with data for every screen of the console, found through the API of the demo.

interface Screen {
  path: string;
}

/** Imported by a name that TypeScript does not follow: components are checked with the console's settings. */
const LIST = '../../src/app/screens.ts';
const { SCREENS, mayOpen }: { SCREENS: readonly Screen[]; mayOpen(screen: Screen, user: OpenUser): boolean } =
  await import(LIST);

/** Parsed JSON whose fields are read without type checks. */
type Json = ReturnType<typeof JSON.parse>;

/** Reads a path below /api/v1 as one of the users. */
export type Read = (path: string) => Promise<Json>;

export interface OpenUser {
  email: string;
  role: string;
  permissions: readonly string[];
  /** The id of the agent or merchant whose login it is. */
  partyId: string | null;
  read: Read;
}

export interface Visit {
  user: OpenUser;
  /** The path of the screen, or 'account' and others that everybody has. */
  screen: string;
  /** Below /console. */
  address: string;
}

type Finder = (user: OpenUser) => Promise<string>;

const first = async (user: OpenUser, path: string, list: string, field = 'id'): Promise<string> => {
  const value = (await user.read(path))[list]?.[0]?.[field];
  if (!value) throw new Error(`the demo has no record for ${path}`);
  return value;
};

/** The addresses of screens with parameters. A screen without an entry here fails the test of all screens. */
const FINDERS: Record<string, Finder> = {
  '/users/$id': async (user) => `/users/${await first(user, '/admin/users?limit=1', 'users')}`,
  '/keys/$id': async (user) => `/keys/${await first(user, '/admin/api-keys?limit=1', 'api_keys')}`,
  '/agents/$id': async (user) => `/agents/${await first(user, '/agents?type=super_agent', 'agents')}`,
  '/approvals/$id': async (user) =>
    `/approvals/${await first(user, '/admin/approvals?status=pending&action=fees.change', 'approvals')}`,
  '/alerts/$id': async (user) => {
    const { alerts } = await user.read('/compliance/alerts?limit=100');
    const found =
      alerts.find(({ description }: Json) => description?.includes('Many transfers within an hour')) ?? alerts[0];
    return `/alerts/${found.id}`;
  },
  // A rule that flags payments of the demo, so that a what-if finds some.
  '/rules/$id': async (user) => {
    const { rules } = await user.read('/compliance/rules');
    const found = rules.find(({ name }: Json) => name === 'Many transfers within an hour') ?? rules[0];
    return `/rules/${found.id}`;
  },
  '/fees/$type/$party': async () => '/fees/transfer_p2p/sender',
  '/customers/$id': async (user) => {
    const { cards } = await user.read('/cards?status=blocked&limit=100');
    const owners: string[] = cards.flatMap(({ subscriber_id }: Json) => subscriber_id ?? []);
    for (const id of owners) {
      const notes = await user.read(`/subscribers/${id}/notes`).catch(() => ({ total_count: 0 }));
      if (notes.total_count > 0) return `/customers/${id}`;
    }
    throw new Error('the demo has no customer with a blocked card and a note');
  },
  '/finance/statements/$account/$statement': async (user) => {
    const account = await first(user, '/admin/trust-accounts', 'trust_accounts');
    const statement = await first(user, `/admin/trust-accounts/${account}/statements`, 'statements');
    return `/finance/statements/${account}/${statement}`;
  },
  '/finance/closes/$date': async (user) => `/finance/closes/${await first(user, '/admin/closes', 'closes', 'date')}`,
  '/finance/commissions/$id': async (user) =>
    `/finance/commissions/${await first(user, '/agents?type=super_agent', 'agents')}`,
  '/finance/payouts/$id': async (user) => `/finance/payouts/${await first(user, '/processors', 'processors')}`,
  '/merchants/$id': async (user) => `/merchants/${await first(user, '/processors', 'processors')}`,
  '/partners/$id': async (user) => `/partners/${await first(user, '/admin/partners', 'partners')}`,
  '/credits/$id': async (user) => `/credits/${await first(user, '/admin/inbound', 'inbound', 'inbound_id')}`,
  '/deliveries/$id': async (user) => {
    const { deliveries } = await user.read('/admin/webhook-deliveries?limit=50');
    const replayed = deliveries.find(({ attempts }: Json) => attempts?.length > 1) ?? deliveries[0];
    return `/deliveries/${replayed.id}`;
  },
  '/transactions/$id': async (user) =>
    `/transactions/${await first(user, '/transactions?type=pos_payment', 'transactions', 'transaction_id')}`,
  '/agent/level/$id': async (user) => `/agent/level/${await first(user, '/subscribers', 'subscribers')}`,
  '/agent/receipt/$id': async (user) =>
    `/agent/receipt/${await first(user, `/agents/${user.partyId}/transactions`, 'transactions', 'transaction_id')}`,
  '/bulk-payments/$id': async (user) => `/bulk-payments/${await first(user, '/bulk-payments', 'bulk_payments')}`,
  '/shop/bulk-payments/$id': async (user) =>
    `/shop/bulk-payments/${await first(user, '/bulk-payments', 'bulk_payments')}`,
  '/cases/$id': async (user) => `/cases/${await first(user, '/cases', 'cases')}`,
  '/requests/$id': async (user) =>
    `/requests/${await first(user, '/payment-requests?status=open', 'payment_requests')}`,
  '/shop/requests/$id': async (user) =>
    `/shop/requests/${await first(user, '/payment-requests?status=open', 'payment_requests')}`,
  '/shop/payments/$id': async (user) =>
    `/shop/payments/${await first(user, `/processors/${user.partyId}/transactions`, 'transactions', 'transaction_id')}`,
};

/** Each screen by the first of the users who may open it. */
export async function visitEveryScreen(users: readonly OpenUser[]): Promise<Visit[]> {
  return Promise.all(SCREENS.map((screen) => visitOf(screen, users)));
}

async function visitOf(screen: Screen, users: readonly OpenUser[]): Promise<Visit> {
  const user = users.find((each) => mayOpen(screen, each));
  if (!user) throw new Error(`none of the users may open ${screen.path}`);
  if (!screen.path.includes('$')) return { user, screen: screen.path, address: screen.path };
  const find = FINDERS[screen.path];
  if (!find) throw new Error(`${screen.path} has no address in packages/console/scripts/visits/addresses.ts`);
  return { user, screen: screen.path, address: await find(user) };
}
