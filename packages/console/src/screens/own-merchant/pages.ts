// The screens that a merchant opens every day, so that they are loaded with one request.
export { Home } from './home.tsx';
export { Payment } from './payment.tsx';
export { Payments } from './payments.tsx';
export { Statement } from './statement.tsx';
export { Transfer } from './transfer.tsx';
