// Content negotiation: whether a client asks for a list as CSV.
import Negotiator from 'negotiator';

/** JSON first, which is sent unless the client prefers CSV. A type with parameters in Accept matches only the same ones. */
const OFFERED = [
  ...['application/json', 'application/json; charset=utf-8'],
  ...['text/csv', 'text/csv; charset=utf-8', 'text/csv; header=present', 'text/csv; charset=utf-8; header=present'],
];
const TEXT_TYPE = /text\//i;

export function prefersCsv(accept: string | undefined): boolean {
  // Nearly all requests ask for JSON or for anything, and need no parser.
  if (accept === undefined || !TEXT_TYPE.test(accept)) return false;
  return new Negotiator({ headers: { accept } }).mediaType(OFFERED)?.startsWith('text/csv') ?? false;
}
