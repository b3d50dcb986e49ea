// What is wrong with an uploaded statement.

/** Thrown by the parsers; the upload turns it into a refusal. The sentence says where the fault is. */
export class StatementFault extends Error {}
