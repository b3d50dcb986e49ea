// The payment page: who asks, how much and what for, the ways to pay, and what became of it.
import type { Call, Reply } from '../../http/endpoint.ts';
import { type Html, html } from '../../http/pages/html.ts';
import { type Language, languageFor, shownMoney, shownTime } from '../../http/pages/language.ts';
import { type Page, pageReply } from '../../http/pages/page.ts';
import { qrCode } from '../../http/pages/qr-code.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { PayerView } from '../payment-requests/service.ts';
import { SCRIPT } from './script.ts';
import { TEXTS } from './texts.ts';

type PageCall = Pick<Call, 'params' | 'query' | 'acceptLanguage'>;

/** Why the number was not asked, and what the visitor typed. */
export interface Fault {
  text: string;
  /** What the field shows again. */
  typed: string;
}

export interface PaymentPages {
  payment(view: PayerView, call: PageCall, fault?: Fault): Page;
  refusal(refusal: Refusal, call: Call): Reply;
}

export interface PageSettings {
  operatorName: string;
  /** The gateway serves the web wallet, in which a payer can go on. */
  wallet: boolean;
  /** The path of a payment's receipt. */
  receiptPath(transactionId: string): string | null;
}

export function paymentPages({ operatorName, wallet, receiptPath }: PageSettings): PaymentPages {
  const frameOf = (call: PageCall) => {
    const { token = '' } = call.params as { token?: string };
    return { language: languageOf(call), operator: operatorName, path: `/pay/${encodeURIComponent(token)}` };
  };
  return {
    payment(view, call, fault) {
      const frame = frameOf(call);
      const { language, path } = frame;
      const isSent = (call.query as { sent?: string }).sent !== undefined;
      const receipt = view.single_use && view.status === 'paid' ? (view.transaction_ids[0] ?? null) : null;
      const main =
        view.status === 'open'
          ? openHtml(view, { language, path, hasWallet: wallet, isSent, fault })
          : endedHtml(view, language, receipt && receiptPath(receipt));
      return { ...frame, title: titleOf(view, language, fault), main, data: dataOf(view, frame), script: SCRIPT };
    },
    refusal({ status }, call) {
      const frame = frameOf(call);
      const { missing, busy, failed } = TEXTS[frame.language];
      const words = status === NOT_FOUND ? missing : status === TOO_MANY ? busy : failed;
      const main = html`<section class="card"><h1>${words.title}</h1><p>${words.text}</p></section>`;
      return pageReply(status, { ...frame, title: words.title, main });
    },
  };
}

const NOT_FOUND = 404;
const TOO_MANY = 429;

export function languageOf({ query, acceptLanguage }: PageCall): Language {
  return languageFor((query as { lang?: string }).lang, acceptLanguage);
}

function titleOf(view: PayerView, language: Language, fault: Fault | undefined): string {
  const texts = TEXTS[language];
  if (view.status !== 'open') return `${texts.ended[view.status](view.payee_name).title}: ${amountOf(view, language)}`;
  const title = texts.title(view.payee_name, view.amount === null ? '' : shownMoney(view.amount)).replace(/ {2}/, ' ');
  return fault ? `${texts.fault}: ${title}` : title;
}

/** For the script: what to ask for, and what it says when the page changed. */
function dataOf(view: PayerView, { language, path }: { language: Language; path: string }): Record<string, string> {
  const words = view.status === 'open' ? null : TEXTS[language].ended[view.status](view.payee_name);
  return {
    status: view.status,
    live: view.single_use ? 'yes' : 'no',
    url: path,
    says: words ? `${words.title}. ${words.text}` : '',
  };
}

interface OpenOptions {
  language: Language;
  path: string;
  hasWallet: boolean;
  isSent: boolean;
  fault: Fault | undefined;
}

