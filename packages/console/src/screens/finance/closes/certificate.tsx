// Downloads a close's signed certificate.
import type { CloseSummary } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Download } from '../../../components/download.tsx';
import { date } from '../../../format/time.ts';

export function CertificateButton({ close, small = false }: { close: CloseSummary; small?: boolean }) {
  const { t } = useLingui();
  const day = date(close.date);
  return (
    <Download
      call={(client) => client.closes.pdf(close.id)}
      name={`close-${close.date}-${close.number}.pdf`}
      label={small ? 'PDF' : t`PDF certificate`}
      title={t`PDF: certificate of ${day}`}
      size={small ? 'compact-sm' : 'sm'}
    />
  );
}
