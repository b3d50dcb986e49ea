// Takes files that are dropped on it, or chosen in a dialog.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { Icon } from '../../../components/icon.tsx';
import classes from './statements.module.css';

interface DropZoneProps {
  label: string;
  onFiles: (files: File[]) => void;
  /** Beside the button. */
  children?: ReactNode;
}

export function DropZone({ label, onFiles, children }: DropZoneProps) {
  const { t } = useLingui();
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same with the keyboard.
    <div
      className={classes.drop}
      data-over={isOver}
      onDragOver={over}
      onDragEnter={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="document" size={22} />
      <Text size="sm" className={classes.dropText ?? ''}>
        <Trans>Drop statements here</Trans>{' '}
        <Text span size="xs" c="dimmed" display="block">{t`camt.053 (.xml), MT940 (.txt, .sta) or CSV`}</Text>
      </Text>
      <Button variant="default" size="compact-sm" onClick={() => input.current?.click()} aria-label={label}>
        <Trans>Choose files</Trans>
      </Button>
      {children}
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept=".xml,.csv,.txt,.sta,.mt940,.940"
        aria-label={t`Bank statements`}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </div>
  );
}
