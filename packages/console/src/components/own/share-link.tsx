// Gives a link to a customer: by the phone's own list of apps where there is one, or copied.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, CopyButton } from '@mantine/core';
import { Icon } from '../icon.tsx';
import { notifyFailure } from '../notices.tsx';
import classes from './own.module.css';

interface ShareLinkProps {
  url: string;
  title: string;
  text: string;
}

export default function ShareLink({ url, title, text }: ShareLinkProps) {
  const { t } = useLingui();
  const canShare = 'share' in navigator;
  const share = async () => {
    try {
      await navigator.share({ title, text, url });
    } catch (error) {
      // The user closed the list of apps.
      if ((error as Error).name !== 'AbortError') notifyFailure(error);
    }
  };
  return (
    <div className={classes.share}>
      {canShare && (
        <Button size="lg" variant="default" leftSection={<Icon name="share" />} onClick={() => void share()}>
          <Trans>Share the link</Trans>
        </Button>
      )}
      <CopyButton value={url}>
        {({ copied, copy }) => (
          <Button
            size="lg"
            variant="default"
            title={url}
            leftSection={<Icon name={copied ? 'approve' : 'copy'} />}
            onClick={copy}
            aria-label={copied ? t`Copied` : t`Copy the link`}
          >
            {copied ? <Trans>Copied</Trans> : <Trans>Copy the link</Trans>}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
