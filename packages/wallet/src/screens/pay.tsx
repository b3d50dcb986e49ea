// Scan and pay: a QR code by the camera where the browser can read it, or a code, merchant number or link that is typed.

import { canScan, scan } from '@kissi/web/scan';
import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Refused } from '../data/api.ts';
import type { Quote } from '../data/types.ts';
import { type Named, readPayment } from '../payee.ts';
import { useStep } from '../router.ts';
import { Fault, Field } from '../ui/parts.tsx';
import { Screen } from '../ui/screen.tsx';
import { useAction } from '../ui/use-action.ts';
import { AmountStep, PayQuote, quote } from './quoted.tsx';

/** `code`: of a request that was opened by its link. */
export function Pay({ code }: { code?: string }) {
  const [named, setNamed] = useState<Named | null>(null);
  const [found, setFound] = useState<Quote | null>(null);
  const [step, forward] = useStep(found ? 2 : named ? 1 : 0);
  const action = useAction();
  const quoted = (next: Quote) => {
    setFound(next);
    forward(2);
  };
  /** Some payees say how much; for the others the payer does. */
  const choose = (next: Named) =>
    action.run(async () => {
      setNamed(next);
      if ('merchant_number' in next) return forward(1);
      try {
        quoted(await quote(next));
      } catch (error) {
        if (!(error instanceof Refused) || error.code !== 'INVALID_AMOUNT') throw error;
        forward(1);
      }
    });
  useEffect(() => {
    if (code) choose({ type: 'payment_request', code });
  }, [code]);
  // A code of ten digits has no page.
  const page = code && code.length > 10 ? `/pay/${code}` : null;
  if (step === 2 && found && named) return <PayQuote first={found} named={named} page={page} key={found.id} />;
  if (step >= 1 && named) return <AmountStep title={t`How much?`} named={named} onQuote={quoted} />;
  return <Find {...action} onNamed={choose} />;
}

interface FindProps {
  isBusy: boolean;
  error: unknown;
  onNamed(named: Named): void;
}

function Find({ isBusy, error, onNamed }: FindProps) {
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const read = (typed: string) => {
    const named = readPayment(typed);
    setWrong(named === null);
    if (named) onNamed(named);
  };
  return (
    <Screen isForm title={t`Pay`} action={t`Go on`} onAction={() => read(text)} isBusy={isBusy}>
      {canScan && <Camera onText={read} />}
      <Field
        label={t`Code, merchant number or link`}
        hint={t`Ten digits from a request, seven from a merchant.`}
        error={isWrong ? t`That is no code to pay.` : null}
        value={text}
        onValue={setText}
      />
      <Fault error={error} />
    </Screen>
  );
}

function Camera({ onText }: { onText(text: string): void }) {
  const [isOn, setOn] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (!isOn || !video.current) return;
    const stopping = new AbortController();
    scan(video.current, stopping.signal).then(
      (text) => {
        setOn(false);
        if (text !== null) onText(text);
      },
      () => {
        setOn(false);
        setRefused(true);
      },
    );
    return () => stopping.abort();
  }, [isOn]);
  if (!isOn) {
    return (
      <>
        <button type="button" class="second" onClick={() => setOn(true)}>{t`Scan a QR code`}</button>
        {isRefused && <p class="note warm" role="alert">{t`The camera cannot be used. Type the code instead.`}</p>}
      </>
    );
  }
  return (
    <div class="camera">
      <video ref={video} muted playsInline aria-label={t`Camera: hold the QR code in front of it`} />
      <button type="button" class="second" onClick={() => setOn(false)}>{t`Stop the camera`}</button>
    </div>
  );
}
