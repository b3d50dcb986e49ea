// What remains to be done before the first real payment, where the service can tell.
import type {
  ApiKey,
  ApprovalPolicy,
  GetOverviewReply,
  GoingLiveItem,
  Partner,
  TrustAccount,
  WebhookEndpoint,
} from '@kissi/client';
import { kissi } from '../../api/session.ts';

export interface GoingLiveFacts {
  environment: string;
  requiresSecondFactor: boolean;
  administrators: number;
  policies: ApprovalPolicy[];
  trustAccounts: TrustAccount[];
  partners: Partner[];
  keys: ApiKey[];
  overview: GetOverviewReply;
  failingDeliveries: number;
  endpoints: WebhookEndpoint[];
  own: GoingLiveItem[];
}

type Options = { signal: AbortSignal };

/** For an administrator, who may read all of it. */
export async function readFacts(environment: string, options: Options): Promise<GoingLiveFacts> {
  const [factors, administrators, policies, accounts, partners, keys, overview, endpoints, own] = await Promise.all([
    kissi.secondFactor.get(options),
    kissi.users.list({ role: 'system_admin', status: 'active', limit: 1 }, options),
    kissi.approvals.policies(options),
    kissi.trustAccounts.list({ limit: 100 }, options),
    kissi.partners.list({ limit: 100 }, options),
    kissi.apiKeys.list({ limit: 100 }, options),
    kissi.reports.overview({}, options),
    kissi.webhookEndpoints.list({ limit: 100 }, options),
    kissi.goingLive.list(options),
  ]);
  return {
    environment,
    requiresSecondFactor: factors.required,
    administrators: administrators.total_count,
    policies: policies.policies,
    trustAccounts: accounts.trust_accounts,
    partners: partners.partners,
    keys: keys.api_keys,
    overview,
    failingDeliveries: overview.counts?.deliveries_failing ?? 0,
    endpoints: endpoints.webhook_endpoints,
    own: own.items,
  };
}

/** Integrations that move money or customers; their secrets should change at least once a year. */
const YEAR_MS = 365 * 86_400_000;

export interface Findings {
  isProduction: boolean;
  requiresSecondFactor: boolean;
  administrators: number;
  policiesOn: number;
  policies: number;
  isArchiving: boolean;
  trustAccounts: number;
  statementsMissing: number;
  isCovered: boolean;
  partners: number;
  partnersWithoutAllowlist: string[];
  insecureWebhooks: string[];
  /** Of merchants and partners, beside the partners' own addresses. */
  endpoints: number;
  failingDeliveries: number;
  oldKeys: string[];
  testKeys: number;
}

export function findingsOf(facts: GoingLiveFacts, now = Date.now()): Findings {
  const { overview, partners, trustAccounts, policies } = facts;
  const active = partners.filter(({ status }) => status === 'active');
  const valid = facts.keys.filter(
    ({ revoked_at, expires_at }) => !revoked_at && (!expires_at || Date.parse(expires_at) > now),
  );
  const archiving = overview.health?.wal_archiving;
  const isFailing = (archiving?.last_failed_at ?? '') > (archiving?.last_archived_at ?? '');
  return {
    isProduction: facts.environment === 'production',
    requiresSecondFactor: facts.requiresSecondFactor,
    administrators: facts.administrators,
    policiesOn: policies.filter(({ enabled }) => enabled).length,
    policies: policies.length,
    isArchiving: archiving?.enabled === true && !isFailing,
    trustAccounts: trustAccounts.filter(({ status }) => status === 'active').length,
    statementsMissing: overview.finance?.statements.missing ?? 0,
    isCovered: overview.finance?.cover.is_below_1 === false && overview.finance.cover.ratio !== null,
    partners: active.length,
    partnersWithoutAllowlist: namesOf(active.filter(({ ip_allowlist }) => ip_allowlist.length === 0)),
    insecureWebhooks: [
      ...namesOf(active.filter(({ webhook_url }) => webhook_url && !isSecure(webhook_url))),
      ...facts.endpoints.map(({ url }) => url).filter((url) => !isSecure(url)),
    ],
    endpoints: facts.endpoints.length,
    failingDeliveries: facts.failingDeliveries,
    oldKeys: namesOf(valid.filter(({ created_at }) => now - Date.parse(created_at) > YEAR_MS)),
    testKeys: valid.filter(({ prefix }) => prefix.startsWith('svc_test_')).length,
  };
}

const isSecure = (url: string) => url.startsWith('https://');

const namesOf = (records: { name: string }[]) => records.map(({ name }) => name);
