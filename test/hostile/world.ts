// The records, credentials and prepared requests that the hostile tests share.
import type { ApiKey, Agent as MadeAgent, Merchant as MadeMerchant, Wallet } from '@kissi/testkit/parties';
import type { TestGateway } from '../support/gateway.ts';
import type { Keyring } from './credentials.ts';
import type { Pools } from './pools.ts';
import type { Secrets } from './secrets.ts';

/** A running service, in this process or in another. */
export interface Host {
  url: string;
  call: TestGateway['call'];
  /** The token of the first administrator. */
  adminToken(): Promise<string>;
  now(): number;
  /** On its database. */
  query: TestGateway['db']['query'];
  /** Runs a background task of a service that does not run them itself. */
  runTask?(name: string): Promise<void>;
  /** The configured secrets of the service. */
  configured: ConfiguredSecrets;
}

export interface ConfiguredSecrets {
  service: { name: string; secret: string };
  webhookSecret: string;
  appSecret: string;
  verifyToken: string;
  ussdSecret: string;
}

export type Holder = Wallet;

/** Its login's token. */
export type Agent = MadeAgent & { token: string };
export type Merchant = MadeMerchant & { token: string };

export interface Fixtures {
  host: Host;
  keyring: Keyring;
  secrets: Secrets;
  pools: Pools;
  /** Holders, agents and merchants that stay active, so that payments can succeed. */
  holders: Holder[];
  superAgents: (Agent & { sub: Agent })[];
  merchants: Merchant[];
  /** The keyring's partner, and another. */
  partnerIds: string[];
  /** Keys of the keyring's partner and of the first merchant. */
  ownedKeys: OwnedKey[];
  /** Records that requests may block, change and terminate. */
  spares: { holders: Holder[]; agents: Agent[]; merchants: Merchant[] };
  /** A separate user for password changes, which end sessions; replaced periodically. */
  passwordUser: { token: string; password: string };
  loginUser: { email: string; password: string };
  /** The user with the latest PEP access code; replaced, because the number of codes per user is limited. */
  pepUser: { token: string };
  /** Of a customer in their own session; replaced periodically. */
  customerToken: string;
  /** Requests that need a state which the generator cannot derive; by the operation's name. */
  prepared: ReadonlyMap<string, PreparedRequest>;
  /** Restores fees, rules, tokens and balances, so that payments can succeed. */
  maintain(): Promise<void>;
}

/** Replaces the generated bearer value, path parameter and fields of a request. */
export interface PreparedRequest {
  bearer?: string;
  /** Several: one for each parameter of the path. */
  pathValue?: string | string[];
  /** Computed when the request is sent, because codes expire. */
  fields: () => Record<string, unknown>;
}

export interface OwnedKey extends ApiKey {
  owner: 'partner' | 'processor';
  ownerId: string;
}
