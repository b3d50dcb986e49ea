// Reads a QR code with the phone's camera, where the browser can.

import { canScan, scan } from '@kissi/web/scan';
import { useLingui } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../icon.tsx';
import './agent-texts.ts';
import classes from './camera.module.css';

export default function Camera({ onText }: { onText: (text: string) => void }) {
  const { t } = useLingui();
  const [isOn, setOn] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const video = useRef<HTMLVideoElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the camera runs on while the screen is drawn again.
  useEffect(() => {
    if (!isOn || !video.current) return;
    const stopping = new AbortController();
    const found = (text: string | null) => {
      setOn(false);
      if (text !== null) onText(text);
    };
    const failed = () => {
      setOn(false);
      setRefused(true);
    };
    scan(video.current, stopping.signal).then(found, failed);
    return () => stopping.abort();
  }, [isOn]);
  if (!canScan) return null;
  return (
    <div className={classes.camera}>
      {isOn && <video ref={video} muted playsInline aria-label={t`Camera: hold the QR code in front of it`} />}
      <Button size="lg" variant="default" leftSection={<Icon name="qr" />} onClick={() => setOn(!isOn)}>
        {isOn ? t`Stop the camera` : t`Scan a QR code`}
      </Button>
      {isRefused && <Text size="sm" role="alert">{t`The camera cannot be used. Type the number instead.`}</Text>}
    </div>
  );
}
