// The form fields of a partner.
import type { Partner } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { MoneyInput } from '../../components/money-input.tsx';
import { amount, readAmount } from '../../format/money.ts';

export interface PartnerDraft {
  name: string;
  url: string;
  /** One address or network on each line. */
  addresses: string;
  least: string;
  most: string;
  limit: string;
}

export const NEW_PARTNER: PartnerDraft = { name: '', url: '', addresses: '', least: '', most: '', limit: '' };

export const partnerDraftOf = (partner: Partner): PartnerDraft => ({
  name: partner.name,
  url: partner.webhook_url ?? '',
  addresses: partner.ip_allowlist.join('\n'),
  least: amount(partner.min_amount),
  most: amount(partner.max_amount),
  limit: amount(partner.outstanding_limit),
});

const isAmountOrEmpty = (text: string) => text.trim() === '' || readAmount(text) !== null;

export const isComplete = ({ name, least, most, limit }: PartnerDraft) =>
  name.trim() !== '' && [least, most, limit].every(isAmountOrEmpty);

/** Amounts that are empty keep their value, or get the default. */
export function partnerRequestOf(draft: PartnerDraft) {
  const [min_amount, max_amount, outstanding_limit] = [draft.least, draft.most, draft.limit].map(readAmount);
  return {
    name: draft.name.trim(),
    webhook_url: draft.url.trim(),
    ip_allowlist: draft.addresses
      .split(/[\s,]+/)
      .map((address) => address.trim())
      .filter(Boolean),
    ...(min_amount ? { min_amount } : {}),
    ...(max_amount ? { max_amount } : {}),
    ...(outstanding_limit ? { outstanding_limit } : {}),
  };
}

export function PartnerForm({ form }: { form: UseFormReturnType<PartnerDraft> }) {
  const { t } = useLingui();
  const field = form.getInputProps;
  return (
    <>
      <TextInput label={t`Name`} required maxLength={100} autoComplete="off" data-autofocus {...field('name')} />
      <MoneyInput label={t`Maximum it may owe`} required={false} {...field('limit')} />
      <MoneyInput label={t`Smallest credit`} required={false} {...field('least')} />
      <MoneyInput label={t`Largest credit`} required={false} {...field('most')} />
      <Textarea
        label={t`Allowed addresses`}
        description={t`IP addresses or networks, one on each line. Empty: all addresses.`}
        autosize
        minRows={2}
        spellCheck={false}
        {...field('addresses')}
      />
      <TextInput
        label={t`Webhook`}
        description={t`Where events are sent. Empty: no events.`}
        placeholder="https://"
        maxLength={2048}
        inputMode="url"
        autoComplete="off"
        {...field('url')}
      />
    </>
  );
}
