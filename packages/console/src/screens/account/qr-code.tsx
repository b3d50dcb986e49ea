// Draws the QR code of the service inside the page, whose policy admits no images from data URIs.
import { useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import classes from './account.module.css';

/** `image`: an SVG image as a data URI. */
export function QrCode({ image }: { image: string }) {
  const { t } = useLingui();
  const { viewBox, paths } = useMemo(() => shapesOf(image), [image]);
  return (
    <svg viewBox={viewBox} className={classes.qr} role="img" aria-label={t`QR code for your authenticator app`}>
      {paths.map((d) => (
        <path key={d} d={d} fill="black" />
      ))}
    </svg>
  );
}

/** Only the geometry is taken over, never the markup. */
function shapesOf(image: string): { viewBox: string; paths: string[] } {
  const svg = new DOMParser().parseFromString(atob(image.slice(image.indexOf(',') + 1)), 'image/svg+xml');
  const paths = [...svg.querySelectorAll('path')].map((path) => path.getAttribute('d') ?? '');
  return { viewBox: svg.documentElement.getAttribute('viewBox') ?? '0 0 1 1', paths };
}
