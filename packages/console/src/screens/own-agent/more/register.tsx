// Registers a customer at the counter. If the service verifies phone numbers, the code that the customer got follows.
import type { KissiError, SubscriberView } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { notify } from '../../../components/notices.tsx';
import { OwnPage } from '../../../components/own/own-page.tsx';
import { isPin, PinInput } from '../../../components/own/pin-input.tsx';
import { RefusalNotice } from '../../../components/states.tsx';
import { useSubmit } from '../../../components/use-submit.ts';
import { HOME } from '../own-agent.ts';
import { CashInLink } from './cash-in-link.tsx';
import '../../../components/own/agent-texts.ts';

type Registered = Pick<SubscriberView, 'id' | 'first_name' | 'last_name' | 'phone_number'> & { isVerified: boolean };

export default function Register() {
  const { t } = useLingui();
  const [customer, setCustomer] = useState<Registered | null>(null);
  return (
    <OwnPage title={t`New customer`} home={HOME} narrow>
      {!customer && <Person onDone={setCustomer} />}
      {customer && !customer.isVerified && (
        <Code customer={customer} onDone={() => setCustomer({ ...customer, isVerified: true })} />
      )}
      {customer?.isVerified && <Done customer={customer} onNext={() => setCustomer(null)} />}
    </OwnPage>
  );
}

function Person({ onDone }: { onDone: (customer: Registered) => void }) {
  const { t } = useLingui();
  const [form, setForm] = useState({ phone_number: '', first_name: '', last_name: '' });
  const [pin, setPin] = useState('');
  const [again, setAgain] = useState('');
  const isReady = Object.values(form).every((text) => text.trim() !== '') && isPin(pin) && pin === again;
  // A registration that got no reply is sent again with the same id, and registers nobody twice.
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const { submit, error, isRunning } = useSubmit(
    (client) => client.subscribers.register({ ...form, pin, request_id: requestId }),
    ({ subscriber }) => onDone({ ...subscriber, isVerified: subscriber.phone_verified ?? true }),
    // The first request was made with other details: these are those of another customer.
    (refusal) => (refusal as KissiError).code === 'REQUEST_CONFLICT' && setRequestId(crypto.randomUUID()),
  );
  const field = (name: keyof typeof form, label: string, other: object = {}) => (
    <TextInput
      label={label}
      size="lg"
      required
      maxLength={100}
      autoComplete="off"
      value={form[name]}
      onChange={({ currentTarget }) => setForm({ ...form, [name]: currentTarget.value })}
      {...other}
    />
  );
  return (
    <Form submit={submit} error={error}>
      {field('phone_number', t`Customer's phone number`, { inputMode: 'tel', placeholder: '076 123456' })}
      {field('first_name', t`First name`)}
      {field('last_name', t`Last name`)}
      <PinInput
        label={t`Customer's new PIN`}
        description={t`Hand the phone to the customer. Do not look while the PIN is typed.`}
        value={pin}
        onChange={setPin}
      />
      <PinInput
        label={t`The same PIN again`}
        value={again}
        onChange={setAgain}
        error={isPin(again) && again !== pin ? t`The two PINs differ.` : null}
      />
      <Button type="submit" size="lg" disabled={!isReady} loading={isRunning}>{t`Register`}</Button>
    </Form>
  );
}

function Code({ customer: { id, phone_number }, onDone }: { customer: Registered; onDone: () => void }) {
  const { t } = useLingui();
  const [code, setCode] = useState('');
  const verify = useSubmit((client) => client.registration.verify(id, { code }), onDone);
  const resend = useSubmit(
    (client) => client.registration.resendCode(id),
    () => {
      setCode('');
      notify(t`The code was sent.`);
    },
  );
  return (
    <Form submit={verify.submit} error={verify.error ?? resend.error}>
      <p>
        <Trans>
          A message with 6 digits was sent to {phone_number}. Ask the customer for them: they show that the number is
          theirs. Without them the registration ends.
        </Trans>
      </p>
      <TextInput
        label={t`Code`}
        size="lg"
        required
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value.replaceAll(/\D/g, ''))}
      />
      <Group grow preventGrowOverflow={false} gap="xs">
        <Button size="lg" variant="default" loading={resend.isRunning} onClick={() => void resend.submit()}>
          <Trans>Send a new code</Trans>
        </Button>
        <Button type="submit" size="lg" disabled={code.length !== 6} loading={verify.isRunning}>{t`Confirm`}</Button>
      </Group>
    </Form>
  );
}

interface FormProps {
  submit: (event: FormEvent) => Promise<void>;
  error: unknown;
  children: ReactNode;
}

function Form({ submit, error, children }: FormProps) {
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        <RefusalNotice error={error} />
        {children}
      </Stack>
    </form>
  );
}

function Done({ customer, onNext }: { customer: Registered; onNext: () => void }) {
  const { t } = useLingui();
  return (
    <Stack gap="md">
      <Alert
        color="kissi"
        icon={<Icon name="approve" />}
        role="status"
        title={<Trans>The customer is registered.</Trans>}
      >
        {customer.first_name} {customer.last_name}, {customer.phone_number}
      </Alert>
      <Button size="lg" component={Link} to={`/agent/level/${customer.id}`}>
        {t`Add photos for level 2`}
      </Button>
      <Group grow preventGrowOverflow={false} gap="xs">
        <Button size="lg" variant="default" onClick={onNext}>{t`New customer`}</Button>
        <CashInLink number={customer.phone_number} />
      </Group>
    </Stack>
  );
}
