// The signed report of a certification run, and its verification with the public keys alone.
import { isSignedBy, type PublicKey } from './document-keys.ts';

/** Tells the report from other documents that the same key signs, such as daily closes. */
export const REPORT_KIND = 'certification';

export interface CertificationReport {
  kind: typeof REPORT_KIND;
  version: 1;
  id: string;
  operator: string;
  environment: string;
  service_version: string;
  partner: { id: string; name: string };
  key_id: string;
  started_at: string;
  finished_at: string;
  result: 'passed' | 'failed';
  /** not_run: the run was finished before the step was decided. */
  steps: { id: string; title: string; state: 'passed' | 'failed' | 'not_run'; reason: string }[];
}

export interface SignedReport {
  document: string;
  signature: string;
  signing_key_id: string;
}

export interface VerifiedReport {
  /** Null if it could not be read. */
  report: CertificationReport | null;
  /** Sentences. Empty: the report is genuine. */
  faults: string[];
}

/** `keys`: by id, from the JWKS of the operator. */
export function verifyReport(signed: SignedReport, keys: ReadonlyMap<string, PublicKey>): VerifiedReport {
  const key = keys.get(signed.signing_key_id);
  if (!key) return { report: null, faults: [`The key ${signed.signing_key_id} is not among the public keys.`] };
  if (!isSignedBy(Buffer.from(signed.document), signed.signature, key)) {
    return { report: null, faults: ['The report was changed, or another key signed it.'] };
  }
  const report = JSON.parse(signed.document) as CertificationReport;
  if (report.kind !== REPORT_KIND || report.version !== 1) {
    return { report: null, faults: ['The document is not a certification report.'] };
  }
  const allPassed = report.steps.every(({ state }) => state === 'passed');
  const isConsistent = (report.result === 'passed') === allPassed;
  return { report, faults: isConsistent ? [] : ['The result does not follow from the steps.'] };
}
