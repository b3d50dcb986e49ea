// The shop's pages.
import { formatMoney } from '@kissi/client';
import type { Outcome } from './checkout.ts';
import type { Order } from './orders.ts';

export interface DemoCard {
  card: string;
  pin: string;
}

interface Product {
  item: string;
  amount: number;
  note: string;
}

interface OrderView {
  outcome: Outcome;
  demo: DemoCard | null;
  /** As the customer entered it. */
  card: string;
  /** The card of a payment whose outcome is unknown. It must be repeated with this card. */
  pendingCard: string | null;
}

const price = (amount: number) => formatMoney(amount, { currency: 'SLE' });

/** Marks text that needs no escaping. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Escapes every value that is not HTML itself. */
function html(parts: TemplateStringsArray, ...values: (string | Html | Html[] | null)[]): Html {
  const written = (value: string | Html | Html[] | null | undefined): string => {
    if (value instanceof Html) return value.text;
    if (Array.isArray(value)) return value.map(written).join('');
    return (value ?? '').replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
  };
  return new Html(parts.map((part, n) => part + written(values[n])).join(''));
}

export function catalogPage(products: readonly Product[]): string {
  const cards = products.map(
    ({ item, amount, note }) => html`<li>
      <div><h2>${item}</h2><p>${note}</p></div>
      <form method="post" action="/orders">
        <strong>${price(amount)}</strong>
        <button name="item" value="${item}" aria-label="Buy ${item}">Buy</button>
      </form>
    </li>`,
  );
  return page('Makit', html`<h1>Makit</h1><ul class="catalog">${cards}</ul>`);
}

export function orderPage(order: Order, view: OrderView): string {
  const { outcome } = view;
  const message = outcome.is === 'done' ? null : html`<p role="alert" class="${outcome.is}">${outcome.message}</p>`;
  return page(
    order.item,
    html`<p><a href="/">← All goods</a></p>
      <h1>${order.item}</h1>
      <p class="amount">${price(order.amount)}</p>
      ${message}
      ${order.status === 'open' ? paymentForm(order, view) : paidOrder(order)}`,
  );
}

function paymentForm(order: Order, { demo, card, pendingCard, outcome }: OrderView): Html {
  const isUnknown = pendingCard !== null;
  const notice = isUnknown && outcome.is === 'done';
  return html`${notice ? html`<p role="status" class="unknown">This payment may have been made. Enter the PIN again: you pay only once.</p>` : null}
    <form method="post" action="/orders/${order.id}/payment" class="payment">
      <label>Card number
        <input name="card" required autocomplete="off" autocapitalize="characters"
          value="${pendingCard ?? card}" ${new Html(isUnknown ? 'readonly' : '')}>
      </label>
      <label>PIN
        <input name="pin" type="password" inputmode="numeric" pattern="[0-9]{4}" maxlength="4" required autocomplete="off">
      </label>
      <button>Pay ${price(order.amount)}</button>
    </form>
    ${demo ? html`<p class="hint">In the demo: card ${demo.card}, PIN ${demo.pin}</p>` : null}`;
}

function paidOrder({ id, status, receipt }: Order): Html {
  const state = status === 'paid' ? 'Paid. Thank you!' : 'Refunded.';
  const refund = html`<form method="post" action="/orders/${id}/refund"><button class="quiet">Refund</button></form>`;
  return html`<p role="status" class="done">${state}</p>
    <pre tabindex="0" aria-label="Receipt">${receipt}</pre>
    ${status === 'paid' ? refund : null}`;
}

export function notFoundPage(): string {
  return page('Not found', html`<h1>Not found</h1><p><a href="/">← All goods</a></p>`);
}

const STYLE = new Html(`
  :root { color-scheme: light dark; --accent: light-dark(#0b6b4f, #5fd3ab); --line: light-dark(#d9dedb, #3a423e); }
  * { box-sizing: border-box; }
  html { background: light-dark(#fff, #121614); color: light-dark(#17201c, #e8edea); }
  body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 40rem; }
  h1 { margin: 0.5rem 0; } h2 { font-size: 1.05rem; margin: 0; } a { color: var(--accent); }
  .catalog { list-style: none; margin: 1.5rem 0; padding: 0; border-top: 1px solid var(--line); }
  .catalog li { display: flex; gap: 1rem; justify-content: space-between; align-items: center; flex-wrap: wrap;
    padding: 1rem 0; border-bottom: 1px solid var(--line); }
  .catalog li > div { flex: 1 1 14rem; } .catalog p { margin: 0; opacity: 0.8; font-size: 0.9rem; }
  .catalog form { display: flex; gap: 1rem; align-items: center; white-space: nowrap; }
  @media (max-width: 30rem) { .catalog form { flex: 1 0 100%; justify-content: space-between; } }
  .amount { font-size: 1.5rem; margin: 0 0 1.5rem; }
  .payment { display: grid; gap: 1rem; max-width: 22rem; } label { display: grid; gap: 0.25rem; }
  input, button { font: inherit; padding: 0.6rem 0.8rem; border-radius: 0.5rem; min-height: 2.75rem; }
  input { border: 1px solid light-dark(#6d7772, #8b958f); background: Canvas; color: CanvasText; width: 100%; }
  input[readonly] { border-style: dashed; }
  button { border: 0; background: var(--accent); color: light-dark(#fff, #06251b); font-weight: 600; cursor: pointer; }
  button.quiet { background: none; color: var(--accent); border: 1px solid currentColor; }
  [role] { border-left: 4px solid var(--accent); padding: 0.5rem 1rem; margin: 0 0 1.5rem; }
  .refused { border-color: light-dark(#b3261e, #ff9d94); } .unknown { border-color: light-dark(#a15c00, #f0b354); }
  pre { border: 1px dashed var(--line); padding: 1rem; width: fit-content; max-width: 100%; overflow: auto; }
  .hint { font-size: 0.9rem; opacity: 0.8; }
`);

function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body><main>${content}</main></body>
</html>
`.text;
}
