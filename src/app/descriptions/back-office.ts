// Descriptions of the operations of finance, approvals, reporting and administration.
export const BACK_OFFICE_OPERATIONS: Record<string, string> = {
  approveRequest:
    'By another user than the requester, with the permission of the action. If the checks of this moment refuse it, the approval is marked as failed and nothing happens.',
  rejectRequest: 'The requester sees the reason.',
  withdrawRequest: 'Only the requester, and only while it is pending.',
  collectSecrets: 'The approver never sees them.',
  updateApprovalPolicy:
    'A threshold is a sum per requester and UTC day: requests below it are executed at once. Once there are two system_admins, changing a policy needs the approval of the second.',
  listApprovals: 'Approvals expire after 7 days.',
  getOverview: 'One request for the first page of a console. Parts that the role may not see are absent.',
  getSeries: 'Sums come from roll-ups that `ledger:verify` proves against the movements, so long periods are fast.',
  getTrialBalance: 'The balances of all accounts add up to zero. `at` shows an earlier instant.',
  listAgentFloats:
    'The hours are estimated from the last day and the last week, whichever used more. For a tree, list `type=super_agent` and then `parent_agent_id` of each; `network_balance` is the sum over an agent and its sub-agents.',
  updateCommissionTiers: 'In percent of what the fee setting gives to agents. An approval policy may apply (202).',
  listAgentCommissions: 'Daily and weekly commission is paid into the float after the end of the UTC day or ISO week.',
  createTrustAccount: 'An account at a bank that holds the money behind the e-money.',
  uploadBankStatement:
    'camt.053 (`application/xml`), MT940 (`text/plain`) or CSV (`text/csv`). The file is stored as it is, or not at all: its sums must add up, and it must continue the previous statement; else 422 `STATEMENT_INVALID` says where. `warnings` names days that no statement covers.',
  runReconciliation:
    'Matches by reference; by amount, counterparty and a window of 3 days; and the movements of a day with one entry. It can be repeated: what is matched stays.',
  createMatch: 'The sums must be equal: 422 `MATCH_DOES_NOT_BALANCE`. An item can be in one match only.',
  undoMatch: 'A pay-out that the match cleared is in transit again.',
  acceptSuggestion: 'The same as a match by hand of its items.',
  writeOff: 'For a bank charge, for example. An approval policy may apply (202).',
  resolveSuspenseItem:
    'With `partner_id` the partner owes the amount; with `refund: true` the wallet pays it back. An approval policy may apply (202).',
  createClose:
    'A gateway closes each day ten minutes after UTC midnight. A close is never changed: a second one for the same day corrects it and names it.',
  getClose: 'Verify it with `npm run close:verify` and the public keys; no access to the service is needed.',
  getPublicKeys: 'Keys that are no longer used stay listed, so that old closes can be verified.',
  login:
    'Five wrong passwords within 15 minutes are 429 `TOO_MANY_ATTEMPTS`. A user with a second factor gets 401 `SECOND_FACTOR_REQUIRED` with a `challenge` for POST /admin/login/second-factor.',
  finishLogin: 'Send `code` (of the app, or a recovery code) or `assertion` (of a passkey), not both.',
  refreshTokens: 'A token that is used a second time ends the session: it may have been stolen.',
  logout:
    'The access token stays valid until it expires, for 15 minutes at most. `everywhere: true` ends it too. ' +
    'With a refresh token that is no longer valid, `everywhere` ends nothing: 401 if other sessions are open.',
  changePassword: 'Other sessions of the user end as well.',
  resetPassword: 'Outside development the user must change it at the next login.',
  createUser: 'The user of a processor is created with the processor, not here.',
  updateUser: 'A suspended user is logged out at once.',
  createApiKey:
    'Keys of a partner or processor act for that owner only, and get a bearer value only with `"bearer": true`. An approval policy may apply (202).',
  updateApiKey: 'Scopes can only be taken away. Create a new key for more.',
  revokeApiKey: 'It is refused from the next request on.',
  rotateApiKey: 'Replace the credentials everywhere within the overlap; then the previous ones stop working.',
  verifyAuditLog: 'Reads the whole chain, which takes a while on a long log.',
  listMessages: 'Codes and temporary passwords are in it: it exists so that a developer needs no phone.',
  sendPepCode: 'The code has six digits and is valid for 5 minutes and three attempts.',
  beginTotpEnrolment: 'Show the secret as a QR code. Nothing changes until it is confirmed.',
  replaceRecoveryCodes: 'Each code works once, instead of the app.',
  resetSecondFactor: 'By another system_admin. The user can then log in with the password and enrol again.',
  refreshConsoleSession: 'A request whose reply was lost can be repeated for a minute.',
};
