// Sets up an authenticator app: proof, QR code, and a code that confirms it.
import type { BeginTotpEnrolmentReply } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { readAgain } from '../../api/queries.ts';
import { Action } from '../../components/action.tsx';
import { Id } from '../../components/values.tsx';
import { clockTime, zoneName } from '../../format/time.ts';
import { useShowCodes } from './first-factor.ts';
import { ProofFields, useProof } from './proof.tsx';
import { QrCode } from './qr-code.tsx';

interface EnrolProps {
  /** The first factor ends all sessions. */
  isFirst: boolean;
  onClose: () => void;
}

export function EnrolApp({ isFirst, onClose }: EnrolProps) {
  const { t } = useLingui();
  const { proof, isReady, ...fields } = useProof();
  const [begun, setBegun] = useState<BeginTotpEnrolmentReply | null>(null);
  if (begun) return <Confirm begun={begun} isFirst={isFirst} onClose={onClose} />;
  return (
    <Action
      onClose={onClose}
      isSecret
      staysOpen
      title={t`Set up an authenticator app`}
      description={t`You need an app such as Aegis, Google Authenticator or 1Password on your phone.`}
      submitLabel={t`Continue`}
      isReady={isReady}
      call={(client) => client.secondFactor.beginTotp(proof)}
      changes={[]}
      onDone={setBegun}
    >
      <ProofFields {...fields} canUseCode={!isFirst} />
    </Action>
  );
}

function Confirm({ begun, isFirst, onClose }: EnrolProps & { begun: BeginTotpEnrolmentReply }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const code = text.replaceAll(' ', '');
  const showCodes = useShowCodes();
  const [time, zone] = [clockTime(begun.expires_at), zoneName()];
  return (
    <Action
      onClose={onClose}
      title={t`Scan the code`}
      description={
        <Trans>
          Scan it with the app, then type the six digits that the app shows. Valid until {time} {zone}.
        </Trans>
      }
      submitLabel={t`Confirm`}
      isSecret
      isReady={/^\d{6}$/.test(code)}
      call={(client) => client.secondFactor.confirmTotp({ code })}
      doneMessage={t`The authenticator app was added.`}
      changes={[]}
      showsSecret
      onDone={({ recovery_codes }) => {
        showCodes(recovery_codes, isFirst);
        if (!isFirst) void readAgain('second-factor');
      }}
    >
      <QrCode image={begun.qr_code} />
      <div>
        <Text size="xs" c="dimmed">{t`Or type this secret into the app`}</Text>
        <Id value={begun.secret} />
      </div>
      <TextInput
        label={t`Code from the app`}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder="123 456"
        required
        data-autofocus
      />
    </Action>
  );
}
