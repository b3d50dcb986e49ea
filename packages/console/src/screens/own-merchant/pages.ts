// All screens of a merchant's own login, so that they are loaded with one request.
export { Home } from './home.tsx';
export { Keys } from './keys.tsx';
export { Payment } from './payment.tsx';
export { Payments } from './payments.tsx';
export { Payouts } from './payouts.tsx';
export { Statement } from './statement.tsx';
export { Transfer } from './transfer.tsx';
