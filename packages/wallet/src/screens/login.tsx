// Login on a phone that is not known yet: number, code, PIN and what the phone is called.
import { t } from '@lingui/core/macro';
import { useState } from 'preact/hooks';
import { beginLogin, deviceName, finishLogin } from '../data/session.ts';
import { explain } from '../errors.ts';
import { SUPPORT, USSD } from '../operator.ts';
import { useStep } from '../router.ts';
import { Languages } from '../ui/languages.tsx';
import { Fault, Field } from '../ui/parts.tsx';
import { PinField, usePin } from '../ui/pin.tsx';
import { Screen } from '../ui/screen.tsx';
import { useAction } from '../ui/use-action.ts';
import { useFrame } from './frame.ts';

export function Login() {
  const [phone, setPhone] = useState('');
  const [challenge, setChallenge] = useState<string | null>(null);
  const [step, forward] = useStep(challenge === null ? 0 : 1);
  if (step === 1 && challenge !== null) return <Code phone={phone} challenge={challenge} />;
  const begun = (next: string) => {
    setChallenge(next);
    forward(1);
  };
  return <PhoneNumber phone={phone} setPhone={setPhone} onBegun={begun} />;
}

interface NumberProps {
  phone: string;
  setPhone(phone: string): void;
  onBegun(challenge: string): void;
}

function PhoneNumber({ phone, setPhone, onBegun }: NumberProps) {
  const { isBusy, error, run } = useAction();
  const [isWrong, setWrong] = useState(false);
  const begin = () => {
    const isNumber = /^\+?[\d\s()./-]{6,20}$/.test(phone.trim());
    setWrong(!isNumber);
    if (isNumber) run(async () => onBegun(await beginLogin(phone.trim())));
  };
  return (
    <Screen isForm hasBrand title={t`Log in`} action={t`Send me a code`} onAction={begin} isBusy={isBusy} back={null}>
      <div class="first">
        <Languages />
      </div>
      <p>{t`Your money on your phone: send, pay, ask for money and withdraw.`}</p>
      <Field
        label={t`Your mobile number`}
        hint={t`We send a code to it.`}
        error={isWrong ? t`Enter a number such as 076 123 456.` : null}
        type="tel"
        autocomplete="tel"
        value={phone}
        onValue={setPhone}
      />
      <Fault error={error} />
      <p class="quiet">
        {USSD ? t`No wallet yet? Dial ${USSD} or ask an agent.` : t`No wallet yet? An agent opens one.`}
        {SUPPORT && ` ${t`Phone lost or stolen? Call ${SUPPORT}.`}`}
      </p>
    </Screen>
  );
}

function Code({ phone, challenge }: { phone: string; challenge: string }) {
  const { enter } = useFrame();
  const { isBusy, error, run } = useAction();
  const [code, setCode] = useState('');
  const [name, setName] = useState(deviceName);
  const [isWrong, setWrong] = useState(false);
  const pin = usePin();
  const finish = () => {
    const isCode = /^\d{6}$/.test(code.replace(/\s/g, ''));
    setWrong(!isCode);
    const digits = isCode ? pin.take() : null;
    if (digits === null) return;
    run(async () => {
      await finishLogin({
        ...{ challenge, code: code.replace(/\s/g, ''), pin: digits },
        device_name: name.trim() || deviceName(),
      });
      enter();
    });
  };
  return (
    <Screen isForm title={t`Enter the code`} action={t`Log in`} onAction={finish} isBusy={isBusy}>
      <p>{t`If ${phone} has a wallet, a code with six digits was sent to it. It is good for 10 minutes.`}</p>
      <Field
        label={t`Code`}
        error={isWrong ? t`The code has six digits.` : null}
        inputMode="numeric"
        autocomplete="one-time-code"
        maxLength={7}
        class="pin"
        value={code}
        onValue={setCode}
      />
      <PinField pin={pin} focus={false} />
      <Field
        label={t`Name of this phone`}
        hint={t`For your list of phones.`}
        maxLength={60}
        value={name}
        onValue={setName}
      />
      {error ? (
        <p class="note fault" role="alert">
          {explain(error)}
        </p>
      ) : null}
      {USSD && <p class="quiet">{t`No message? Dial ${USSD}, My account, Code for web wallet.`}</p>}
      <p class="quiet">{t`Nobody may ask you for the code or the PIN, not even we.`}</p>
    </Screen>
  );
}
