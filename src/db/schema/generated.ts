// The types of all tables, generated from the migrated schema by `npm run db:types`. Do not edit.
import type { ColumnType } from "kysely";

export type ArrayType<T> = ArrayTypeImpl<T> extends (infer U)[]
  ? U[]
  : ArrayTypeImpl<T>;

export type ArrayTypeImpl<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S[], I[], U[]>
  : T[];

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export type Json = JsonValue;

export type JsonArray = JsonValue[];

export type JsonObject = {
  [x: string]: JsonValue | undefined;
};

export type JsonPrimitive = boolean | number | string | null;

export type JsonValue = JsonArray | JsonObject | JsonPrimitive;

export type Numeric = ColumnType<string, number | string, number | string>;

export interface AccountCheckpoints {
  account_id: string;
  amount: number;
  change: number;
  count: number;
  fee: number;
  newest: number;
  paid: boolean;
  seq: number;
  type: string;
}

export interface AccountRollups {
  active_in_day: number;
  active_in_hour: number;
  active_in_week: number;
  chain: number;
  change: Numeric;
  hour: number;
  kind: string;
}

export interface Accounts {
  balance: Generated<number>;
  barred: Generated<string[]>;
  ceiling: number | null;
  daily_limit: number | null;
  daily_on: Generated<number>;
  daily_used: Generated<number>;
  disabled_types: Generated<string[]>;
  floor: Generated<number | null>;
  frozen: Generated<boolean>;
  held: Generated<number>;
  id: string;
  kind: "wallet" | "agent_float" | "agent_commission" | "processor" | "partner_clearing" | "fee_income" | "treasury" | "suspense" | "payouts_in_transit";
  last_seq: Generated<number>;
  opened_at: Date;
  posting_count: Generated<number>;
  received: Generated<string>;
  received_seq: Generated<number>;
  recent: Generated<string>;
  recent_seq: Generated<number>;
  reduced_floor: number | null;
  reduced_until: Date | null;
}

export interface Agents {
  business_name: string;
  commission_percent: number | null;
  commission_tier: "standard" | "premium" | "custom";
  created_at: Date;
  email: string;
  first_name: string;
  held_by_house: Generated<boolean>;
  id: string;
  last_name: string;
  location: string | null;
  parent_agent_id: string | null;
  phone_changed_at: Date | null;
  phone_changed_by: string | null;
  phone_number: string;
  pin_reset_at: Date | null;
  pin_reset_floor: number | null;
  search_text: Generated<string>;
  settlement_mode: "instant" | "daily" | "weekly";
  status: Generated<"active" | "suspended" | "terminated">;
  status_reason: string | null;
  type: "super_agent" | "sub_agent";
  updated_at: Date;
}

export interface Allowances {
  id: string;
  used: number;
}

export interface ApiKeyCredentials {
  bearer_hash: Buffer;
  created_at: Date;
  key_id: string;
  sealed_secret: Buffer;
  valid_until: Date | null;
}

export interface ApiKeys {
  approval_id: string | null;
  bearer: Generated<boolean>;
  created_at: Date;
  created_by: string;
  daily_limit: number | null;
  environment: "live" | "test";
  expires_at: Date | null;
  id: string;
  name: string;
  partner_id: string | null;
  processor_id: string | null;
  rate_limit: number | null;
  revoked_at: Date | null;
  scopes: string[];
}

export interface ApprovalPolicies {
  action: string;
  enabled: boolean;
  threshold: number | null;
  updated_at: Date;
  updated_by: string;
}

export interface Approvals {
  action: string;
  amount: number | null;
  decided_at: Date | null;
  decided_by: string | null;
  expires_at: Date;
  finished_at: Date | null;
  id: string;
  input: Json;
  operation: string;
  reason: string | null;
  record_states: Json | null;
  refusal: Json | null;
  request_hash: string | null;
  request_id: string | null;
  requested_at: Date;
  requested_by: string;
  requested_ip: string | null;
  result: Json | null;
  sealed_input: Buffer | null;
  sealed_result: Buffer | null;
  status: "pending" | "approved" | "executed" | "failed" | "rejected" | "withdrawn" | "expired";
  subscriber_id: string | null;
  summary: Json;
}

export interface AttemptCounts {
  correct: number;
  counted: number;
  started_at: Date;
  subject: string;
}

export interface AuditHead {
  hash: Buffer;
  mac: Buffer | null;
  seq: number;
  singleton: Generated<boolean>;
}

export interface AuditInbox {
  action: string;
  actor_id: string | null;
  actor_type: string;
  at: Date;
  details: ColumnType<Record<string, unknown>, string, never>;
  id: string;
  ip: string | null;
  mac: Buffer | null;
  request_id: string | null;
  resource_id: string | null;
  resource_type: string | null;
  state: ColumnType<[string, string, string | null, string | null][], string, never> | null;
}

