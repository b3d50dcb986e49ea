// Requests under /me that can succeed: customers in sessions of their own, each for what ends it.
import { codeIn } from '@kissi/testkit/parties';
import { assertStatus, type Json } from '../support/gateway.ts';
import type { Secrets } from './secrets.ts';
import type { Host, PreparedRequest } from './world.ts';

interface Customer {
  id: string;
  phone: string;
}

interface Tools {
  host: Host;
  secrets: Secrets;
  pin: string;
  /** With money and a card. */
  newCustomer(): Promise<Customer & { card: string; transactionId: string }>;
  /** The newest message to the phone. */
  message(phone: string): Promise<string>;
}

/** A customer with money, in a session. */
export interface OwnSession {
  token: string;
  phone: string;
}

export interface OwnWallets {
  /** A customer's, for the other routes under /me. */
  token: string;
  /** Another customer's, who pays. */
  paying: OwnSession;
  newSession(): Promise<OwnSession>;
  prepared: [string, PreparedRequest][];
}

const ROUTE = '/api/v1/me';

/** By the operation's name. Challenges and devices end, so they are prepared again periodically. */
export async function prepareCustomers(tools: Tools): Promise<OwnWallets> {
  const { host, secrets, pin, newCustomer, message } = tools;
  const post = async (path: string, body: Json, token?: string): Promise<Json> => {
    const reply = await host.call('POST', ROUTE + path, { body, ...(token ? { token } : {}) });
    secrets.collect(reply.json);
    return assertStatus(reply, path === '/login' ? 202 : 200).json;
  };

  async function challenged({ phone }: Customer) {
    const { challenge } = await post('/login', { phone_number: phone });
    const code = codeIn(await message(phone));
    secrets.addDigits(code);
    return { challenge, code, pin, device_name: 'Phone' };
  }

  const logIn = async (customer: Customer) => post('/login/verify', await challenged(customer));

  const [owner, changing, ending, entering] = [
    await newCustomer(),
    await newCustomer(),
    await newCustomer(),
    await newCustomer(),
  ];
  const [own, changer, ender, refresher] = [
    await logIn(owner),
    await logIn(changing),
    await logIn(ending),
    await logIn(entering),
  ];
  // A new device changes no PIN.
  await host.query('update customer_devices set restricted_until = created_at', []);
  await post(`/cards/${ending.card}/block`, {}, ender.token);
  const answer = await challenged(entering);
  const nothing = () => ({});
  const change = { current_pin: pin, new_pin: pin };
  const requests: Record<string, PreparedRequest> = {
    'POST /login/verify': { fields: () => answer },
    'POST /login/device': { fields: () => ({ device_token: refresher.device_token, pin }) },
    'POST /refresh': { fields: () => ({ refresh_token: own.refresh_token }) },
    'GET /transactions/{id}': { pathValue: owner.transactionId, fields: nothing },
    'POST /cards/{serial}/block': { pathValue: owner.card, fields: nothing },
    'POST /cards/{serial}/unblock': { bearer: ender.token, pathValue: ending.card, fields: () => ({ pin }) },
    'POST /change-pin': { bearer: changer.token, fields: () => change },
    'DELETE /devices/{id}': { bearer: ender.token, pathValue: ender.device.id, fields: nothing },
  };
  const prepared = Object.entries(requests).map(([name, request]): [string, PreparedRequest] => {
    const [method, path] = name.split(' ');
    return [`${method} ${ROUTE}${path}`, { bearer: own.token, ...request }];
  });
  const newSession = async () => {
    const customer = await newCustomer();
    return { token: (await logIn(customer)).token, phone: customer.phone };
  };
  return { token: own.token, paying: await newSession(), newSession, prepared };
}
