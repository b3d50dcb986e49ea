// Saves a file that the service sends.

export async function saveFile(content: ReadableStream<Uint8Array> | Blob, name: string): Promise<void> {
  const blob = content instanceof Blob ? content : await collected(content);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser needs the address until the download has begun.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function collected(stream: ReadableStream<Uint8Array>): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of stream) chunks.push(new Uint8Array(chunk));
  return new Blob(chunks, { type: 'text/csv' });
}