export interface AuditLog {
  action: string;
  actor_id: string | null;
  actor_type: string;
  at: Date;
  details: ColumnType<Record<string, unknown>, string, never>;
  format: number;
  hash: Buffer;
  id: string;
  ip: string | null;
  prev_hash: Buffer;
  request_id: string | null;
  resource_id: string | null;
  resource_type: string | null;
  seq: number;
  state: ColumnType<[string, string, string | null, string | null][], string, never> | null;
}

export interface BankAccounts {
  account_number: string;
  bank: string;
  created_at: Date;
  created_by: string;
  holder: string;
  id: string;
  processor_id: string;
  removed_at: Date | null;
  removed_by: string | null;
}

export interface BankEntries {
  amount: number;
  booked_on: string;
  counterparty: string | null;
  description: string | null;
  id: string;
  position: number;
  reference: string | null;
  statement_id: string;
  trust_account_id: string;
}

export interface BankStatements {
  closing_balance: number;
  entries_digest: Buffer;
  entry_count: number;
  file: Buffer;
  file_sha256: Buffer;
  format: "camt.053" | "mt940" | "csv";
  from_date: string;
  id: string;
  opening_balance: number;
  to_date: string;
  trust_account_id: string;
  uploaded_at: Date;
  uploaded_by: string;
}

export interface BulkPaymentLimits {
  payer_id: string;
  set_at: Date;
  set_by: string;
  unpaid_rows: number;
}

export interface BulkPaymentRows {
  account_number: string | null;
  amount: number;
  bulk_payment_id: string;
  description: string | null;
  fee: number | null;
  given_name: string | null;
  line: number;
  name_matches: boolean | null;
  paid_at: Date | null;
  phone_number: string | null;
  reason: string | null;
  reason_text: string | null;
  recipient_id: string | null;
  reference: string;
  reference_scope: string;
  reserves_reference: Generated<boolean>;
  status: Generated<"pending" | "valid" | "invalid" | "paying" | "paid" | "unclaimed" | "returned" | "failed" | "cancelled">;
  transaction_id: string | null;
  warnings: Generated<string[]>;
}

export interface BulkPayments {
  amount: Generated<number>;
  approved_at: Date | null;
  approved_by: string | null;
  available_at_check: number | null;
  cancelled_amount: Generated<number>;
  cancelled_count: Generated<number>;
  checked_at: Date | null;
  checked_count: Generated<number>;
  code_count: Generated<number>;
  compliance_count: Generated<number>;
  created_at: Date;
  ended_at: Date | null;
  ended_by: string | null;
  failed_amount: Generated<number>;
  failed_count: Generated<number>;
  file_sha256: Buffer | null;
  format: "csv" | "json";
  hold_id: string | null;
  id: string;
  invalid_amount: Generated<number>;
  invalid_count: Generated<number>;
  key_created_by: string | null;
  lease: string | null;
  leased_until: Date | null;
  mode: "continue" | "all_or_nothing" | null;
  name: string;
  name_mismatch_count: Generated<number>;
  paid_amount: Generated<number>;
  paid_count: Generated<number>;
  paid_fees: Generated<number>;
  payer_id: string;
  payer_kind: "processor" | "partner" | "treasury";
  reference_scope: string;
  repeat_of: string | null;
  repeated_count: Generated<number>;
  retry_of: string | null;
  returned_amount: Generated<number>;
  returned_count: Generated<number>;
  row_count: Generated<number>;
  rows_digest: Buffer | null;
  rows_to_cancel: Generated<boolean>;
  started_at: Date | null;
  starts_at: Date | null;
  status: "uploading" | "checking" | "checked" | "approved" | "running" | "completed" | "stopped" | "cancelled";
  unclaimed: string | null;
  unclaimed_amount: Generated<number>;
  unclaimed_count: Generated<number>;
  uploaded_by: string;
  uploaded_by_type: "user" | "key";
  valid_amount: Generated<number>;
  valid_count: Generated<number>;
  valid_fees: Generated<number>;
}

export interface Cards {
  created_at: Date;
  daily_limit: number | null;
  label: string | null;
  linked_at: Date | null;
  parent_serial: string | null;
  retired_at: Date | null;
  retired_subscriber_id: string | null;
  serial: string;
  status: Generated<"unassigned" | "active" | "blocked">;
  subscriber_id: string | null;
  type: Generated<"parent" | "child">;
  unlinked_subscriber_id: string | null;
}

export interface CaseClocks {
  acknowledge_days: number;
  complex_days: number;
  created_at: Date;
  created_by: string;
  holidays: ArrayType<string>;
  id: string;
  resolve_days: number;
  source: string;
  valid_from: string;
  working_days: number[];
}

export interface CaseEvents {
  actor_id: string | null;
  actor_type: string;
  at: Date;
  case_id: string;
  details: Json;
  id: string;
  is_shown: boolean;
  kind: string;
  text: string | null;
}

export interface CaseFiles {
  case_id: string;
  created_at: Date;
  id: string;
  name: string;
  sealed: Buffer;
  sha256: Buffer;
  size: number;
  type: "image/jpeg" | "image/png" | "application/pdf";
  uploaded_by: string;
}

