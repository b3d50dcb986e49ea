// Transaction histories, for the other features that list an account's movements.
export { createAccess, ownAccountOf } from './access.ts';
export { createTransactions, type SummedHistory, type Transactions } from './history.ts';
export { historyJson } from './history-json.ts';
export { isCustomer, withoutCustomers, withoutIdsOf } from './pep-masking.ts';
export { accountView, type HistoryPage, operatorView, type TransactionRecord, withoutOthersRequest } from './record.ts';
export { historyFilters, movementFields, transaction, transactionsReply } from './schemas.ts';
export { type AccountHistoryRequest, includesCompleted } from './selection.ts';
export { summedHistoryRoute } from './summed-history.ts';
export type { PeriodSums } from './sums.ts';
