// The shop's pages.
import { formatMoney } from '@kissi/client';
import type { Outcome } from './checkout.ts';
import type { Order } from './orders.ts';

interface Product {
  item: string;
  amount: number;
  note: string;
}

const price = (amount: number) => `SLE ${formatMoney(amount)}`;

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
  return page(
    'Makit',
    html`<h1>Goods</h1><p>Pay with your phone: no card number, no PIN in this shop.</p><ul class="catalog">${cards}</ul>`,
  );
}

/** The state in words, and whether it is good news. */
const STATES: Record<Order['status'], { says: string; kind: 'done' | 'waiting' | 'ended' }> = {
  pending: { says: 'Waiting for your payment.', kind: 'waiting' },
  paid: { says: 'Paid. Thank you! Your goods are on their way.', kind: 'done' },
  declined: { says: 'The payment was declined. Nothing was paid.', kind: 'ended' },
  expired: { says: 'The time to pay is over. Nothing was paid.', kind: 'ended' },
  cancelled: { says: 'This order was cancelled. Nothing was paid.', kind: 'ended' },
  refunded: { says: 'Refunded. The money is back in your wallet.', kind: 'done' },
};

export function orderPage(order: Order, outcome: Outcome): string {
  const { item, amount, status, transaction_id } = order;
  const { says, kind } = STATES[status];
  const message = outcome.is === 'done' ? null : html`<p role="alert" class="note ended">${outcome.message}</p>`;
  return page(
    `${item}: ${says.split('.')[0] ?? ''}`,
    html`<p><a href="/">← All goods</a></p>
      <h1>${item}</h1>
      <p class="amount">${price(amount)}</p>
      ${message}
      <p role="status" class="note ${kind}">${says}</p>
      <dl>
        <div><dt>Order</dt><dd>${order.id.slice(0, 8)}</dd></div>
        ${transaction_id ? html`<div><dt>Payment</dt><dd>${transaction_id}</dd></div>` : null}
      </dl>
      <div class="actions">${actions(order)}</div>`,
  );
}

function actions({ id, item, status }: Order): Html | null {
  switch (status) {
    case 'pending':
      return html`<form method="post" action="/orders/${id}/payment"><button>Go to payment</button></form>
        <a class="button quiet" href="/orders/${id}">Check again</a>`;
    case 'paid':
      return html`<form method="post" action="/orders/${id}/refund"><button class="quiet">Refund</button></form>`;
    case 'refunded':
      return null;
    default:
      return html`<form method="post" action="/orders">
        <button name="item" value="${item}">Order again</button></form>`;
  }
}

export function notFoundPage(): string {
  return page('Not found', html`<h1>Not found</h1><p><a href="/">← All goods</a></p>`);
}

const STYLE = new Html(`
  :root { color-scheme: light dark; --accent: light-dark(#0b6b4f, #5fd3ab); --line: light-dark(#d9dedb, #3a423e);
    --bad: light-dark(#b3261e, #ff9d94); --wait: light-dark(#a15c00, #f0b354); --card: light-dark(#fff, #1a201d); }
  * { box-sizing: border-box; }
  html { background: light-dark(#f4f6f5, #121614); color: light-dark(#17201c, #e8edea); }
  body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1rem 1rem 4rem; max-width: 42rem; }
  .brand { display: flex; align-items: center; gap: 0.6rem; font-weight: 700; font-size: 1.15rem; padding: 0.25rem 0 1rem; }
  .brand a { color: inherit; text-decoration: none; }
  .brand::before { content: ""; width: 0.9rem; height: 0.9rem; border-radius: 50%; background: var(--accent); }
  main { background: var(--card); border: 1px solid var(--line); border-radius: 0.9rem; padding: 1.25rem; }
  @media (min-width: 40rem) { main { padding: 2rem; } body { padding-top: 2rem; } }
  h1 { margin: 0.25rem 0; line-height: 1.25; } h2 { font-size: 1.05rem; margin: 0; } a { color: var(--accent); }
  main > p:first-child { margin-top: 0; }
  .catalog { list-style: none; margin: 1rem 0 0; padding: 0; border-top: 1px solid var(--line); }
  .catalog li { display: flex; gap: 0.5rem 1rem; justify-content: space-between; align-items: center; flex-wrap: wrap;
    padding: 1rem 0; border-bottom: 1px solid var(--line); }
  .catalog li:last-child { border-bottom: 0; padding-bottom: 0; }
  .catalog li > div { flex: 1 1 14rem; } .catalog p { margin: 0; opacity: 0.8; font-size: 0.9rem; }
  .catalog form { display: flex; gap: 1rem; align-items: center; white-space: nowrap; }
  @media (max-width: 30rem) { .catalog form { flex: 1 0 100%; justify-content: space-between; } }
  .amount { font-size: 1.75rem; font-weight: 600; margin: 0 0 1rem; }
  dl { margin: 0; } dl div { display: flex; gap: 1rem; padding: 0.5rem 0; border-top: 1px solid var(--line); }
  dt { flex: 0 0 5.5rem; opacity: 0.8; } dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
  .actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 1rem; } .actions:empty { display: none; }
  button, .button { font: inherit; font-weight: 600; padding: 0.6rem 1.2rem; border-radius: 0.5rem; min-height: 2.75rem;
    border: 1px solid transparent; background: var(--accent); color: light-dark(#fff, #06251b); cursor: pointer;
    text-decoration: none; display: inline-block; }
  .quiet { background: none; color: var(--accent); border-color: currentColor; }
  .note { border-left: 4px solid var(--accent); padding: 0.5rem 1rem; margin: 0 0 1.25rem; font-weight: 600; }
  .ended { border-color: var(--bad); } .waiting { border-color: var(--wait); }
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
<body><header class="brand"><a href="/">Makit</a></header><main>${content}</main></body>
</html>
`.text;
}