export interface Cases {
  acknowledge_by: Date;
  acknowledged_at: Date | null;
  assignee_id: string | null;
  channel: "staff" | "wallet" | "ussd" | "chat";
  closed_at: Date | null;
  created_at: Date;
  description: string;
  id: string;
  is_complex: Generated<boolean>;
  kind: "wrong_transfer" | "failed_payment" | "fraud" | "agent" | "other";
  number: string;
  opened_by_id: string;
  opened_by_type: string;
  resolve_by: Date;
  state: "open" | "waiting_customer" | "waiting_other_party" | "investigating" | "resolved" | "rejected";
  subscriber_id: string;
  transaction_id: string | null;
  updated_at: Date;
}

export interface CashOutCodes {
  code_hash: Buffer;
  counter: number;
  created_at: Date;
  expires_at: Date;
  hold_id: string;
  key_id: string;
  subscriber_id: string;
  void: Generated<boolean>;
  wrong: Generated<number>;
}

export interface CloseKeys {
  created_at: Date;
  id: string;
  public_key: string;
}

export interface Closes {
  corrects: string | null;
  created_at: Date;
  created_by: string;
  date: string;
  document: string;
  id: string;
  key_id: string;
  number: number;
  previous_sha256: string | null;
  sha256: string;
  signature: string;
}

export interface CommissionTiers {
  percent: number;
  tier: "standard" | "premium";
  updated_at: Date;
  updated_by: string;
}

export interface ComplianceAlertAssignees {
  alert_id: string;
  assigned_at: Date;
  assignee_id: string;
}

export interface ComplianceAlerts {
  agent_id: string | null;
  batch: number | null;
  created_at: Date;
  description: string;
  due_at: Date | null;
  figures: ColumnType<Record<string, unknown>, string, never>;
  id: string;
  notes: string | null;
  outcome: "false_positive" | "customer_explained" | "confirmed_reported" | "confirmed_blocked" | null;
  processor_id: string | null;
  resolution: string | null;
  resolved_at: Date | null;
  resolved_by: string | null;
  rule_id: string | null;
  rule_version: number | null;
  severity: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW";
  status: "open" | "in_review" | "resolved" | "dismissed";
  subscriber_id: string | null;
  transaction_id: string | null;
  type: string;
  updated_at: Date;
}

export interface ComplianceRules {
  created_at: Date;
  enabled: boolean;
  id: string;
  kind: "amount" | "velocity_count" | "velocity_amount";
  name: string;
  outcome: "flag" | "block";
  severity: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW";
  side: Generated<"payer" | "payee">;
  threshold: number;
  transaction_types: string[];
  updated_at: Date;
  version: Generated<number>;
  window_seconds: number | null;
}

export interface CustomerCardBlocks {
  at: Date;
  serial: string;
  subscriber_id: string;
}

export interface CustomerChallenges {
  code_expires_at: Date | null;
  code_hash: Buffer | null;
  code_salt: Buffer | null;
  expires_at: Date;
  phone_number: string;
  subscriber_id: string | null;
  token_hash: Buffer;
  tries_left: number;
}

export interface CustomerDevices {
  created_at: Date;
  end_reason: string | null;
  ended_at: Date | null;
  id: string;
  last_used_at: Date;
  name: string;
  restricted_until: Date;
  subscriber_id: string;
  total_id: string;
}

export interface CustomerKeys {
  created_at: Date;
  destroyed_at: Date | null;
  sealed_key: Buffer | null;
  subscriber_id: string;
}

export interface CustomerSessions {
  created_at: Date;
  device_id: string;
  expires_at: Date;
  id: string;
  revoked_at: Date | null;
  subscriber_id: string;
}

export interface CustomerTokens {
  device_id: string;
  expires_at: Date;
  issued_at: Date;
  session_id: string | null;
  token_hash: Buffer;
  used_at: Date | null;
}

export interface CustomerUssdCodes {
  code_expires_at: Date | null;
  code_hash: Buffer | null;
  code_salt: Buffer | null;
  phone_number: string;
  sent_at: Date;
  subscriber_id: string;
  tries_left: number;
}

export interface FeeSettings {
  credit_enabled: boolean;
  debit_enabled: boolean;
  fee_type: "percentage" | "flat";
  id: Generated<number>;
  party_type: string;
  transaction_type: string;
  updated_at: Date;
  updated_by: string;
  value: number;
}

export interface FloatRequests {
  agent_id: string;
  amount: number;
  claimed_at: Date | null;
  created_at: Date;
  decided_at: Date | null;
  decided_by: string | null;
  expires_at: Date;
  id: string;
  note: string | null;
  reason: string | null;
  request_id: string | null;
  requested_by: string;
  state: "open" | "accepting" | "accepted" | "declined" | "cancelled";
  super_agent_id: string;
  transaction_id: string | null;
}

export interface GatewayKeys {
  announced_until: Date;
  holder: string;
  ids: string[];
  name: "MASTER_KEY" | "PIN_PEPPER";
  writes: string;
  writes_since: Date;
}

