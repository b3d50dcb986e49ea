// What the client must know about an operation besides its types. Generated from the document for each operation.

/** How requests are authenticated; several if the service accepts either. */
export type Scheme = 'bearer' | 'metrics' | 'signed' | 'partner' | 'inbound' | 'service' | 'cash-in' | 'hub';

export interface Traits {
  /** Bearer by default; an empty list if the operation needs no credential. */
  schemes?: readonly Scheme[];
  /** The body's field by which the service recognizes a repeated payment. */
  key?: 'request_id' | 'reference';
  /** Also needs the header X-Idempotency-Key. */
  keyHeader?: true;
  /** Can be repeated although it is a POST: it only reads. */
  reads?: true;
  /** Takes `encrypted_pin`. */
  encryptsPin?: true;
}
