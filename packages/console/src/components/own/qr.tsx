// A QR code, drawn inside the page, whose policy admits no images from data URIs.
import { encodeQR } from 'qr';
import { useMemo } from 'react';
import classes from './qr.module.css';

/** Light modules around the code, without which scanners do not find it. */
const QUIET_ZONE = 3;

export default function Qr({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawn(text), [text]);
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className={classes.qr}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="black" />
    </svg>
  );
}

/** On a screen nothing covers or scratches the code, so larger modules help more than further corrections. */
function drawn(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return { size: rows.length, path };
}
