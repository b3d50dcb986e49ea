// LAB ONLY, no part of a shop: pays the shop's newest open payment request as the demo's customer, who has no real phone.
import { Kissi } from '@kissi/client';
import { setting } from './setting.ts';

// A login of the operator's staff, which the demo wrote: the lab's routes are theirs, and absent in production.
const baseUrl = setting('KISSI_URL');
process.stdout.write(`Kissi is at ${baseUrl}\n`);
const staff = new Kissi({
  baseUrl,
  login: { email: setting('LAB_EMAIL'), password: setting('LAB_PASSWORD') },
});
const { payment_requests: open } = await staff.paymentRequests.list({
  processor_id: setting('KISSI_PROCESSOR_ID'),
  status: 'open',
  limit: 1,
});
const request = open[0];
if (!request) {
  process.stderr.write('The shop has no open payment request: buy something first.\n');
  process.exit(1);
}
const payer = { payer_id: setting('LAB_PAYER_ID'), pin: setting('LAB_PIN') };
const paid = await staff.lab.confirmPaymentRequest(request.id, payer);
process.stdout.write(`Lab: paid ${request.description} as the demo's customer (${paid.transaction_id}).\n`);
