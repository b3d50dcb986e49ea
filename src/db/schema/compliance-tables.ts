// The tables of compliance as the code sees them.
import type { ColumnType } from 'kysely';

export interface ComplianceRulesTable {
  id: string;
  name: string;
  kind: string;
  transaction_types: string[];
  threshold: number;
  window_seconds: number | null;
  outcome: string;
  severity: string;
  enabled: boolean;
  version: ColumnType<number, number | undefined, number>;
  created_at: Date;
  updated_at: Date;
}

export interface ComplianceAlertsTable {
  id: string;
  severity: string;
  status: string;
  type: string;
  subscriber_id: string | null;
  agent_id: string | null;
  processor_id: string | null;
  transaction_id: string | null;
  rule_id: string | null;
  rule_version: number | null;
  description: string;
  notes: string | null;
  figures: ColumnType<Record<string, unknown>, string, never>;
  created_at: Date;
  due_at: Date | null;
  updated_at: Date;
  resolved_at: Date | null;
  resolved_by: string | null;
  resolution: string | null;
}
