// Downloads of a merchant's QR code: a poster for the counter, and a picture.
import { useLingui } from '@lingui/react/macro';
import type { ButtonProps } from '@mantine/core';
import { Download } from './download.tsx';

export function MerchantQr({ id, number, ...props }: ButtonProps & { id: string; number: string }) {
  const { t } = useLingui();
  return (
    <>
      <Download
        call={(client) => client.processors.qr(id, { format: 'pdf' })}
        name={`poster-${number}.pdf`}
        label={t`Poster (PDF)`}
        {...props}
      />
      <Download
        call={(client) => client.processors.qr(id, { format: 'png' })}
        name={`qr-${number}.png`}
        label={t`QR code (PNG)`}
        {...props}
      />
    </>
  );
}
