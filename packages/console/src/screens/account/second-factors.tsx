// The second factors of the user's own account: authenticator app, passkeys and recovery codes.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Icon } from '../../components/icon.tsx';
import { Panel } from '../../components/page.tsx';
import { Waiting } from '../../components/states.tsx';
import { DANGER_TEXT } from '../../components/theme.ts';
import { Instant, Status } from '../../components/values.tsx';
import classes from './account.module.css';
import { AddPasskey } from './add-passkey.tsx';
import { EnrolApp } from './enrol-app.tsx';
import { RemoveApp, RemovePasskey, ReplaceCodes } from './factor-changes.tsx';

type Dialog = 'app' | 'passkey' | 'codes' | 'remove-app' | { remove: string; name: string } | null;

const FEW_CODES = 3;

export function SecondFactors() {
  const { t } = useLingui();
  const [dialog, setDialog] = useState<Dialog>(null);
  const { data, error, refetch } = useRead(['second-factor'], (options) => kissi.secondFactor.get(options));
  const close = () => setDialog(null);
  const badge = data && (
    <Status
      value={data.enrolled ? t`On` : data.required ? t`Required` : t`Off`}
      tone={data.enrolled ? 'kissi' : 'yellow'}
    />
  );
  return (
    <Panel title={t`Second factor`} aside={badge}>
      {!data && <Waiting error={error} retry={refetch} rows={4} />}
      {data && (
        <>
          <Factor
            name={t`Authenticator app`}
            about={
              data.totp_since ? (
                <Trans>
                  Since <Instant at={data.totp_since} />
                </Trans>
              ) : (
                <Trans>A six-digit code from an app on your phone</Trans>
              )
            }
          >
            {data.totp_since ? (
              <Button variant="default" onClick={() => setDialog('remove-app')}>{t`Remove`}</Button>
            ) : (
              <Button variant={data.enrolled ? 'default' : 'filled'} onClick={() => setDialog('app')}>
                <Trans>Set up</Trans>
              </Button>
            )}
          </Factor>
          {data.passkeys.map(({ id, name, created_at, last_used_at }) => (
            <Factor
              key={id}
              name={name}
              about={
                last_used_at ? (
                  <Trans>
                    Passkey, last used <Instant at={last_used_at} />
                  </Trans>
                ) : (
                  <Trans>
                    Passkey, added <Instant at={created_at} />, not used yet
                  </Trans>
                )
              }
            >
              <Button variant="default" aria-label={t`Remove ${name}`} onClick={() => setDialog({ remove: id, name })}>
                <Trans>Remove</Trans>
              </Button>
            </Factor>
          ))}
          <Factor
            name={t`Passkeys`}
            about={<Trans>Fingerprint, face or a security key; they cannot be given away by mistake</Trans>}
          >
            <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={() => setDialog('passkey')}>
              <Trans>Add a passkey</Trans>
            </Button>
          </Factor>
          {data.enrolled && (
            <RecoveryCodes remaining={data.recovery_codes_remaining} onReplace={() => setDialog('codes')} />
          )}
          {dialog === 'app' && <EnrolApp isFirst={!data.enrolled} onClose={close} />}
          {dialog === 'passkey' && <AddPasskey isFirst={!data.enrolled} onClose={close} />}
          {dialog === 'codes' && <ReplaceCodes onClose={close} />}
          {dialog === 'remove-app' && <RemoveApp onClose={close} />}
          {dialog && typeof dialog === 'object' && (
            <RemovePasskey id={dialog.remove} name={dialog.name} onClose={close} />
          )}
        </>
      )}
    </Panel>
  );
}

function RecoveryCodes({ remaining, onReplace }: { remaining: number; onReplace: () => void }) {
  const { t } = useLingui();
  return (
    <Factor
      name={t`Recovery codes`}
      about={
        <Text inherit span {...(remaining < FEW_CODES ? { c: DANGER_TEXT } : {})}>
          <Trans>{remaining} left. Each one replaces a second factor for one login.</Trans>
        </Text>
      }
    >
      <Button variant="default" onClick={onReplace}>{t`Replace`}</Button>
    </Factor>
  );
}

function Factor({ name, about, children }: { name: string; about: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.factor}>
      <div>
        <Text fw={600} size="sm">
          {name}
        </Text>
        <Text size="sm" c="dimmed" component="div">
          {about}
        </Text>
      </div>
      {children}
    </div>
  );
}
