// The kinds of protected records: their tables, columns and parts.
import { type KindDefinition, times, values } from './record-kind.ts';

const PIN = { table: 'pins', by: 'owner_id', columns: { salt: 'bytes', hash: 'bytes' } } as const;

/**
 * Columns that change without an audit entry (last_login_at, failed attempts, updated_at) are absent. A column that a later
 * version adds to a table belongs to its own related kind. During an upgrade, gateways of the previous version store digests
 * without it: in the same kind, they would not lead to the row.
 */
export const RECORD_KINDS = {
  user: {
    table: 'users',
    id: 'id',
    columns: {
      ...values('email', 'password_hash', 'first_name', 'last_name', 'phone_number', 'role', 'status', 'agent_id'),
      ...values('processor_id', 'pep_access_authorized', 'suspended_with_owner', 'must_change_password'),
      ...times('created_at', 'second_factor_at'),
    },
    // Recovery codes are absent: their hashes are keyed and bound to the user.
    parts: {
      totp: {
        table: 'totp_enrolments',
        by: 'user_id',
        where: 'confirmed_at is not null',
        columns: { sealed_secret: 'bytes', ...times('created_at', 'confirmed_at') },
      },
      passkeys: {
        table: 'passkeys',
        by: 'user_id',
        columns: { ...values('id', 'credential_id'), public_key: 'bytes', ...times('created_at') },
      },
    },
  },
  api_key: {
    table: 'api_keys',
    id: 'id',
    columns: {
      ...values('name', 'scopes', 'environment', 'partner_id', 'processor_id', 'rate_limit', 'created_by', 'bearer'),
      ...times('expires_at', 'revoked_at', 'created_at'),
    },
    parts: {
      credentials: {
        table: 'api_key_credentials',
        by: 'key_id',
        columns: { bearer_hash: 'bytes', sealed_secret: 'bytes', ...times('created_at', 'valid_until') },
      },
    },
    related: [{ kind: 'api_key_limit', by: 'id' }],
  },
  api_key_limit: {
    table: 'api_keys',
    id: 'id',
    scope: 'num_nonnulls(daily_limit, approval_id) > 0',
    columns: values('daily_limit', 'approval_id'),
  },
  subscriber: {
    table: 'subscribers',
    id: 'id',
    columns: {
      ...values('account_number', 'phone_number', 'first_name', 'last_name', 'email', 'address', 'kyc_level', 'status'),
      ...values('disabled_transaction_types', 'id_number', 'id_type', 'id_document_url', 'selfie_url', 'block_reason'),
      ...values('partner_wallet_id', 'max_child_cards', 'blocked_by', 'is_pep', 'registered_by_agent'),
      ...values('phone_verified'),
      ...times('blocked_at', 'created_at'),
      date_of_birth: 'text',
    },
    parts: { pin: PIN },
    related: [
      { kind: 'card', by: 'subscriber_id' },
      { kind: 'subscriber_security', by: 'id' },
      { kind: 'subscriber_erasure', by: 'id' },
      { kind: 'customer_key', by: 'subscriber_id' },
      { kind: 'phone_change', by: 'owner_id' },
    ],
  },
  subscriber_security: {
    table: 'subscribers',
    id: 'id',
    scope: 'num_nonnulls(pin_reset_at, phone_changed_at, phone_changed_by) > 0',
    columns: { ...values('phone_changed_by'), ...times('pin_reset_at', 'phone_changed_at') },
  },
  subscriber_erasure: {
    table: 'subscribers',
    id: 'id',
    scope: 'erased_at is not null',
    columns: times('erased_at'),
  },
  // A destroyed key that is put back, as from a backup, is reported. Keys in use are encrypted again with a new MASTER_KEY.
  customer_key: {
    table: 'customer_keys',
    id: 'subscriber_id',
    scope: 'destroyed_at is not null',
    columns: { sealed_key: 'bytes', ...times('destroyed_at') },
  },
  phone_change: {
    table: 'phone_changes',
    id: 'id',
    columns: { ...values('owner_id', 'changed_by', 'approved_by'), ...times('changed_at') },
  },
  subscriber_note: {
    table: 'subscriber_notes',
    id: 'id',
    columns: { ...values('subscriber_id', 'author_id', 'text'), ...times('created_at') },
  },
  card: {
    table: 'cards',
    id: 'serial',
    // Cards in stock are of no value until they are linked.
    scope: `subscriber_id is not null or status = 'blocked'`,
    columns: {
      ...values('type', 'status', 'subscriber_id', 'parent_serial', 'label', 'daily_limit', 'retired_subscriber_id'),
      ...times('linked_at', 'created_at', 'retired_at'),
    },
    related: [
      { kind: 'card', by: 'parent_serial' },
      { kind: 'card_former_holder', by: 'serial' },
    ],
  },
  card_former_holder: {
    table: 'cards',
    id: 'serial',
    scope: 'unlinked_subscriber_id is not null',
    columns: values('unlinked_subscriber_id'),
  },
  agent: {
    table: 'agents',
    id: 'id',
    columns: {
      ...values('type', 'parent_agent_id', 'business_name', 'first_name', 'last_name', 'phone_number', 'email'),
      ...values('location', 'commission_tier', 'settlement_mode', 'status', 'status_reason', 'held_by_house'),
      ...times('created_at'),
    },
    parts: { pin: PIN },
    related: [
      { kind: 'user', by: 'agent_id' },
      { kind: 'agent_security', by: 'id' },
      { kind: 'phone_change', by: 'owner_id' },
      { kind: 'agent_commission', by: 'id' },
    ],
  },
  agent_security: {
    table: 'agents',
    id: 'id',
    scope: 'num_nonnulls(pin_reset_at, pin_reset_floor, phone_changed_at, phone_changed_by) > 0',
    columns: { ...values('pin_reset_floor', 'phone_changed_by'), ...times('pin_reset_at', 'phone_changed_at') },
  },
  agent_commission: {
    table: 'agents',
    id: 'id',
    scope: 'commission_percent is not null',
    columns: values('commission_percent'),
  },
  processor: {
    table: 'processors',
    id: 'id',
    columns: {
      ...values('merchant_id', 'business_name', 'contact_name', 'phone_number', 'email', 'status', 'suspend_reason'),
      ...values('suspended_by'),
      ...times('suspended_at', 'created_at'),
    },
    related: [
      { kind: 'user', by: 'processor_id' },
      { kind: 'merchant_number', by: 'id' },
    ],
  },
  merchant_number: {
    table: 'processors',
    id: 'id',
    scope: 'merchant_number is not null',
    columns: values('merchant_number'),
  },
  processor_return_hosts: {
    table: 'processor_return_hosts',
    id: 'processor_id',
    columns: values('hosts'),
  },
  bank_account: {
    table: 'bank_accounts',
    id: 'id',
    columns: {
      ...values('processor_id', 'account_number', 'bank', 'holder', 'created_by', 'removed_by'),
      ...times('created_at', 'removed_at'),
    },
  },
  partner: {
    table: 'partners',
    id: 'id',
    columns: {
      ...values('name', 'status', 'ip_allowlist', 'webhook_url', 'min_amount', 'max_amount', 'outstanding_limit'),
      ...times('created_at'),
    },
    parts: {
      secrets: {
        table: 'partner_webhook_secrets',
        by: 'partner_id',
        columns: { sealed_secret: 'bytes', ...times('created_at', 'valid_until', 'active_from') },
      },
    },
  },
  webhook_endpoint: {
    table: 'webhook_endpoints',
    id: 'id',
    columns: {
      ...values('processor_id', 'partner_id', 'url', 'events', 'created_by'),
      ...{ sealed_secret: 'bytes', previous_secret: 'bytes' },
      ...times('previous_valid_until', 'created_at'),
    },
    deletable: true,
  },
  fee_setting: {
    table: 'fee_settings',
    id: `(transaction_type || '/' || party_type)`,
    columns: values('fee_type', 'value', 'debit_enabled', 'credit_enabled', 'updated_by'),
    deletable: true,
  },
  commission_tier: {
    table: 'commission_tiers',
    id: 'tier',
    columns: values('percent', 'updated_by'),
  },
  compliance_rule: {
    table: 'compliance_rules',
    id: 'id',
    columns: {
      ...values('name', 'kind', 'transaction_types', 'threshold', 'window_seconds', 'outcome', 'severity', 'enabled'),
      ...values('version', 'side'),
    },
  },
  compliance_alert: {
    table: 'compliance_alerts',
    id: 'id',
    columns: {
      ...values('severity', 'status', 'type', 'subscriber_id', 'agent_id', 'processor_id', 'transaction_id', 'rule_id'),
      ...values('rule_version', 'description', 'notes', 'figures', 'resolved_by', 'resolution'),
      ...times('created_at', 'due_at', 'resolved_at'),
    },
    related: [{ kind: 'alert_outcome', by: 'id' }],
  },
  alert_outcome: {
    table: 'compliance_alerts',
    id: 'id',
    scope: 'outcome is not null',
    columns: values('outcome'),
  },
  approval_policy: {
    table: 'approval_policies',
    id: 'action',
    columns: values('enabled', 'threshold', 'updated_by'),
  },
  approval: {
    table: 'approvals',
    id: 'id',
    columns: {
      ...values('action', 'operation', 'status', 'requested_by', 'requested_ip', 'request_id', 'request_hash'),
      ...values('input', 'summary', 'record_states', 'amount', 'subscriber_id', 'decided_by', 'reason'),
      ...values('result', 'refusal'),
      ...times('requested_at', 'expires_at', 'decided_at', 'finished_at'),
      ...{ sealed_input: 'bytes', sealed_result: 'bytes' },
    },
  },
  trust_account: {
    table: 'trust_accounts',
    id: 'id',
    columns: { ...values('name', 'bank', 'account_number', 'currency', 'status'), ...times('created_at') },
  },
  // Its file and its entries are tied to it by the digests (features/finance/trust-accounts/verification.ts).
  bank_statement: {
    table: 'bank_statements',
    id: 'id',
    columns: {
      ...values('trust_account_id', 'format', 'opening_balance', 'closing_balance', 'entry_count', 'uploaded_by'),
      ...{ file_sha256: 'bytes', entries_digest: 'bytes', from_date: 'text', to_date: 'text' },
      ...times('uploaded_at'),
    },
  },
  reconciliation_match: {
    table: 'reconciliation_matches',
    id: 'id',
    columns: {
      ...values('kind', 'status', 'bank_entry_ids', 'transaction_ids', 'bank_amount', 'books_amount', 'clears', 'note'),
      ...values('created_by', 'run_id', 'undone_by', 'cleared_transaction_id', 'uncleared_transaction_id'),
      ...values('made_change', 'undone_change'),
      ...times('created_at', 'undone_at'),
    },
  },
  close_key: { table: 'close_keys', id: 'id', columns: { ...values('public_key'), ...times('created_at') } },
  close: {
    table: 'closes',
    id: 'id',
    columns: {
      ...values('number', 'document', 'sha256', 'previous_sha256', 'corrects', 'signature', 'key_id', 'created_by'),
      ...{ date: 'text', created_at: 'time' },
    },
  },
} as const satisfies Record<string, KindDefinition>;

export type RecordKind = keyof typeof RECORD_KINDS;
export const KINDS = Object.keys(RECORD_KINDS) as RecordKind[];
