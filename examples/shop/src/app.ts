// The shop's routes. Pages are plain HTML with forms.
import express, { type Express, type Request, type Response } from 'express';
import type { Checkout, Outcome } from './checkout.ts';
import type { Order, Orders } from './orders.ts';
import { catalogPage, type DemoCard, notFoundPage, orderPage } from './pages.ts';

/** Amounts are minor units. The last two have the lab's amounts (docs/guides/lab.md). */
export const CATALOG = [
  { item: 'Basket of mangoes', amount: 4_500, note: 'From Kabala, about 3 kg' },
  { item: 'Country cloth', amount: 18_000, note: 'Woven by hand in Bo' },
  { item: 'Solar lamp', amount: 9_101, note: 'Lab: the reply to the payment is lost, and the client asks again' },
  { item: 'Radio', amount: 9_109, note: 'Lab: the payment is refused, as if the wallet were empty' },
];

interface Context {
  orders: Orders;
  checkout: Checkout;
  /** Shown beside the form, so that visitors of the demo can pay. */
  demo: DemoCard | null;
}

const STATUS = { done: 200, refused: 422, unknown: 503 };

export function createApp({ orders, checkout, demo }: Context): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(express.urlencoded({ extended: false, limit: '4kb' }));
  app.use((_request, response, next) => {
    response.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'");
    response.set('Cache-Control', 'no-store');
    next();
  });

  const orderOf = (request: Request) => orders.find(String(request.params.id));
  const show = (response: Response, { id }: Order, outcome: Outcome = { is: 'done' }, card = '') => {
    // Another request may have paid it by now.
    const order = orders.find(id) as Order;
    const pendingCard = orders.unknownAttempt(order.id)?.card ?? null;
    response.status(STATUS[outcome.is]).send(orderPage(order, { outcome, demo, card, pendingCard }));
  };
  /** A reload after success shows the order, and does not send the form again. */
  const answer = (response: Response, order: Order, outcome: Outcome, card = '') =>
    outcome.is === 'done' ? response.redirect(303, `/orders/${order.id}`) : show(response, order, outcome, card);

  app.get('/', (_request, response) => void response.send(catalogPage(CATALOG)));

  app.post('/orders', (request, response) => {
    const product = CATALOG.find(({ item }) => item === request.body?.item);
    if (!product) return void response.status(404).send(notFoundPage());
    response.redirect(303, `/orders/${orders.create(product.item, product.amount)}`);
  });

  app.get('/orders/:id', (request, response) => {
    const order = orderOf(request);
    if (!order) return void response.status(404).send(notFoundPage());
    show(response, order);
  });

  app.post('/orders/:id/payment', async (request, response) => {
    const order = orderOf(request);
    if (!order) return void response.status(404).send(notFoundPage());
    const [card, pin] = [String(request.body?.card ?? '').trim(), String(request.body?.pin ?? '')];
    answer(response, order, await checkout.pay(order, { card, pin }), card);
  });

  // In a real shop only its staff may do this.
  app.post('/orders/:id/refund', async (request, response) => {
    const order = orderOf(request);
    if (!order) return void response.status(404).send(notFoundPage());
    answer(response, order, await checkout.refund(order));
  });

  return app;
}
