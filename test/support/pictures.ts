// Reads QR codes in pictures: SVG and PNG as this service draws them, and the squares of a PDF page.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { crc32, inflateSync } from 'node:zlib';
import type jsqr from 'jsqr';

// A CommonJS module, whose default export its types misstate.
const decode: typeof jsqr.default = createRequire(import.meta.url)('jsqr');

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The text of the code that dark rectangles draw on a light page; `side`: the page's width and height. */
export function codeIn(dark: readonly Rectangle[], side: number): string | undefined {
  const scale = 900 / side;
  const pixels = Math.ceil(side * scale);
  return read(pixels, (light) => {
    for (const { x, y, width, height } of dark) {
      for (let row = Math.round(y * scale); row < Math.round((y + height) * scale); row++) {
        light.fill(0, row * pixels + Math.round(x * scale), row * pixels + Math.round((x + width) * scale));
      }
    }
  });
}

/** `draw` sets the dark pixels to 0. */
function read(side: number, draw: (light: Uint8Array) => void): string | undefined {
  const light = new Uint8Array(side * side).fill(255);
  draw(light);
  const colours = new Uint8ClampedArray(4 * side * side);
  for (const [at, value] of light.entries()) colours.set([value, value, value, 255], 4 * at);
  return decode(colours, side, side)?.data;
}

export function codeInSvg(svg: string): string | undefined {
  const side = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const squares = [...svg.matchAll(/M(\d+) (\d+)h(\d+)v(\d+)h-\3z/g)].map((found) => found.slice(1).map(Number));
  const dark = squares.map(([x = 0, y = 0, width = 0, height = 0]) => ({ x, y, width, height }));
  return codeIn(dark, side);
}

/** Of a page, which draws rows of squares as lines. */
export function codeInPage(html: string): string | undefined {
  const svg = /<svg class="qr".*?<\/svg>/s.exec(html)?.[0] ?? '';
  const side = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const lines = [...svg.matchAll(/M(\d+) (\d+)\.5h(\d+)/g)].map((found) => found.slice(1).map(Number));
  const dark = lines.map(([x = 0, y = 0, width = 0]) => ({ x, y, width, height: 1 }));
  return codeIn(dark, side);
}

/** One bit per pixel, without filters; checks the structure and the checksums of the file. */
export function codeInPng(png: Buffer): string | undefined {
  assert.equal(png.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  const chunks: [type: string, data: Buffer][] = [];
  for (let at = 8; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    assert.equal(png.readUInt32BE(end), crc32(png.subarray(at + 4, end)));
    chunks.push([png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, end)]);
    at = end + 4;
  }
  assert.deepEqual(
    chunks.map(([type]) => type),
    ['IHDR', 'IDAT', 'IEND'],
  );
  const [[, header], [, data]] = chunks as [[string, Buffer], [string, Buffer]];
  const side = header.readUInt32BE(0);
  assert.deepEqual([header.readUInt32BE(4), [...header.subarray(8)]], [side, [1, 0, 0, 0, 0]]);
  const rows = inflateSync(data);
  const bytes = 1 + Math.ceil(side / 8);
  assert.equal(rows.length, side * bytes);
  return read(side, (light) => {
    for (const at of light.keys()) {
      const [y, x] = [Math.floor(at / side), at % side];
      const byte = rows[y * bytes + 1 + (x >> 3)] ?? 0;
      light[at] = byte & (0x80 >> (x & 7)) ? 255 : 0;
    }
  });
}
