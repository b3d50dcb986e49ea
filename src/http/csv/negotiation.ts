// Content negotiation (RFC 9110, 12.5.1): whether a client asks for a list as CSV.

/** How well a media type matches the Accept header. */
interface Match {
  quality: number;
  /** 2: the type itself; 1: text/* or application/*; 0: any type. */
  specificity: number;
  position: number;
}

const TEXT_TYPE = /text\//i;
const QUALITY = /;\s*q\s*=\s*([\d.]+)/i;

/** JSON unless the client prefers CSV: by quality, then by the more specific range, then by the order of the header. */
export function prefersCsv(accept: string | undefined): boolean {
  // Nearly all requests ask for JSON or for anything, and need no parser.
  if (accept === undefined || !TEXT_TYPE.test(accept)) return false;
  const ranges = accept.toLowerCase().split(',');
  const csv = bestMatch(ranges, 'text/csv');
  const json = bestMatch(ranges, 'application/json');
  if (!csv || csv.quality === 0) return false;
  if (!json || csv.quality !== json.quality) return csv.quality > (json?.quality ?? 0);
  if (csv.specificity !== json.specificity) return csv.specificity > json.specificity;
  return csv.position < json.position;
}

/** The most specific range decides. */
function bestMatch(ranges: string[], type: string): Match | null {
  const names = ['*/*', `${type.split('/', 1)[0]}/*`, type];
  let best: Match | null = null;
  for (const [position, range] of ranges.entries()) {
    const specificity = names.indexOf(range.split(';', 1)[0]?.trim() ?? '');
    if (specificity <= (best?.specificity ?? -1)) continue;
    best = { specificity, position, quality: Math.min(1, Number(QUALITY.exec(range)?.[1] ?? 1)) || 0 };
  }
  return best;
}
