// Verifies daily closes: the chain, the signatures, and every figure by replaying the books to the close's instant.
import { isSignedBy, publicKeyOf } from '@kissi/signatures/documents';
import type { Connection } from '../../../db/driver/connection.ts';
import { canonicalJson } from '../../../kernel/canonical-json.ts';
import { type Check, type Findings, rowsOf } from '../../../ledger/verification/findings.ts';
import { arithmeticFaults, type CloseDocument, nextDay, sha256Of } from './document.ts';
import { replayBooks } from './replay.ts';
import { verifySeals, verifyTrust } from './verify-references.ts';
import { verifyUnmatched } from './verify-unmatched.ts';

const RULES = {
  close_chain_broken: "the daily closes do not form a chain: a number, a day or the previous close's hash is wrong",
  close_signature_wrong: 'the signature or the hash of a daily close is wrong, or its key is unknown',
  close_differs: 'a figure of a daily close differs from the books at its instant',
  close_reference_missing:
    'a daily close names a seal, an audit entry or a statement that does not exist or has changed',
} as const;

interface StoredClose {
  id: string;
  number: number;
  date: string;
  document: string;
  sha256: string;
  previous: string | null;
  corrects: string | null;
  signature: string;
  keyId: string;
  content: CloseDocument | null;
}

const CLOSES = `select id, number, date, document, sha256, previous_sha256, corrects, signature, key_id from closes order by number`;
const KEYS = `select id, public_key from close_keys`;

export const DAILY_CLOSES: Check = {
  rules: RULES,
  needsHistory: true,
  async run(connection, findings) {
    const closes = await storedCloses(connection);
    if (closes.length === 0) return;
    verifyChain(closes, findings);
    await verifySignatures(connection, closes, findings);
    const documents = closes.flatMap(({ content }) => (content ? [content] : []));
    await verifyFigures(connection, documents, findings);
    await verifySeals(connection, documents, findings);
    await verifyTrust(connection, documents, findings);
    await verifyUnmatched(connection, documents, findings);
  },
};

async function storedCloses(connection: Connection): Promise<StoredClose[]> {
  const closes: StoredClose[] = [];
  for await (const [id, number, date, document, sha256, previous, corrects, signature, keyId] of rowsOf(
    connection,
    'all_closes',
    CLOSES,
  )) {
    const texts = { id, date, document, sha256, signature, keyId } as Record<string, string>;
    const row = { ...texts, number: Number(number), previous, corrects } as unknown as Omit<StoredClose, 'content'>;
    closes.push({ ...row, content: contentOf(String(document)) });
  }
  return closes;
}

function contentOf(document: string): CloseDocument | null {
  try {
    const content = JSON.parse(document) as CloseDocument;
    return content.version === 1 && arithmeticFaults(content) ? content : null;
  } catch {
    return null;
  }
}

/** Numbers and days without gaps, each document naming the one before and, in a correction, the last one of its day. */
function verifyChain(closes: readonly StoredClose[], findings: Findings): void {
  const latest = new Map<string, StoredClose>();
  let [previous, lastDay]: [StoredClose | null, string | null] = [null, null];
  for (const close of closes) {
    const fault = (detail: string) => findings.fault('close_chain_broken', nameOf(close), detail);
    if (close.number !== (previous?.number ?? 0) + 1)
      fault(`number ${close.number} follows ${previous?.number ?? 'none'}`);
    if (close.previous !== (previous?.sha256 ?? null)) fault("it does not name the previous close's hash");
    const ofDay = latest.get(close.date);
    if (close.corrects !== (ofDay?.id ?? null))
      fault('it does not name the last close of its day as the one it corrects');
    if (!ofDay && lastDay !== null && nextDay(lastDay) !== close.date) fault(`${lastDay} was closed before it`);
    if (!ofDay) lastDay = close.date;
    if (!isOfRow(close, ofDay)) fault('its columns differ from its document');
    latest.set(close.date, close);
    previous = close;
  }
}

function isOfRow({ id, number, date, previous, content }: StoredClose, corrected: StoredClose | undefined): boolean {
  if (!content) return false;
  const { corrects } = content;
  const isSame = content.id === id && content.number === number && content.date === date;
  const correctsIt =
    (corrects?.id ?? null) === (corrected?.id ?? null) && (corrects?.sha256 ?? null) === (corrected?.sha256 ?? null);
  return isSame && content.previous_sha256 === previous && correctsIt;
}

async function verifySignatures(
  connection: Connection,
  closes: readonly StoredClose[],
  findings: Findings,
): Promise<void> {
  const keys = new Map<string, string>();
  for await (const [id, key] of rowsOf(connection, 'close_keys', KEYS)) keys.set(String(id), String(key));
  for (const close of closes) {
    const { document, sha256, signature, keyId } = close;
    const fault = (detail: string) => findings.fault('close_signature_wrong', nameOf(close), detail);
    if (sha256Of(document) !== sha256) fault('its hash does not match its document');
    const key = keyOf(keys.get(keyId));
    if (key?.id !== keyId) fault(`its key ${keyId} is unknown`);
    else if (!isSignedBy(Buffer.from(document), signature, key)) fault('its signature does not match its document');
  }
}

function keyOf(x: string | undefined) {
  try {
    return x === undefined ? null : publicKeyOf(x);
  } catch {
    return null;
  }
}

async function verifyFigures(
  connection: Connection,
  documents: readonly CloseDocument[],
  findings: Findings,
): Promise<void> {
  const booksAt = await replayBooks(connection);
  for (const document of documents) {
    const about = `close ${document.number} of ${document.date}`;
    for (const fault of arithmeticFaults(document)) findings.fault('close_differs', about, fault);
    const stated = {
      ledger: document.ledger.filter(({ balance }) => balance !== 0),
      partners: document.partners.partners.map(({ id, outstanding }) => ({ id, outstanding })),
      suspense: document.suspense,
      movements: document.movements,
    };
    const expected = booksAt(document.date);
    for (const [name, value] of Object.entries(stated)) {
      const [found, correct] = [canonicalJson(value), canonicalJson(expected[name as keyof typeof expected])];
      if (found !== correct) findings.fault('close_differs', about, `${name} is ${found}, by the books ${correct}`);
    }
  }
}

function nameOf({ number, date }: Pick<StoredClose, 'number' | 'date'>): string {
  return `close ${number} of ${date}`;
}
