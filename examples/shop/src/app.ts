// The shop's routes. Pages are plain HTML with forms.
import express, { type Express, type Request, type Response } from 'express';
import type { Checkout, Outcome } from './checkout.ts';
import type { Order, Orders } from './orders.ts';
import { catalogPage, notFoundPage, orderPage } from './pages.ts';
import type { Receive } from './webhooks.ts';

/** Amounts are minor units. The last four have the lab's amounts (docs/guides/lab.md). */
export const CATALOG = [
  { item: 'Basket of mangoes', amount: 4_500, note: 'From Kabala, about 3 kg' },
  { item: 'Country cloth', amount: 18_000, note: 'Woven by hand in Bo' },
  { item: 'Solar lamp', amount: 9_111, note: 'Lab: pays itself after two seconds' },
  { item: 'Rice cooker', amount: 9_114, note: 'Lab: pays itself after twenty seconds' },
  { item: 'Radio', amount: 9_112, note: 'Lab: the customer declines' },
  { item: 'Umbrella', amount: 9_113, note: 'Lab: the request expires at once' },
];

interface Context {
  orders: Orders;
  checkout: Checkout;
  receive: Receive;
}

const STATUS = { done: 200, refused: 422, unknown: 503 };
// No form-action: browsers apply it to redirects too, and Buy redirects to Kissi's page.
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

export function createApp({ orders, checkout, receive }: Context): Express {
  const app = express();
  app.disable('x-powered-by');
  // The signature covers the exact bytes.
  app.post('/webhooks', express.raw({ type: () => true, limit: '64kb' }), async ({ body, headers }, response) => {
    response.status(await receive({ body, headers })).end();
  });
  app.use(express.urlencoded({ extended: false, limit: '4kb' }));
  app.use((_request, response, next) => {
    response.set('Content-Security-Policy', POLICY);
    response.set('Cache-Control', 'no-store');
    next();
  });

  const orderOf = (request: Request) => orders.find(String(request.params.id));
  const show = (response: Response, { id }: Order, outcome: Outcome) =>
    // It may have changed by now.
    response.status(STATUS[outcome.is]).send(orderPage(orders.find(id) as Order, outcome));
  const missing = (response: Response) => void response.status(404).send(notFoundPage());

  /** To Kissi's page, where the customer pays on their own phone. */
  async function goPay(response: Response, order: Order): Promise<void> {
    const outcome = await checkout.ask(order);
    const url = orders.find(order.id)?.payment_url;
    if (outcome.is === 'done' && url) response.redirect(303, url);
    else show(response, order, outcome);
  }

  app.get('/', (_request, response) => void response.send(catalogPage(CATALOG)));

  app.post('/orders', async (request, response) => {
    const product = CATALOG.find(({ item }) => item === request.body?.item);
    if (!product) return missing(response);
    await goPay(response, orders.find(orders.create(product.item, product.amount)) as Order);
  });

  app.post('/orders/:id/payment', async (request, response) => {
    const order = orderOf(request);
    if (!order) return missing(response);
    await goPay(response, order);
  });

  app.get('/orders/:id', async (request, response) => {
    const order = orderOf(request);
    if (!order) return missing(response);
    show(response, order, await checkout.check(order));
  });

  // Kissi's page sends the customer back here. Anybody can open this address: it only says which order to check.
  app.get('/return', async (request, response) => {
    const order = orders.findByRequest(String(request.query.payment_request_id));
    if (!order) return missing(response);
    response.redirect(303, `/orders/${order.id}`);
  });

  // In a real shop only its staff may do this.
  app.post('/orders/:id/refund', async (request, response) => {
    const order = orderOf(request);
    if (!order) return missing(response);
    const outcome = await checkout.refund(order);
    // A reload shows the order, and does not send the form again.
    if (outcome.is === 'done') response.redirect(303, `/orders/${order.id}`);
    else show(response, order, outcome);
  });

  return app;
}
