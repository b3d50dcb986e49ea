// The file of a bulk payment: its format, its SHA-256 and a template.
import type { Kissi } from '@kissi/client';

/** Who pays; a merchant's login needs none. */
export type PayerQuery = { processor_id?: string; partner_id?: string; treasury?: 'true' };

export interface UploadQuery extends PayerQuery {
  name?: string;
  unclaimed?: 'code';
  repeat_of?: string;
  file_sha256?: string;
}

/** The service compares the hash, so a file that was cut off on the way is refused. */
export async function upload(client: Kissi, file: File, query: UploadQuery) {
  const file_sha256 = await sha256(file);
  return client.bulkPayments.create(
    file as never,
    { contentType: typeOf(file), query: { ...query, file_sha256 } } as never,
  );
}

const typeOf = ({ name }: File) => (/\.json$/i.test(name) ? 'application/json' : 'text/csv');

export async function sha256(file: Blob): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** `a1b2c3d4 e5f60718 …`, which two people can read to each other. */
export const inGroups = (hash: string) => hash.replaceAll(/(.{8})(?=.)/g, '$1 ');

const TEMPLATE = [
  'reference,phone_number,name,amount,description',
  'NOV-001,076000001,Aminata Kamara,1250.00,Salary November',
  'NOV-002,076000002,Mohamed Sesay,1250.50,Salary November',
  '',
].join('\r\n');

export const TEMPLATE_NAME = 'bulk-payment.csv';
export const template = () => new Blob([TEMPLATE], { type: 'text/csv' });
