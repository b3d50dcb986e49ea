// Descriptions of the operations that integrators call: terminals, apps, partner banks, wallets.
export const INTEGRATOR_OPERATIONS: Record<string, string> = {
  payAtTerminal:
    'Debits the wallet of the card and credits the processor, less its fee. The PIN is sent as `encrypted_pin`; a plain `pin` is accepted with test keys only. If no reply arrives, send the same request again: the same `request_id` returns the first reply and moves no money.',
  payInApp:
    'Like a payment at a terminal, without `terminal_id`. `metadata` is any JSON value and is returned unchanged; null and absent differ.',
  refundAtTerminal:
    "Pays the payment back from the processor's balance. Without `amount` it refunds all that remains. Several partial refunds are possible; together they never exceed the payment. The payer's fee is not returned.",
  refundInApp:
    "Pays the payment back from the processor's balance. Without `amount` it refunds all that remains. Several partial refunds are possible; together they never exceed the payment. The payer's fee is not returned.",
  verifyCardAtTerminal: 'Shows before a payment whether the card would be accepted. It reserves nothing.',
  verifyCardInApp: 'Shows before a payment whether the card would be accepted. It reserves nothing.',
  verifyAccountAtTerminal: 'Takes an account number or a phone number. The name of the holder is masked.',
  verifyAccountInApp: 'Takes an account number or a phone number. The name of the holder is masked.',
  lookUpCardAtTerminal: 'For the support of a card holder at the counter. The holder is masked.',
  lookUpCardInApp: 'For the support of a card holder. The holder is masked.',
  enquireName:
    'Call it before a credit, and show the masked name to the payer. `can_credit: false` means that the customer must not be debited. `beneficiary_ref` can name the beneficiary of a credit for 15 minutes.',
  creditWallet:
    'The outcome is stored under `reference`, also if the credit is refused: the same request again returns it, and GET /inbound/transactions/{reference} shows it. The same reference with other details is 409 `REFERENCE_CONFLICT`. If no reply arrives, repeat the request with the same reference and a new nonce, or ask for its status. A webhook announces the outcome.',
  getCredit:
    'For a credit whose reply did not arrive. 404 means that no such credit was recorded: it is safe to send it.',
  listInboundCredits:
    'Credits of partner banks with their outcome, also refused ones. The payer is masked, except for compliance.',
  getInboundCredit: 'The payer is masked, except for compliance.',
  partnerCashIn:
    'The beneficiary is named by phone number, card serial or account number. `reference` is the idempotency key: a repeated request returns the first reply. It increases what the partner owes, up to its `outstanding_limit`.',
  getAccountStatus:
    'Takes a phone number. Use it before a cash-in, to tell the customer that the account cannot be credited.',
  listPartnerTransactions: 'The body has the period and the page: `from`, `to`, `limit`, `offset`.',
  receivePartnerCashIn:
    'A partner that cannot sign requests with a key sends this notification. With `reference` it is executed once. Without it, the same bytes within PARTNER_CASHIN_REPLAY_SECONDS (300 by default) get the first reply. The partner is not identified: the amount is owed by the suspense account until finance resolves it.',
  transfer:
    "The recipient is an id or a phone number. The sender's PIN is verified, then limits and compliance rules, then the balance. The fee is paid by the sender in addition to the amount.",
  transferByCard:
    'The recipient is named by the serial of a card. Otherwise it is the same as a transfer by id or phone number.',
  fundFromPartner:
    'The partner owes the amount until it settles. A key of the partner may fund from its own partner only; other keys need the scope `treasury:write` and a `request_id`.',
  withdraw:
    "The customer gets cash from the agent: the amount moves from the wallet to the agent's float. The customer's PIN is verified.",
  cashIn:
    "The customer gives cash to the agent: the amount moves from the agent's float to the wallet. The agent's PIN is verified.",
  getBalanceWithPin:
    'For terminals and menus, where the holder enters the PIN. Wrong PINs count: three lock the account for 30 minutes.',
  getBalance: 'For staff and keys with `balance:read`. It needs no PIN.',
  listTransactions:
    'Without an account it lists all movements that the caller may see. `cursor` continues a list that grows while it is read; `offset` is for jumping to a page.',
  getTransaction: 'Names of parties and amounts are shown as far as the caller may see them.',
  getTransactionEvidence:
    'A PDF for a dispute or a court: parties, postings, times, and the seal that proves that the record was not changed.',
  getRequest:
    'For a payment whose reply did not arrive. Request ids belong to the party for whom the request acts. Keys and logins of an agent, processor or partner ask for the requests of their party; other callers send `party_id`. A request that another credential sent is shown without balances. `unknown` means that nothing is recorded so far: the request never arrived, was refused without a record, or is still being executed. In each case the same request with the same `request_id` can be sent again, and moves the money at most once. Requests are found for 90 days, or as long as the operator keeps them; an older payment is found in the history.',
  listOwnRequests:
    'Why an integration does not work: refusals with their reasons, also of requests whose signature was not accepted. `newer_than` follows the log. Nothing is kept if the operator has turned the log off.',
  listOwnWebhookDeliveries: 'Partners have webhooks; the list of a processor is empty.',
  getOwnWebhookDelivery:
    'Why an attempt failed, what the endpoint replied, and whether the signature is valid with a current secret.',
  getAccountStatement: 'The opening balance plus all entries is the closing balance. `format` is json, csv or pdf.',
  search:
    'Matches phone, name, account number, card serial, transaction id, reference, request id, authorization code, agent, processor and partner. Users of agents find subscribers by exact phone, card or account number only.',
  registerPublicSubscriber:
    'For an app or a web page, without credentials; limited per IP address. With PHONE_VERIFICATION=required the subscriber stays PENDING until the phone number is verified; a later registration of the number replaces it, and it ends after 24 hours.',
  verifyPublicSubscriber:
    'Needed only with PHONE_VERIFICATION=required, for every registration and every changed number. A code is valid for 15 minutes; at most nine codes of a number are compared in a day.',
  resendVerificationCode: 'The previous code becomes invalid.',
  registerSubscriber:
    'Creates the wallet at KYC level 1. A phone number belongs to one subscriber. `"status": "PENDING"` (staff only) creates one that cannot move money until it is activated. With PHONE_VERIFICATION=required every new subscriber is PENDING until the phone number is verified.',
  verifySubscriberPin:
    'Three wrong PINs, on any routes together, lock the account for 30 minutes; a right PIN resets the count.',
  changeSubscriberPin: 'Needs the current PIN. In production very common PINs are refused.',
  setNewPin:
    'Finishes a reset that staff began. The code is valid for 15 minutes and three attempts. For 24 hours afterwards outgoing payments are limited to a tenth of the daily limit.',
  simulateMessage:
    'Answers as the messaging platform would, in the reply. Nothing is sent to a phone. In production it needs a bearer token or a service signature: the answer tells whether a number is registered.',
  verifyMessagingWebhook: 'The platform calls it once, when the operator registers the address of the webhook.',
  receiveMessages: 'Answers go back to the sender on the platform, not in this reply.',
  checkPayment:
    'Runs the same rules as a payment of this subscriber, type and amount, and moves no money. Keys get the outcome and the ids of the rules, not thresholds.',
};