export interface GatewayStripes {
  holder: string | null;
  leased_until: Generated<Date>;
  stripe: number;
}

export interface GoingLiveConfirmations {
  confirmed_at: Date;
  confirmed_by: string;
  item: string;
  note: string;
}

export interface HoldEnds {
  actor_id: string;
  actor_type: string;
  at: Date;
  batch: number;
  captured: number;
  hold_id: string;
  id: string;
  outcome: "captured" | "released" | "expired";
  request_id: string | null;
}

export interface Holds {
  account_id: string;
  actor_id: string;
  actor_type: string;
  amount: number;
  at: Date;
  batch: number;
  daily_on: number;
  daily_use: number;
  details: Json;
  ended: Generated<boolean>;
  expires_at: Date;
  id: string;
  metadata: string | null;
  narration: string | null;
  /**
   * empty if the hold does not say who is paid
   */
  payee_id: string;
  prices: Json;
  purpose: "card_payment" | "cash_out_code" | "bulk" | "unclaimed" | "recall";
  request_id: string | null;
  /**
   * less what payments have drawn from it: the allowance draws-of:{id}
   */
  reserved: number;
  type: string;
}

export interface InboundReversals {
  allow_negative: boolean;
  batch: number | null;
  inbound_id: string;
  reason: string;
  reversed_at: Date;
  reversed_by: string;
  transaction_id: string;
}

export interface InboundTransactions {
  account_name: string | null;
  account_number: string | null;
  amount: number;
  batch: number | null;
  completed_at: Date;
  currency: string;
  failure_code: string | null;
  fee: number;
  id: string;
  idempotency_key: string;
  identified_by: "account_number" | "msisdn" | "card_serial";
  identifier: string;
  key_id: string;
  narration: string | null;
  net_credited: number;
  partner_id: string;
  partner_outstanding: number;
  payer_account_masked: string | null;
  payer_bank_code: string | null;
  payer_name: string | null;
  reference: string;
  status: "COMPLETED" | "REJECTED" | "FAILED";
  subscriber_id: string | null;
  transaction_id: string | null;
}

export interface IncomingMessages {
  id: string;
  lease: string | null;
  leased_until: Date | null;
  place: string;
  platform_user: string;
  received_at: Date;
  sealed_text: Buffer | null;
  sender: string;
  verified: boolean;
}

export interface KeyClosings {
  at: Date;
  chain: "audit" | "ledger";
  content: Json;
  new_key: string;
  new_mac: Buffer;
  number: number;
  old_key: string;
  old_mac: Buffer;
}

export interface KnownBrowsers {
  expires_at: Date;
  token_hash: Buffer;
  user_id: string;
}

export interface LabCertifications {
  document: string | null;
  finished_at: Date | null;
  forged_at: Date | null;
  id: string;
  key_id: string;
  partner_id: string;
  result: "passed" | "failed" | null;
  signature: string | null;
  signing_key_id: string | null;
  started_at: Date;
  started_by: string;
}

export interface LabObservations {
  at: Date;
  certification_id: string;
  details: Json;
  id: Generated<number>;
  kind: string;
}

export interface LabRequests {
  at: Date;
  key_id: string;
  request: string;
}

export interface LedgerArchives {
  archived_at: Date;
  before: Date;
  complete: boolean;
  key_id: Generated<string>;
  mac: Buffer;
  movements: number;
  number: number;
  openings: Buffer;
  postings: number;
  sha256: Buffer;
}

export interface LoginAttempts {
  email: string;
  failures: number;
  guesser: string;
  window_started_at: Date;
}

export interface LoginFailureDays {
  day: string;
  email: string;
  failures: number;
  told: Generated<boolean>;
}

export interface LoginNetworkDays {
  day: string;
  email: string;
  failures: number;
  network: string;
}

export interface Lookups {
  at: Date;
  found: boolean;
  id: Generated<number>;
  owner_id: string;
  paid: Generated<boolean>;
  subject: string;
  target: string;
}

export interface Messages {
  attempts: Generated<number>;
  channel: Generated<"sms" | "chat">;
  created_at: Date;
  expires_at: Date | null;
  finished_at: Date | null;
  id: string;
  kind: string;
  last_error: string | null;
  lease: string | null;
  leased_until: Date | null;
  next_attempt_at: Date | null;
  recipient: string;
  sealed_text: Buffer | null;
  status: Generated<"local" | "pending" | "sent" | "failed" | "dropped">;
}

export interface MovementRollups {
  amount: Numeric;
  chain: number;
  commission: Numeric;
  count: number;
  fee: Numeric;
  hour: number;
  type: string;
}

export interface Movements {
  actor_id: string | null;
  actor_type: string | null;
  amount: number;
  at: Date;
  batch: number | null;
  details: ColumnType<Record<string, unknown>, string, never>;
  fee: number;
  from_account: string;
  id: string;
  metadata: ColumnType<Record<string, unknown>, string, never> | null;
  narration: string | null;
  reference: string | null;
  related_id: string | null;
  request_id: string | null;
  to_account: string;
  type: string;
}

