// The screens that a merchant opens every day, in one bundle so that one request loads them all.
export { Home } from './home.tsx';
export { Payment } from './payment.tsx';
export { Payments } from './payments.tsx';
