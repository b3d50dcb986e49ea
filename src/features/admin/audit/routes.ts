// Endpoints that query the audit log and verify its hash chain.
import { type Static, Type } from 'typebox';
import type { ChainedEntry } from '../../../audit/chain.ts';
import type { AuditLog, AuditQuery } from '../../../audit/log.ts';
import { dayOrInstant, readRange } from '../../../http/date-range.ts';
import { type Endpoint, endpoint, ok } from '../../../http/endpoint.ts';
import { line, timestamp } from '../../../http/fields.ts';
import { listQuery, listReply, pageOf } from '../../../http/paging.ts';
import { iso } from '../../../kernel/clock.ts';
import { Refusal } from '../../../kernel/refusal.ts';

const nullableText = () => Type.Union([Type.String(), Type.Null()]);

const entry = Type.Object({
  id: Type.String(),
  at: timestamp(),
  actor_type: Type.Enum(['user', 'key', 'service', 'public']),
  actor_id: nullableText(),
  action: Type.String(),
  resource_type: nullableText(),
  resource_id: nullableText(),
  ip: nullableText(),
  request_id: nullableText(),
  details: Type.Object({}, { additionalProperties: true }),
  prev_hash: Type.String({ description: 'Hex SHA-256 of the entry before.' }),
  hash: Type.String({ description: 'Hex SHA-256 of this entry and prev_hash.' }),
});

const logsQuery = listQuery({
  actor_id: Type.Optional(line()),
  action: Type.Optional(line()),
  resource_id: Type.Optional(line()),
  from: Type.Optional(dayOrInstant('Done then or later')),
  to: Type.Optional(dayOrInstant('Done then or earlier')),
});

const verdict = Type.Object({
  success: Type.Literal(true),
  valid: Type.Boolean(),
  entries: Type.Integer({ description: 'How many entries are in order, from the first.' }),
  broken_at: Type.Optional(Type.Integer({ description: 'The number of the first entry that is not.' })),
});

export function auditRoutes(audit: AuditLog): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/audit/logs',
      permission: 'audit:read',
      summary: 'Query the audit log, newest first',
      query: logsQuery,
      replies: { 200: listReply('logs', entry) },
      handle: async ({ query }) => {
        const wanted = auditQuery(query);
        if (wanted instanceof Refusal) return wanted;
        const { entries, total } = await audit.find(wanted);
        const { limit, offset } = wanted;
        return ok({ logs: entries.map(entryView), total_count: total, limit, offset });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/audit/verify',
      permission: 'audit:read',
      summary: 'Walk the hash chain of the audit log',
      replies: { 200: verdict },
      handle: async () => {
        const found = await audit.verify();
        const broken = found.valid ? {} : { broken_at: found.brokenAt };
        return ok({ success: true, valid: found.valid, entries: found.entries, ...broken });
      },
    }),
  ];
}

function auditQuery(query: Static<typeof logsQuery>): AuditQuery | Refusal {
  const { actor_id, action, resource_id, from, to } = query;
  const range = readRange({ from, to });
  if (range instanceof Refusal) return range;
  const wanted: AuditQuery = pageOf(query);
  if (actor_id !== undefined) wanted.actorId = actor_id;
  if (action !== undefined) wanted.action = action;
  if (resource_id !== undefined) wanted.resourceId = resource_id;
  if (range.from !== undefined) wanted.from = new Date(range.from);
  if (range.to !== undefined) wanted.to = new Date(range.to);
  return wanted;
}

function entryView({ seq: _, at, prev_hash, hash, ...rest }: ChainedEntry) {
  return { ...rest, at: iso(at), prev_hash: prev_hash.toString('hex'), hash: hash.toString('hex') };
}
