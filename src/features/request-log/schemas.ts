// Request and response schemas for the request log.
import { type Static, Type } from 'typebox';
import { idField, line, textOrNull, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { iso } from '../../kernel/clock.ts';
import type { LogRow } from './store.ts';

const loggedRequest = Type.Object(
  {
    id: Type.String({ description: 'Increases in the order of writing; the cursor of a follower.' }),
    at: timestamp(),
    authenticated: Type.Boolean({
      description: 'False: the request named the key, but its signature was not accepted.',
    }),
    method: Type.String(),
    path: Type.String({ description: 'Without the query. Ids of subscribers and cards are masked.' }),
    status: Type.Integer({ description: 'The HTTP status of the reply.' }),
    code: textOrNull('The error code of the reply; null if it was accepted.'),
    reason: textOrNull(
      'Why it was refused, where the reply must not say so, such as what is wrong with a signature; or that the client disconnected before the reply was sent.',
    ),
    duration_ms: Type.Number(),
    request_id: Type.String({ description: 'The X-Request-ID of the reply.' }),
    ip: Type.String(),
    request_bytes: Type.Integer({ description: "The body's size." }),
    reply_bytes: Type.Integer({ description: 'Size of the JSON of the reply; 0 for files.' }),
    request_body: textOrNull('Redacted and cut at 4 kB; null without a body.'),
    reply_body: textOrNull('Redacted and cut at 4 kB; null for files.'),
  },
  { title: 'LoggedRequest' },
);

const filters = {
  status: Type.Optional(
    Type.String({
      pattern: '^[1-5](?:\\d\\d|xx)$',
      description: 'An HTTP status, or a class such as 4xx.',
      [ERROR_MESSAGE]: 'must be an HTTP status or a class such as 4xx',
    }),
  ),
  code: Type.Optional({ ...line(64), description: 'An error code.' }),
  newer_than: Type.Optional(
    Type.String({
      pattern: '^\\d{1,18}$',
      description:
        'The cursor of the previous reply: only requests that were written after it, beginning with those that directly follow it.',
      [ERROR_MESSAGE]: 'must be the cursor of a previous reply',
    }),
  ),
};
export const requestsQuery = listQuery(filters);
export const ownRequestsQuery = listQuery({
  ...filters,
  key_id: Type.Optional({
    ...idField('another key of the same owner'),
    description:
      'Another key of the same partner or processor. Default: the key that makes the request; users must name one.',
  }),
});

export const requestsReply = Type.Object({
  ...listReply('requests', loggedRequest).properties,
  omitted_count: Type.Integer({
    description: "The key's requests in the last 24 hours that were not kept, because too many arrived in one second.",
  }),
  cursor: Type.String({ description: "For newer_than: the id of this reply's newest request." }),
});

export function requestView(row: LogRow): Static<typeof loggedRequest> {
  const { method, path, status, code, reason, duration_ms, request_id, ip } = row;
  const { request_bytes, reply_bytes, request_body, reply_body } = row;
  return {
    id: String(row.seq),
    at: iso(row.at),
    authenticated: row.verified,
    ...{ method, path, status, code, reason, duration_ms, request_id, ip },
    ...{ request_bytes, reply_bytes, request_body, reply_body },
  };
}
