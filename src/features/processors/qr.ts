// A processor's static QR code as a picture or as a poster. It is public: a suspended processor keeps it, and payments are refused.
import type { Caller } from '../../auth/caller.ts';
import { fileReply, type Reply } from '../../http/endpoint.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { staticQr } from '../../qr/payment-codes.ts';
import { qrPng, qrSvg } from '../../qr/picture.ts';
import type { ProcessorContext } from './context.ts';
import { posterPdf } from './poster.ts';
import type { Processor } from './record.ts';

export type QrFormat = 'svg' | 'png' | 'pdf';

/** Its content changes with the merchant's name. */
const CACHED = { 'cache-control': 'private, max-age=300' };

export function createQr(
  { qr, operatorName, clock }: Pick<ProcessorContext, 'qr' | 'operatorName' | 'clock'>,
  get: (caller: Caller, id: string) => Promise<Processor | Refusal>,
) {
  return async function file(caller: Caller, id: string, format: QrFormat): Promise<Reply | Refusal> {
    const processor = await get(caller, id);
    if (processor instanceof Refusal) return processor;
    const { business_name: name, merchant_number: number } = processor;
    if (number === null) return refuse('NOT_FOUND', 'The processor has no merchant number yet. Try again in a minute.');
    const text = staticQr(qr, { name, merchantNumber: number });
    const fileName = `kissi-qr-${number}.${format}`;
    switch (format) {
      case 'svg':
        return fileReply(Buffer.from(qrSvg(text, `${name}, ${number}`)), 'image/svg+xml', fileName, CACHED);
      case 'png':
        return fileReply(qrPng(text), 'image/png', fileName, CACHED);
      case 'pdf': {
        const pdf = await posterPdf({ operator: operatorName, name, number, qr: text, createdAt: clock.now() });
        return fileReply(pdf, 'application/pdf', fileName, CACHED);
      }
    }
  };
}
