// Gives a request to its payer: as a QR code on this screen, or as a link by another app.
import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'preact/hooks';
import type { PaymentRequest } from '../data/types.ts';
import { shareLink } from './share-link.ts';

export function Share({ request: { url, qr } }: { request: PaymentRequest }) {
  const [isCopied, setCopied] = useState(false);
  const [drawn, setDrawn] = useState<{ size: number; path: string } | null>(null);
  useEffect(() => {
    // In its own file: most people never ask for money.
    import('./qr.ts').then(
      ({ drawQr }) => setDrawn(drawQr(qr)),
      () => undefined,
    );
  }, [qr]);
  const share = async () => {
    if (await shareLink(url)) return;
    await navigator.clipboard.writeText(url).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <>
      {drawn && (
        <svg
          class="qr"
          viewBox={`0 0 ${drawn.size} ${drawn.size}`}
          role="img"
          aria-label={t`QR code of the request`}
          shape-rendering="crispEdges"
        >
          <path d={drawn.path} fill="#000" />
        </svg>
      )}
      <button type="button" class="second" onClick={() => void share()}>
        {isCopied ? t`Copied` : t`Share the link`}
      </button>
    </>
  );
}
