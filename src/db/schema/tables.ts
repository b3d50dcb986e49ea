// The tables as the code sees them; sql/migrations is where they are made.
import type { ColumnType, Generated } from 'kysely';
import type { ComplianceAlertsTable, ComplianceRulesTable } from './compliance-tables.ts';
import type { InboundReversalsTable, InboundTransactionsTable } from './inbound-tables.ts';
import type { IncomingMessagesTable, MessagesTable } from './messaging-tables.ts';
import type { WebhookAttemptsTable, WebhookDeliveriesTable } from './webhook-tables.ts';

type WithDefault<T> = ColumnType<T, T | undefined, T>;

export interface UsersTable {
  id: string;
  email: string;
  password_hash: string;
  first_name: string;
  last_name: string;
  phone_number: string | null;
  role: string;
  status: WithDefault<string>;
  agent_id: string | null;
  processor_id: string | null;
  pep_access_authorized: WithDefault<boolean>;
  suspended_with_owner: WithDefault<boolean>;
  last_login_at: Date | null;
  tokens_valid_from: WithDefault<Date>;
  created_at: Date;
  updated_at: Date;
}

export interface SessionsTable {
  id: string;
  user_id: string;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
}

export interface RefreshTokensTable {
  token_hash: Buffer;
  session_id: string;
  expires_at: Date;
  used_at: Date | null;
}

export interface LoginAttemptsTable {
  email: string;
  failures: number;
  window_started_at: Date;
}

export interface PartnersTable {
  id: string;
  name: string;
  status: WithDefault<string>;
  ip_allowlist: WithDefault<string[]>;
  webhook_url: WithDefault<string | null>;
  min_amount: WithDefault<number>;
  max_amount: WithDefault<number>;
  outstanding_limit: WithDefault<number>;
  created_at: Date;
  updated_at: Date;
}

export interface PartnerWebhookSecretsTable {
  id: Generated<number>;
  partner_id: string;
  sealed_secret: Buffer;
  created_at: Date;
  valid_until: Date | null;
}

export interface ApiKeysTable {
  id: string;
  name: string;
  scopes: string[];
  environment: 'live' | 'test';
  partner_id: string | null;
  processor_id: string | null;
  rate_limit: number | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  created_by: string;
  created_at: Date;
}

export interface ApiKeyCredentialsTable {
  bearer_hash: Buffer;
  key_id: string;
  sealed_secret: Buffer;
  created_at: Date;
  valid_until: Date | null;
}

export interface NoncesTable {
  key_id: string;
  nonce: string;
  expires_at: Date;
}

export interface SecretChecksTable {
  name: string;
  mark: Buffer;
}

export interface SubscribersTable {
  id: string;
  account_number: string;
  phone_number: string;
  first_name: string;
  last_name: string;
  email: string | null;
  date_of_birth: string | null;
  address: string | null;
  kyc_level: WithDefault<number>;
  status: string;
  disabled_transaction_types: WithDefault<string[]>;
  id_number: string | null;
  id_type: string | null;
  id_document_url: string | null;
  selfie_url: string | null;
  partner_wallet_id: string | null;
  max_child_cards: WithDefault<number>;
  is_pep: WithDefault<boolean>;
  block_reason: string | null;
  blocked_at: Date | null;
  blocked_by: string | null;
  created_at: Date;
  updated_at: Date;
  search_text: Generated<string>;
}

export interface SubscriberCountsTable {
  status: string;
  kyc_level: number;
  stripe: number;
  count: number;
}

export interface PinsTable {
  owner_id: string;
  salt: Buffer;
  hash: Buffer;
  failures: WithDefault<number>;
  locked_until: Date | null;
  version: WithDefault<number>;
}

export interface AuditInboxTable {
  id: string;
  at: Date;
  actor_type: string;
  actor_id: string | null;
  action: string;
  resource_type: string | null;
  resource_id: string | null;
  ip: string | null;
  request_id: string | null;
  details: ColumnType<Record<string, unknown>, string, never>;
}

