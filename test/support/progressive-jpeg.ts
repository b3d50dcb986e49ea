// Progressive JPEGs with as many scans as the format allows: small files that take long to decode.
import sharp from 'sharp';

const [START_OF_SCAN, HUFFMAN_TABLE, END] = [0xda, 0xc4, 0xd9];
/** Of a scan's header in one component: where its first and last coefficient and its bits are. */
const [FIRST, LAST, BITS] = [7, 8, 9];

interface Segment {
  marker: number;
  start: number;
  end: number;
}

/** A grey picture without details. Each of the 63 coefficients is sent in `bits` scans, one bit after the other. */
export async function manyScans(bits: number, width = 16): Promise<Buffer> {
  const create = { width, height: width, channels: 3, background: 'white' } as const;
  const bytes = await sharp({ create }).toColourspace('b-w').jpeg({ progressive: true }).toBuffer();
  const segments = segmentsOf(bytes);
  const part = (segment?: Segment) => bytes.subarray(segment?.start, segment?.end);
  const average = segments.find(({ marker }) => marker === START_OF_SCAN);
  const table = segments.findLast(({ marker }) => marker === HUFFMAN_TABLE);
  const scan = part(segments.findLast(({ marker }) => marker === START_OF_SCAN));
  const scans = Array.from({ length: 63 * bits }, (_, n) => {
    const [coefficient, bit] = [1 + Math.floor(n / bits), bits - 1 - (n % bits)];
    const copy = Buffer.from(scan);
    copy[FIRST] = coefficient;
    copy[LAST] = coefficient;
    copy[BITS] = ((bit === bits - 1 ? 0 : bit + 1) << 4) | bit;
    return copy;
  });
  return Buffer.concat([bytes.subarray(0, average?.end), part(table), ...scans, Buffer.from([0xff, END])]);
}

function segmentsOf(bytes: Buffer): Segment[] {
  const segments: Segment[] = [];
  for (let start = 2; bytes[start + 1] !== END; ) {
    const marker = bytes[start + 1] ?? END;
    let end = start + 2 + bytes.readUInt16BE(start + 2);
    // A scan's data has zero after each 0xff.
    while (marker === START_OF_SCAN && !(bytes[end] === 0xff && bytes[end + 1] !== 0)) end += 1;
    segments.push({ marker, start, end });
    start = end;
  }
  return segments;
}
