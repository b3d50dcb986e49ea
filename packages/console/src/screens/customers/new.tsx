// Registers a customer: the wallet has KYC level 1 afterwards.
import type { Kissi } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Button, Checkbox, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { readAgain } from '../../api/queries.ts';
import { CopyCurl } from '../../components/copy-curl.tsx';
import { notify } from '../../components/notices.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { RefusalNotice } from '../../components/states.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { EMPTY_FORM, isComplete, registerRequest } from './customer-form.ts';
import { DocumentFields, PersonFields } from './fields.tsx';

export default function NewCustomer() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const form = useForm({ initialValues: EMPTY_FORM });
  const [pin, setPin] = useState('');
  const [isPending, setPending] = useState(false);
  const isReady = isComplete(form.values) && /^\d{4}$/.test(pin);
  const body = { ...registerRequest(form.values), pin, ...(isPending ? { status: 'PENDING' } : {}) } as never;
  const register = (client: Kissi) => client.subscribers.register(body);
  const { submit, error, isRunning } = useSubmit(register, async ({ subscriber }) => {
    const isVerified = subscriber.phone_verified ?? true;
    notify(isVerified ? t`The customer is registered.` : t`A code was sent to the customer. Enter it to finish.`);
    await readAgain('subscribers');
    await navigate({ to: `/customers/${subscriber.id}` });
  });
  return (
    <Page title={t`Register a customer`} above={[{ title: t`Customers`, to: '/customers' }]}>
      <form onSubmit={submit}>
        <Stack gap="lg" maw={760}>
          <Panel title={t`Person`}>
            <PersonFields form={form} />
          </Panel>
          <Panel title={t`PIN and activation`}>
            <Stack gap="sm">
              <PasswordInput
                label={t`PIN`}
                description={t`4 digits, entered by the customer.`}
                required
                inputMode="numeric"
                maxLength={4}
                maw={220}
                autoComplete="new-password"
                value={pin}
                onChange={({ currentTarget }) => setPin(currentTarget.value)}
                visibilityToggleButtonProps={{ 'aria-label': t`Show the PIN` }}
              />
              <Checkbox
                label={t`Activate later`}
                description={t`The wallet moves no money until staff activate it.`}
                checked={isPending}
                onChange={({ currentTarget }) => setPending(currentTarget.checked)}
              />
            </Stack>
          </Panel>
          <Panel title={t`Documents (optional)`}>
            <DocumentFields form={form} />
          </Panel>
          <RefusalNotice error={error} />
          <Group justify="space-between">
            <CopyCurl call={register} disabled={!isReady} />
            <Button type="submit" disabled={!isReady} loading={isRunning}>{t`Register`}</Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}
