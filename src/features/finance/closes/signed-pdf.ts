// Signs a PDF by a line after its end, which covers every byte before it. Viewers ignore the line.

import { inflateSync } from 'node:zlib';
import { isSignedBy, type PublicKey, type SigningKey, signatureOf } from '@kissi/signatures/documents';

// A comment of PDF. Readers look for %%EOF in the last 1,024 bytes, so the line is short.
const LINE = /%kissi-signature v1 key=([0-9a-f]{16}) ed25519=([A-Za-z0-9+/]{86}==)\n$/;
const MAX_LINE_BYTES = 256;

export function signPdf(pdf: Buffer, key: SigningKey): Buffer {
  const content = pdf.at(-1) === 0x0a ? pdf : Buffer.concat([pdf, Buffer.from('\n')]);
  const signature = signatureOf(content, key);
  return Buffer.concat([content, Buffer.from(`%kissi-signature v1 key=${key.id} ed25519=${signature}\n`)]);
}

export interface PdfSignature {
  /** The bytes that are signed. */
  content: Buffer;
  keyId: string;
  signature: string;
}

/** Null if the file does not end with a signature. */
export function pdfSignature(file: Buffer): PdfSignature | null {
  const tail = file.subarray(-MAX_LINE_BYTES).toString('latin1');
  const [line, keyId, signature] = LINE.exec(tail) ?? [];
  if (line === undefined || keyId === undefined || signature === undefined) return null;
  return { content: file.subarray(0, file.length - line.length), keyId, signature };
}

export function isSignedPdf({ content, signature }: PdfSignature, key: PublicKey): boolean {
  return isSignedBy(content, signature, key);
}

/** The file that is attached to a PDF of ours; null if there is none. */
export function attachmentOf(pdf: Buffer): string | null {
  const at = pdf.indexOf('/Type /EmbeddedFile');
  const start = pdf.indexOf('stream\n', at);
  const end = pdf.indexOf('\nendstream', start);
  if (at === -1 || start === -1 || end === -1) return null;
  const bytes = pdf.subarray(start + 'stream\n'.length, end);
  const isCompressed = pdf.subarray(at, start).includes('/FlateDecode');
  return (isCompressed ? inflateSync(bytes) : bytes).toString('utf8');
}