export interface AuditLogTable extends AuditInboxTable {
  seq: number;
  prev_hash: Buffer;
  hash: Buffer;
}

export interface AuditHeadTable {
  singleton: WithDefault<boolean>;
  seq: number;
  hash: Buffer;
}

export interface AccountsTable {
  id: string;
  kind: string;
  balance: WithDefault<number>;
  floor: WithDefault<number | null>;
  ceiling: number | null;
  daily_limit: number | null;
  daily_used: WithDefault<number>;
  daily_on: WithDefault<number>;
  frozen: WithDefault<boolean>;
  disabled_types: WithDefault<string[]>;
  barred: WithDefault<string[]>;
  last_seq: WithDefault<number>;
  posting_count: WithDefault<number>;
  recent: WithDefault<string>;
  recent_seq: WithDefault<number>;
  opened_at: Date;
}

export interface FeeSettingsTable {
  id: Generated<number>;
  transaction_type: string;
  party_type: string;
  fee_type: 'percentage' | 'flat';
  value: number;
  debit_enabled: boolean;
  credit_enabled: boolean;
  updated_at: Date;
  updated_by: string;
}

export interface CardsTable {
  serial: string;
  type: WithDefault<'parent' | 'child'>;
  status: WithDefault<'unassigned' | 'active' | 'blocked'>;
  subscriber_id: WithDefault<string | null>;
  parent_serial: WithDefault<string | null>;
  label: string | null;
  daily_limit: WithDefault<number | null>;
  linked_at: WithDefault<Date | null>;
  created_at: Date;
}

export interface AgentsTable {
  id: string;
  type: 'super_agent' | 'sub_agent';
  parent_agent_id: string | null;
  business_name: string;
  first_name: string;
  last_name: string;
  phone_number: string;
  email: string;
  location: string | null;
  commission_tier: string;
  settlement_mode: string;
  status: WithDefault<'active' | 'suspended' | 'terminated'>;
  status_reason: WithDefault<string | null>;
  held_by_house: WithDefault<boolean>;
  created_at: Date;
  updated_at: Date;
  search_text: Generated<string>;
}

export interface ProcessorsTable {
  id: string;
  merchant_id: string;
  business_name: string;
  contact_name: string;
  phone_number: string;
  email: string;
  status: WithDefault<'active' | 'suspended'>;
  suspend_reason: WithDefault<string | null>;
  suspended_at: WithDefault<Date | null>;
  suspended_by: WithDefault<string | null>;
  created_at: Date;
  updated_at: Date;
  search_text: Generated<string>;
}

export interface PepAccessTable {
  user_id: string;
  code_salt: Buffer | null;
  code_hash: Buffer | null;
  code_expires_at: Date | null;
  tries_left: WithDefault<number>;
  codes_sent: number;
  window_started_at: Date;
  open_until: Date | null;
}

export interface Tables {
  accounts: AccountsTable;
  agents: AgentsTable;
  cards: CardsTable;
  users: UsersTable;
  sessions: SessionsTable;
  refresh_tokens: RefreshTokensTable;
  login_attempts: LoginAttemptsTable;
  partners: PartnersTable;
  partner_webhook_secrets: PartnerWebhookSecretsTable;
  pep_access: PepAccessTable;
  processors: ProcessorsTable;
  fee_settings: FeeSettingsTable;
  api_keys: ApiKeysTable;
  api_key_credentials: ApiKeyCredentialsTable;
  nonces: NoncesTable;
  secret_checks: SecretChecksTable;
  subscribers: SubscribersTable;
  subscriber_counts: SubscriberCountsTable;
  pins: PinsTable;
  audit_inbox: AuditInboxTable;
  audit_log: AuditLogTable;
  audit_head: AuditHeadTable;
  messages: MessagesTable;
  incoming_messages: IncomingMessagesTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_attempts: WebhookAttemptsTable;
  inbound_transactions: InboundTransactionsTable;
  inbound_reversals: InboundReversalsTable;
  compliance_rules: ComplianceRulesTable;
  compliance_alerts: ComplianceAlertsTable;
}
