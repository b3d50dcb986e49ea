// Verifies files of daily closes with the public keys alone: signatures, arithmetic and the chain of hashes.
import { isSignedBy, type PublicKeys as Keys } from '@kissi/signatures/documents';
import { canonicalJson } from '../../../kernel/canonical-json.ts';
import { arithmeticFaults, type CloseDocument, sha256Of } from './document.ts';
import { attachmentOf, isSignedPdf, pdfSignature } from './signed-pdf.ts';

export interface CloseFile {
  name: string;
  bytes: Buffer;
}

export interface FileReport {
  name: string;
  /** Sentences: what was checked and holds. */
  checked: string[];
  /** Sentences: what does not hold. Empty: the file is genuine. */
  faults: string[];
  /** Null if it could not be read. */
  document: CloseDocument | null;
  sha256: string;
}

/** The file of a close, as GET /admin/closes/{date} returns it and as a certificate has it attached. */
interface SignedClose {
  document: string;
  signature: string;
  key_id: string;
}

const PDF_START = '%PDF-';

export function verifyFile(file: CloseFile, keys: Keys): FileReport {
  const report: FileReport = { name: file.name, checked: [], faults: [], document: null, sha256: '' };
  const isPdf = file.bytes.subarray(0, 1_024).includes(PDF_START);
  const text = isPdf ? textOfPdf(file.bytes, keys, report) : file.bytes.toString('utf8');
  const close = text === null ? null : signedCloseOf(text);
  if (close) verifyClose(close, keys, report);
  else if (text !== null) report.faults.push('The file is not a close: it has no document with a signature.');
  return report;
}

/** Null if the PDF has no document attached. */
function textOfPdf(bytes: Buffer, keys: Keys, { checked, faults }: FileReport): string | null {
  const signature = pdfSignature(bytes);
  const key = signature && keys.get(signature.keyId);
  if (!signature) faults.push('The PDF is not signed, or bytes were added after its signature.');
  else if (!key) faults.push(`The PDF is signed with the key ${signature.keyId}, which is not among the public keys.`);
  else if (!isSignedPdf(signature, key)) faults.push('The PDF was changed: its signature does not match its bytes.');
  else checked.push(`No byte of the PDF has changed since it was signed with the key ${key.id}.`);
  const text = attached(bytes);
  if (text === null) faults.push('The PDF has no close attached.');
  return text;
}

function attached(bytes: Buffer): string | null {
  try {
    return attachmentOf(bytes);
  } catch {
    return null;
  }
}

function signedCloseOf(text: string): SignedClose | null {
  try {
    const content = JSON.parse(text) as { close?: SignedClose } & SignedClose;
    const { document, signature, key_id } = content.close ?? content;
    return [document, signature, key_id].every((part) => typeof part === 'string')
      ? { document, signature, key_id }
      : null;
  } catch {
    return null;
  }
}

function verifyClose({ document, signature, key_id }: SignedClose, keys: Keys, report: FileReport): void {
  const { checked, faults } = report;
  report.sha256 = sha256Of(document);
  const key = keys.get(key_id);
  if (!key) faults.push(`The document is signed with the key ${key_id}, which is not among the public keys.`);
  else if (!isSignedBy(Buffer.from(document), signature, key)) {
    faults.push('The document was changed, or another key signed it: its signature does not match.');
  } else checked.push(`The document was signed with the key ${key.id} and has not changed since.`);
  const content = contentOf(document);
  if (!content) {
    faults.push('The document cannot be read: it is not canonical JSON of a known version.');
    return;
  }
  // Another document that the same key signs, such as a certification's report.
  if ('kind' in content) {
    faults.push('The document is not a close.');
    return;
  }
  report.document = content;
  const wrong = faultsOfFigures(content);
  faults.push(...wrong.map((fault) => `The figures are inconsistent: ${fault}.`));
  if (wrong.length === 0) checked.push('The totals, the cover ratio and the fees follow from the figures.');
}

/** A document of another key may have any content. */
function faultsOfFigures(content: CloseDocument): string[] {
  try {
    return arithmeticFaults(content);
  } catch {
    return ['figures are missing'];
  }
}

function contentOf(document: string): CloseDocument | null {
  try {
    const content = JSON.parse(document) as CloseDocument;
    return content.version === 1 && canonicalJson(content) === document ? content : null;
  } catch {
    return null;
  }
}

/** The faults of the chain that several files form, in any order. A gap is not a fault, but nothing is proven across it. */
export function verifyChainOf(reports: readonly FileReport[]): { checked: string[]; faults: string[] } {
  const [checked, faults]: [string[], string[]] = [[], []];
  const known = reports.flatMap(({ document, sha256, name }) => (document ? [{ document, sha256, name }] : []));
  const sorted = [...new Map(known.map((each) => [each.sha256, each])).values()].sort(
    (a, b) => a.document.number - b.document.number,
  );
  for (const [index, { document, name }] of sorted.entries()) {
    const before = sorted[index - 1];
    if (!before) continue;
    const gap = document.number - before.document.number;
    if (gap === 0) faults.push(`${name} and ${before.name} are different closes with the number ${document.number}.`);
    else if (gap > 1) {
      checked.push(
        `Between number ${before.document.number} and ${document.number} files are missing: nothing is proven there.`,
      );
    } else if (document.previous_sha256 !== before.sha256) {
      faults.push(`The chain is broken: ${name} does not name the hash of ${before.name} as its previous close.`);
    } else checked.push(`${name} names the hash of ${before.name} as its previous close.`);
  }
  faults.push(...correctionFaults(sorted));
  return { checked, faults };
}

function correctionFaults(closes: readonly { document: CloseDocument; sha256: string; name: string }[]): string[] {
  return closes.flatMap(({ document: { corrects, date }, name }) => {
    const corrected = corrects && closes.find(({ document }) => document.id === corrects.id);
    if (!corrected) return [];
    if (corrected.sha256 !== corrects.sha256) return [`${name} corrects a document other than ${corrected.name}.`];
    return corrected.document.date === date ? [] : [`${name} corrects a close of another day, ${corrected.name}.`];
  });
}
