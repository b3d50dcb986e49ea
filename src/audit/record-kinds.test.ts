// Gateways of two versions run side by side during an upgrade: both must store the same digests of a record.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KindDefinition } from './record-kind.ts';
import { RECORD_KINDS } from './record-kinds.ts';

/** The columns of 0.5.0, as names in alphabetical order. */
const RELEASED: Record<string, string> = {
  user: `agent_id created_at email first_name last_name must_change_password password_hash pep_access_authorized phone_number
    processor_id role second_factor_at status suspended_with_owner`,
  api_key:
    'bearer created_at created_by environment expires_at name partner_id processor_id rate_limit revoked_at scopes',
  subscriber: `account_number address block_reason blocked_at blocked_by created_at date_of_birth disabled_transaction_types email
    first_name id_document_url id_number id_type is_pep kyc_level last_name max_child_cards partner_wallet_id phone_number
    phone_verified registered_by_agent selfie_url status`,
  card: `created_at daily_limit label linked_at parent_serial retired_at retired_subscriber_id status subscriber_id type`,
  agent: `business_name commission_tier created_at email first_name held_by_house last_name location parent_agent_id phone_number
    settlement_mode status status_reason type`,
  processor: `business_name contact_name created_at email merchant_id phone_number status suspend_reason suspended_at suspended_by`,
  partner: 'created_at ip_allowlist max_amount min_amount name outstanding_limit status webhook_url',
  fee_setting: 'credit_enabled debit_enabled fee_type updated_by value',
  compliance_rule: 'enabled kind name outcome severity side threshold transaction_types version window_seconds',
  compliance_alert: `agent_id created_at description due_at figures notes processor_id resolution resolved_at resolved_by rule_id
    rule_version severity status subscriber_id transaction_id type`,
};

const kinds: Record<string, KindDefinition> = RECORD_KINDS;

for (const [kind, names] of Object.entries(RELEASED)) {
  test(`${kind} has the columns of 0.5.0: a new column belongs to a related kind`, () => {
    assert.deepEqual(Object.keys(kinds[kind]?.columns ?? {}).sort(), names.split(/\s+/));
  });
}

test('cards in stock are absent, as in 0.5.0', () => {
  assert.equal(RECORD_KINDS.card.scope, `subscriber_id is not null or status = 'blocked'`);
});

test('no column of a table belongs to two kinds', () => {
  const columns = Object.values(kinds).flatMap(({ table, columns }) =>
    Object.keys(columns).map((name) => `${table}.${name}`),
  );
  assert.equal(new Set(columns).size, columns.length);
});
