// A request as the steps of a route see it, whichever server reads it from the socket.
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../auth/caller.ts';
import type { Trace } from '../kernel/tracing.ts';
import type { AdmissionControl } from './overload/admission-control.ts';
import type { FileChunks } from './upload.ts';

export interface ServedRequest {
  readonly id: string;
  readonly method: string;
  /** The path as sent, with the query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
  /** Of the client, or of the proxy in front. */
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly params: unknown;
  readonly query: unknown;
  body: unknown;
  rawBody: Buffer | null;
  caller: Caller | null;
  upload: FileChunks | null;
  /** The code of the refusal that was sent; null: none was. */
  refusedWith: string | null;
  /** The JSON text of the reply; null for a file, a stream or an empty reply. */
  sentText: string | null;
  /** Set while the request holds a slot of its lane. */
  admission: AdmissionControl | null;
  admittedAt: number;
  /** Null: it is not traced. */
  trace: Trace | null;
}

/** The headers of the reply. A later value of a name replaces an earlier one. */
export interface ReplyHeaders {
  header(name: string, value: string): unknown;
  headers(values: Record<string, string | string[]>): unknown;
}
