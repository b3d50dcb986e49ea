// Descriptions of the operations that staff, agents and merchants call in their daily work.
export const STAFF_OPERATIONS: Record<string, string> = {
  listSubscribers:
    'Users of agents must filter by an exact phone number, card serial or account number. `is_pep` is for users with PEP access.',
  getSubscriber:
    'What the record contains depends on the caller: agents see less, and reasons and documents are for the roles that decide on them.',
  updateSubscriber:
    'To raise `kyc_level`, the documents of that level must be on file; only compliance_user and system_admin may do it. At level 2 and 3 the same holds for changes of name, date of birth, id and documents.',
  blockSubscriber:
    'Without `transaction_types` the subscriber and all linked cards are blocked. With them only those types are disabled, and the status stays.',
  unblockSubscriber: 'A card that was lost or stolen should be retired first: unblocking activates every linked card.',
  enableTransactionTypes: 'For types that were disabled by a block with `transaction_types`.',
  activateSubscriber:
    'Only for a subscriber that staff registered as PENDING. It does not replace the code that verifies the phone number.',
  resetSubscriberPin:
    'Staff never see the PIN: the subscriber sets it with POST /public/pin-reset and the code, within 15 minutes.',
  resetAgentPin:
    'Staff never see the PIN: the agent sets it with POST /public/pin-reset and the code, within 15 minutes.',
  unlockSubscriberPin: 'The holder can pay again at once. The count of wrong PINs starts at zero.',
  getSubscriberLimits:
    'The counters that the ledger checks each payment against. They start again at midnight UTC (`resets_at`). A payment of `remaining` can still be refused for another reason, such as a compliance rule.',
  createSavedView:
    'A user can save 100 views. Staff can share a view with all staff of the same role; only its owner can delete it. The query string is stored as it is: do not share one that contains personal data.',
  addSubscriberNote:
    'For support and compliance. A note has its author and time, and at most 2,000 characters. The audit log has the digest of the note and not its text. A correction is another note.',
  linkCard: 'An unknown serial is taken into stock and linked, unless CARDS_REQUIRE_STOCK is set.',
  linkChildCard:
    'A child card pays from the wallet of its parent, within its own daily limit. It cannot pay while the parent is blocked.',
  updateCard: 'Only the label and the daily limit can change.',
  blockCard:
    '`permanent: true` retires a lost or stolen card: it is unlinked and can never be activated or linked again.',
  unblockCard: 'Not possible for a retired card.',
  unlinkCard: 'The card goes back to stock and can be linked to another subscriber.',
  uploadCards:
    'A line that is wrong is reported with its number and does not stop the others. 100,000 lines in one file are possible.',
  registerAgent:
    'A super_agent registers sub-agents of its own network. The temporary password and the PIN are sent to the phone number; no reply contains them.',
  updateAgent:
    '`commission_tier`, `commission_percent` and `settlement_mode` decide what the agent earns and when it is paid.',
  suspendAgent: 'Its float stays, and its float can be returned to the treasury meanwhile.',
  terminateAgent: 'Accrued commission is settled first. 409 `FLOAT_NOT_EMPTY` until the float is returned.',
  fundAgent:
    'Issues e-money: the treasury account is debited. TREASURY_DAILY_LIMIT caps the sum per UTC day. An approval policy may apply (202).',
  returnAgentFloat: 'Takes e-money out of circulation. An approval policy may apply (202).',
  transferAgentFloat: "The super-agent's PIN is verified. Only to sub-agents of the same network.",
  listAgentTransactions: 'The totals are of the whole filter, not of the page.',
  createProcessor: 'The merchant gets a login by message. `merchant_id` must be sent with its payments.',
  suspendProcessor:
    'Payments to it are refused with 403 `PROCESSOR_SUSPENDED`, and its keys and users can change nothing.',
  transferFromProcessor: 'To another processor or to a wallet. Keys need the scope `payouts:write` and a `request_id`.',
  refundFromProcessor:
    "For a merchant's login and for finance; terminals and apps use POST /pos/refund. Without `amount` it refunds all that remains. Several partial refunds are possible; together they never exceed the payment. If no reply arrives, send the same request again with the same `request_id`.",
  payOut:
    'The amount leaves the balance now and is in transit until a bank statement shows the debit. An approval policy may apply (202).',
  returnPayout:
    'For a transfer that the bank rejected. The amount goes back to the balance of the processor. If the bank has executed the pay-out, or seems to have, the return needs its credit (PAYOUT_CLEARED): a bank entry is matched with the pay-out or was before, or a debit has its reference.',
  listProcessorTransactions: 'The totals are of the whole filter, not of the page.',
  raiseAlert: 'For what no rule detects, such as a call of a customer. Internal services use it too.',
  updateAlert: '`in_review` tells others that someone works on it.',
  resolveAlert: 'Final: 409 `ALREADY_RESOLVED` afterwards. The resolution is part of the audit log.',
  createRule:
    '`outcome` is flag (raises an alert) or block (refuses the payment as well). An approval policy may apply (202).',
  updateRule: 'It applies from the next payment on. An approval policy may apply (202).',
  getFeeQuote:
    'Computed by the same code as the payment, with the settings in force. It neither promises that the payment is accepted nor reserves anything. The caller needs the permission for the payment; agents and merchants name their own agent or processor.',
  getCounts:
    'For the navigation of a console: cheap enough to be read every few seconds. Each gateway reads the counts at most every 5 seconds, those of finance (`unmatched`, `suspense`) at most every 30.',
  getPaymentNetwork:
    'For the picture in a case. Sums are of the amounts without fees. A subject that is a politically exposed person needs open PEP access.',
  whatIfNewRule:
    'Replays the last 30 days of payments with the same evaluation as a payment, as if the rule had been enabled, and changes nothing. A payment that the rule blocks does not count for the windows of later ones. If there are too many payments, `period` is the part that was evaluated. One what-if runs at a time; another one is 429 `RATE_LIMITED`.',
  whatIfRule:
    'As POST /compliance/rules/what-if, for a rule with changes; an empty body evaluates the rule as it is, enabled. `current` is the same for the rule without the changes. Payments that were refused are not in the history; `current.refused` counts those of this rule.',
  whatIfFees:
    'Prices the last 30 days of payments again, with the current settings and with the proposed ones, as payments are priced, with the commission percentages that agents have now. Refunds are not included. One what-if runs at a time; another one is 429 `RATE_LIMITED`.',
  putFeeSetting:
    '`debit_enabled`: the party pays the fee. `credit_enabled`: the party earns it as commission. An approval policy may apply (202).',
  deleteFeeSetting: 'An approval policy may apply (202).',
  settlePartner: 'Record what the partner transferred to a trust account. An approval policy may apply (202).',
  createPartner: 'Webhooks are signed with the secret of the reply, which is shown once.',
  updatePartner: '`status: suspended` refuses its requests and keys at once. An approval policy may apply (202).',
  rotateWebhookSecret:
    'From `activate_at` on the new secret signs `X-Hook-Signature`; for 24 hours `X-Hook-Signature-Previous` has the signature with the old one.',
  getWebhookDelivery:
    'For the support of a partner: why an attempt failed, what the endpoint replied, and whether the signature is valid. The secret is never shown.',
  replayWebhookDelivery: 'The receiver sees the same event id and must ignore what it has processed already.',
  reverseInboundCredit:
    'For a credit that the partner sent by mistake. The wallet must hold the amount. An approval policy may apply (202).',
};
