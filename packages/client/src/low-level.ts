// What a generated operation needs from the client that carries it out. src/generated/sdk.gen.ts imports these types.

/** Options of a single call. They override the client's. */
export interface CallOptions {
  /**
   * Identifies the payment: attempts with the same key move money once. Made when absent. Sent as `request_id`, or as
   * `reference` on the routes of partner banks, unless the body already has one.
   */
  idempotencyKey?: string | undefined;
  /** Ends the call, also between two attempts. */
  signal?: AbortSignal | undefined;
  /** For each attempt. */
  timeoutMs?: number | undefined;
  /** Attempts after the first one. */
  maxRetries?: number | undefined;
  headers?: Record<string, string> | undefined;
}

/** Options of an upload. */
export interface UploadOptions extends CallOptions {
  /** The file's format, if the operation accepts several. A Blob with a type needs none. */
  contentType?: string | undefined;
}

/** What fetch takes as a body. */
export type FetchBody = NonNullable<RequestInit['body']>;

/** The content of an upload. A stream cannot be sent twice, so such a call is not retried. */
export type UploadBody = string | Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | FormData | ReadableStream<Uint8Array>;

export interface ResponseInfo {
  status: number;
  headers: Headers;
  /** Names the request in the logs of the service. */
  requestId: string | null;
  /** 1 if the first attempt was answered. */
  attempts: number;
  /** True if this is the stored reply to an earlier attempt of the same payment. */
  isReplay: boolean;
  /** The `request_id` or `reference` that was sent. */
  idempotencyKey: string | null;
}

/** The reply, with details of the HTTP response in a property that is not enumerable. */
export type Reply<T> = T extends object ? (T extends Blob ? T : T & { readonly lastResponse: ResponseInfo }) : T;

/** The parts of a request that the generated types describe. */
export interface TDataShape {
  body?: unknown;
  headers?: unknown;
  path?: unknown;
  query?: unknown;
  url: string;
}

// The generated operations refer to these types by name.
export type ClientMeta = Record<never, never>;
export type Options<TData extends TDataShape, _ThrowOnError extends boolean = boolean, _TResponse = unknown> = Pick<
  TData,
  Extract<keyof TData, 'body' | 'path' | 'query'>
> &
  UploadOptions & { accept?: string };
export type RequestResult<TResponses, _TErrors = unknown, _ThrowOnError extends boolean = boolean> = Promise<
  Reply<TResponses[keyof TResponses]>
>;

/** One request as a generated operation passes it on. */
export interface OperationRequest extends UploadOptions {
  /** A template such as /api/v1/subscribers/{id}. */
  url: string;
  body?: unknown;
  path?: unknown;
  query?: unknown;
  /** Set by operations whose body is not JSON. The client decides by the body itself. */
  bodySerializer?: unknown;
  /** `text/csv` for a list as a file; the reply is then a stream. */
  accept?: string;
}

type Send = <TResponses, TErrors = unknown, ThrowOnError extends boolean = boolean>(
  request: OperationRequest,
) => RequestResult<TResponses, TErrors, ThrowOnError>;

/** Carries out operations: signs, sends, retries and reads the reply. */
export interface Client {
  get: Send;
  post: Send;
  put: Send;
  delete: Send;
}
