// Finance uploads a file that a partner or the treasury pays.
import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Action } from '../../components/action.tsx';
import UploadForm from '../../components/bulk-payments/upload-form.tsx';
import { ChoiceInput } from '../../components/choice-input.tsx';
import { usePartnerOptions } from '../partners/partner-name.tsx';

const TREASURY = 'treasury';

export default function Upload({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [payer, setPayer] = useState('');
  const query = payer === '' ? null : payer === TREASURY ? { treasury: 'true' as const } : { partner_id: payer };
  return (
    <UploadForm
      frame={Action}
      payer={query}
      list="/bulk-payments"
      onClose={onClose}
      onUploaded={({ id }) => void navigate({ to: `/bulk-payments/${id}` })}
    >
      <ChoiceInput
        label={t`Who pays`}
        required
        value={payer}
        onChange={setPayer}
        data={[{ value: '', label: t`Choose` }, { value: TREASURY, label: t`Treasury` }, ...usePartnerOptions()]}
      />
    </UploadForm>
  );
}
