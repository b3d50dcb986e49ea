// QR codes as inline SVG. Rows of dark squares are drawn as one line each, a quarter of the size of single squares.
import { qrOf } from '../../qr/picture.ts';
import { type Html, html } from './html.ts';

/** A stroke is one square wide, and its middle is half a square below the top of the row. */
export function qrCode(text: string, label: string): Html {
  const { size, runs } = qrOf(text, 'medium');
  const path = runs.map(({ x, y, width }) => `M${x} ${y}.5h${width}`).join('');
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="${path}" stroke="#000" fill="none"/></svg>`;
}
