// A button that downloads a file, and the same call as a curl command.
import type { Kissi } from '@kissi/client';
import { Button, type ButtonProps, Group } from '@mantine/core';
import { useState } from 'react';
import { saveFile } from '../api/save-file.ts';
import { kissi } from '../api/session.ts';
import { CopyCurlIcon } from './copy-curl-icon.tsx';
import { Icon } from './icon.tsx';
import { notifyFailure } from './notices.tsx';

interface DownloadProps extends ButtonProps {
  call: (client: Kissi) => PromiseLike<unknown>;
  /** The file's name. */
  name: string;
  label: string;
  /** The button's accessible name where the label alone is not clear, for example in list rows. */
  title?: string;
}

export function Download({ call, name, label, title = label, ...props }: DownloadProps) {
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    try {
      await saveFile(fileOf(await call(kissi)), name);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Group gap={2} wrap="nowrap" display="inline-flex">
      <Button
        variant="default"
        leftSection={<Icon name="download" size={16} />}
        loading={isRunning}
        onClick={run}
        aria-label={title}
        {...props}
      >
        {label}
      </Button>
      {!props.disabled && <CopyCurlIcon action={title} call={call} />}
    </Group>
  );
}

/** Turns text and JSON into a file; anything else is one already. */
function fileOf(content: unknown): Blob | ReadableStream<Uint8Array> {
  if (content instanceof Blob || content instanceof ReadableStream) return content;
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  return new Blob([text], { type: typeof content === 'string' ? 'text/plain' : 'application/json' });
}