export interface Nonces {
  expires_at: Date;
  key_id: string;
  nonce: string;
}

export interface NoticePositions {
  batch: number;
  chain: number;
  channel: string;
  movement: string;
}

export interface NoticePreferences {
  channels: string[] | null;
  language: "en" | "kri";
  owner_id: string;
  payments: boolean;
  shows_balance: boolean;
  updated_at: Date;
}

export interface NoticeReaders {
  channel: "sms" | "chat";
  lease: string | null;
  leased_until: Date | null;
}

export interface Partners {
  created_at: Date;
  id: string;
  ip_allowlist: Generated<string[]>;
  max_amount: Generated<number>;
  min_amount: Generated<number>;
  name: string;
  outstanding_limit: Generated<number>;
  status: Generated<"active" | "suspended">;
  updated_at: Date;
  webhook_endpoints: Json | null;
  webhook_url: string | null;
}

export interface PartnerWebhookSecrets {
  active_from: Date | null;
  created_at: Date;
  id: Generated<number>;
  partner_id: string;
  sealed_secret: Buffer;
  valid_until: Date | null;
}

export interface Passkeys {
  counter: number;
  created_at: Date;
  credential_id: string;
  id: string;
  last_used_at: Date | null;
  name: string;
  public_key: Buffer;
  transports: Generated<string[]>;
  user_id: string;
}

export interface PasswordRecoveries {
  code_expires_at: Date | null;
  code_hash: Buffer | null;
  code_salt: Buffer | null;
  expires_at: Date;
  phone_number: string | null;
  token_hash: Buffer;
  tries_left: number;
  user_id: string | null;
}

export interface PaymentRequestBlocks {
  at: Date;
  payee_id: string;
  payer_id: string;
  request_id: string | null;
}

export interface PaymentRequestCodes {
  code: string;
  reserved_at: Date;
}

export interface PaymentRequestDeclines {
  at: Date;
  payee_id: string;
  payer_id: string;
  request_id: string;
}

export interface PaymentRequestEnds {
  actor_id: string;
  actor_type: string;
  at: Date;
  batch: number;
  outcome: "paid" | "declined" | "expired" | "cancelled";
  payer_id: string | null;
  request_id: string;
  used: number;
}

export interface PaymentRequestExpiry {
  only_row: Generated<boolean>;
  recorded_until: Date;
}

export interface PaymentRequestNotices {
  at: Date;
  id: string;
  payee_id: string;
  payer_id: string | null;
  phone: string;
  request_id: string;
  sent: boolean;
  visitor: Buffer | null;
}

export interface PaymentRequestPayments {
  amount: number;
  at: Date;
  batch: number;
  id: string;
  payer_id: string;
  request_id: string;
}

export interface PaymentRequestRefusals {
  at: Date;
  code: string;
  count: number;
  payer_id: string;
  request_id: string;
}

export interface PaymentRequests {
  actor_id: string;
  actor_type: string;
  amount: number | null;
  batch: number;
  code: string;
  created_at: Date;
  description: string;
  expires_at: Date;
  id: string;
  metadata: string | null;
  payee_id: string;
  payee_kind: "processor" | "subscriber";
  payer_id: string | null;
  payer_phone: string | null;
  reference: string | null;
  request_id: string | null;
  return_url: string | null;
  sealed_token: Buffer;
  single_use: boolean;
  token_hash: Buffer;
}

export interface PayoutReturnClaims {
  claimed_by: string;
  created_at: Date;
  id: string;
  item_id: string;
  payout_id: string;
  side: "bank" | "books";
}

export interface PepAccess {
  code_expires_at: Date | null;
  code_hash: Buffer | null;
  code_salt: Buffer | null;
  codes_sent: number;
  open_until: Date | null;
  tries_left: Generated<number>;
  user_id: string;
  window_started_at: Date;
}

export interface PhoneChanges {
  approved_by: string | null;
  changed_at: Date;
  changed_by: string;
  id: string;
  owner_id: string;
}

export interface PhoneVerifications {
  activates: Generated<boolean>;
  code_expires_at: Date | null;
  code_hash: Buffer | null;
  code_salt: Buffer | null;
  codes_sent: number;
  phone_number: string;
  sent_at: Date;
  subscriber_id: string;
  tries_left: number;
  verified_at: Date | null;
}

export interface PinResets {
  code_expires_at: Date | null;
  code_hash: Buffer | null;
  code_salt: Buffer | null;
  owner_id: string;
  phone_number: string;
  requested_by: string;
  sent_at: Date;
  tries_left: number;
}

export interface Pins {
  failures: Generated<number>;
  guesses: Generated<number>;
  guesses_until: Date | null;
  hash: Buffer;
  locked_until: Date | null;
  own_failures: Generated<number>;
  owner_id: string;
  salt: Buffer;
  version: Generated<number>;
}

export interface Postings {
  account_id: string;
  amount: number;
  balance_after: number;
  fee: number;
  movement_id: string;
  seq: number;
}

export interface ProcessorReturnHosts {
  hosts: string[];
  processor_id: string;
  updated_at: Date;
}

