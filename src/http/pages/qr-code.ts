// QR codes as inline SVG. Rows of dark modules are drawn as one line each, a quarter of the size of single squares.
import { encodeQR } from 'qr';
import { type Html, html } from './html.ts';

/** Modules of white around the code, which readers need. */
const QUIET = 4;

export function qrCode(text: string, label: string): Html {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET });
  const size = rows.length;
  const path = rows.map(rowPath).join('');
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="${path}" stroke="#000" fill="none"/></svg>`;
}

/** A stroke is one module wide, and its middle is half a module below the top of the row. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x++;
    path += `M${start} ${y}.5h${x + 1 - start}`;
  }
  return path;
}