function openHtml(view: PayerView, options: OpenOptions): Html {
  const { language, path, hasWallet } = options;
  const texts = TEXTS[language];
  return html`<section class="card">
${requestHtml(view, language)}
<p class="state">${view.single_use ? texts.waiting : texts.waitingMany}</p>
${hasWallet ? html`<a class="button second" href="/wallet${path}">${texts.wallet}</a>` : null}
<noscript><p><a href="${path}?lang=${language}">${texts.checkNow}</a></p></noscript>
</section>
<div class="columns">
<div>
${formHtml(view, options)}
${view.ussd === null ? null : dialHtml(view.ussd, language)}
</div>
<section class="card centre">
<h2>${texts.scan}</h2>
${qrCode(view.qr, texts.qrLabel)}
<p class="quiet">${texts.scanHint}</p>
<p>${texts.code}<br><span class="code">${groups(view.code)}</span></p>
</section>
</div>`;
}

function requestHtml(view: PayerView, language: Language): Html {
  const texts = TEXTS[language];
  return html`<h1>${texts.asks(view.payee_name)}</h1>
<p class="amount">${amountOf(view, language)}</p>
<dl>
${purposeHtml(view, language)}
<div><dt>${texts.until}</dt><dd>${shownTime(new Date(view.expires_at), language)}</dd></div>
</dl>`;
}

function purposeHtml({ description, reference }: PayerView, language: Language): Html {
  const texts = TEXTS[language];
  return html`<div><dt>${texts.purpose}</dt><dd>${description}</dd></div>
${reference === null ? null : html`<div><dt>${texts.reference}</dt><dd>${reference}</dd></div>`}`;
}

function amountOf({ amount }: PayerView, language: Language): string {
  return amount === null ? TEXTS[language].anyAmount : shownMoney(amount);
}

function formHtml({ single_use }: PayerView, { language, path, isSent, fault }: OpenOptions): Html {
  const texts = TEXTS[language];
  const described = fault ? 'phone-fault phone-hint' : 'phone-hint';
  return html`<section class="card">
<h2>${texts.confirm}</h2>
${isSent && !fault ? html`<p class="note" id="sent" tabindex="-1">${single_use ? texts.sent : texts.sentMany}</p>` : null}
<form method="post" action="${path}/notify?lang=${language}">
<label for="phone">${texts.phone}</label>
${fault ? html`<p class="fault" id="phone-fault">${fault.text}</p>` : null}
<input id="phone" name="phone_number" type="tel" inputmode="tel" autocomplete="tel" maxlength="32" required value="${fault?.typed ?? ''}" aria-describedby="${described}"${fault ? html` aria-invalid="true" autofocus` : null}>
<button type="submit">${texts.send}</button>
</form>
<p class="quiet" id="phone-hint">${texts.phoneHint}</p>
</section>`;
}

function dialHtml(ussd: string, language: Language): Html {
  const texts = TEXTS[language];
  return html`<section class="card">
<h2>${texts.dial}</h2>
<p><a class="button second code" href="tel:${encodeURIComponent(ussd).replaceAll('%2A', '*')}">${ussd}</a></p>
<p class="quiet">${texts.dialHint}</p>
</section>`;
}

function endedHtml(view: PayerView, language: Language, receipt: string | null): Html {
  const texts = TEXTS[language];
  if (view.status === 'open') throw new Error('an open request has not ended');
  const { title, text } = texts.ended[view.status](view.payee_name);
  const back = returnTo(view);
  return html`<section class="card">
<h1>${title}</h1>
<p class="amount">${amountOf(view, language)}</p>
<dl>
${purposeHtml(view, language)}
</dl>
<p class="state ${view.status === 'paid' ? 'done' : 'ended'}">${text}</p>
${receipt === null ? null : html`<a class="button" href="${receipt}?lang=${language}">${texts.receipt}</a>`}
${back && html`<a class="button second" href="${back.href}" rel="noreferrer">${texts.goBack(back.host)}</a>`}
</section>`;
}

/** The shop reads the outcome on its own server by this id: the page that the payer comes from proves nothing. */
function returnTo({ id, return_url }: PayerView): URL | null {
  const url = return_url === null ? null : URL.parse(return_url);
  // http: only development stored such a one.
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return null;
  url.searchParams.set('payment_request_id', id);
  return url;
}

/** 0123456789 → 012 345 6789, as people read numbers out. */
function groups(code: string): string {
  return code.replace(/^(\d{3})(\d{3})(\d{4})$/, '$1 $2 $3');
}