export interface Processors {
  business_name: string;
  contact_name: string;
  created_at: Date;
  email: string;
  id: string;
  merchant_id: string;
  merchant_number: string | null;
  phone_number: string;
  search_text: Generated<string>;
  status: Generated<"active" | "suspended">;
  suspend_reason: string | null;
  suspended_at: Date | null;
  suspended_by: string | null;
  updated_at: Date;
  webhook_endpoints: Json | null;
}

export interface Recalls {
  amount: number;
  asked_at: Date | null;
  case_id: string;
  confirmed_at: Date;
  contested_at: Date | null;
  decided_by: string | null;
  expires_at: Date | null;
  extended_by: string[] | null;
  extended_until: Date | null;
  held: number | null;
  hold_id: string | null;
  hold_number: Generated<number>;
  outside_rule: string | null;
  recipient_id: string;
  sender_id: string;
  settled_at: Date | null;
  state: "staff_decides" | "placing" | "asked" | "nothing_left" | "returned" | "contested" | "expired";
  transfer_id: string;
}

export interface ReceiptRevocations {
  reason: string;
  revoked_at: Date;
  revoked_by: string;
  transaction_id: string;
}

export interface ReconciliationItems {
  amount: number;
  dated: string;
  item_id: string;
  match_id: string | null;
  owned_since: Date | null;
  owner_id: string | null;
  side: "bank" | "books";
  status: Generated<"unmatched" | "suggested" | "matched" | "written_off">;
  suggestion_id: string | null;
  was_undone: Generated<boolean>;
}

export interface ReconciliationMatches {
  bank_amount: number;
  bank_entry_ids: string[];
  books_amount: number;
  cleared_transaction_id: string | null;
  clears: Generated<number>;
  created_at: Date;
  created_by: string | null;
  id: string;
  kind: "reference" | "amount" | "day_sum" | "manual" | "write_off";
  made_change: number | null;
  note: string | null;
  run_id: string | null;
  status: "matched" | "written_off" | "undone";
  transaction_ids: string[];
  uncleared_transaction_id: string | null;
  undone_at: Date | null;
  undone_by: string | null;
  undone_change: number | null;
}

export interface ReconciliationProgress {
  changes: Generated<number>;
  listed_until: Date;
  single: Generated<boolean>;
}

export interface ReconciliationRuns {
  finished_at: Date | null;
  id: string;
  lease_until: Date;
  matched: Generated<number>;
  started_at: Date;
  started_by: string;
  status: "running" | "finished" | "failed";
  suggested: Generated<number>;
}

export interface ReconciliationSuggestions {
  amount: number;
  bank_entry_ids: string[];
  created_at: Date;
  id: string;
  rule: "reference" | "amount" | "day_sum";
  transaction_ids: string[];
}

export interface RecoveryCodes {
  hash: Buffer;
  salt: Buffer;
  user_id: string;
}

export interface RefreshTokens {
  expires_at: Date;
  session_id: string;
  token_hash: Buffer;
  used_at: Date | null;
}

export interface RefusalRollups {
  code: string;
  count: number;
  hour: number;
}

export interface Refusals {
  amount: number | null;
  at: Date;
  attempts: number;
  channel: string;
  code: string;
  excess: number | null;
  id: string;
  last_at: Date;
  party_id: string;
  place_id: string | null;
  subscriber_id: string | null;
  type: string;
}

export interface RegistrationRequests {
  request_id: string;
  scope: string;
  subscriber_id: string;
}

export interface RequestLog {
  at: Date;
  code: string | null;
  duration_ms: number;
  ip: string;
  key_id: string;
  method: string;
  path: string;
  reason: string | null;
  reply_body: string | null;
  reply_bytes: number;
  request_body: string | null;
  request_bytes: number;
  request_id: string;
  seq: Generated<number>;
  status: number;
  subjects: Generated<string[]>;
  verified: boolean;
}

export interface RequestLogOmissions {
  count: number;
  hour: number;
  key_id: string;
}

export interface RequestPruning {
  before: Date;
  mac: Buffer | null;
  page: number | null;
}

export interface Requests {
  batch: number | null;
  hash: Buffer;
  movement_id: string;
  refused: Generated<boolean>;
  reply: string;
  request_id: string;
  scope: string;
}

export interface RetiredKeys {
  id: string;
  name: "MASTER_KEY" | "PIN_PEPPER";
  retired_at: Date;
  sealed_key: Buffer | null;
}

export interface SavedViews {
  created_at: Date;
  id: string;
  name: string;
  query: string;
  screen: string;
  shared: boolean;
  user_id: string;
}

export interface SealChains {
  heads: ArrayType<number>;
  id: number;
  key_id: Generated<string>;
  mac: Buffer;
  started_at: Date;
}

export interface Seals {
  at: Date;
  batch: number;
  first_movement: string | null;
  format: number;
  last_movement: string | null;
  mac: Buffer;
  requests_digest: Buffer | null;
}

export interface SearchNames {
  key: string;
  kind: string;
  record_id: string;
}

