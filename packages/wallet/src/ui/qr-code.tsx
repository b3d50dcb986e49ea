// A QR code. What draws it is in its own file, because most people never ask for money.
import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'preact/hooks';

export function QrCode({ text }: { text: string }) {
  const [drawn, setDrawn] = useState<{ size: number; path: string } | null>(null);
  useEffect(() => {
    // Without it the code and the link are still there.
    import('./qr.ts').then(
      ({ drawQr }) => setDrawn(drawQr(text)),
      () => undefined,
    );
  }, [text]);
  if (!drawn) return null;
  const box = `0 0 ${drawn.size} ${drawn.size}`;
  return (
    <svg class="qr" viewBox={box} role="img" aria-label={t`QR code of the request`} shape-rendering="crispEdges">
      <path d={drawn.path} fill="#000" />
    </svg>
  );
}
