// All screens of an agent's own login, so that they are loaded with one request.
export { CashIn, CashOut } from './cash.tsx';
export { ChangePin } from './change-pin.tsx';
export { Commissions } from './commissions.tsx';
export { History } from './history.tsx';
export { Home } from './home.tsx';
export { ReceiptScreen } from './receipt-screen.tsx';
export { Redeem } from './redeem.tsx';
export { Transfer } from './transfer.tsx';
