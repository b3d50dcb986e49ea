// Secrets that the service shows once, such as a new key or recovery codes. They stay until the user closes them or logs out.
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { Facts } from './facts.tsx';
import { Icon } from './icon.tsx';
import { overlay } from './overlay.ts';
import classes from './shown-once.module.css';
import { Id } from './values.tsx';

interface Secrets {
  title: string;
  /** What they are for, and what happens next. */
  note?: ReactNode;
  values?: [name: string, value: string][];
  /** A list of equal codes, to be printed. */
  codes?: string[];
  /** The service has ended the session by what made them. */
  endsSession?: boolean;
  onClose?: () => void;
}

export const showOnce = ({ endsSession = false, ...secrets }: Secrets) =>
  overlay.set({ content: <ShownOnce {...secrets} />, endsSession });

function ShownOnce({ title, note, values = [], codes = [], onClose }: Omit<Secrets, 'endsSession'>) {
  const { t } = useLingui();
  const close = () => {
    overlay.set(null);
    onClose?.();
  };
  const facts = values.map(([name, value]): [string, ReactNode] => [name, <Id key={name} value={value} />]);
  return (
    <Dialog onClose={close} title={title} closeOnClickOutside={false} closeOnEscape={false}>
      <Stack gap="md" className={classes.printed}>
        <Alert color="yellow" icon={<Icon name="alert" />}>{t`Copy this now. It cannot be shown again.`}</Alert>
        {note && <Text size="sm">{note}</Text>}
        {facts.length > 0 && <Facts narrow facts={facts} />}
        {codes.length > 0 && <Codes codes={codes} />}
        <Button onClick={close}>
          {codes.length > 0 ? <Trans>I have stored the codes</Trans> : <Trans>I have copied it</Trans>}
        </Button>
      </Stack>
    </Dialog>
  );
}

function Codes({ codes }: { codes: string[] }) {
  return (
    <>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="xs">
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={<Icon name={copied ? 'approve' : 'copy'} size={16} />}
            >
              {copied ? <Trans>Copied</Trans> : <Trans>Copy all</Trans>}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={() => print()} leftSection={<Icon name="document" size={16} />}>
          <Trans>Print</Trans>
        </Button>
      </Group>
    </>
  );
}
