// Registers a customer: the wallet has KYC level 1 afterwards.
import { useLingui } from '@lingui/react/macro';
import { Button, Checkbox, Group, PasswordInput, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { readAgain } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { CopyCurl } from '../../components/copy-curl.tsx';
import { notify } from '../../components/notices.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { RefusalNotice } from '../../components/states.tsx';
import { type CustomerForm, DocumentFields, EMPTY_FORM, filled, isComplete, PersonFields } from './fields.tsx';

export default function NewCustomer() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [form, setForm] = useState(EMPTY_FORM);
  const [pin, setPin] = useState('');
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const change = (changes: Partial<CustomerForm>) => setForm((old) => ({ ...old, ...changes }));
  const isReady = isComplete(form) && /^\d{4}$/.test(pin);
  const body = { ...filled(form), pin, ...(isPending ? { status: 'PENDING' } : {}) } as never;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isRunning) return;
    setRunning(true);
    setError(null);
    try {
      const { subscriber } = await kissi.subscribers.register(body);
      const isVerified = subscriber.phone_verified ?? true;
      notify(isVerified ? t`The customer is registered.` : t`A code was sent to the customer. Enter it to finish.`);
      await readAgain('subscribers');
      await navigate({ to: `/customers/${subscriber.id}` });
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Page title={t`Register a customer`} above={[{ title: t`Customers`, to: '/customers' }]}>
      <form onSubmit={submit}>
        <Stack gap="lg" maw={760}>
          <Panel title={t`Person`}>
            <PersonFields form={form} onChange={change} />
          </Panel>
          <Panel title={t`PIN and activation`}>
            <Stack gap="sm">
              <PasswordInput
                label={t`PIN`}
                description={t`4 digits, typed by the customer.`}
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
            <DocumentFields form={form} onChange={change} />
          </Panel>
          <RefusalNotice error={error} />
          <Group justify="space-between">
            <CopyCurl call={(client) => client.subscribers.register(body)} disabled={!isReady} />
            <Button type="submit" disabled={!isReady} loading={isRunning}>{t`Register`}</Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}
