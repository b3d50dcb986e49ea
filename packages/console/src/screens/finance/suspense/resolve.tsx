// Resolves a credit in suspense: a partner owes it, or it is taken back from the wallet.
import type { ListSuspenseItemsReply } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { ChoiceInput } from '../../../components/choice-input.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { PaymentForm } from '../../../components/payment/payment.tsx';
import { ReasonInput } from '../../../components/reason-input.tsx';
import { money } from '../../../format/money.ts';
import '@mantine/core/styles/Radio.layer.css';

export type SuspenseItem = ListSuspenseItemsReply['suspense'][number];

export function Resolve({ item, onClose }: { item: SuspenseItem; onClose: () => void }) {
  const { t } = useLingui();
  const [way, setWay] = useState<'partner' | 'refund'>('partner');
  const [partner, setPartner] = useState('');
  const [reason, setReason] = useState('');
  const partners = useRead(['partners', 'names'], (options) => kissi.partners.list({ limit: '100' }, options));
  const names = (partners.data?.partners ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const partnerName = names.find(({ value }) => value === partner)?.label ?? '';
  const isPartner = way === 'partner';
  return (
    <Dialog onClose={onClose} title={t`Resolve ${item.reference ?? item.transaction_id}`}>
      <PaymentForm
        kind="suspense"
        party="operator"
        amount={item.amount ?? null}
        isReady={reason.trim() !== '' && (!isPartner || partner !== '')}
        summary={[
          isPartner ? [t`Owed by`, partnerName] : [t`Taken back from`, t`the wallet that was credited`],
          [t`Reason`, reason],
        ]}
        pay={(client, request_id) =>
          client.suspense.resolve(item.transaction_id, {
            ...(isPartner ? { partner_id: partner } : { refund: true }),
            reason,
            request_id,
          })
        }
        submitLabel={t`Resolve`}
        doneTitle={isPartner ? t`Resolved. ${partnerName} owes ${money(item.amount ?? 0)} more.` : t`Taken back.`}
        changes={['suspense', 'overview', 'partners', 'reconciliation']}
        onClose={onClose}
      >
        <Radio.Group label={t`How`} value={way} onChange={(value) => setWay(value as 'partner' | 'refund')}>
          <Stack gap="xs" mt={6}>
            <Radio
              value="partner"
              label={t`A partner owes it`}
              description={t`The payer is identified. The customer keeps the money.`}
            />
            <Radio
              value="refund"
              label={t`Take it back from the wallet`}
              description={t`The credit was a mistake. The wallet needs the balance.`}
            />
          </Stack>
        </Radio.Group>
        {isPartner && (
          <ChoiceInput
            label={t`Partner`}
            data={[{ value: '', label: t`Choose a partner` }, ...names]}
            value={partner}
            onChange={setPartner}
            required
          />
        )}
        <ReasonInput
          label={t`Reason`}
          description={t`Recorded in the audit log.`}
          value={reason}
          onChange={setReason}
        />
      </PaymentForm>
    </Dialog>
  );
}
