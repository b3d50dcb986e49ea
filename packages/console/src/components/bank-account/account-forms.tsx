// Adds a bank account of a merchant, or removes one.
import type { BankAccount } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { type ComponentType, useState } from 'react';
import type { ActionProps } from '../use-call.ts';

/** A dialog, or a part of the page. */
export type Frame = ComponentType<ActionProps<unknown>>;

interface FormProps {
  merchantId: string;
  frame: Frame;
  onClose: () => void;
}

const CHANGES = ['bank-accounts'];

/** `name`: the business, in whose name the account probably is. */
export function AddAccount({ merchantId, name, frame: Form, onClose }: FormProps & { name: string }) {
  const { t } = useLingui();
  const [number, setNumber] = useState('');
  const [bank, setBank] = useState('');
  const [holder, setHolder] = useState(name);
  const isReady = number.replaceAll(/[ -]/g, '').length >= 5 && bank.trim() !== '' && holder.trim() !== '';
  const field = (label: string, value: string, onChange: (text: string) => void, other: object = {}) => (
    <TextInput
      label={label}
      required
      autoComplete="off"
      maxLength={100}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      {...other}
    />
  );
  return (
    <Form
      onClose={onClose}
      title={t`Add a bank account`}
      description={t`Compare the number with a bank statement or card: a pay-out to the wrong account is hard to recover.`}
      submitLabel={t`Add`}
      isReady={isReady}
      call={(client) =>
        client.processors.addBankAccount(merchantId, {
          account_number: number.trim(),
          bank: bank.trim(),
          holder: holder.trim(),
        })
      }
      doneMessage={t`The bank account is stored.`}
      changes={CHANGES}
    >
      {field(t`Account number`, number, setNumber, { maxLength: 64, 'data-autofocus': true })}
      {field(t`Bank`, bank, setBank)}
      {field(t`Account holder`, holder, setHolder)}
    </Form>
  );
}

export function RemoveAccount({ merchantId, account, frame: Form, onClose }: FormProps & { account: BankAccount }) {
  const { t } = useLingui();
  const { id, account_number, bank } = account;
  return (
    <Form
      onClose={onClose}
      title={t`Remove the bank account`}
      description={t`No more pay-outs go to ${account_number} at ${bank}. Earlier ones stay as they are.`}
      submitLabel={t`Remove`}
      isDangerous
      call={(client) => client.processors.removeBankAccount(merchantId, id)}
      doneMessage={t`The bank account is removed.`}
      changes={CHANGES}
    />
  );
}
