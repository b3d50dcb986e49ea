// The receipt as a page, and the pages for receipts that do not open.
import type { Call, Reply } from '../../http/endpoint.ts';
import { type Html, html } from '../../http/pages/html.ts';
import { type Language, languageFor, shownDay, shownMoney, shownTime } from '../../http/pages/language.ts';
import { type Page, pageReply } from '../../http/pages/page.ts';
import { qrCode } from '../../http/pages/qr-code.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { Receipt, ReceiptParty } from './receipt.ts';
import type { SignedReceipt } from './signature.ts';
import { TEXTS } from './texts.ts';

export interface ReceiptPages {
  receipt(signed: SignedReceipt, call: Pick<Call, 'params' | 'query' | 'acceptLanguage'>): Page;
  refusal(refusal: Refusal, call: Call): Reply;
}

export function receiptPages({ operatorName }: { operatorName: string }): ReceiptPages {
  const pageOf = (call: Pick<Call, 'params' | 'query' | 'acceptLanguage'>) => {
    const language = languageFor((call.query as { lang?: string }).lang, call.acceptLanguage);
    const { token = '' } = call.params as { token?: string };
    return { language, operator: operatorName, path: `/r/${encodeURIComponent(token)}` };
  };
  return {
    receipt(signed, call) {
      const page = pageOf(call);
      const { receipt } = signed;
      const title = `${TEXTS[page.language].title}: ${shownMoney(receipt.amount)}, ${receipt.operator}`;
      return { ...page, title, main: receiptHtml(signed, page.language) };
    },
    refusal(refusal, call) {
      const page = pageOf(call);
      return pageReply(refusal.status, { ...page, ...refusalContent(refusal, page.language) });
    },
  };
}

function receiptHtml(signed: SignedReceipt, language: Language): Html {
  const { receipt } = signed;
  const texts = TEXTS[language];
  return html`<div class="columns">
<section class="card">
<h1>${texts.title}: ${texts.types[receipt.type] ?? texts.otherType}</h1>
<p class="amount">${shownMoney(receipt.amount)}</p>
<dl>
<div><dt>${texts.payer}</dt><dd>${partyHtml(receipt.payer)}</dd></div>
<div><dt>${texts.payee}</dt><dd>${partyHtml(receipt.payee)}</dd></div>
<div><dt>${texts.time}</dt><dd>${shownTime(new Date(receipt.created_at), language)}</dd></div>
<div><dt>${texts.number}</dt><dd class="print">${receipt.transaction_id}</dd></div>
</dl>
${stateHtml(receipt, language)}
</section>
<section class="card">
<h2>${texts.genuine}</h2>
${addressHtml(receipt, language)}
<p class="quiet">${texts.readAt(shownTime(new Date(receipt.signed_at), language))} ${texts.until(shownDay(new Date(receipt.valid_until), language))}</p>
<details>
<summary>${texts.proof}</summary>
<p class="quiet">${texts.proofText}</p>
<p class="quiet">${texts.key}: <span class="print">${signed.keyId}</span></p>
<p class="quiet">${texts.signature}: <span class="print">${signed.signature}</span></p>
</details>
</section>
</div>`;
}

function stateHtml({ status, returned_amount }: Receipt, language: Language): Html {
  const texts = TEXTS[language];
  const isWhole = status === 'completed';
  const returned = isWhole ? '' : ` ${texts.partly(shownMoney(returned_amount))}`;
  return html`<p class="state ${isWhole ? 'done' : 'ended'}">${texts.states[status]}.${returned}</p>`;
}

/** Without a configured origin, the page cannot say which address is the right one. */
function addressHtml({ operator, url }: Receipt, language: Language): Html | null {
  const texts = TEXTS[language];
  const link = url === null ? null : URL.parse(url);
  if (!link) return null;
  return html`<p>${texts.checkAddress(operator, link.host)}</p>
<h2>${texts.check}</h2>
<p>${texts.scan}</p>
${qrCode(link.href, texts.qrLabel)}`;
}

function partyHtml({ name, phone_number }: ReceiptParty): Html {
  return html`${name ?? '–'}${phone_number === null ? null : html`<br><span class="quiet">${phone_number}</span>`}`;
}

const NOT_FOUND = 404;
const TOO_MANY = 429;

function refusalContent({ status }: Refusal, language: Language): Pick<Page, 'title' | 'main'> {
  const { missing, busy, failed } = TEXTS[language];
  if (status === NOT_FOUND) {
    return { title: missing.title, main: cardHtml(missing.title, missing.text, missing.next) };
  }
  const { title, text } = status === TOO_MANY ? busy : failed;
  return { title, main: cardHtml(title, text) };
}

function cardHtml(title: string, ...paragraphs: string[]): Html {
  return html`<section class="card"><h1>${title}</h1>${paragraphs.map((text) => html`<p>${text}</p>`)}</section>`;
}
