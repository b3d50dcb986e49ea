// Uploads bank statements, one after the other, with the content type of each file.

import type { Kissi, UploadedBankStatement } from '@kissi/client';
import { useState } from 'react';
import { readAgain } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';

export interface Upload {
  key: string;
  fileName: string;
  /** Absent while it is sent. */
  reply?: UploadedBankStatement;
  /** The service had this file already. */
  isKnown?: boolean;
  error?: unknown;
}

const TYPES: Record<string, string> = {
  xml: 'application/xml',
  csv: 'text/csv',
  txt: 'text/plain',
  sta: 'text/plain',
  mt940: 'text/plain',
  940: 'text/plain',
};

/** By the file's name, otherwise by its first characters. */
export async function contentTypeOf(file: File): Promise<string> {
  const ending = file.name.split('.').pop()?.toLowerCase() ?? '';
  const known = TYPES[ending];
  if (known && ending !== 'txt') return known;
  const start = (await file.slice(0, 200).text()).trimStart();
  if (start.startsWith('<')) return 'application/xml';
  return /^(\{1:|:20:)/.test(start) || known ? 'text/plain' : 'text/csv';
}

/** For the curl command, which reads the file of this name. */
export const uploadExample = (client: Kissi, trustAccountId: string) =>
  client.trustAccounts.uploadStatement(trustAccountId, new File([], 'statement.xml'), {
    contentType: 'application/xml',
  });

export function useUploads(trustAccountId: string) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const replace = (upload: Upload) => setUploads((all) => all.map((each) => (each.key === upload.key ? upload : each)));
  const send = async (files: Iterable<File>) => {
    const added = [...files].map((file) => ({ file, key: crypto.randomUUID(), fileName: file.name }));
    setUploads((all) => [...all, ...added.map(({ key, fileName }) => ({ key, fileName }))]);
    // In order, because each statement continues the previous one.
    for (const { file, key, fileName } of added) {
      try {
        const contentType = await contentTypeOf(file);
        const reply = await kissi.trustAccounts.uploadStatement(trustAccountId, file, { contentType });
        replace({ key, fileName, reply, isKnown: reply.lastResponse.status === 200 });
      } catch (error) {
        replace({ key, fileName, error });
      }
    }
    await readAgain('trust-accounts', `statements-${trustAccountId}`, 'reconciliation', 'overview');
  };
  const dismiss = (key: string) => setUploads((all) => all.filter((each) => each.key !== key));
  return { uploads, send, dismiss };
}