export interface SecondFactorChallenges {
  challenge_hash: Buffer;
  expires_at: Date;
  mac: Buffer | null;
  passkey_only: Generated<boolean>;
  password_right: Generated<boolean>;
  purpose: "login" | "passkey";
  user_id: string;
  wrong_tries: Generated<number>;
}

export interface SecretChecks {
  mark: Buffer;
  name: string;
}

export interface Sessions {
  created_at: Date;
  expires_at: Date;
  id: string;
  revoked_at: Date | null;
  user_id: string;
}

export interface SubscriberCounts {
  count: number;
  kyc_level: number;
  status: string;
  stripe: number;
}

export interface SubscriberDocuments {
  created_at: Date;
  id: string;
  kind: "identity" | "face";
  sealed: Buffer;
  sha256: Buffer;
  size: number;
  subscriber_id: string;
  type: "image/jpeg" | "image/png" | "application/pdf";
  uploaded_by: string;
}

export interface SubscriberNotes {
  author_id: string;
  created_at: Date;
  id: string;
  subscriber_id: string;
  text: string;
}

export interface Subscribers {
  account_number: string;
  address: string | null;
  block_reason: string | null;
  blocked_at: Date | null;
  blocked_by: string | null;
  created_at: Date;
  date_of_birth: string | null;
  disabled_transaction_types: Generated<string[]>;
  email: string | null;
  erased_at: Date | null;
  first_name: string;
  id: string;
  id_document_url: string | null;
  id_number: string | null;
  id_type: "NATIONAL_ID" | "PASSPORT" | "DRIVERS_LICENSE" | null;
  is_pep: Generated<boolean>;
  kyc_level: Generated<number>;
  last_name: string;
  max_child_cards: Generated<number>;
  partner_wallet_id: string | null;
  phone_changed_at: Date | null;
  phone_changed_by: string | null;
  phone_number: string;
  phone_verified: Generated<boolean>;
  pin_reset_at: Date | null;
  registered_by_agent: string | null;
  search_text: Generated<string>;
  selfie_url: string | null;
  status: "ACTIVE" | "BLOCKED" | "PENDING" | "ENDED";
  updated_at: Date;
}

export interface TotpEnrolments {
  confirmed_at: Date | null;
  created_at: Date;
  last_step: number | null;
  sealed_secret: Buffer;
  user_id: string;
}

export interface TrustAccounts {
  account_number: string;
  bank: string;
  created_at: Date;
  currency: string;
  id: string;
  name: string;
  status: Generated<"active" | "closed">;
  updated_at: Date;
}

export interface UnclaimedRedemptions {
  agent_id: string;
  batch: number;
  hold_id: string;
  id_type: string;
  redeemed_at: Date;
  sealed_identity: Buffer;
  transaction_id: string;
}

export interface Users {
  agent_id: string | null;
  created_at: Date;
  email: string;
  first_name: string;
  id: string;
  last_login_at: Date | null;
  last_name: string;
  must_change_password: Generated<boolean>;
  password_hash: string;
  password_recovered_at: Date | null;
  pep_access_authorized: Generated<boolean>;
  phone_number: string | null;
  processor_id: string | null;
  role: string;
  second_factor_at: Date | null;
  status: Generated<"active" | "inactive" | "suspended">;
  suspended_with_owner: Generated<boolean>;
  tokens_valid_from: Generated<Date>;
  updated_at: Date;
}

export interface UssdInvitations {
  agent_id: string;
  expires_at: Date;
  first_name: string;
  last_name: string;
  phone_number: string;
}

export interface UssdSessions {
  claimed_until: Date | null;
  ended: boolean;
  expires_at: Date;
  gateway: string;
  id: string;
  phone_number: string;
  position: number;
  sealed: Buffer;
  service_code: string;
  step: number;
}

export interface WebhookAttempts {
  at: Date;
  delivery_id: string;
  duration_ms: number;
  error: string | null;
  http_status: number | null;
  number: number;
  reply_body: Buffer | null;
  reply_headers: Json | null;
  reply_truncated: boolean | null;
  request_headers: Json | null;
  url: string | null;
}

export interface WebhookDeliveries {
  attempts: number;
  body: string;
  created_at: Date;
  endpoint_id: string | null;
  event: string;
  finished_at: Date | null;
  id: string;
  inbound_id: string | null;
  lease: string | null;
  leased_until: Date | null;
  next_attempt_at: Date | null;
  partner_id: string | null;
  processor_id: string | null;
  reference: string;
  status: "pending" | "delivered" | "abandoned";
  step: number;
  subscriber_id: string | null;
  traceparent: string | null;
  turn: number;
}

export interface WebhookEndpoints {
  created_at: Date;
  created_by: string;
  events: string[];
  id: string;
  partner_id: string | null;
  previous_secret: Buffer | null;
  previous_valid_until: Date | null;
  processor_id: string | null;
  sealed_secret: Buffer;
  updated_at: Date;
  url: string;
}

