// Saves a file that the service sends, with its progress.

export async function saveFile(
  content: ReadableStream<Uint8Array> | Blob,
  name: string,
  onProgress: (bytes: number) => void = () => undefined,
): Promise<void> {
  const blob = content instanceof Blob ? content : await collected(content, onProgress);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser needs the address until the download has begun.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function collected(stream: ReadableStream<Uint8Array>, onProgress: (bytes: number) => void): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(new Uint8Array(chunk));
    size += chunk.length;
    onProgress(size);
  }
  return new Blob(chunks, { type: 'text/csv' });
}
