// Takes files that are dropped on it, or chosen in a dialog.
import { Button } from '@mantine/core';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import classes from './drop-zone.module.css';
import { Icon } from './icon.tsx';

interface DropZoneProps {
  /** What can be dropped, and in which formats. */
  children: ReactNode;
  /** The text of the button, and its accessible name where that alone is not clear. */
  button: ReactNode;
  label?: string | undefined;
  /** The name of the file field. */
  field: string;
  /** Endings of files. */
  accept: string;
  multiple?: boolean;
  large?: boolean;
  onFiles: (files: File[]) => void;
  /** Beside the button. */
  aside?: ReactNode;
}

export function DropZone(props: DropZoneProps) {
  const { children, button, label, field, accept, multiple = false, large = false, onFiles, aside } = props;
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
      <div className={classes.text}>{children}</div>
      <Button
        variant="default"
        size={large ? 'md' : 'compact-sm'}
        onClick={() => input.current?.click()}
        {...(label ? { 'aria-label': label } : {})}
      >
        {button}
      </Button>
      {aside}
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        accept={accept}
        aria-label={field}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </div>
  );
}
