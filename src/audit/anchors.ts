// Anchors: the ends of all chains, signed, to be kept outside the database. They show that a chain was shortened or rebuilt.

import { createHash, hkdfSync, type KeyObject, verify } from 'node:crypto';
import { type SigningKey, signatureOf, signingKey, signingKeyOfSeed } from '@kissi/signatures/documents';
import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { type Clock, iso } from '../kernel/clock.ts';
import type { KeyRing } from '../kernel/key-ring.ts';

interface AnchorContent {
  version: 1;
  at: string;
  /** The last entry of the audit chain. */
  audit: { seq: number; hash: string };
  /** The last seal of every chain of the ledger. */
  seals: { batch: string; mac: string }[];
  /** SHA-256 of the previous line of the file; null in the first, and in anchors that are not linked. */
  previous: string | null;
  /** False in anchors sent to a URL, which do not know the previous line. Absent in anchors written to a file. */
  linked?: false;
  /** First bytes of the SHA-256 of the public key. */
  key_id: string;
}

interface Anchor extends AnchorContent {
  /** Ed25519 over the canonical JSON of the other fields, in base64. */
  signature: string;
}

export type AnchorKey = SigningKey;

const SEED_BYTES = 32;

/** `text` is a PEM or the 32 bytes of a seed in base64; by default the seed is derived from MASTER_KEY. */
export function anchorKey({ masterKey, signingKey: text }: { masterKey?: string; signingKey?: string }): AnchorKey {
  if (text !== undefined) return signingKey(text, 'ANCHOR_SIGNING_KEY');
  if (masterKey === undefined) throw new Error('ANCHOR_SIGNING_KEY or MASTER_KEY must be set.');
  return signingKeyOfSeed(Buffer.from(hkdfSync('sha256', masterKey, '', 'kissi-anchor-v1', SEED_BYTES)));
}

export interface Heads {
  audit: AnchorContent['audit'];
  seals: AnchorContent['seals'];
}

/** Each chain's last seal: a batch is the chain times 2^32 plus a number. Chains are few. */
export async function chainHeads(queries: Queries): Promise<Heads> {
  const audit = await queries.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow();
  const seals = await sql<{ batch: string; mac: Buffer }>`
    select s.batch::text as batch, s.mac from seal_chains c cross join lateral (
      select batch, mac from seals where batch > c.id::bigint << 32 and batch < (c.id::bigint + 1) << 32
      order by batch desc limit 1) s order by s.batch`.execute(queries);
  return {
    audit: { seq: audit.seq, hash: audit.hash.toString('hex') },
    seals: seals.rows.map(({ batch, mac }) => ({ batch, mac: mac.toString('hex') })),
  };
}

/** An anchor for a file follows a line, or null if it is the first. An anchor for a URL is not linked. */
export type AnchorLink = { after: string | null } | { linked: false };

export function makeAnchor(heads: Heads, key: AnchorKey, clock: Clock, link: AnchorLink): string {
  const linkFields = 'after' in link ? { previous: link.after === null ? null : lineHash(link.after) } : UNLINKED;
  const content: AnchorContent = { version: 1, at: iso(clock.now()), ...heads, ...linkFields, key_id: key.id };
  const signature = signatureOf(Buffer.from(canonicalJson(content)), key);
  return JSON.stringify({ ...content, signature });
}

const UNLINKED = { previous: null, linked: false } as const;

function lineHash(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

/** The faults of a file of anchors, compared with the database. Empty: none. */
export async function verifyAnchors(
  queries: Queries,
  lines: string[],
  signers: KeyObject | readonly AnchorSigner[],
): Promise<string[]> {
  const keys = Array.isArray(signers) ? (signers as readonly AnchorSigner[]) : [{ publicKey: signers as KeyObject }];
  const faults: string[] = [];
  let previous: string | null = null;
  for (const [index, line] of lines.entries()) {
    const name = `anchor ${index + 1}`;
    const anchor = parse(line);
    if (!anchor || !keys.some((key) => isSignedBy(anchor, key))) faults.push(`${name}: the signature is wrong`);
    else {
      const isLinked = previous === null || anchor.linked === false || anchor.previous === lineHash(previous);
      if (!isLinked) faults.push(`${name}: the line before it was changed or removed`);
      for (const fault of await missingHeads(queries, anchor)) faults.push(`${name} of ${anchor.at}: ${fault}`);
    }
    previous = line;
  }
  return faults;
}

/** A key of anchors; one that comes from an old master key signs none after that key ended. */
export interface AnchorSigner {
  publicKey: KeyObject;
  /** Milliseconds since 1970. */
  until?: number | undefined;
}

function isSignedBy(anchor: Anchor, { publicKey, until }: AnchorSigner): boolean {
  return isSigned(anchor, publicKey) && (until === undefined || Date.parse(anchor.at) <= until);
}

/** The signers of anchors that the keys of a ring make. */
export async function anchorSigners(queries: Queries, ring: KeyRing): Promise<AnchorSigner[]> {
  const rows = await queries
    .selectFrom('key_closings')
    .select(['old_key', 'at'])
    .where('chain', '=', 'audit')
    .execute();
  const ends = new Map(rows.map(({ old_key, at }) => [old_key, at.getTime()]));
  return ring.all.map(({ id, value }) => ({
    publicKey: anchorKey({ masterKey: value }).publicKey,
    until: ends.get(id),
  }));
}

function parse(line: string): Anchor | null {
  try {
    const anchor = JSON.parse(line) as Anchor;
    return anchor.version === 1 && Array.isArray(anchor.seals) && typeof anchor.audit === 'object' ? anchor : null;
  } catch {
    return null;
  }
}

function isSigned({ signature, ...content }: Anchor, publicKey: KeyObject): boolean {
  return verify(null, Buffer.from(canonicalJson(content)), publicKey, Buffer.from(String(signature), 'base64'));
}

async function missingHeads(queries: Queries, { audit, seals }: Anchor): Promise<string[]> {
  const faults: string[] = [];
  if (audit.seq > 0) {
    const entry = await queries.selectFrom('audit_log').select('hash').where('seq', '=', audit.seq).executeTakeFirst();
    if (!entry) faults.push(`audit entry ${audit.seq} is missing`);
    else if (entry.hash.toString('hex') !== audit.hash) faults.push(`audit entry ${audit.seq} is different`);
  }
  const batches = seals.map(({ batch }) => batch);
  const { rows } = await sql<{ batch: string; mac: string }>`
    select batch::text as batch, encode(mac, 'hex') as mac from seals where batch = any(${batches}::bigint[])`.execute(
    queries,
  );
  const macs = new Map(rows.map(({ batch, mac }) => [batch, mac]));
  for (const { batch, mac } of seals) {
    const found = macs.get(batch);
    if (found === undefined) faults.push(`the seal of batch ${batch} is missing`);
    else if (found !== mac) faults.push(`the seal of batch ${batch} is different`);
  }
  return faults;
}
