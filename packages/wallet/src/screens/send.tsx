// Send money: to whom, how much, then the name and the fee, and the PIN last.
import { t } from '@lingui/core/macro';
import { useState } from 'preact/hooks';
import type { Quote } from '../data/types.ts';
import { type Named, readPerson } from '../payee.ts';
import { useStep } from '../router.ts';
import { Field } from '../ui/parts.tsx';
import { Screen } from '../ui/screen.tsx';
import { AmountStep, PayQuote } from './quoted.tsx';

export function Send() {
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [named, setNamed] = useState<Named | null>(null);
  const [found, setFound] = useState<Quote | null>(null);
  const [step, forward] = useStep(found ? 2 : named ? 1 : 0);
  if (step === 2 && found && named) return <PayQuote first={found} named={named} key={found.id} />;
  if (step >= 1 && named) {
    const quoted = (quote: Quote) => {
      setFound(quote);
      forward(2);
    };
    return <AmountStep title={t`How much?`} named={named} onQuote={quoted} />;
  }
  const next = () => {
    const person = readPerson(text);
    setWrong(person === null);
    if (!person) return;
    setNamed(person);
    forward(1);
  };
  return (
    <Screen isForm title={t`Send money`} action={t`Go on`} onAction={next}>
      <Field
        label={t`To whom?`}
        hint={t`A mobile number, or an account number with ten digits.`}
        error={isWrong ? t`Enter a number such as 076 123 456.` : null}
        type="tel"
        value={text}
        onValue={setText}
      />
    </Screen>
  );
}
