// Request and response schemas for the lab.
import { type Static, Type } from 'typebox';
import { idField, textOrNull, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { iso } from '../../kernel/clock.ts';
import { type Certification, RUN_MS } from './certification/service.ts';
import type { CertificationRow } from './certification/store.ts';

const step = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    instruction: Type.String({ description: 'What the integrator does for this step.' }),
    state: Type.Enum(['waiting', 'passed', 'failed', 'not_run']),
    reason: Type.String({ description: 'What was observed, or what is missing.' }),
  },
  { title: 'CertificationStep' },
);

const fields = {
  id: Type.String(),
  partner_id: Type.String(),
  key_id: Type.String(),
  state: Type.Enum(['running', 'passed', 'failed']),
  started_by: Type.String(),
  started_at: timestamp(),
  expires_at: Type.String({ description: 'ISO 8601, UTC. The run is finished then with what it has.' }),
  finished_at: Type.Union([timestamp(), Type.Null()]),
  document: textOrNull('The signed report: canonical JSON (RFC 8785) with `kind: certification`. Null while it runs.'),
  signature: textOrNull("Ed25519 signature of the document's bytes, in base64."),
  signing_key_id: textOrNull('The `kid` in /.well-known/kissi-keys.json.'),
};

const certificationRun = Type.Object(fields, { title: 'CertificationRun' });
const certification = Type.Object({ ...fields, steps: Type.Array(step) }, { title: 'Certification' });

export const startBody = Type.Object({
  partner_id: idField('the partner'),
  key_id: idField('an API key of the partner'),
});
export const certificationsQuery = listQuery({ partner_id: Type.Optional(Type.String({ maxLength: 100 })) });
export const certificationsReply = listReply('certifications', certificationRun);
export const certificationReply = Type.Object({ certification });
export const startReply = Type.Object({ success: Type.Literal(true), message: Type.String(), certification });

export function runView(row: CertificationRow): Static<typeof certificationRun> {
  const { id, partner_id, key_id, started_by, started_at, document, signature, signing_key_id } = row;
  return {
    ...{ id, partner_id, key_id, started_by, document, signature, signing_key_id },
    state: row.result === null ? 'running' : row.result === 'passed' ? 'passed' : 'failed',
    started_at: iso(started_at),
    expires_at: iso(started_at.getTime() + RUN_MS),
    finished_at: row.finished_at && iso(row.finished_at),
  };
}

export function certificationView({ row, steps }: Certification): Static<typeof certification> {
  return { ...runView(row), steps };
}