export interface DB {
  account_checkpoints: AccountCheckpoints;
  account_rollups: AccountRollups;
  accounts: Accounts;
  agents: Agents;
  allowances: Allowances;
  api_key_credentials: ApiKeyCredentials;
  api_keys: ApiKeys;
  approval_policies: ApprovalPolicies;
  approvals: Approvals;
  attempt_counts: AttemptCounts;
  audit_head: AuditHead;
  audit_inbox: AuditInbox;
  audit_log: AuditLog;
  bank_accounts: BankAccounts;
  bank_entries: BankEntries;
  bank_statements: BankStatements;
  bulk_payment_limits: BulkPaymentLimits;
  bulk_payment_rows: BulkPaymentRows;
  bulk_payments: BulkPayments;
  cards: Cards;
  case_clocks: CaseClocks;
  case_events: CaseEvents;
  case_files: CaseFiles;
  cases: Cases;
  cash_out_codes: CashOutCodes;
  close_keys: CloseKeys;
  closes: Closes;
  commission_tiers: CommissionTiers;
  compliance_alert_assignees: ComplianceAlertAssignees;
  compliance_alerts: ComplianceAlerts;
  compliance_rules: ComplianceRules;
  customer_card_blocks: CustomerCardBlocks;
  customer_challenges: CustomerChallenges;
  customer_devices: CustomerDevices;
  customer_keys: CustomerKeys;
  customer_sessions: CustomerSessions;
  customer_tokens: CustomerTokens;
  customer_ussd_codes: CustomerUssdCodes;
  fee_settings: FeeSettings;
  float_requests: FloatRequests;
  gateway_keys: GatewayKeys;
  gateway_stripes: GatewayStripes;
  going_live_confirmations: GoingLiveConfirmations;
  hold_ends: HoldEnds;
  holds: Holds;
  inbound_reversals: InboundReversals;
  inbound_transactions: InboundTransactions;
  incoming_messages: IncomingMessages;
  key_closings: KeyClosings;
  known_browsers: KnownBrowsers;
  lab_certifications: LabCertifications;
  lab_observations: LabObservations;
  lab_requests: LabRequests;
  ledger_archives: LedgerArchives;
  login_attempts: LoginAttempts;
  login_failure_days: LoginFailureDays;
  login_network_days: LoginNetworkDays;
  lookups: Lookups;
  messages: Messages;
  movement_rollups: MovementRollups;
  movements: Movements;
  nonces: Nonces;
  notice_positions: NoticePositions;
  notice_preferences: NoticePreferences;
  notice_readers: NoticeReaders;
  partner_webhook_secrets: PartnerWebhookSecrets;
  partners: Partners;
  passkeys: Passkeys;
  password_recoveries: PasswordRecoveries;
  payment_request_blocks: PaymentRequestBlocks;
  payment_request_codes: PaymentRequestCodes;
  payment_request_declines: PaymentRequestDeclines;
  payment_request_ends: PaymentRequestEnds;
  payment_request_expiry: PaymentRequestExpiry;
  payment_request_notices: PaymentRequestNotices;
  payment_request_payments: PaymentRequestPayments;
  payment_request_refusals: PaymentRequestRefusals;
  payment_requests: PaymentRequests;
  payout_return_claims: PayoutReturnClaims;
  pep_access: PepAccess;
  phone_changes: PhoneChanges;
  phone_verifications: PhoneVerifications;
  pin_resets: PinResets;
  pins: Pins;
  postings: Postings;
  processor_return_hosts: ProcessorReturnHosts;
  processors: Processors;
  recalls: Recalls;
  receipt_revocations: ReceiptRevocations;
  reconciliation_items: ReconciliationItems;
  reconciliation_matches: ReconciliationMatches;
  reconciliation_progress: ReconciliationProgress;
  reconciliation_runs: ReconciliationRuns;
  reconciliation_suggestions: ReconciliationSuggestions;
  recovery_codes: RecoveryCodes;
  refresh_tokens: RefreshTokens;
  refusal_rollups: RefusalRollups;
  refusals: Refusals;
  registration_requests: RegistrationRequests;
  request_log: RequestLog;
  request_log_omissions: RequestLogOmissions;
  request_pruning: RequestPruning;
  requests: Requests;
  retired_keys: RetiredKeys;
  saved_views: SavedViews;
  seal_chains: SealChains;
  seals: Seals;
  search_names: SearchNames;
  second_factor_challenges: SecondFactorChallenges;
  secret_checks: SecretChecks;
  sessions: Sessions;
  subscriber_counts: SubscriberCounts;
  subscriber_documents: SubscriberDocuments;
  subscriber_notes: SubscriberNotes;
  subscribers: Subscribers;
  totp_enrolments: TotpEnrolments;
  trust_accounts: TrustAccounts;
  unclaimed_redemptions: UnclaimedRedemptions;
  users: Users;
  ussd_invitations: UssdInvitations;
  ussd_sessions: UssdSessions;
  webhook_attempts: WebhookAttempts;
  webhook_deliveries: WebhookDeliveries;
  webhook_endpoints: WebhookEndpoints;
}
