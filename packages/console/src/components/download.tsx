// A button that saves a file of the service.
import { Button, type ButtonProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { saveFile } from '../api/save-file.ts';
import { Icon } from './icon.tsx';
import { notifyFailure } from './notices.tsx';

interface DownloadProps extends ButtonProps {
  read: () => PromiseLike<unknown>;
  /** The name of the file. */
  name: string;
  children: ReactNode;
}

export function Download({ read, name, children, ...props }: DownloadProps) {
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    try {
      await saveFile(fileOf(await read()), name);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      loading={isRunning}
      onClick={run}
      {...props}
    >
      {children}
    </Button>
  );
}

/** Text and JSON are not files yet. */
function fileOf(content: unknown): Blob {
  if (content instanceof Blob) return content;
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  return new Blob([text], { type: typeof content === 'string' ? 'text/plain' : 'application/json' });
}
