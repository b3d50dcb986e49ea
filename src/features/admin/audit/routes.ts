// Endpoints that query the audit log and verify its hash chain.
import { type Static, Type } from 'typebox';
import type { ChainedEntry } from '../../../audit/chain.ts';
import type { AuditQuery } from '../../../audit/find-entries.ts';
import type { AuditLog } from '../../../audit/log.ts';
import { dayOrInstant, readRange } from '../../../http/date-range.ts';
import { type Endpoint, endpoint, ok } from '../../../http/endpoint.ts';
import { line, timestamp } from '../../../http/fields.ts';
import { listQuery, listReply, pageOf } from '../../../http/paging.ts';
import { iso } from '../../../kernel/clock.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { createEntryMasking, type EntryMaskingDependencies } from './pep-masking.ts';

const nullableText = () => Type.Union([Type.String(), Type.Null()]);

const ACTOR_TYPES = ['user', 'subscriber', 'key', 'service', 'notification', 'public', 'system'] as const;

const entry = Type.Object(
  {
    id: Type.String(),
    at: timestamp(),
    actor_type: Type.Enum(ACTOR_TYPES),
    actor_id: nullableText(),
    actor_name: Type.Union([Type.String(), Type.Null()], {
      description: 'The current name of the user or API key; null for others.',
    }),
    action: Type.String(),
    resource_type: nullableText(),
    resource_id: nullableText(),
    ip: nullableText(),
    request_id: nullableText(),
    details: Type.Object({}, { additionalProperties: true }),
    user_names: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'The current names of the users whose ids are in details, by id.',
    }),
    prev_hash: Type.String({ description: 'Hex SHA-256 of the previous entry.' }),
    hash: Type.String({ description: 'Hex SHA-256 of this entry and prev_hash.' }),
  },
  { title: 'AuditEntry' },
);

const logsQuery = listQuery({
  actor_type: Type.Optional(Type.Enum(ACTOR_TYPES, { description: 'user: what people did.' })),
  actor_id: Type.Optional(line()),
  action: Type.Optional(line()),
  resource_id: Type.Optional(line()),
  from: Type.Optional(dayOrInstant('At or after this time')),
  to: Type.Optional(dayOrInstant('At or before this time')),
});

const verdict = Type.Object(
  {
    success: Type.Literal(true),
    valid: Type.Boolean(),
    entries: Type.Integer({ description: 'The number of valid entries, counted from the first.' }),
    broken_at: Type.Optional(Type.Integer({ description: 'The number of the first invalid entry.' })),
    heads: Type.Object(
      {
        audit: Type.Object(
          { entry: Type.Integer({ description: 'Its number.' }), hash: Type.String({ description: 'Hex.' }) },
          { description: 'The last entry of the audit log.' },
        ),
        seals: Type.Array(
          Type.Object({
            batch: Type.String({ description: 'The number of the batch.' }),
            mac: Type.String({ description: 'Hex.' }),
          }),
          { description: 'The last seal of each chain of the ledger.' },
        ),
      },
      {
        description:
          'The ends of all chains, to compare with anchors. An anchor is a signed copy of this record, kept outside the database (`npm run ledger:anchor`).',
      },
    ),
  },
  { title: 'AuditVerification' },
);

export function auditRoutes(audit: AuditLog, protection: EntryMaskingDependencies): Endpoint[] {
  const masking = createEntryMasking(protection);
  return [
    endpoint({
      id: 'listAuditLogs',
      clientMethod: 'audit.list',
      method: 'GET',
      path: '/audit/logs',
      permission: 'audit:read',
      summary: 'Query the audit log, newest first',
      query: logsQuery,
      replies: { 200: listReply('logs', entry) },
      handle: async (call) => {
        const filter = auditQuery(call.query);
        if (filter instanceof Refusal) return filter;
        const { limit, offset, resourceId } = filter;
        if (resourceId !== undefined && (await masking.isHidden(call, resourceId))) {
          return ok({ logs: [], total_count: 0, limit, offset });
        }
        const { entries: found, total } = await audit.find(filter);
        const entries = await masking.masked(call, found);
        const names = await audit.actorNames([...entries, ...entries.flatMap(usersIn)]);
        const logs = entries.map((each) => ({
          ...entryView(each),
          actor_name: names.get(each.actor_id ?? '') ?? null,
          user_names: Object.fromEntries(
            usersIn(each).flatMap(({ actor_id: id }) => (names.has(id) ? [[id, names.get(id)]] : [])),
          ),
        }));
        return ok({ logs, total_count: total, limit, offset });
      },
    }),
    endpoint({
      id: 'verifyAuditLog',
      clientMethod: 'audit.verify',
      method: 'GET',
      path: '/audit/verify',
      permission: 'audit:read',
      summary: 'Verify the hash chain of the audit log',
      description: 'Reads the whole chain, which takes a while on a long log.',
      replies: { 200: verdict },
      handle: async () => {
        const found = await audit.verify();
        const broken = found.valid ? {} : { broken_at: found.brokenAt };
        const { audit: last, seals } = await audit.heads();
        const heads = { audit: { entry: last.seq, hash: last.hash }, seals };
        return ok({ success: true, valid: found.valid, entries: found.entries, ...broken, heads });
      },
    }),
  ];
}

function auditQuery(query: Static<typeof logsQuery>): AuditQuery | Refusal {
  const { actor_type, actor_id, action, resource_id, from, to } = query;
  const range = readRange({ from, to });
  if (range instanceof Refusal) return range;
  const filter: AuditQuery = pageOf(query);
  if (actor_type !== undefined) filter.actorType = actor_type;
  if (actor_id !== undefined) filter.actorId = actor_id;
  if (action !== undefined) filter.action = action;
  if (resource_id !== undefined) filter.resourceId = resource_id;
  if (range.from !== undefined) filter.from = new Date(range.from);
  if (range.to !== undefined) filter.to = new Date(range.to);
  return filter;
}

/** The users whose ids are in the details, such as who approved a change. */
function usersIn({ details }: ChainedEntry): { actor_type: 'user'; actor_id: string }[] {
  const ids = new Set(JSON.stringify(details).match(/\busr_[0-9A-Z]{26}\b/g));
  return [...ids].map((actor_id) => ({ actor_type: 'user', actor_id }));
}

function entryView({ seq: _, state: _state, format: _format, at, prev_hash, hash, ...rest }: ChainedEntry) {
  return { ...rest, at: iso(at), prev_hash: prev_hash.toString('hex'), hash: hash.toString('hex') };
}
