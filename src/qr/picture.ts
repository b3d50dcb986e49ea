// QR codes as pictures: SVG, PNG, and the squares that a PDF draws.
import { crc32, deflateSync } from 'node:zlib';
import { encodeQR } from 'qr';

/** Light modules around the code, without which scanners do not find it. */
const QUIET_ZONE = 4;
const PNG_WIDTH = 1_000;

/** Dark modules that are next to each other in a row. */
export interface Run {
  x: number;
  y: number;
  width: number;
}

export interface QrCode {
  /** Modules on each side, with the light ones around the code. */
  size: number;
  runs: Run[];
}

/** Quartile: a quarter of the code may be scratched, dirty or covered. On a screen, medium has larger squares. */
export function qrOf(text: string, ecc: 'medium' | 'quartile' = 'quartile'): QrCode {
  const rows = encodeQR(text, 'raw', { ecc, border: QUIET_ZONE });
  return { size: rows.length, runs: rows.flatMap((row, y) => runsOf(row).map((run) => ({ ...run, y }))) };
}

function runsOf(row: readonly boolean[]): Omit<Run, 'y'>[] {
  const runs: Omit<Run, 'y'>[] = [];
  for (const [x, isDark] of row.entries()) {
    if (!isDark) continue;
    const last = runs.at(-1);
    if (last && last.x + last.width === x) last.width += 1;
    else runs.push({ x, width: 1 });
  }
  return runs;
}

/** `title`: what screen readers say. */
export function qrSvg(text: string, title: string): string {
  const { size, runs } = qrOf(text);
  const path = runs.map(({ x, y, width }) => `M${x} ${y}h${width}v1h-${width}z`).join('');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" role="img">`,
    `<title>${escaped(title)}</title><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>\n`,
  ].join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** About 1000 pixels wide, black and white, one bit per pixel. */
export function qrPng(text: string): Buffer {
  const { size, runs } = qrOf(text);
  const scale = Math.round(PNG_WIDTH / size);
  const width = size * scale;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  // One bit per pixel; greyscale, deflated, without interlacing.
  header[8] = 1;
  const data = deflateSync(Buffer.concat(lines(size, runs, scale)), { level: 9 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** Rows of pixels: the filter type 0, and then eight pixels per byte, of which 1 is white. */
function lines(size: number, runs: readonly Run[], scale: number): Buffer[] {
  const byRow = Map.groupBy(runs, ({ y }) => y);
  return Array.from({ length: size }, (_, y) => {
    const line = Buffer.alloc(1 + Math.ceil((size * scale) / 8), 0xff);
    line[0] = 0;
    for (const { x, width } of byRow.get(y) ?? []) {
      for (let pixel = x * scale; pixel < (x + width) * scale; pixel++) {
        const byte = 1 + (pixel >> 3);
        line[byte] = (line[byte] ?? 0) & ~(0x80 >> (pixel & 7));
      }
    }
    return Array<Buffer>(scale).fill(line);
  }).flat();
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
