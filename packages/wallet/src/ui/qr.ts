// The squares of a QR code. On a screen nothing covers the code, so larger squares help more than further corrections.
import { encodeQR } from 'qr';

/** Light squares around the code, without which scanners do not find it. */
const QUIET_ZONE = 3;

export function drawQr(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return { size: rows.length, path };
}
