// A photo from the phone's camera: made smaller before it is sent, because an agent's network is slow.
import { useLingui } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { PictureView } from '../../../components/picture-view.tsx';
import classes from './photo-input.module.css';

/** The text of an identity document is readable at this length of the longer edge. */
const MAX_EDGE = 2_000;
const JPEG_QUALITY = 0.85;

interface PhotoInputProps {
  label: string;
  description: string;
  /** Which camera the phone opens. */
  facing: 'user' | 'environment';
  photo: Blob | null;
  onChange: (photo: Blob) => void;
}

export function PhotoInput({ label, description, facing, photo, onChange }: PhotoInputProps) {
  const { t } = useLingui();
  const [isWrong, setWrong] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = async (file: File | undefined) => {
    if (!file) return;
    const smaller = await shrink(file).catch(() => null);
    setWrong(smaller === null);
    if (smaller) onChange(smaller);
  };
  return (
    <section className={classes.photo} aria-label={label}>
      <div>
        <Text fw={500}>{label}</Text>
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      </div>
      {photo && <PictureView picture={photo} label={label} />}
      <Button size="lg" variant="default" onClick={() => input.current?.click()}>
        {photo ? t`Take it again` : t`Take a photo`}
      </Button>
      {isWrong && <Text size="sm" role="alert">{t`That is no picture.`}</Text>}
      <input
        ref={input}
        type="file"
        hidden
        accept="image/*"
        capture={facing}
        aria-label={label}
        onChange={({ currentTarget }) => {
          void take(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
    </section>
  );
}

/** Drawn anew, so that the place of the photo does not leave the phone. */
async function shrink(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, MAX_EDGE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((resolve, reject) => {
    const done = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error('the photo cannot be written')));
    canvas.toBlob(done, 'image/jpeg', JPEG_QUALITY);
  });
}
