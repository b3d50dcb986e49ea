// Endpoints of the payment page: the page itself, and asking for the request on a phone.
import { type Call, type Endpoint, endpoint, type Reply } from '../../http/endpoint.ts';
import { acceptsPage, jsonOfPage, pageReply } from '../../http/pages/page.ts';
import { type PhoneReader, phoneReader } from '../../kernel/phone.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { type PayablePayments, type PayerView, refusalOf } from '../payment-requests/service.ts';
import type { ReceiptLinks } from '../receipts/service.ts';
import { languageOf, type PaymentPages, paymentPages } from './page.ts';
import * as schemas from './schemas.ts';
import { TEXTS } from './texts.ts';

export interface HostedPages {
  payments: PayablePayments;
  pages: PaymentPages;
  readPhone: PhoneReader;
  receiptLinks: ReceiptLinks;
}

interface HostedPageSettings {
  operatorName: string;
  wallet: boolean;
  /** Whose local phone numbers visitors type. */
  country: string;
}

export function hostedPages(
  payments: PayablePayments,
  receiptLinks: ReceiptLinks,
  { operatorName, wallet, country }: HostedPageSettings,
): HostedPages {
  const pages = paymentPages({ operatorName, wallet, receiptPath: receiptLinks.path });
  return { payments, pages, readPhone: phoneReader(country), receiptLinks };
}

export function paymentPageRoutes({ payments, pages, receiptLinks }: HostedPages): Endpoint[] {
  return [
    endpoint({
      id: 'openPaymentPage',
      clientMethod: 'paymentPages.open',
      method: 'GET',
      path: '/pay/:token',
      permission: 'anyone',
      summary: 'Open the page of a payment request by its link',
      description:
        'Who asks, how much and what for, and the ways to pay; once it has ended, what became of it. It never asks for a PIN. Browsers get a page in English or Krio.',
      params: schemas.paymentParams,
      query: schemas.pageQuery,
      // Chats and social networks add parameters to links.
      ignoresQuery: true,
      perIpLimit: 'page',
      replies: { 200: schemas.pageReplySchema },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const view = await payments.byToken(call.params.token);
        if (view instanceof Refusal) return view;
        if (acceptsPage(call.accept)) return pageReply(200, pages.payment(view, call));
        const [paid] = view.single_use && view.status === 'paid' ? view.transaction_ids : [];
        return jsonOfPage(schemas.askedJson(view, paid === undefined ? null : receiptLinks.urlById(paid)));
      },
    }),
  ];
}

export function payerNoticeRoutes({ payments, pages, readPhone }: HostedPages): Endpoint[] {
  return [
    endpoint({
      id: 'notifyPayer',
      clientMethod: 'paymentPages.notifyPayer',
      method: 'POST',
      path: '/pay/:token/notify',
      permission: 'anyone',
      summary: 'Send a payment request to the number that a visitor of its page entered',
      description:
        'Only a registered number gets a message; the reply is the same for every number. The form of the page sends `application/x-www-form-urlencoded` and is sent back to the page.',
      params: schemas.paymentParams,
      query: schemas.pageQuery,
      body: schemas.noticeBody,
      takesForm: true,
      perIpLimit: 'notice',
      replies: { 202: schemas.noticeReply, 303: schemas.backToPage },
      refusals: ['NOT_FOUND', 'FORBIDDEN', 'ALREADY_PAID', 'DECLINED', 'EXPIRED', 'CANCELLED'],
      handle: async (call) => {
        const view = await payments.byToken(call.params.token);
        if (view instanceof Refusal) return view;
        const isPage = acceptsPage(call.accept);
        if (view.status !== 'open') return isPage ? seePage(call) : refusalOf(view.status);
        const refusal = await notify(view, call);
        if (refusal) return isPage ? faultPage(view, call, refusal) : refusal;
        return isPage ? seePage(call, '&sent=1#sent') : accepted();
      },
    }),
  ];

  async function notify(view: PayerView, { body, ip }: NoticeCall): Promise<Refusal | null> {
    const phone = readPhone(body.phone_number);
    if (phone === null) return notANumber();
    return payments.notifyPayer({ request: view.id, phone, visitor: ip });
  }

  function faultPage(view: PayerView, call: NoticeCall, { code, status, headers }: Refusal): Reply {
    const texts = TEXTS[languageOf(call)];
    const typed = call.body.phone_number;
    const isPin = typed.replace(/\D/g, '').length <= LONGEST_PIN;
    const text =
      code === 'INVALID_REQUEST'
        ? isPin
          ? texts.looksLikePin
          : texts.notANumber
        : code === 'RATE_LIMITED'
          ? texts.tooOften
          : texts.notSent;
    // What may be a PIN is not sent back.
    const page = pageReply(status, pages.payment(view, call, { text, typed: isPin ? '' : typed }));
    return { ...page, headers: { ...headers, ...page.headers }, refusedWith: code };
  }
}

type NoticeCall = Call<{ phone_number: string }, { token: string }>;

const LONGEST_PIN = 5;

function notANumber(): Refusal {
  return refuse('INVALID_REQUEST', 'phone_number is not a valid phone number.');
}

/** A redirect, so that reloading the page does not send the form again. */
function seePage(call: NoticeCall, suffix = ''): Reply {
  const location = `/pay/${encodeURIComponent(call.params.token)}?lang=${languageOf(call)}${suffix}`;
  return { status: 303, body: undefined, headers: { location } };
}

function accepted(): Reply {
  return {
    status: 202,
    body: { success: true, message: 'If the number has a wallet, it is asked to pay.' },
  };
}
