// The agent's customers and their levels, in one file.
export { Customers } from './customers.tsx';
export { Level } from './level.tsx';
