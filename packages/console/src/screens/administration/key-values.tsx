// Whom an API key acts for, and whether it is valid.
import type { ApiKey } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '../../components/link.tsx';
import { Status } from '../../components/values.tsx';

export function KeyOwner({ apiKey: { partner_id, processor_id } }: { apiKey: ApiKey }) {
  const { t } = useLingui();
  if (partner_id) {
    return <Link to={`/partners/${partner_id}`}>{t`Partner`}</Link>;
  }
  if (processor_id) {
    return <Link to={`/merchants/${processor_id}`}>{t`Merchant`}</Link>;
  }
  return <Trans>The operator</Trans>;
}

export function keyStatus({ revoked_at, expires_at }: ApiKey): 'revoked' | 'expired' | 'active' {
  if (revoked_at) return 'revoked';
  return expires_at && Date.parse(expires_at) < Date.now() ? 'expired' : 'active';
}

export const KeyStatus = ({ apiKey }: { apiKey: ApiKey }) => <Status value={keyStatus(apiKey)} />;
