// Generated from docs/openapi.json by npm run docs. Do not edit.

export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

export type Webhooks = OnCreditCompletedWebhookRequest | OnCreditFailedWebhookRequest | OnCreditReversedWebhookRequest | OnPaymentCompletedWebhookRequest | OnPaymentAuthorizedWebhookRequest | OnPaymentCapturedWebhookRequest | OnPaymentVoidedWebhookRequest | OnPaymentExpiredWebhookRequest | OnPaymentRefundedWebhookRequest | OnPaymentRequestPaidWebhookRequest | OnPaymentRequestDeclinedWebhookRequest | OnPaymentRequestExpiredWebhookRequest | OnPaymentRequestCancelledWebhookRequest | OnPayoutSentWebhookRequest | OnPayoutReturnedWebhookRequest | OnBulkPaymentCheckedWebhookRequest | OnBulkPaymentCompletedWebhookRequest;

export type AcceptFloatRequestAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'AGENT_SUSPENDED' | 'ACCOUNT_LOCKED' | 'AGENT_TERMINATED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type AcceptFloatRequestConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_PAID' | 'ALREADY_DECIDED' | 'DECLINED' | 'CANCELLED' | 'EXPIRED' | 'REQUEST_CONFLICT';
};

export type AcceptFloatRequestReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    transaction_id: string;
    /**
     * Formatted for display: 1,234.56 SLE.
     */
    amount: string;
    /**
     * Formatted for display: 1,234.56 SLE.
     */
    from_balance?: string;
    /**
     * Formatted for display: 1,234.56 SLE.
     */
    to_balance?: string;
};

export type AcceptFloatRequestRequest = {
    /**
     * Exactly 4 digits.
     */
    pin: string;
};

export type AcceptFloatRequestUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'MAX_BALANCE_EXCEEDED' | 'COMPLIANCE_BLOCKED' | 'DAILY_LIMIT_EXCEEDED';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
    /**
     * DAILY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * DAILY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
};

export type AcceptRecallConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REQUEST_CONFLICT' | 'NO_RECALL' | 'RECALL_ENDED' | 'EXPIRED';
};

export type AcceptRecallRequest = {
    /**
     * Exactly 4 digits.
     */
    pin: string;
    /**
     * Makes retries safe. Required in the body: no header replaces it.
     */
    request_id: string;
};

export type AcceptSuggestionRequest = {
    /**
     * Kept with the match. Control characters and line breaks become a space; blank text means absent.
     */
    note?: string;
};

export type AcceptedRecall = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    transaction_id: string;
    /**
     * The id that the caller sent for this payment.
     */
    request_id: string;
    /**
     * Always COMPLETED: money moves at once, or the request is refused.
     */
    status: 'COMPLETED';
    /**
     * What was returned.
     */
    amount: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * The case of the recall.
     */
    case_id: string;
    /**
     * Your balance afterwards. Absent if another credential sent the request.
     */
    balance?: number;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type AccessDeniedOrAccountLockedOrSubscriberBlockedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'ACCOUNT_LOCKED' | 'SUBSCRIBER_BLOCKED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type AccessDeniedOrAgentSuspendedOrAgentTerminatedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'AGENT_SUSPENDED' | 'AGENT_TERMINATED';
};

export type AccessDeniedOrAgentTerminatedOrApprovalRequiredRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'AGENT_TERMINATED' | 'APPROVAL_REQUIRED';
};

export type AccessDeniedOrApprovalRequiredOrPepAccessRequiredRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'APPROVAL_REQUIRED' | 'PEP_ACCESS_REQUIRED';
};

export type AccessDeniedOrApprovalRequiredRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'APPROVAL_REQUIRED';
};

export type AccessDeniedOrNewDeviceRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'NEW_DEVICE';
    /**
     * NEW_DEVICE: When the device can do what other devices can. ISO 8601, UTC.
     */
    restricted_until?: string;
};

export type AccessDeniedOrNotIndependentOrPepAccessRequiredRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'NOT_INDEPENDENT' | 'PEP_ACCESS_REQUIRED';
};

export type AccessDeniedOrNotIndependentOrUnauthorizedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'NOT_INDEPENDENT' | 'UNAUTHORIZED';
};

export type AccessDeniedOrNotIndependentRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'NOT_INDEPENDENT';
};

export type AccessDeniedOrPepAccessRequiredOrApprovalRequiredRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'PEP_ACCESS_REQUIRED' | 'APPROVAL_REQUIRED';
};

export type AccessDeniedOrPepAccessRequiredOrCardBlockedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'PEP_ACCESS_REQUIRED' | 'CARD_BLOCKED';
};

export type AccessDeniedOrPepAccessRequiredOrSubscriberBlockedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'PEP_ACCESS_REQUIRED' | 'SUBSCRIBER_BLOCKED';
};

export type AccessDeniedOrPepAccessRequiredRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'PEP_ACCESS_REQUIRED';
};

export type AccessDeniedOrSubscriberBlockedOrTransactionTypeDisabledRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'SUBSCRIBER_BLOCKED' | 'TRANSACTION_TYPE_DISABLED';
};

export type AccessDeniedOrSubscriberBlockedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'SUBSCRIBER_BLOCKED';
};

export type AccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED';
};

export type AccountLockedOrSubscriberBlockedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ACCOUNT_LOCKED' | 'SUBSCRIBER_BLOCKED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type AccountRequest = {
    /**
     * Ten digits that identify a subscriber to partners; the last one is a Luhn check digit.
     */
    account_number?: string;
    /**
     * In local format or E.164.
     */
    phone_number?: string;
};

export type AccountRule = {
    /**
     * 1 to 3: how well the subscriber is identified. It sets the maximum balance and the daily limit.
     */
    kyc_level: number;
    /**
     * The maximum balance of a wallet, in minor units.
     */
    max_balance: number;
    /**
     * For display, such as 125.00 SLE.
     */
    max_balance_formatted: string;
    /**
     * The maximum that may leave the wallet per UTC day, fees excluded, in minor units.
     */
    daily_limit: number;
    /**
     * For display, such as 125.00 SLE.
     */
    daily_limit_formatted: string;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * What the level requires of a subscriber.
     */
    requirement: string;
};

export type AccountVerification = {
    success: true;
    /**
     * Whether there is such an account.
     */
    exists: boolean;
    /**
     * active can pay and receive. Null if there is no such account.
     */
    status: 'active' | 'blocked' | 'pending';
    /**
     * First name and initial.
     */
    holder_name: string | null;
};

export type AddBankAccountReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    bank_account: BankAccount;
};

export type AddBankAccountRequest = {
    /**
     * The bank account number, such as an IBAN. Spaces and hyphens are ignored.
     */
    account_number: string;
    /**
     * The bank's name.
     */
    bank: string;
    /**
     * The name the bank holds the account under.
     */
    holder: string;
};

export type AddCaseClocksReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    clocks: CaseClocks;
};

export type AddCaseClocksRequest = {
    /**
     * The first day on which cases that are opened have these clocks: YYYY-MM-DD.
     */
    valid_from: string;
    /**
     * Working days.
     */
    acknowledge_days: number;
    /**
     * Working days.
     */
    resolve_days: number;
    /**
     * Further working days of a complex case.
     */
    complex_days: number;
    /**
     * 1 is Monday.
     */
    working_days: Array<number>;
    /**
     * Days without work: YYYY-MM-DD.
     */
    holidays: Array<string>;
    /**
     * The law, directive or decision that the numbers come from.
     */
    source: string;
};

export type AddCaseNoteRequest = {
    /**
     * What other staff should know. Customers do not see it.
     */
    text: string;
};

export type AddSubscriberNoteReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    note: SubscriberNote;
};

export type AddSubscriberNoteRequest = {
    /**
     * What other staff should know.
     */
    text: string;
};

/**
 * Without payments of politically exposed persons, unless PEP access is open.
 */
export type AffectedPayment = {
    transaction_id: string;
    /**
     * ISO 8601, UTC.
     */
    at?: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    transaction_type?: 'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'inbound_reversal' | 'partner_cashin' | 'suspense_resolution' | 'suspense_refund' | 'partner_settlement' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'commission_settlement' | 'processor_transfer' | 'processor_payout' | 'payout_returned' | 'payout_cleared' | 'payout_uncleared' | 'pos_refund' | 'recall' | 'unclaimed_payment';
    /**
     * Minor units.
     */
    amount?: number;
    /**
     * The account that the payment counts for.
     */
    subject_id?: string;
    /**
     * The amount, count or sum that exceeds the threshold, including this payment.
     */
    found?: number;
};

/**
 * Without politically exposed persons, unless PEP access is open.
 */
export type AffectedSubject = {
    id: string;
    /**
     * Whose money it is: a subscriber's, an agent's, a processor's or a partner's, or a system account of the operator.
     */
    kind: 'wallet' | 'agent_float' | 'agent_commission' | 'processor' | 'partner_clearing' | 'fee_income' | 'treasury' | 'suspense' | 'payouts_in_transit';
    /**
     * In full for staff; null if the account has none.
     */
    name?: string | null;
    /**
     * Affected payments that count for the account.
     */
    payments?: number;
    /**
     * Minor units.
     */
    value?: number;
};

export type Agent = {
    id: string;
    /**
     * A super_agent registers and funds sub-agents. A sub_agent belongs to a super-agent.
     */
    type: 'super_agent' | 'sub_agent';
    business_name: string;
    first_name: string;
    last_name: string;
    /**
     * E.164.
     */
    phone_number: string;
    /**
     * Email address.
     */
    email: string;
    /**
     * Where the agent works. Null if it is not recorded.
     */
    location: string | null;
    /**
     * Sets the agent's share of the commissions; custom: its own percentage.
     */
    commission_tier: 'standard' | 'premium' | 'custom';
    /**
     * Tier custom only: the percentage of the commissions that it gets. Null: the same as tier standard.
     */
    commission_percent?: number | null;
    /**
     * When commission is paid into the float: at once, or after each UTC day or ISO week.
     */
    settlement_mode: 'instant' | 'daily' | 'weekly';
    /**
     * active works. suspended neither pays nor receives, until it is reactivated. terminated is final.
     */
    status: 'active' | 'suspended' | 'terminated';
    /**
     * Formatted for display: 1,234.56 SLE.
     */
    float_balance_formatted: string;
    /**
     * Super-agents only: the number of sub-agents, without terminated ones.
     */
    sub_agent_count?: number;
    /**
     * Sub-agents only.
     */
    parent_agent_id?: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * Why it is suspended or terminated. For compliance_user and system_admin, and for a super-agent that suspended its own sub-agent.
     */
    status_reason?: string | null;
    /**
     * Until then the holder can set a new PIN with the code that was sent; the old PIN keeps working. ISO 8601, UTC; null if no code is open. For compliance_user, support_user and system_admin.
     */
    pin_reset_code_until?: string | null;
    /**
     * Until then outgoing payments are reduced, because the PIN was reset. ISO 8601, UTC. For compliance_user, support_user and system_admin.
     */
    outgoing_reduced_until?: string | null;
    /**
     * What must stay in the float until then, in minor units. For compliance_user, support_user and system_admin.
     */
    reduced_floor?: number | null;
    /**
     * ISO 8601, UTC; null if the account is not locked after wrong PINs. A locked account cannot pay. For compliance_user, support_user and system_admin.
     */
    pin_locked_until?: string | null;
    /**
     * Three wrong PINs in a row (30 minutes), or ten on one UTC day (until 00:00 UTC). For compliance_user, support_user and system_admin.
     */
    pin_lock_reason?: 'wrong_in_a_row' | 'wrong_on_one_day' | 'wrong_on_own_channels';
};

export type AgentBalance = {
    agent_id: string;
    /**
     * Minor units.
     */
    balance: number;
    /**
     * Formatted for display: 1,234.56 SLE.
     */
    balance_formatted: string;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
};

export type AgentTotals = {
    /**
     * The number of matching records, equal to total_count.
     */
    count: number;
    /**
     * Paid into wallets, without fees.
     */
    cash_in: number;
    /**
     * Number of cash-ins.
     */
    cash_in_count: number;
    /**
     * Received from wallets for cash, without fees.
     */
    cash_out: number;
    /**
     * Number of withdrawals.
     */
    cash_out_count: number;
    /**
     * Received from the treasury.
     */
    funded: number;
    /**
     * Returned to the treasury.
     */
    returned: number;
    /**
     * Received from other agents.
     */
    transferred_in: number;
    /**
     * Sent to other agents.
     */
    transferred_out: number;
    /**
     * Fees charged to the agent.
     */
    fees: number;
    /**
     * Commissions paid into the float, at once or by settlement.
     */
    commissions: number;
    /**
     * The change of the float: cash_out - cash_in + funded - returned + transferred_in - transferred_out - fees + commissions.
     */
    balance_change: number;
};

export type Alert = {
    id: string;
    /**
     * Sets when the review is due: at once, in 24 hours, in 48 hours, never.
     */
    severity: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';
    /**
     * open, then in_review; resolved and dismissed are final.
     */
    status: 'open' | 'in_review' | 'resolved' | 'dismissed';
    /**
     * The kind of rule that raised it, or the type its reporter sent.
     */
    type: string;
    /**
     * The subscriber that it is about; null if there is none.
     */
    subscriber_id: string | null;
    /**
     * The agent that it is about; null if there is none.
     */
    agent_id: string | null;
    /**
     * The processor that it is about; null if there is none.
     */
    processor_id: string | null;
    /**
     * Null if no money moved.
     */
    transaction_id: string | null;
    /**
     * Null if no rule raised it.
     */
    rule_id: string | null;
    /**
     * The rule's version when it raised the alert. Null if no rule raised it.
     */
    rule_version: number | null;
    /**
     * What was observed.
     */
    description: string;
    /**
     * The reviewers' notes; null if there are none.
     */
    notes: string | null;
    /**
     * The evidence: amounts, counts and all rules that were triggered.
     */
    figures: {
        [key: string]: unknown;
    };
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * When its review is due: CRITICAL at once, HIGH in 24 hours, MEDIUM in 48, LOW never (null).
     */
    due_at: string | null;
    /**
     * When it was resolved or dismissed.
     */
    resolved_at: string | null;
    /**
     * The user who resolved or dismissed it. Null before.
     */
    resolved_by: string | null;
    /**
     * The name of that user; null for an API key.
     */
    resolved_by_name: string | null;
    /**
     * What the review found; null until then.
     */
    resolution: string | null;
    /**
     * The name of the user or API key who reported it; null for others.
     */
    reported_by_name: string | null;
    /**
     * false_positive: the rule was wrong. customer_explained: the customer gave a reason. confirmed_reported: reported to the authority. confirmed_blocked: the account was blocked. Null: the alert is open, or its review named none.
     */
    outcome: 'false_positive' | 'customer_explained' | 'confirmed_reported' | 'confirmed_blocked' | null;
    /**
     * The name of the subscriber, agent or processor that it is about. Null for internal services.
     */
    subject_name: string | null;
    /**
     * The user or API key reviewing it; null if there is none.
     */
    assigned_to: string | null;
    /**
     * The name of that user; null for an API key.
     */
    assignee_name: string | null;
    /**
     * When the user took it. ISO 8601, UTC.
     */
    assigned_at: string | null;
};

export type AlreadyBlockedOrCardAlreadyLinkedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_BLOCKED' | 'CARD_ALREADY_LINKED';
};

export type AlreadyBlockedOrNotActiveRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_BLOCKED' | 'NOT_ACTIVE';
};

export type AlreadyBlockedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_BLOCKED';
};

export type AlreadyClosedOrCloseOutOfOrderRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_CLOSED' | 'CLOSE_OUT_OF_ORDER';
    /**
     * ALREADY_CLOSED: The existing close.
     */
    close_id?: string;
    /**
     * CLOSE_OUT_OF_ORDER: The next day to close.
     */
    next_date?: string;
};

export type AlreadyDecidedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_DECIDED';
};

export type AlreadyPaidOrExpiredRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_PAID' | 'EXPIRED';
};

export type AlreadyResolvedOrRequestConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_RESOLVED' | 'REQUEST_CONFLICT';
};

export type AlreadyResolvedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_RESOLVED';
};

export type AlreadySuspendedOrAgentTerminatedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_SUSPENDED' | 'AGENT_TERMINATED';
};

export type AlreadySuspendedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_SUSPENDED';
};

export type AmountMismatchRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'AMOUNT_MISMATCH';
    /**
     * AMOUNT_MISMATCH: What the payment request asks for. Minor units.
     */
    required?: number;
};

export type ApiKey = {
    /**
     * Sent as X-API-Key-ID with signed requests.
     */
    id: string;
    name: string;
    /**
     * The first characters of the bearer value.
     */
    prefix: string;
    /**
     * Whether a bearer value was issued. Without one, the key only signs requests.
     */
    bearer: boolean;
    /**
     * What the key may do.
     */
    scopes: Array<'payments:read' | 'payments:write' | 'balance:read' | 'subscribers:read' | 'subscribers:write' | 'cards:read' | 'cards:write' | 'inbound:read' | 'inbound:write' | 'treasury:write' | 'payouts:write' | 'agents:write' | 'processors:write' | 'compliance:read' | 'compliance:write' | 'audit:read'>;
    /**
     * The partner that the key acts for; null: it has no partner.
     */
    partner_id: string | null;
    /**
     * The processor that the key acts for; null: it has no processor.
     */
    processor_id: string | null;
    /**
     * Requests per second. Null: the service's default.
     */
    rate_limit: number | null;
    /**
     * What the key may move in one UTC day, in minor units. Null: it has none of the scopes that need one.
     */
    daily_limit: number | null;
    /**
     * The approval under which the key was created: under an approval policy it acts up to its daily_limit. Null: it was created or rotated without one.
     */
    approval_id: string | null;
    /**
     * ISO 8601, UTC. Null: it does not expire.
     */
    expires_at: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * ISO 8601, UTC. Null: the key is valid.
     */
    revoked_at: string | null;
};

export type Approval = {
    id: string;
    /**
     * The action whose policy applies.
     */
    action: 'agents.fund' | 'agents.return_float' | 'wallet.fund_from_partner' | 'partners.settle' | 'inbound.reverse' | 'processors.transfer' | 'suspense.resolve' | 'processors.payout' | 'beneficiaries.change' | 'reconciliation.write_off' | 'trust_accounts.change' | 'fees.change' | 'rules.change' | 'kyc.raise' | 'pin.reset' | 'subscribers.change_phone' | 'users.change' | 'api_keys.create' | 'partners.change' | 'cases.recall' | 'privacy.erase' | 'policies.change';
    /**
     * The operation of that action, for example users.create.
     */
    operation: string;
    /**
     * approved: decided, and the money is being moved. failed: approved, but the execution was refused.
     */
    status: 'pending' | 'approved' | 'executed' | 'failed' | 'rejected' | 'withdrawn' | 'expired';
    /**
     * The user's id.
     */
    requested_by: string;
    /**
     * Null if the requester is not a user.
     */
    requested_by_name: string | null;
    /**
     * Null if the requester is not a user.
     */
    requested_by_email: string | null;
    /**
     * ISO 8601, UTC.
     */
    requested_at: string;
    /**
     * ISO 8601, UTC.
     */
    expires_at: string;
    /**
     * As the requester sent it. Null while PEP access is required.
     */
    request_id: string | null;
    /**
     * Minor units. Null for an action without an amount.
     */
    amount: number | null;
    /**
     * The parameters in the request's path. Null while PEP access is required.
     */
    params: {
        [key: string]: unknown;
    } | null;
    /**
     * The body of the request without its secrets. Null while PEP access is required, and for roles that do not see the changed record in full.
     */
    input: {
        [key: string]: unknown;
    } | null;
    /**
     * text; parties, with id and name as of the request; the changed values in before and after. Null while PEP access is required.
     */
    summary: {
        [key: string]: unknown;
    } | null;
    /**
     * For PIN resets read by id: what happened to the holder's record in the last 30 days, newest first. Otherwise null.
     */
    recent_changes: Array<RecentChange> | null;
    /**
     * For requests about money at a bank, read by id: what the bank statements say. Pay-out returns: entries of the pay-out, and the credit the request names. Write-offs: the entries to be written off. Agents' floats and partners' settlements: open entries of the amount, and those matched with the transaction. Otherwise null.
     */
    bank_entries: Array<PayoutBankEntry> | null;
    /**
     * The user's id.
     */
    decided_by: string | null;
    /**
     * Null if it is not decided. Null for processors' users.
     */
    decided_by_name: string | null;
    /**
     * Null if it is not decided. Null for processors' users.
     */
    decided_by_email: string | null;
    /**
     * ISO 8601, UTC.
     */
    decided_at: string | null;
    /**
     * Why it was rejected.
     */
    reason: string | null;
    /**
     * The reply of the executed request without its secrets.
     */
    result: {
        [key: string]: unknown;
    } | null;
    /**
     * Why the execution was refused: code and message.
     */
    refusal: {
        [key: string]: unknown;
    } | null;
    /**
     * ISO 8601, UTC.
     */
    finished_at: string | null;
    /**
     * The requester can collect the secrets of the result, once.
     */
    secrets_available: boolean;
    /**
     * Of a pending approval: the reader is not independent of the requester, or, read by id, of who uploaded the bank's credit that a return names (NOT_INDEPENDENT).
     */
    not_independent?: true;
};

export type ApprovalPolicy = {
    /**
     * The operation that can need an approval.
     */
    action: 'agents.fund' | 'agents.return_float' | 'wallet.fund_from_partner' | 'partners.settle' | 'inbound.reverse' | 'processors.transfer' | 'suspense.resolve' | 'processors.payout' | 'beneficiaries.change' | 'reconciliation.write_off' | 'trust_accounts.change' | 'fees.change' | 'rules.change' | 'kyc.raise' | 'pin.reset' | 'subscribers.change_phone' | 'users.change' | 'api_keys.create' | 'partners.change' | 'cases.recall' | 'privacy.erase';
    /**
     * Whether it is applied.
     */
    enabled: boolean;
    /**
     * Null: every request needs approval.
     */
    threshold: number | null;
    /**
     * The user's id. Null: never changed.
     */
    updated_by: string | null;
    /**
     * ISO 8601, UTC.
     */
    updated_at: string | null;
    /**
     * It cannot be switched off: cases.recall ever, users.change while any other policy is on.
     */
    locked: boolean;
};

export type ApproveBulkPaymentConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'BULK_PAYMENT_STATE' | 'FILE_MISMATCH' | 'QUOTE_CHANGED';
    /**
     * BULK_PAYMENT_STATE: The state of the bulk payment.
     */
    bulk_status?: string;
    /**
     * QUOTE_CHANGED: The new quote, as POST /me/quote returns it; for a cash-out code, its new price.
     */
    quote?: {
        [key: string]: unknown;
    };
};

export type ApproveBulkPaymentReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    bulk_payment: BulkPayment;
};

export type ApproveBulkPaymentRequest = {
    /**
     * The SHA-256 of the file that is approved, as the upload returned it.
     */
    file_sha256: string;
    /**
     * continue pays every valid row; all_or_nothing starts only if all rows can be paid.
     */
    mode: 'continue' | 'all_or_nothing';
    /**
     * Not before then; the money is held from now on. ISO 8601, UTC.
     */
    starts_at?: string;
};

export type ApproveBulkPaymentUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ROWS_INVALID' | 'PARTNER_EXPOSURE_LIMIT_EXCEEDED' | 'TREASURY_LIMIT_EXCEEDED' | 'MAX_BALANCE_EXCEEDED';
    /**
     * TREASURY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * TREASURY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
};

export type ApprovePaymentRequestAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'ACCOUNT_LOCKED' | 'SUBSCRIBER_BLOCKED' | 'TRANSACTION_TYPE_DISABLED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type ApprovePaymentRequestConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REQUEST_CONFLICT' | 'EXPIRED' | 'QUOTE_CHANGED' | 'QUOTE_USED' | 'ALREADY_PAID' | 'DECLINED' | 'CANCELLED';
    /**
     * QUOTE_CHANGED: The new quote, as POST /me/quote returns it; for a cash-out code, its new price.
     */
    quote?: {
        [key: string]: unknown;
    };
};

export type ApprovePaymentRequestUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'DAILY_LIMIT_EXCEEDED' | 'MAX_BALANCE_EXCEEDED' | 'COMPLIANCE_BLOCKED' | 'AMOUNT_MISMATCH';
    /**
     * DAILY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * AMOUNT_MISMATCH, DAILY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
};

export type ApprovedPaymentRequest = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    transaction_id: string;
    /**
     * The id that the caller sent for this payment. Null if it sent none.
     */
    request_id: string | null;
    /**
     * Always COMPLETED: money moves at once, or the request is refused.
     */
    status: 'COMPLETED';
    /**
     * Minor units.
     */
    amount: number;
    /**
     * Fee paid by the payer, in addition to the amount.
     */
    fee: number;
    /**
     * Amount plus fee.
     */
    total_debited: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * Balance of the wallet after the payment. Absent if another credential sent the request.
     */
    balance?: number;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * The request that was paid.
     */
    payment_request_id: string;
};

export type ArchivedOrAlreadyMatchedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ARCHIVED' | 'ALREADY_MATCHED';
    /**
     * ARCHIVED: Transactions before this instant are archived. ISO 8601, UTC.
     */
    archived_before?: string;
    /**
     * ALREADY_MATCHED: The ids of the items concerned.
     */
    matched_items?: Array<string>;
};

export type ArchivedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ARCHIVED';
    /**
     * ARCHIVED: Transactions before this instant are archived. ISO 8601, UTC.
     */
    archived_before?: string;
};

export type AskForFloatRequest = {
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount: number | string;
    /**
     * Why, or when it is needed. Control characters and line breaks become a space; blank text means absent.
     */
    note?: string;
    /**
     * Makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
};

export type AskedPayment = {
    id: string;
    /**
     * A request that many can pay stays open.
     */
    status: 'open' | 'paid' | 'declined' | 'expired' | 'cancelled';
    /**
     * Minor units. Null: the payer chooses.
     */
    amount: number | null;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * The registered name; of a customer, first name and initial.
     */
    payee_name: string;
    /**
     * What the payment is for.
     */
    description: string;
    /**
     * The payee's.
     */
    reference: string | null;
    /**
     * Ten digits that the payer types.
     */
    code: string;
    /**
     * What the payer dials; null if the operator has no USSD service code.
     */
    ussd: string | null;
    /**
     * The text of the QR code (EMVCo).
     */
    qr: string;
    /**
     * The page.
     */
    url: string;
    /**
     * False: many can pay.
     */
    single_use: boolean;
    /**
     * Where the page returns the payer, with `payment_request_id`.
     */
    return_url: string | null;
    /**
     * Once it is paid; null for a request that many can pay.
     */
    receipt_url: string | null;
    /**
     * When it can no longer be paid. ISO 8601, UTC.
     */
    expires_at: string;
};

export type AssignAlertReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    alert: Alert;
};

export type AssignCaseRequest = {
    /**
     * The id of the user. Absent: nobody works on it.
     */
    assignee_id?: string;
};

export type AssignReconciliationItemsReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * Items whose owner changed.
     */
    changed: number;
};

export type AssignReconciliationItemsRequest = {
    /**
     * Bank entry ids.
     */
    bank_entry_ids?: Array<string>;
    /**
     * Transaction ids.
     */
    transaction_ids?: Array<string>;
};

export type AuditEntry = {
    id: string;
    /**
     * ISO 8601, UTC.
     */
    at: string;
    /**
     * Who acted: a user, a customer, an API key, an internal service, a signed notification, a public route, or the service itself.
     */
    actor_type: 'user' | 'subscriber' | 'key' | 'service' | 'notification' | 'public' | 'system';
    /**
     * The user, key or service. Null for public routes and the service itself.
     */
    actor_id: string | null;
    /**
     * The current name of the user or API key; null for others.
     */
    actor_name: string | null;
    /**
     * What was done, such as subscribers.block.
     */
    action: string;
    /**
     * What kind of record was changed; null if there is none.
     */
    resource_type: string | null;
    /**
     * The record; null if there is none.
     */
    resource_id: string | null;
    /**
     * The client's address. Null for the service itself.
     */
    ip: string | null;
    /**
     * The request's id in the logs; null for the service itself.
     */
    request_id: string | null;
    /**
     * What was changed; secrets and PINs are never included. Empty, without resource_id and request_id, for an entry about a politically exposed person that the reader may not see.
     */
    details: {
        [key: string]: unknown;
    };
    /**
     * The current names of the users whose ids are in details, by id.
     */
    user_names: {
        [key: string]: string;
    };
    /**
     * Hex SHA-256 of the previous entry.
     */
    prev_hash: string;
    /**
     * Hex SHA-256 of this entry and prev_hash.
     */
    hash: string;
};

export type AuditVerification = {
    success: true;
    /**
     * Whether the hash chain is unbroken.
     */
    valid: boolean;
    /**
     * The number of valid entries, counted from the first.
     */
    entries: number;
    /**
     * The number of the first invalid entry.
     */
    broken_at?: number;
    /**
     * The ends of all chains, to compare with anchors. An anchor is a signed copy of this record, kept outside the database (`npm run ledger:anchor`).
     */
    heads: {
        /**
         * The last entry of the audit log.
         */
        audit: {
            /**
             * Its number.
             */
            entry: number;
            /**
             * Hex.
             */
            hash: string;
        };
        /**
         * The last seal of each chain of the ledger.
         */
        seals: Array<{
            /**
             * The number of the batch.
             */
            batch: string;
            /**
             * Hex.
             */
            mac: string;
        }>;
    };
};

export type Balance = {
    success: true;
    /**
     * Minor units.
     */
    balance: number;
    /**
     * Formatted for display: 1,234.56 SLE.
     */
    balance_formatted: string;
    /**
     * What authorised payments reserve. Minor units.
     */
    held: number;
    /**
     * balance - held. Minor units.
     */
    available: number;
    /**
     * Formatted for display.
     */
    available_formatted: string;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    subscriber_id: string;
    /**
     * ISO 8601, UTC; null before the first transaction.
     */
    last_transaction_at: string | null;
};

export type BankAccount = {
    /**
     * The id of the bank account.
     */
    id: string;
    /**
     * The processor's (merchant's) id.
     */
    processor_id: string;
    /**
     * Ten digits that identify a subscriber to partners; the last one is a Luhn check digit.
     */
    account_number: string;
    bank: string;
    /**
     * The name the bank holds the account under.
     */
    holder: string;
    /**
     * The user who added it.
     */
    created_by: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type BankEntry = {
    id: string;
    trust_account_id: string;
    statement_id: string;
    /**
     * From 1, in the order of the file.
     */
    position: number;
    /**
     * The day on which the bank booked it. YYYY-MM-DD.
     */
    booked_on: string;
    /**
     * Minor units; credits are positive, debits negative.
     */
    amount: number;
    /**
     * As the bank recorded it; null if there is none.
     */
    reference: string | null;
    /**
     * As the bank names it; null if there is none.
     */
    counterparty: string | null;
    /**
     * As the bank recorded it; null if there is none.
     */
    description: string | null;
};

export type BankStatement = {
    id: string;
    trust_account_id: string;
    /**
     * The uploaded file's format.
     */
    format: 'camt.053' | 'mt940' | 'csv';
    /**
     * The first day. YYYY-MM-DD.
     */
    from: string;
    /**
     * The last day. YYYY-MM-DD.
     */
    to: string;
    /**
     * Minor units; negative if the account was overdrawn.
     */
    opening_balance: number;
    /**
     * Minor units; negative if the account was overdrawn.
     */
    closing_balance: number;
    /**
     * Number of entries.
     */
    entry_count: number;
    /**
     * The SHA-256 of the uploaded file, in hexadecimal digits.
     */
    file_sha256: string;
    /**
     * The user.
     */
    uploaded_by: string;
    /**
     * ISO 8601, UTC.
     */
    uploaded_at: string;
};

export type BearerOrServiceUnauthorizedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'UNAUTHORIZED' | 'INVALID_SIGNATURE' | 'EXPIRED_TIMESTAMP';
};

export type BearerOrSignedUnauthorizedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'UNAUTHORIZED' | 'INVALID_SIGNATURE' | 'EXPIRED_TIMESTAMP';
};

export type BeginTotpEnrolmentReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * Base32, for apps that cannot read the QR code.
     */
    secret: string;
    /**
     * For authenticator apps; `qr_code` shows the same. Contains the secret.
     */
    otpauth_uri: string;
    /**
     * The URI as an SVG image in a data URI.
     */
    qr_code: string;
    /**
     * Confirm the enrolment with a code before this time. ISO 8601, UTC.
     */
    expires_at: string;
};

export type Beneficiary = {
    /**
     * Ten digits that identify a subscriber to partners; the last one is a Luhn check digit.
     */
    account_number: string;
    /**
     * First name and last initial.
     */
    account_name: string;
};

export type BlockCardRequest = {
    /**
     * Why; kept in the audit log. Control characters and line breaks become a space; blank text means absent.
     */
    reason?: string;
    /**
     * true retires a lost or stolen card: it is unlinked and never linked or unblocked again. Requires reason.
     */
    permanent?: boolean;
};

export type BlockPayeeReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
};

export type BlockSubscriberRequest = {
    /**
     * Why; kept in the audit log. Control characters and line breaks become a space; blank text means absent.
     */
    reason: string;
    /**
     * Disables only these types and keeps the status. Without this field the subscriber is BLOCKED.
     */
    transaction_types?: Array<'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'partner_cashin'>;
};

export type BlockedPayee = {
    /**
     * The request by which the payee was blocked; it names the payee.
     */
    payment_request_id: string;
    /**
     * The registered name, or first name and initial.
     */
    payee_name: string;
    /**
     * ISO 8601, UTC.
     */
    blocked_at: string;
};

export type BridgeRefusal = {
    /**
     * Why the request was refused, as a sentence for people.
     */
    error: string;
    /**
     * Always error.
     */
    status: 'error';
};

export type BulkPayment = {
    /**
     * The id of the bulk payment.
     */
    id: string;
    /**
     * As the uploader named it.
     */
    name: string;
    /**
     * checking, checked (waits for approval), approved, running, and then completed, stopped or cancelled.
     */
    status: 'checking' | 'checked' | 'approved' | 'running' | 'completed' | 'stopped' | 'cancelled';
    /**
     * The merchant that pays; null if another pays.
     */
    processor_id: string | null;
    /**
     * The partner that pays; null if another pays.
     */
    partner_id: string | null;
    /**
     * The operator's treasury pays.
     */
    treasury: boolean;
    /**
     * The name of who pays.
     */
    payer_name: string | null;
    /**
     * The format of the file.
     */
    file_format: 'csv' | 'json';
    /**
     * SHA-256 of the file, in hexadecimal digits. An approval names it.
     */
    file_sha256: string | null;
    /**
     * The bulk payment that this one pays again on purpose; null: none.
     */
    repeat_of: string | null;
    /**
     * The bulk payment whose failed rows this one retries; null: none.
     */
    retry_of: string | null;
    /**
     * code: numbers without a wallet are paid as cash-out codes. Null: such rows are invalid.
     */
    unclaimed: 'code' | null;
    /**
     * What the approval chose; null until then.
     */
    mode: 'continue' | 'all_or_nothing' | null;
    /**
     * Of checking, later of paying, in percent.
     */
    progress: number;
    /**
     * Rows of the file.
     */
    row_count: number;
    /**
     * Rows that are checked.
     */
    checked_count: number;
    /**
     * Rows that can be paid, as checked.
     */
    valid_count: number;
    /**
     * Rows that cannot be paid; each has its reason.
     */
    invalid_count: number;
    /**
     * Valid rows whose number has no wallet, which are paid as codes.
     */
    code_count: number;
    /**
     * Valid rows whose name is not the wallet's.
     */
    name_mismatch_count: number;
    /**
     * Valid rows to a wallet that an earlier row pays too.
     */
    repeated_count: number;
    /**
     * Valid rows that a compliance rule would flag or block by their amount; for staff.
     */
    compliance_count: number | null;
    /**
     * Rows that are paid.
     */
    paid_count: number;
    /**
     * Rows that were refused when they were paid.
     */
    failed_count: number;
    /**
     * Rows paid as codes that nobody has redeemed yet.
     */
    unclaimed_count: number;
    /**
     * Rows paid as codes whose money came back.
     */
    returned_count: number;
    /**
     * Rows that were cancelled before they were paid.
     */
    cancelled_count: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * The sum of all rows. Minor units.
     */
    amount: number;
    /**
     * The sum of the valid rows. Minor units.
     */
    valid_amount: number;
    /**
     * What the payer pays on top for the valid rows. Minor units.
     */
    valid_fees: number;
    /**
     * valid_amount and valid_fees. Minor units.
     */
    total_amount: number;
    /**
     * The sum of the invalid rows. Minor units.
     */
    invalid_amount: number;
    /**
     * Minor units.
     */
    paid_amount: number;
    /**
     * What the payer paid on top. Minor units.
     */
    paid_fees: number;
    /**
     * Minor units.
     */
    failed_amount: number;
    /**
     * Minor units.
     */
    unclaimed_amount: number;
    /**
     * Minor units.
     */
    returned_amount: number;
    /**
     * Minor units.
     */
    cancelled_amount: number;
    /**
     * What the payer could pay when checking ended; of the treasury, what was left of its daily limit. Minor units; null until then.
     */
    available_amount: number | null;
    /**
     * Whether that covered total_amount; null until the rows are checked.
     */
    covered: boolean | null;
    /**
     * The user or API key that uploaded it. Neither they nor who created the key can approve it.
     */
    uploaded_by: string;
    /**
     * Whether uploaded_by is a login or an API key.
     */
    uploaded_by_type: 'user' | 'key';
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * When checking ended. ISO 8601, UTC; null until then.
     */
    checked_at: string | null;
    /**
     * The user who approved it; null until then.
     */
    approved_by: string | null;
    /**
     * When it was approved. ISO 8601, UTC; null until then.
     */
    approved_at: string | null;
    /**
     * When it starts, if the approval says so. ISO 8601, UTC; null until then.
     */
    starts_at: string | null;
    /**
     * When the first row was paid. ISO 8601, UTC; null until then.
     */
    started_at: string | null;
    /**
     * The user or API key that cancelled or stopped it; null: nobody did.
     */
    ended_by: string | null;
    /**
     * When it was completed, stopped or cancelled. ISO 8601, UTC; null until then.
     */
    ended_at: string | null;
};

export type BulkPaymentCheckedEvent = {
    /**
     * The X-Hook-Event-Id. Process each id once.
     */
    id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: 'bulk_payment.checked';
    /**
     * When it happened. ISO 8601, UTC.
     */
    created_at: string;
    data: {
        /**
         * The payment, request or pay-out, with the fields that the API replied.
         */
        object: {
            [key: string]: unknown;
        };
    };
};

export type BulkPaymentCompletedEvent = {
    /**
     * The X-Hook-Event-Id. Process each id once.
     */
    id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: 'bulk_payment.completed';
    /**
     * When it happened. ISO 8601, UTC.
     */
    created_at: string;
    data: {
        /**
         * The payment, request or pay-out, with the fields that the API replied.
         */
        object: {
            [key: string]: unknown;
        };
    };
};

export type BulkPaymentExistsRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'BULK_PAYMENT_EXISTS';
    /**
     * BULK_PAYMENT_EXISTS: The first bulk payment with this file.
     */
    bulk_payment_id?: string;
    /**
     * BULK_PAYMENT_EXISTS: The state of the bulk payment.
     */
    bulk_status?: string;
};

export type BulkPaymentFileRow = {
    /**
     * The payer's own; used once in 90 days.
     */
    reference: string;
    /**
     * This or account_number.
     */
    phone_number?: string;
    /**
     * This or phone_number.
     */
    account_number?: string;
    /**
     * Compared with the name of the wallet's holder.
     */
    name?: string;
    /**
     * In leones, such as "1250.50".
     */
    amount: string | number;
    /**
     * Shown in the history of both sides.
     */
    description?: string;
};

export type BulkPaymentRow = {
    /**
     * In the file; for JSON the number of the row, from 1.
     */
    line: number;
    /**
     * pending (not checked), valid, invalid, paying, paid, unclaimed (a code), returned, failed, cancelled.
     */
    status: 'pending' | 'valid' | 'invalid' | 'paying' | 'paid' | 'unclaimed' | 'returned' | 'failed' | 'cancelled';
    /**
     * The payer's reference. Null for staff if the recipient is a politically exposed person.
     */
    reference: string | null;
    /**
     * E.164 if it is a phone number; null if the row names an account.
     */
    phone_number: string | null;
    /**
     * Null if the row names a phone number.
     */
    account_number: string | null;
    /**
     * The name as the payer sent it, never the wallet's; null: none.
     */
    name: string | null;
    /**
     * Minor units. Null for staff if the recipient is a politically exposed person.
     */
    amount: number | null;
    /**
     * What the payer pays on top. Minor units; null: not checked, or not valid.
     */
    fee: number | null;
    /**
     * What the payment is for; null: nothing was said.
     */
    description: string | null;
    /**
     * Whether the name is the wallet's; null: no name was sent, there is no wallet, or the row is not checked.
     */
    name_match: 'match' | 'no_match' | null;
    /**
     * Why it is invalid, failed or returned: a code. Null: it is not.
     */
    reason: string | null;
    /**
     * The reason in words.
     */
    reason_text: string | null;
    /**
     * REPEATED_RECIPIENT: an earlier row pays the same wallet. COMPLIANCE_…: for staff only.
     */
    warnings: Array<'REPEATED_RECIPIENT' | 'COMPLIANCE_FLAG' | 'COMPLIANCE_BLOCK'>;
    /**
     * Null until it is paid.
     */
    transaction_id: string | null;
    /**
     * ISO 8601, UTC; null until it is paid.
     */
    paid_at: string | null;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
};

export type BulkPaymentStateOrBulkPaymentExistsRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'BULK_PAYMENT_STATE' | 'BULK_PAYMENT_EXISTS';
    /**
     * BULK_PAYMENT_EXISTS, BULK_PAYMENT_STATE: The state of the bulk payment.
     */
    bulk_status?: string;
    /**
     * BULK_PAYMENT_EXISTS: The first bulk payment with this file.
     */
    bulk_payment_id?: string;
};

export type BulkPaymentStateRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'BULK_PAYMENT_STATE';
    /**
     * BULK_PAYMENT_STATE: The state of the bulk payment.
     */
    bulk_status?: string;
};

export type BulkRowLimit = {
    /**
     * The merchant or the partner.
     */
    payer_id: string;
    /**
     * How many rows it may have checked and not paid in 30 days, beyond the rows paid.
     */
    unpaid_rows: number;
    /**
     * Rows of its files of the last 30 days.
     */
    checked_rows: number;
    /**
     * Those of them that are paid.
     */
    paid_rows: number;
    /**
     * How many rows its next file may have.
     */
    remaining: number;
};

export type BulkRowLimitExceededRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'BULK_ROW_LIMIT_EXCEEDED';
    /**
     * BULK_ROW_LIMIT_EXCEEDED: How many more rows can be checked now.
     */
    allowed_rows?: number;
};

export type CancelBulkPaymentReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    bulk_payment: BulkPayment;
};

export type CancelCashOutCodeReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    cash_out_code: CashOutCode;
};

export type CancelFloatRequestConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_PAID' | 'ALREADY_DECIDED' | 'DECLINED' | 'CANCELLED' | 'EXPIRED';
};

export type CancelOwnPaymentRequestConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_PAID' | 'DECLINED' | 'EXPIRED';
};

export type CancelOwnPaymentRequestReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    payment_request: PaymentRequest;
};

export type CancelPaymentRequestConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_PAID' | 'DECLINED' | 'EXPIRED';
};

export type Capture = {
    success: true;
    /**
     * The payment, which can be refunded.
     */
    transaction_id: string;
    /**
     * As sent in the path.
     */
    authorization_transaction_id: string;
    /**
     * Always CAPTURED.
     */
    status: 'CAPTURED';
    /**
     * Six characters printed on the receipt.
     */
    authorization_code: string;
    /**
     * Minor units.
     */
    amount: number;
    /**
     * What was authorised and not captured; it is available to the customer again.
     */
    released: number;
    /**
     * The processor's fee on the captured amount, at the price of the authorisation.
     */
    fee: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * Lines of at most 32 characters, ready to print.
     */
    receipt: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type CaptureAtTerminalConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REQUEST_CONFLICT' | 'ALREADY_CAPTURED' | 'ALREADY_VOIDED' | 'EXPIRED';
};

export type CaptureExceedsAuthorizationRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'CAPTURE_EXCEEDS_AUTHORIZATION';
};

export type CaptureInAppConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REQUEST_CONFLICT' | 'ALREADY_CAPTURED' | 'ALREADY_VOIDED' | 'EXPIRED';
};

export type CaptureRequest = {
    /**
     * Makes retries safe. Required in the body: no header replaces it.
     */
    request_id: string;
    /**
     * At most what was authorised; by default all of it.
     */
    amount?: number | string;
};

export type Card = {
    /**
     * The card serial, as printed or read by NFC.
     */
    serial: string;
    /**
     * A child card is created under a parent card, and can have its own daily limit.
     */
    type: 'parent' | 'child';
    /**
     * unassigned: in stock. active can pay. blocked cannot; a blocked card can be unblocked, unless it is lost or stolen.
     */
    status: 'unassigned' | 'active' | 'blocked';
    /**
     * The holder; null for a card in stock.
     */
    subscriber_id: string | null;
    /**
     * On child cards.
     */
    parent_serial: string | null;
    /**
     * A name that the holder gave the card. Null if there is none.
     */
    label: string | null;
    /**
     * Minor units.
     */
    daily_limit: number | null;
    /**
     * ISO 8601, UTC.
     */
    linked_at: string | null;
    /**
     * When the card was blocked for good; it can no longer be linked or unblocked.
     */
    retired_at: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type CardHasChildrenRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'CARD_HAS_CHILDREN';
};

export type CardHolder = {
    id: string;
    /**
     * First name and initial.
     */
    name: string;
    /**
     * Masked except for the last four digits.
     */
    phone_number: string;
    /**
     * Masked except for the last four digits.
     */
    account_number: string;
    /**
     * ACTIVE, BLOCKED or PENDING.
     */
    status: string;
    /**
     * 1 to 3: how well the subscriber is identified. It sets the maximum balance and the daily limit.
     */
    kyc_level: number;
};

export type CardLimit = {
    /**
     * The card's serial.
     */
    serial: string;
    /**
     * As set on the card.
     */
    label: string | null;
    /**
     * The card's daily limit. The wallet's limit applies as well.
     */
    limit: number;
    /**
     * Paid with the card today.
     */
    used: number;
    /**
     * What the card can still pay today.
     */
    remaining: number;
};

export type CardLookup = {
    success: true;
    card: Card;
    /**
     * The holder; null for a card in stock.
     */
    subscriber: CardHolder | null;
    /**
     * The last ten with this card, newest first: to the key's processor, or made by an operator's key.
     */
    recent_payments: Array<RecentPayment>;
};

export type CardNotAssignedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'CARD_NOT_ASSIGNED';
};

export type CardNotFoundOrNotFoundRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'CARD_NOT_FOUND' | 'NOT_FOUND';
};

export type CardNotFoundRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'CARD_NOT_FOUND';
};

export type CardPayment = {
    success: true;
    transaction_id: string;
    /**
     * AUTHORIZED with `capture: false`: nothing is paid yet.
     */
    status: 'APPROVED' | 'AUTHORIZED';
    /**
     * Six characters, for the receipt.
     */
    authorization_code: string;
    /**
     * Minor units.
     */
    amount: number;
    /**
     * The processor's fee, deducted from what it received.
     */
    fee: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * The merchant's identifier on terminals and receipts.
     */
    merchant_id: string;
    /**
     * The processor's (merchant's) id.
     */
    processor_id: string;
    /**
     * The card serial, as printed or read by NFC, such as 04:A1:B2:C3.
     */
    card_serial: string;
    /**
     * Lines of at most 32 characters, ready to print.
     */
    receipt: string;
    /**
     * Until when an authorised payment can be captured. ISO 8601, UTC.
     */
    expires_at?: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type CardRequest = {
    /**
     * The card serial, as printed or read by NFC, such as 04:A1:B2:C3.
     */
    card_serial: string;
};

export type CardVerification = {
    success: true;
    /**
     * Whether the card can pay, apart from PIN and balance.
     */
    valid: boolean;
    /**
     * Only an active card can pay.
     */
    status: 'active' | 'blocked' | 'unassigned';
    /**
     * First name and initial. Null if the card is not valid, like the balance fields.
     */
    holder_name: string | null;
    /**
     * What is available, without what authorised payments hold. Minor units. Null for every holder while VERIFY_CARD_BALANCE is off, and for the rest of the UTC day once the processor (or a key without one) has looked up 300 cards and accounts that did not pay.
     */
    balance: number | null;
    /**
     * For display, such as 125.00 SLE. Null if the card cannot pay.
     */
    balance_formatted: string | null;
};

export type Case = {
    id: string;
    /**
     * What people read out, such as C-2026-4817362. The last digit is a check digit.
     */
    number: string;
    /**
     * What the case is about.
     */
    kind: 'wrong_transfer' | 'failed_payment' | 'fraud' | 'agent' | 'other';
    /**
     * resolved and rejected are final.
     */
    state: 'open' | 'waiting_customer' | 'waiting_other_party' | 'investigating' | 'resolved' | 'rejected';
    /**
     * The payment it is about.
     */
    transaction_id: string | null;
    /**
     * It has more time than others.
     */
    is_complex: boolean;
    /**
     * When it is to be resolved. ISO 8601, UTC.
     */
    resolve_by: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * When it was resolved or rejected; null while it is open. ISO 8601, UTC.
     */
    closed_at: string | null;
    /**
     * Where it was opened.
     */
    channel: 'staff' | 'wallet' | 'ussd' | 'chat';
    /**
     * The customer whose case it is.
     */
    subscriber_id: string;
    /**
     * First and last name.
     */
    customer_name: string;
    /**
     * What happened, as it was reported.
     */
    description: string;
    /**
     * The user who works on it.
     */
    assignee_id: string | null;
    /**
     * First and last name.
     */
    assignee_name: string | null;
    /**
     * The user or customer who opened it.
     */
    opened_by: string;
    /**
     * First and last name of the user; null for a customer.
     */
    opened_by_name: string | null;
    /**
     * When somebody is to have begun with it. ISO 8601, UTC.
     */
    acknowledge_by: string;
    /**
     * When somebody began with it. ISO 8601, UTC.
     */
    acknowledged_at: string | null;
    /**
     * Nobody began with it in time, or it was to be resolved by now.
     */
    is_overdue: boolean;
    /**
     * ISO 8601, UTC.
     */
    updated_at: string;
    /**
     * staff_decides: outside the rules, so staff decide before anything is held. placing: the hold is being made. asked: the recipient can answer. nothing_left: nothing was in the wallet. returned, contested, expired: how it ended. Null: there is no recall.
     */
    recall_state: 'staff_decides' | 'placing' | 'asked' | 'nothing_left' | 'returned' | 'contested' | 'expired';
};

export type CaseClocks = {
    /**
     * Null: built in.
     */
    id: string | null;
    /**
     * The first day on which cases that are opened have these clocks: YYYY-MM-DD.
     */
    valid_from: string;
    /**
     * Working days.
     */
    acknowledge_days: number;
    /**
     * Working days.
     */
    resolve_days: number;
    /**
     * Further working days of a complex case.
     */
    complex_days: number;
    /**
     * 1 is Monday.
     */
    working_days: Array<number>;
    /**
     * Days without work: YYYY-MM-DD.
     */
    holidays: Array<string>;
    /**
     * The law, directive or decision that the numbers come from.
     */
    source: string;
    /**
     * The user who entered them; null: built in.
     */
    created_by: string | null;
    /**
     * When they were entered. ISO 8601, UTC.
     */
    created_at: string | null;
    /**
     * They apply as long as no others do.
     */
    is_default: boolean;
};

export type CaseClosedOrAlreadyDecidedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'CASE_CLOSED' | 'ALREADY_DECIDED';
};

export type CaseClosedOrRecallOpenRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'CASE_CLOSED' | 'RECALL_OPEN';
};

export type CaseClosedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'CASE_CLOSED';
};

export type CaseDetails = {
    id: string;
    /**
     * What people read out, such as C-2026-4817362. The last digit is a check digit.
     */
    number: string;
    /**
     * What the case is about.
     */
    kind: 'wrong_transfer' | 'failed_payment' | 'fraud' | 'agent' | 'other';
    /**
     * resolved and rejected are final.
     */
    state: 'open' | 'waiting_customer' | 'waiting_other_party' | 'investigating' | 'resolved' | 'rejected';
    /**
     * The payment it is about.
     */
    transaction_id: string | null;
    /**
     * It has more time than others.
     */
    is_complex: boolean;
    /**
     * When it is to be resolved. ISO 8601, UTC.
     */
    resolve_by: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * When it was resolved or rejected; null while it is open. ISO 8601, UTC.
     */
    closed_at: string | null;
    /**
     * Where it was opened.
     */
    channel: 'staff' | 'wallet' | 'ussd' | 'chat';
    /**
     * The customer whose case it is.
     */
    subscriber_id: string;
    /**
     * First and last name.
     */
    customer_name: string;
    /**
     * What happened, as it was reported.
     */
    description: string;
    /**
     * The user who works on it.
     */
    assignee_id: string | null;
    /**
     * First and last name.
     */
    assignee_name: string | null;
    /**
     * The user or customer who opened it.
     */
    opened_by: string;
    /**
     * First and last name of the user; null for a customer.
     */
    opened_by_name: string | null;
    /**
     * When somebody is to have begun with it. ISO 8601, UTC.
     */
    acknowledge_by: string;
    /**
     * When somebody began with it. ISO 8601, UTC.
     */
    acknowledged_at: string | null;
    /**
     * Nobody began with it in time, or it was to be resolved by now.
     */
    is_overdue: boolean;
    /**
     * ISO 8601, UTC.
     */
    updated_at: string;
    /**
     * Null: there is no recall.
     */
    recall: Recall | null;
    /**
     * Oldest first.
     */
    timeline: Array<CaseEvent>;
    files: Array<CaseFile>;
};

export type CaseEvent = {
    id: string;
    /**
     * opened, note, state, assigned, complex, file, message, or a step of a recall.
     */
    kind: string;
    /**
     * A note, a reason or a message.
     */
    text: string | null;
    /**
     * Depends on the kind: for a state from and to.
     */
    details: {
        [key: string]: unknown;
    };
    /**
     * The customer sees it.
     */
    is_shown: boolean;
    /**
     * user, subscriber, service or system.
     */
    actor_type: string;
    /**
     * The user, key or service. Null for public routes and the service itself.
     */
    actor_id: string | null;
    /**
     * Of a user.
     */
    actor_name: string | null;
    /**
     * ISO 8601, UTC.
     */
    at: string;
};

export type CaseExistsRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'CASE_EXISTS';
    /**
     * CASE_EXISTS: The open case.
     */
    case_id?: string;
    /**
     * CASE_EXISTS: Its number.
     */
    case_number?: string;
};

export type CaseFile = {
    id: string;
    name: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: string;
    /**
     * Bytes.
     */
    size: number;
    /**
     * Hexadecimal.
     */
    sha256: string;
    /**
     * The user.
     */
    uploaded_by: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type CashInAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'AGENT_SUSPENDED' | 'AGENT_TERMINATED' | 'ACCOUNT_LOCKED' | 'SUBSCRIBER_BLOCKED' | 'TRANSACTION_TYPE_DISABLED' | 'CARD_BLOCKED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type CashInBadRequestRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST' | 'INVALID_AMOUNT' | 'INVALID_PIN' | 'INSUFFICIENT_FLOAT';
    /**
     * INVALID_PIN: Attempts left before the lock. Absent if the value was not checked.
     */
    attempts_remaining?: number;
    /**
     * INSUFFICIENT_FLOAT: What is available. Minor units.
     */
    available?: number;
    /**
     * INSUFFICIENT_FLOAT: What the request needs. Minor units.
     */
    required?: number;
};

export type CashInNotFoundRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_FOUND' | 'SUBSCRIBER_NOT_FOUND' | 'CARD_NOT_FOUND';
};

export type CashInReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    transaction_id: string;
    /**
     * The id that the caller sent for this payment. Null if it sent none.
     */
    request_id: string | null;
    /**
     * Always COMPLETED: money moves at once, or the request is refused.
     */
    status: 'COMPLETED';
    /**
     * Minor units.
     */
    amount: number;
    /**
     * Fee paid by the payer, in addition to the amount.
     */
    fee: number;
    /**
     * Amount plus fee.
     */
    total_debited: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * Balance of the wallet after the payment. Absent if another credential sent the request.
     */
    balance?: number;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    agent_id: string;
    subscriber_id: string;
};

export type CashInRequest = {
    /**
     * The id of an agent.
     */
    agent_id: string;
    /**
     * The id of a subscriber.
     */
    subscriber_id?: string;
    /**
     * In local format or E.164.
     */
    phone_number?: string;
    /**
     * The card serial, as printed or read by NFC, such as 04:A1:B2:C3.
     */
    card_serial?: string;
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount: number | string;
    /**
     * The agent's PIN, exactly 4 digits.
     */
    pin: string;
    /**
     * Makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
    /**
     * What the payment is for; shown in the history of both sides. Control characters and line breaks become a space; blank text means absent.
     */
    description?: string;
};

export type CashInUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'MAX_BALANCE_EXCEEDED' | 'COMPLIANCE_BLOCKED' | 'DAILY_LIMIT_EXCEEDED';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
    /**
     * DAILY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * DAILY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
};

export type CashOutCode = {
    /**
     * Also the id of the hold.
     */
    id: string;
    /**
     * active until an agent redeems it, it is cancelled or ended, or it expires.
     */
    status: 'active' | 'redeemed' | 'cancelled' | 'expired';
    /**
     * What an agent pays out. Minor units.
     */
    amount: number;
    /**
     * Minor units.
     */
    fee: number;
    /**
     * What is held of the balance. Minor units.
     */
    total: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * The withdrawal, once it is redeemed.
     */
    transaction_id: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * ISO 8601, UTC.
     */
    expires_at: string;
};

export type CashOutPrice = {
    /**
     * Minor units.
     */
    amount: number;
    /**
     * Minor units.
     */
    fee: number;
    /**
     * What a code would hold. Minor units.
     */
    total: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
};

export type Certification = {
    id: string;
    partner_id: string;
    /**
     * The API key that the run observes.
     */
    key_id: string;
    /**
     * running until all steps passed, the run is finished, or it expires.
     */
    state: 'running' | 'passed' | 'failed';
    /**
     * The user.
     */
    started_by: string;
    /**
     * ISO 8601, UTC.
     */
    started_at: string;
    /**
     * ISO 8601, UTC. The run is finished then with what it has.
     */
    expires_at: string;
    /**
     * ISO 8601, UTC. Null: it is not finished.
     */
    finished_at: string | null;
    /**
     * The signed report: canonical JSON (RFC 8785) with `kind: certification`. Null while it runs.
     */
    document: string | null;
    /**
     * Ed25519 signature of the document's bytes, in base64.
     */
    signature: string | null;
    /**
     * The `kid` in /.well-known/kissi-keys.json.
     */
    signing_key_id: string | null;
    /**
     * In the order of the guide; they can be run in any order.
     */
    steps: Array<CertificationStep>;
};

export type CertificationRun = {
    id: string;
    partner_id: string;
    /**
     * The API key that the run observes.
     */
    key_id: string;
    /**
     * running until all steps passed, the run is finished, or it expires.
     */
    state: 'running' | 'passed' | 'failed';
    /**
     * The user.
     */
    started_by: string;
    /**
     * ISO 8601, UTC.
     */
    started_at: string;
    /**
     * ISO 8601, UTC. The run is finished then with what it has.
     */
    expires_at: string;
    /**
     * ISO 8601, UTC. Null: it is not finished.
     */
    finished_at: string | null;
    /**
     * The signed report: canonical JSON (RFC 8785) with `kind: certification`. Null while it runs.
     */
    document: string | null;
    /**
     * Ed25519 signature of the document's bytes, in base64.
     */
    signature: string | null;
    /**
     * The `kid` in /.well-known/kissi-keys.json.
     */
    signing_key_id: string | null;
};

export type CertificationRunningRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'CERTIFICATION_RUNNING';
};

export type CertificationStep = {
    id: string;
    /**
     * What the step tests.
     */
    title: string;
    /**
     * What the integrator does for this step.
     */
    instruction: string;
    /**
     * waiting until it is decided; not_run if the run was finished first.
     */
    state: 'waiting' | 'passed' | 'failed' | 'not_run';
    /**
     * What was observed, or what is missing.
     */
    reason: string;
};

export type ChangeAgentPinAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'AGENT_SUSPENDED' | 'AGENT_TERMINATED' | 'ACCOUNT_LOCKED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type ChangeAgentPinRequest = {
    /**
     * The agent's PIN, exactly 4 digits.
     */
    current_pin: string;
    /**
     * The agent's PIN, exactly 4 digits.
     */
    new_pin: string;
};

export type ChangeCaseStateRequest = {
    /**
     * The new state.
     */
    state: 'open' | 'waiting_customer' | 'waiting_other_party' | 'investigating' | 'resolved' | 'rejected';
    /**
     * Why. Staff see it; of a resolved or rejected case the customer sees it too.
     */
    reason: string;
};

export type ChangeOwnPinAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'NEW_DEVICE' | 'ACCOUNT_LOCKED' | 'SUBSCRIBER_BLOCKED';
    /**
     * NEW_DEVICE: When the device can do what other devices can. ISO 8601, UTC.
     */
    restricted_until?: string;
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type ChangeOwnPinRequest = {
    /**
     * Exactly 4 digits.
     */
    current_pin: string;
    /**
     * Exactly 4 digits.
     */
    new_pin: string;
};

export type ChangePasswordRequest = {
    current_password: string;
    /**
     * It must have 8 to 128 characters with an uppercase letter, a lowercase letter, a digit and a special character (a space counts).
     */
    new_password: string;
};

export type ChangeSubscriberPinAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'PEP_ACCESS_REQUIRED' | 'SUBSCRIBER_BLOCKED' | 'ACCOUNT_LOCKED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type ChangeSubscriberPinRequest = {
    /**
     * Exactly 4 digits.
     */
    current_pin: string;
    /**
     * Exactly 4 digits.
     */
    new_pin: string;
};

export type ChangedAgent = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    agent: Agent;
};

export type ChangedCard = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    card: Card;
};

export type ChangedCase = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    case: CaseDetails;
};

export type ChangedFloatRequest = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    float_request: FloatRequest;
};

export type ChangedMatch = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    match: ReconciliationMatch;
};

export type ChangedNotificationSettings = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    notifications: NotificationSettings;
};

export type ChangedOwnCard = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    card: OwnCard;
};

export type ChangedOwnCase = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    case: OwnCaseDetails;
};

export type ChangedPaymentRequest = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    payment_request: PaymentRequest;
};

export type ChangedProcessor = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    processor: Processor;
};

export type ChangedReturnHosts = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * Hosts to which pages of requests may return payers.
     */
    return_hosts: Array<string>;
};

export type ChangedSubscriber = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    subscriber: UpdatedSubscriber;
};

export type ChangedTrustAccount = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    trust_account: TrustAccount;
};

export type CheckPaymentReply = {
    success: true;
    /**
     * flag: the payment would proceed with an alert. block: it would be refused with an alert.
     */
    outcome: 'pass' | 'flag' | 'block';
    /**
     * The rules that the payment triggers. API keys get only their ids.
     */
    rules: Array<TriggeredRule>;
    /**
     * Present if the outcome is not pass. Identical checks within a minute return the same alert.
     */
    alert_id?: string;
};

export type CheckPaymentRequest = {
    subscriber_id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    transaction_type: 'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'inbound_reversal' | 'partner_cashin' | 'suspense_resolution' | 'suspense_refund' | 'partner_settlement' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'commission_settlement' | 'processor_transfer' | 'processor_payout' | 'payout_returned' | 'payout_cleared' | 'payout_uncleared' | 'pos_refund' | 'recall' | 'unclaimed_payment';
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount: number | string;
    /**
     * A repeated check returns the same alert.
     */
    request_id?: string;
};

export type Close = {
    id: string;
    /**
     * The place in the chain of hashes, from 1.
     */
    number: number;
    /**
     * The UTC day.
     */
    date: string;
    /**
     * E-money at the end of the day. Minor units.
     */
    e_money: number;
    /**
     * Trust balances according to the statements. Minor units.
     */
    trust_balance: number;
    /**
     * Trust balances divided by e-money, rounded down; null: unknown, or no e-money.
     */
    cover_ratio: string | null;
    /**
     * Trust balances less e-money. Minor units. Null: unknown.
     */
    cover_difference: number | null;
    /**
     * Open items of the suspense account. Minor units.
     */
    suspense: number;
    /**
     * SHA-256 of the document.
     */
    sha256: string;
    /**
     * The previous close's; null in the first.
     */
    previous_sha256: string | null;
    /**
     * The id of the close that this one corrects.
     */
    corrects: string | null;
    /**
     * The key of /.well-known/kissi-keys.json that verifies the signature.
     */
    key_id: string;
    /**
     * A user, or system.
     */
    created_by: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * The exact text that is signed: canonical JSON (RFC 8785) in UTF-8.
     */
    document: string;
    /**
     * Ed25519 over the bytes of the document, in base64.
     */
    signature: string;
};

export type CloseFigures = {
    /**
     * The day. YYYY-MM-DD, UTC.
     */
    date: string;
    /**
     * E-money at the end of the day. Minor units.
     */
    e_money: number;
    /**
     * Trust balances according to the statements. Minor units.
     */
    trust_balance: number;
    /**
     * Trust balances divided by e-money, rounded down; null: unknown, or no e-money.
     */
    cover_ratio: string | null;
    /**
     * Trust balances less e-money; null: there is no statement yet. Minor units.
     */
    cover_difference: number | null;
    /**
     * What partners owe. Minor units.
     */
    owed_by_partners: number;
    /**
     * Open items of the suspense account.
     */
    suspense: {
        /**
         * Number of items.
         */
        count: number;
        /**
         * Their sum, in minor units.
         */
        amount: number;
    };
    /**
     * Bank entries without a match.
     */
    unmatched_bank: {
        /**
         * Number of items.
         */
        count: number;
        /**
         * Their sum, in minor units.
         */
        amount: number;
    };
    /**
     * Movements without a match.
     */
    unmatched_books: {
        /**
         * Number of items.
         */
        count: number;
        /**
         * Their sum, in minor units.
         */
        amount: number;
    };
    /**
     * Trust accounts whose statements do not reach the day.
     */
    statements_missing: number;
};

export type CloseSummary = {
    id: string;
    /**
     * The place in the chain of hashes, from 1.
     */
    number: number;
    /**
     * The UTC day.
     */
    date: string;
    /**
     * E-money at the end of the day. Minor units.
     */
    e_money: number;
    /**
     * Trust balances according to the statements. Minor units.
     */
    trust_balance: number;
    /**
     * Trust balances divided by e-money, rounded down; null: unknown, or no e-money.
     */
    cover_ratio: string | null;
    /**
     * Trust balances less e-money. Minor units. Null: unknown.
     */
    cover_difference: number | null;
    /**
     * Open items of the suspense account. Minor units.
     */
    suspense: number;
    /**
     * SHA-256 of the document.
     */
    sha256: string;
    /**
     * The previous close's; null in the first.
     */
    previous_sha256: string | null;
    /**
     * The id of the close that this one corrects.
     */
    corrects: string | null;
    /**
     * The key of /.well-known/kissi-keys.json that verifies the signature.
     */
    key_id: string;
    /**
     * A user, or system.
     */
    created_by: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type CollectSecretsReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * Shown only once.
     */
    secrets: {
        [key: string]: unknown;
    };
};

export type CommissionExceedsFeesRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'COMMISSION_EXCEEDS_FEES';
};

export type CommissionSettlement = {
    /**
     * A UTC day (2026-11-16) or an ISO week (2026-W47). final-… for the settlement before a termination.
     */
    period: string | null;
    /**
     * Minor units.
     */
    amount: number;
    /**
     * For display, such as 125.00 SLE.
     */
    amount_formatted: string;
    transaction_id: string;
    /**
     * ISO 8601, UTC.
     */
    settled_at: string;
};

export type CommissionTiers = {
    /**
     * The percentage of the fee settings' commissions that agents of this tier get; up to 4 decimals.
     */
    standard: number;
    /**
     * The percentage of the fee settings' commissions that agents of this tier get; up to 4 decimals.
     */
    premium: number;
};

export type Comparison = {
    /**
     * This period so far.
     */
    current: Figures;
    /**
     * The same period, a week earlier.
     */
    week_before: Figures;
};

export type ComplianceBlockedOrDailyLimitExceededRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'COMPLIANCE_BLOCKED' | 'DAILY_LIMIT_EXCEEDED';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
    /**
     * DAILY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * DAILY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
};

export type ComplianceBlockedOrSettlementExceedsOutstandingRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'COMPLIANCE_BLOCKED' | 'SETTLEMENT_EXCEEDS_OUTSTANDING';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
    /**
     * SETTLEMENT_EXCEEDS_OUTSTANDING: What the partner owes. Minor units.
     */
    partner_outstanding?: number;
};

export type ComplianceBlockedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'COMPLIANCE_BLOCKED';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
};

export type ComplianceRule = {
    id: string;
    name: string;
    /**
     * The value compared with the threshold: the amount of one payment, or the number or sum of payments in a window.
     */
    kind: 'amount' | 'velocity_count' | 'velocity_amount';
    /**
     * The account that the rule applies to. payer: the paying account or, when something other than a wallet pays into a wallet, that wallet. payee: the account that is paid; the velocity kinds then count what wallets receive.
     */
    side: 'payer' | 'payee';
    /**
     * The kinds of transactions that the rule applies to.
     */
    transaction_types: Array<'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'inbound_reversal' | 'partner_cashin' | 'suspense_resolution' | 'suspense_refund' | 'partner_settlement' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'processor_transfer' | 'processor_payout' | 'payout_returned' | 'pos_refund' | 'unclaimed_payment'>;
    /**
     * flag: the payment proceeds with an alert. block: it is refused with an alert.
     */
    outcome: 'flag' | 'block';
    /**
     * The severity of alerts raised by a flagging rule; blocked payments raise CRITICAL alerts.
     */
    severity: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';
    /**
     * Whether it is applied.
     */
    enabled: boolean;
    /**
     * The rule is triggered above it: minor units, or a number of payments for velocity_count.
     */
    threshold: number;
    /**
     * The sliding window of a velocity rule. Null for an amount rule.
     */
    window_seconds: number | null;
    /**
     * Incremented with every change; alerts contain the version that raised them.
     */
    version: number;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * ISO 8601, UTC.
     */
    updated_at: string;
};

export type ConfirmGoingLiveItemReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    item: GoingLiveItem;
};

export type ConfirmGoingLiveItemRequest = {
    /**
     * What was done, by whom and when.
     */
    note: string;
};

export type ConfirmLabPaymentRequestAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'SUBSCRIBER_BLOCKED' | 'TRANSACTION_TYPE_DISABLED' | 'ACCOUNT_LOCKED' | 'PEP_ACCESS_REQUIRED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type ConfirmLabPaymentRequestBadRequestRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST' | 'INVALID_AMOUNT' | 'SAME_ACCOUNT' | 'INVALID_PIN';
    /**
     * INVALID_PIN: Attempts left before the lock. Absent if the value was not checked.
     */
    attempts_remaining?: number;
};

export type ConfirmLabPaymentRequestConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REQUEST_CONFLICT' | 'ALREADY_PAID' | 'DECLINED' | 'EXPIRED' | 'CANCELLED';
};

export type ConfirmLabPaymentRequestRequest = {
    /**
     * The id of the subscriber who pays.
     */
    payer_id: string;
    /**
     * Minor units. Required if the request leaves it to the payer.
     */
    amount?: number | string;
    /**
     * Exactly 4 digits.
     */
    pin: string;
    /**
     * Makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
};

export type ConfirmLabPaymentRequestUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'AMOUNT_MISMATCH' | 'DAILY_LIMIT_EXCEEDED' | 'MAX_BALANCE_EXCEEDED' | 'COMPLIANCE_BLOCKED';
    /**
     * DAILY_LIMIT_EXCEEDED, AMOUNT_MISMATCH: What the payment request asks for. Minor units.
     */
    required?: number;
    /**
     * DAILY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
};

export type ConfirmOwnRecallConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NO_RECALL' | 'CASE_CLOSED' | 'CASE_EXISTS';
    /**
     * CASE_EXISTS: The open case.
     */
    case_id?: string;
    /**
     * CASE_EXISTS: Its number.
     */
    case_number?: string;
};

export type ConfirmOwnRecallRequest = {
    /**
     * Exactly 4 digits.
     */
    pin: string;
};

export type ConfirmTotpReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * Shown once. Each replaces a second factor for one login.
     */
    recovery_codes?: Array<string>;
};

export type ConfirmTotpRequest = {
    /**
     * The authenticator app's six digits, or a recovery code.
     */
    code: string;
};

export type ConfirmedQuote = {
    /**
     * From POST /me/quote, on this device.
     */
    quote_id: string;
    /**
     * Exactly 4 digits.
     */
    pin: string;
    /**
     * Makes retries safe. Required in the body: no header replaces it.
     */
    request_id: string;
};

export type ContestRecallConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NO_RECALL' | 'RECALL_ENDED' | 'EXPIRED';
};

export type ContestRecallRequest = {
    /**
     * Why the money is yours. Staff see it.
     */
    reason?: string;
};

export type Counts = {
    /**
     * ISO 8601, UTC.
     */
    at: string;
    /**
     * Open requests of other users that the caller can approve.
     */
    approvals_to_decide?: number;
    /**
     * Open alerts past their due time.
     */
    alerts_overdue?: number;
    /**
     * Open cases that nobody began with, or that are not resolved, in time.
     */
    cases_overdue?: number;
    /**
     * Webhooks whose last attempt failed and that will be retried; counted up to 1,000.
     */
    deliveries_failing?: number;
    /**
     * Bank entries and transactions without a match.
     */
    unmatched?: number;
    /**
     * Open items of the suspense account.
     */
    suspense?: number;
};

/**
 * Several metrics over the same steps.
 */
export type Course = {
    /**
     * The start of the first step. ISO 8601, UTC.
     */
    from: string;
    /**
     * One value per step.
     */
    payments: Array<number>;
    /**
     * One value per step.
     */
    value: Array<number>;
    /**
     * One value per step.
     */
    fees: Array<number>;
    /**
     * One value per step.
     */
    refusals: Array<number>;
    /**
     * One value per step.
     */
    new_wallets: Array<number>;
    /**
     * One value per step.
     */
    active_wallets: Array<number>;
};

export type CreateApiKeyReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    api_key: IssuedApiKey;
    /**
     * The bearer value, shown once; null for a key without one.
     */
    key: string | null;
    /**
     * Signs HMAC requests. Shown once.
     */
    secret: string;
};

export type CreateApiKeyRequest = {
    name: string;
    /**
     * Any of payments:read, payments:write, balance:read, subscribers:read, subscribers:write, cards:read, cards:write, inbound:read, inbound:write, treasury:write, payouts:write, agents:write, processors:write, compliance:read, compliance:write, audit:read. With partner_id or processor_id, none of agents:write, processors:write, compliance:read, compliance:write, audit:read.
     */
    scopes: Array<string>;
    /**
     * ISO 8601, UTC.
     */
    expires_at?: string;
    /**
     * The key acts for this partner alone, whatever its scopes. Not together with processor_id.
     */
    partner_id?: string;
    /**
     * The key acts for this processor alone, whatever its scopes. Not together with partner_id.
     */
    processor_id?: string;
    /**
     * Whether to issue a bearer value. Default: true for a key without partner_id and processor_id, otherwise false.
     */
    bearer?: boolean;
    /**
     * Requests per second.
     */
    rate_limit?: number;
    /**
     * What the key may move in one UTC day, in minor units. Required with the scopes treasury:write and payouts:write, and only for them.
     */
    daily_limit?: number | string;
};

export type CreateCashOutCodeAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'SUBSCRIBER_BLOCKED' | 'TRANSACTION_TYPE_DISABLED' | 'ACCOUNT_LOCKED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type CreateCashOutCodeReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The id that the caller sent for this payment.
     */
    request_id: string;
    cash_out_code: IssuedCashOutCode;
};

export type CreateCloseReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    close: Close;
};

export type CreateCloseRequest = {
    /**
     * The day to close. YYYY-MM-DD, UTC.
     */
    date: string;
    /**
     * The id of the close of the day that this one corrects.
     */
    corrects?: string;
    /**
     * Why the close is corrected; part of the document. Control characters and line breaks become a space; blank text means absent.
     */
    reason?: string;
};

export type CreateLabPaymentRequestAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'SUBSCRIBER_BLOCKED' | 'TRANSACTION_TYPE_DISABLED' | 'PEP_ACCESS_REQUIRED';
};

export type CreateLabPaymentRequestRequest = {
    /**
     * The id of the subscriber who asks.
     */
    subscriber_id: string;
    /**
     * Minor units. Absent or null: the payer chooses.
     */
    amount?: number | string;
    /**
     * What the payment is for; shown in the history of both sides. Control characters and line breaks become a space; blank text means absent.
     */
    description?: string;
    /**
     * The payee's own reference, such as an order number. The payer sees it.
     */
    reference?: string;
    /**
     * In local format or E.164.
     */
    payer_phone?: string;
    /**
     * True by default. False: many can pay, each any number of times.
     */
    single_use?: boolean;
    /**
     * Seconds until it expires: 3,600 by default.
     */
    expires_in?: number;
    /**
     * Any JSON value of at most 16 KiB, returned unchanged and stored with the payments.
     */
    metadata?: unknown;
    /**
     * Makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
};

export type CreateMatchRequest = {
    /**
     * Bank entry ids.
     */
    bank_entry_ids: Array<string>;
    /**
     * Transaction ids.
     */
    transaction_ids: Array<string>;
    /**
     * Kept with the match. Control characters and line breaks become a space; blank text means absent.
     */
    note?: string;
};

export type CreateOwnKeyReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    api_key: IssuedApiKey;
    /**
     * The bearer value, shown once; null for a key without one.
     */
    key: string | null;
    /**
     * Signs HMAC requests. Shown once.
     */
    secret: string;
};

export type CreateOwnKeyRequest = {
    name: string;
    /**
     * What the key may do.
     */
    scopes: Array<'payments:read' | 'payments:write'>;
    /**
     * ISO 8601, UTC.
     */
    expires_at?: string;
};

export type CreateOwnPaymentRequestReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    payment_request: PaymentRequest;
};

export type CreateOwnPaymentRequestRequest = {
    /**
     * Minor units. Absent or null: the payer chooses.
     */
    amount?: number | string;
    /**
     * What the payment is for; shown in the history of both sides. Control characters and line breaks become a space; blank text means absent.
     */
    description?: string;
    /**
     * In local format or E.164.
     */
    payer_phone?: string;
    /**
     * True by default. False: many can pay, each any number of times.
     */
    single_use?: boolean;
    /**
     * Seconds until it expires: 3,600 by default.
     */
    expires_in?: number;
    /**
     * Makes retries safe. Required in the body: no header replaces it.
     */
    request_id: string;
};

export type CreateOwnTransferAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'ACCOUNT_LOCKED' | 'SUBSCRIBER_BLOCKED' | 'TRANSACTION_TYPE_DISABLED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type CreateOwnTransferConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REQUEST_CONFLICT' | 'EXPIRED' | 'QUOTE_CHANGED' | 'QUOTE_USED';
    /**
     * QUOTE_CHANGED: The new quote, as POST /me/quote returns it; for a cash-out code, its new price.
     */
    quote?: {
        [key: string]: unknown;
    };
};

export type CreateOwnTransferUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'DAILY_LIMIT_EXCEEDED' | 'MAX_BALANCE_EXCEEDED' | 'COMPLIANCE_BLOCKED';
    /**
     * DAILY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * DAILY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
};

export type CreatePartnerReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    partner: Partner;
    /**
     * Signs outgoing webhooks. Shown once.
     */
    webhook_secret: string;
};

export type CreatePartnerRequest = {
    name: string;
    /**
     * Must be https in production. Empty text removes it.
     */
    webhook_url?: string;
    /**
     * CIDR blocks or addresses, IPv4 or IPv6. Empty: any address is allowed.
     */
    ip_allowlist?: Array<string>;
    /**
     * The minimum for one inbound credit or cash-in. Default: 1. Minor units.
     */
    min_amount?: number | string;
    /**
     * The maximum for one inbound credit or cash-in. Default: 50,000,000. Minor units.
     */
    max_amount?: number | string;
    /**
     * The most it may owe from credits, cash-ins and fundings. Default: 1,000,000,000. Minor units.
     */
    outstanding_limit?: number | string;
    /**
     * suspended neither pays nor receives, and its keys are refused, until it is active again.
     */
    status?: 'active' | 'suspended';
};

export type CreateProcessorConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'DUPLICATE_PHONE' | 'DUPLICATE_EMAIL' | 'DUPLICATE_MERCHANT_ID';
};

export type CreateProcessorLoginReply = {
    success: true;
    user_id: string;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    user: {
        id: string;
        /**
         * Email address.
         */
        email: string;
        first_name: string;
        last_name: string;
        role: 'system_admin' | 'compliance_user' | 'support_user' | 'finance_user' | 'sales_user' | 'audit_user' | 'super_agent' | 'sub_agent' | 'processor';
        /**
         * active can log in. inactive and suspended cannot.
         */
        status: 'active' | 'inactive' | 'suspended';
    };
};

export type CreateProcessorLoginRequest = {
    /**
     * Email address.
     */
    email: string;
    first_name: string;
    last_name: string;
    /**
     * In local format or E.164.
     */
    phone_number: string;
};

export type CreateProcessorReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The processor's (merchant's) id.
     */
    processor_id: string;
    /**
     * The processor's login. Its credentials are sent to phone_number.
     */
    user_id: string;
    processor: Processor;
};

export type CreateProcessorRequest = {
    business_name: string;
    contact_name: string;
    /**
     * In local format or E.164.
     */
    phone_number: string;
    /**
     * Email address.
     */
    email: string;
    /**
     * Unique, ignoring case. Generated by default.
     */
    merchant_id?: string;
};

export type CreateQuoteConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_PAID' | 'DECLINED' | 'EXPIRED' | 'CANCELLED';
};

export type CreateQuoteReply = {
    quote: CustomerQuote;
};

export type CreateRuleRequest = {
    name: string;
    /**
     * The value compared with the threshold: the amount of one payment, or the number or sum of payments in a window.
     */
    kind: 'amount' | 'velocity_count' | 'velocity_amount';
    /**
     * The account that the rule applies to. payer: the paying account or, when something other than a wallet pays into a wallet, that wallet. payee: the account that is paid; the velocity kinds then count what wallets receive. Default: payer.
     */
    side?: 'payer' | 'payee';
    /**
     * The kinds of transactions that the rule applies to.
     */
    transaction_types: Array<'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'inbound_reversal' | 'partner_cashin' | 'suspense_resolution' | 'suspense_refund' | 'partner_settlement' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'processor_transfer' | 'processor_payout' | 'payout_returned' | 'pos_refund' | 'unclaimed_payment'>;
    /**
     * flag: the payment proceeds with an alert. block: it is refused with an alert.
     */
    outcome: 'flag' | 'block';
    /**
     * Default: CRITICAL if the rule blocks, otherwise MEDIUM.
     */
    severity?: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';
    /**
     * Default: true.
     */
    enabled?: boolean;
    /**
     * The highest allowed value: minor units, or a number of payments for velocity_count.
     */
    threshold: number | string;
    /**
     * The sliding window; required for velocity_count and velocity_amount, not allowed for amount.
     */
    window_seconds?: number;
};

export type CreateSavedViewReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    view: SavedView;
};

export type CreateSavedViewRequest = {
    /**
     * One line, unique for the user and screen.
     */
    name: string;
    /**
     * The console screen, such as transactions.
     */
    screen: string;
    /**
     * The query string of the screen without the question mark, URL-encoded.
     */
    query: string;
    /**
     * Default: false. For staff only.
     */
    shared?: boolean;
};

export type CreateTrustAccountRequest = {
    name: string;
    bank: string;
    /**
     * The bank account number. Letters and digits; spaces and separators are removed.
     */
    account_number: string;
    /**
     * All e-money is in Leones.
     */
    currency?: 'SLE';
};

export type CreateUserReply = {
    success: true;
    user_id: string;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    user: {
        id: string;
        /**
         * Email address.
         */
        email: string;
        first_name: string;
        last_name: string;
        role: 'system_admin' | 'compliance_user' | 'support_user' | 'finance_user' | 'sales_user' | 'audit_user' | 'super_agent' | 'sub_agent' | 'processor';
        /**
         * active can log in. inactive and suspended cannot.
         */
        status: 'active' | 'inactive' | 'suspended';
    };
};

export type CreateUserRequest = {
    /**
     * Email address.
     */
    email: string;
    /**
     * It must have 8 to 128 characters with an uppercase letter, a lowercase letter, a digit and a special character (a space counts).
     */
    password: string;
    first_name: string;
    last_name: string;
    /**
     * In local format or E.164.
     */
    phone_number?: string;
    role: 'system_admin' | 'compliance_user' | 'support_user' | 'sales_user' | 'audit_user' | 'finance_user' | 'super_agent' | 'sub_agent';
    /**
     * Whether the user may ask for access to records of politically exposed persons.
     */
    pep_access_authorized?: boolean;
    /**
     * The agent that a super_agent or sub_agent acts for. Without it the user has no float and no network; an agent's first user is created with the agent.
     */
    agent_id?: string;
};

export type CreateWebhookEndpointReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    webhook_endpoint: WebhookEndpoint;
    /**
     * Signs the webhooks. Shown once.
     */
    secret: string;
};

export type CreateWebhookEndpointRequest = {
    /**
     * Where events are posted. Must be https in production.
     */
    url: string;
    /**
     * The events that are sent. `credit.*`: only for partners.
     */
    events: Array<'payment.authorized' | 'payment.completed' | 'payment.captured' | 'payment.voided' | 'payment.expired' | 'payment.refunded' | 'payment_request.paid' | 'payment_request.declined' | 'payment_request.expired' | 'payment_request.cancelled' | 'payout.sent' | 'payout.returned' | 'bulk_payment.checked' | 'bulk_payment.completed' | 'credit.completed' | 'credit.failed' | 'credit.reversed'>;
    /**
     * For staff: the owner. Others own what they create.
     */
    processor_id?: string;
    /**
     * For staff: the owner. Others own what they create.
     */
    partner_id?: string;
};

export type CreditCompletedEvent = {
    /**
     * The event's name, as in the header X-Hook-Event.
     */
    event: 'credit.completed';
    /**
     * The partner's reference for the credit.
     */
    reference: string;
    /**
     * The id of the inbound credit.
     */
    inbound_id: string;
    /**
     * Always credit.
     */
    operation: 'credit';
    /**
     * As sent by the partner. Minor units.
     */
    amount: number;
    /**
     * Deducted from the amount. Minor units.
     */
    fee: number;
    /**
     * As sent by the partner, even if the credit was refused because of it.
     */
    currency: string;
    /**
     * When the outcome was decided. ISO 8601, UTC.
     */
    occurred_at: string;
    /**
     * Always COMPLETED: money moves at once, or the request is refused.
     */
    status: 'COMPLETED';
    /**
     * The holder of the credited wallet.
     */
    subscriber_id: string;
    /**
     * The credit's transaction; for a reversal too, because the partner knows it.
     */
    transaction_id: string;
};

export type CreditFailedEvent = {
    /**
     * The event's name, as in the header X-Hook-Event.
     */
    event: 'credit.failed';
    /**
     * The partner's reference for the credit.
     */
    reference: string;
    /**
     * The id of the inbound credit.
     */
    inbound_id: string;
    /**
     * Always credit.
     */
    operation: 'credit';
    /**
     * As sent by the partner. Minor units.
     */
    amount: number;
    /**
     * Deducted from the amount. Minor units.
     */
    fee: number;
    /**
     * As sent by the partner, even if the credit was refused because of it.
     */
    currency: string;
    /**
     * When the outcome was decided. ISO 8601, UTC.
     */
    occurred_at: string;
    /**
     * REJECTED: a rule refused the credit. FAILED: an internal error prevented it.
     */
    status: 'REJECTED' | 'FAILED';
    /**
     * The intended beneficiary; null if none was found.
     */
    subscriber_id: string | null;
    /**
     * No money moved.
     */
    transaction_id: null;
    failure_code: ErrorCode;
};

export type CreditReversedEvent = {
    /**
     * The event's name, as in the header X-Hook-Event.
     */
    event: 'credit.reversed';
    /**
     * The partner's reference for the credit.
     */
    reference: string;
    /**
     * The id of the inbound credit.
     */
    inbound_id: string;
    /**
     * Always credit.
     */
    operation: 'credit';
    /**
     * As sent by the partner. Minor units.
     */
    amount: number;
    /**
     * Deducted from the amount. Minor units.
     */
    fee: number;
    /**
     * As sent by the partner, even if the credit was refused because of it.
     */
    currency: string;
    /**
     * When the outcome was decided. ISO 8601, UTC.
     */
    occurred_at: string;
    /**
     * Always REVERSED.
     */
    status: 'REVERSED';
    /**
     * The holder of the credited wallet.
     */
    subscriber_id: string;
    /**
     * The credit's transaction; for a reversal too, because the partner knows it.
     */
    transaction_id: string;
    /**
     * Why the operator reversed the credit.
     */
    reason: string;
};

export type CreditWalletReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * Always COMPLETED.
     */
    code: 'COMPLETED';
    data: InboundTransaction;
};

export type CreditWalletRequest = {
    /**
     * Makes retries safe: requests with the same reference are executed once.
     */
    reference: string;
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount: number | string;
    /**
     * SLE, which is also the default.
     */
    currency?: string;
    /**
     * Ten digits that identify a subscriber to partners; the last one is a Luhn check digit.
     */
    account_number?: string;
    /**
     * E.164.
     */
    msisdn?: string;
    /**
     * The card serial, as printed or read by NFC, such as 04:A1:B2:C3.
     */
    card_serial?: string;
    /**
     * From a name enquiry for the same beneficiary.
     */
    beneficiary_ref?: string;
    /**
     * What the payment is for; shown in the history of both sides. Control characters and line breaks become a space; blank text means absent.
     */
    narration?: string;
    payer?: Payer;
    /**
     * A JSON object of at most 16,384 characters, shown unchanged on the statement.
     */
    metadata?: unknown;
};

export type CurrentUser = {
    id: string;
    /**
     * Email address.
     */
    email: string;
    first_name: string;
    last_name: string;
    /**
     * E.164, such as +23276123456. Null if it is not recorded.
     */
    phone_number: string | null;
    role: 'system_admin' | 'compliance_user' | 'support_user' | 'finance_user' | 'sales_user' | 'audit_user' | 'super_agent' | 'sub_agent' | 'processor';
    /**
     * active can log in. inactive and suspended cannot.
     */
    status: 'active' | 'inactive' | 'suspended';
    /**
     * ISO 8601, UTC. Null: no login yet.
     */
    last_login_at: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * The agent this user belongs to; null for others.
     */
    agent_id: string | null;
    /**
     * The processor this user belongs to; null for others.
     */
    processor_id: string | null;
    /**
     * Whether the user may ask for access to records of politically exposed persons.
     */
    pep_access_authorized: boolean;
    /**
     * All permissions of the user, sorted by name.
     */
    permissions: Array<string>;
    service: {
        /**
         * APP_ENV of the service.
         */
        environment: string;
        /**
         * The service's version.
         */
        version: string;
        /**
         * The time zone in which the days of limits, closes and reports begin.
         */
        time_zone: string;
    };
};

export type CustomerChallenge = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * For POST /me/login/verify.
     */
    challenge: string;
    /**
     * Seconds.
     */
    expires_in: number;
};

export type CustomerDevice = {
    id: string;
    name: string;
    /**
     * When it logged in first. ISO 8601, UTC.
     */
    created_at: string;
    /**
     * When it logged in last. ISO 8601, UTC.
     */
    last_used_at: string;
    /**
     * Set while the device is new: until then it can do less. ISO 8601, UTC.
     */
    restricted_until: string | null;
};

export type CustomerDeviceLoginRequest = {
    /**
     * From the last login on this device.
     */
    device_token: string;
    /**
     * Exactly 4 digits.
     */
    pin: string;
};

export type CustomerDevices = {
    devices: Array<CustomerDevice>;
    /**
     * The device of this session.
     */
    device_id: string | null;
};

export type CustomerLogin = {
    success: true;
    /**
     * The access token, for Authorization: Bearer.
     */
    token: string;
    /**
     * For POST /me/refresh; works once.
     */
    refresh_token: string;
    /**
     * How long the access token is valid. Seconds.
     */
    expires_in: number;
    /**
     * For the next POST /me/login/device on this device; works once.
     */
    device_token: string;
    device: CustomerDevice;
};

export type CustomerProfile = {
    id: string;
    /**
     * E.164.
     */
    phone_number: string;
    /**
     * Ten digits that identify a subscriber to partners; the last one is a Luhn check digit.
     */
    account_number: string;
    first_name: string;
    last_name: string;
    /**
     * 1, 2 or 3.
     */
    kyc_level: number;
    /**
     * ACTIVE.
     */
    status: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type CustomerQuote = {
    /**
     * For the payment: it pays once.
     */
    id: string;
    /**
     * Says which route pays it.
     */
    type: 'transfer' | 'merchant' | 'payment_request';
    /**
     * A person's first name and initial, or the merchant's registered name.
     */
    recipient_name: string;
    /**
     * Minor units.
     */
    amount: number;
    /**
     * On top of the amount. Minor units.
     */
    fee: number;
    /**
     * What leaves the wallet. Minor units.
     */
    total: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * The payment request that it pays.
     */
    payment_request_id: string | null;
    /**
     * Five minutes from now, or the end of the payment request. ISO 8601, UTC.
     */
    expires_at: string;
};

export type CustomerTokens = {
    success: true;
    /**
     * The access token, for Authorization: Bearer.
     */
    token: string;
    /**
     * For POST /me/refresh; works once.
     */
    refresh_token: string;
    /**
     * How long the access token is valid. Seconds.
     */
    expires_in: number;
};

export type DailyLimitExceededRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'DAILY_LIMIT_EXCEEDED';
    /**
     * DAILY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * DAILY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
};

export type DayNotOverRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'DAY_NOT_OVER';
    /**
     * DAY_NOT_OVER: ISO 8601, UTC.
     */
    closable_from?: string;
};

export type DecideRecallConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'CASE_CLOSED' | 'NO_RECALL' | 'ALREADY_DECIDED';
};

export type DecideRecallRequest = {
    /**
     * Why.
     */
    reason: string;
};

export type DecidedApproval = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    approval: Approval;
};

export type DeclineFloatRequestConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_PAID' | 'ALREADY_DECIDED' | 'DECLINED' | 'CANCELLED' | 'EXPIRED';
};

export type DeclineFloatRequestRequest = {
    /**
     * Why; the sub-agent reads it. Control characters and line breaks become a space; blank text means absent.
     */
    reason: string;
};

export type DeclineLabPaymentRequestConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_PAID' | 'DECLINED' | 'EXPIRED' | 'CANCELLED';
};

export type DeclineLabPaymentRequestReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
};

export type DeclineLabPaymentRequestRequest = {
    /**
     * The id of the subscriber who declines.
     */
    payer_id: string;
};

export type DeclinePaymentRequestConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_PAID' | 'EXPIRED' | 'CANCELLED';
};

export type DeclinePaymentRequestReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
};

export type DeliveryInProgressRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'DELIVERY_IN_PROGRESS';
};

export type DetailedWebhookAttempt = {
    /**
     * From 1.
     */
    number: number;
    /**
     * ISO 8601, UTC.
     */
    at: string;
    /**
     * Milliseconds.
     */
    duration_ms: number;
    /**
     * The HTTP status of the response; null if there was none.
     */
    status: number | null;
    /**
     * Why the attempt failed; null if it was acknowledged.
     */
    error: string | null;
    /**
     * Null if nothing could be sent.
     */
    request: WebhookAttemptRequest | null;
    /**
     * Null if there was none, or for the reasons given for request.
     */
    reply: WebhookAttemptReply | null;
    /**
     * Whether this attempt's X-Hook-Signature matches the body under a secret that is valid now: the current one or, during the overlap, the previous one. False after a rotation means that it was made with an older secret. Null if the attempt sent no signature or there is no readable secret.
     */
    signature_valid: boolean | null;
};

export type DetailedWebhookDelivery = {
    /**
     * The X-Hook-Event-Id of every attempt.
     */
    id: string;
    /**
     * The partner that it is for; null if it is for a merchant.
     */
    partner_id: string | null;
    /**
     * The merchant that it is for; null if it is for a partner.
     */
    processor_id: string | null;
    /**
     * The webhook endpoint; null for a partner's webhook_url.
     */
    endpoint_id: string | null;
    /**
     * credit.completed, credit.failed or credit.reversed.
     */
    event: string;
    /**
     * The partner's reference for a credit; otherwise the id of what the event is about, such as a payment.
     */
    reference: string;
    /**
     * The inbound credit; null for other events.
     */
    inbound_id: string | null;
    /**
     * pending: will be sent, or sent again. delivered: answered with 2xx. abandoned: no attempts are left; staff can replay it.
     */
    status: 'pending' | 'delivered' | 'abandoned';
    /**
     * The body that is sent.
     */
    payload: {
        [key: string]: unknown;
    };
    /**
     * Number of attempts so far.
     */
    attempt_count: number;
    /**
     * The latest 20, in order.
     */
    attempts: Array<DetailedWebhookAttempt>;
    /**
     * ISO 8601, UTC. Null: there is no further attempt.
     */
    next_attempt_at: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * ISO 8601, UTC. Null: it is not finished.
     */
    finished_at: string | null;
    /**
     * The exact text that every attempt sends and signs; payload is the same, parsed.
     */
    body: string;
};

export type DuplicateBankAccountRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'DUPLICATE_BANK_ACCOUNT';
};

export type DuplicatePhoneOrDuplicateEmailRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'DUPLICATE_PHONE' | 'DUPLICATE_EMAIL';
};

export type DuplicatePhoneOrRequestConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'DUPLICATE_PHONE' | 'REQUEST_CONFLICT';
};

export type DuplicatePhoneRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'DUPLICATE_PHONE';
};

export type EnableTransactionTypesRequest = {
    /**
     * Enables these types again.
     */
    transaction_types: Array<'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'partner_cashin'>;
};

export type EndConsoleSessionRequest = {
    /**
     * Also end every other session and every access token of the user.
     */
    everywhere?: boolean;
};

export type EndCustomerSessionRequest = {
    /**
     * From the login or the last refresh.
     */
    refresh_token: string;
};

export type EnquireNameReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * Always OK.
     */
    code: 'OK';
    data: {
        /**
         * Ten digits that identify a subscriber to partners; the last one is a Luhn check digit.
         */
        account_number: string;
        /**
         * First name and last initial.
         */
        account_name: string;
        /**
         * Valid for 15 minutes.
         */
        beneficiary_ref: string;
        /**
         * active, blocked or pending.
         */
        status: string;
        /**
         * 1 to 3: how well the subscriber is identified. It sets the maximum balance and the daily limit.
         */
        kyc_level: number;
        /**
         * ISO 4217; always SLE.
         */
        currency: string;
        /**
         * False: do not debit your customer.
         */
        can_credit: boolean;
        /**
         * The largest credit possible now; 0 if none is. Minor units.
         */
        max_creditable: number;
    };
};

export type EnquireNameRequest = {
    /**
     * Ten digits that identify a subscriber to partners; the last one is a Luhn check digit.
     */
    account_number?: string;
    /**
     * E.164.
     */
    msisdn?: string;
    /**
     * The card serial, as printed or read by NFC, such as 04:A1:B2:C3.
     */
    card_serial?: string;
    /**
     * SLE, which is also the default.
     */
    currency?: string;
};

export type EnrolmentAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED';
};

export type ErasePersonalDataRequest = {
    /**
     * Why, for the second user. Name the request, not the person: it is kept. Control characters and line breaks become a space; blank text means absent.
     */
    reason: string;
};

/**
 * An error code. Later versions may add more.
 */
export type ErrorCode = 'INVALID_REQUEST' | 'INVALID_AMOUNT' | 'SAME_ACCOUNT' | 'INSUFFICIENT_FLOAT' | 'MISSING_PARENT' | 'INVALID_PIN_FORMAT' | 'INVALID_PIN' | 'INVALID_OTP' | 'INVALID_CODE' | 'SECOND_FACTOR_REQUIRED' | 'INVALID_SECOND_FACTOR' | 'UNAUTHORIZED' | 'INVALID_SIGNATURE' | 'EXPIRED_TIMESTAMP' | 'STALE_REQUEST' | 'INSUFFICIENT_BALANCE' | 'FORBIDDEN' | 'PEP_ACCESS_REQUIRED' | 'APPROVAL_REQUIRED' | 'NOT_INDEPENDENT' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'SCOPE_DENIED' | 'PARTNER_MISMATCH' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'ACCOUNT_LOCKED' | 'NEW_DEVICE' | 'SUBSCRIBER_BLOCKED' | 'TRANSACTION_TYPE_DISABLED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'AGENT_SUSPENDED' | 'MERCHANT_MISMATCH' | 'CARD_BLOCKED' | 'NOT_FOUND' | 'SUBSCRIBER_NOT_FOUND' | 'USER_NOT_FOUND' | 'CARD_NOT_FOUND' | 'ARCHIVED' | 'BENEFICIARY_NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'DUPLICATE_PHONE' | 'DUPLICATE_IDENTITY' | 'DUPLICATE_EMAIL' | 'DUPLICATE_MERCHANT_ID' | 'USER_EXISTS' | 'NO_PHONE_NUMBER' | 'SECOND_FACTOR_EXISTS' | 'SECOND_FACTOR_NOT_ENROLLED' | 'PASSKEYS_NOT_CONFIGURED' | 'POLICY_LOCKED' | 'LAST_ADMIN' | 'CERTIFICATION_RUNNING' | 'NOT_LOCKED' | 'NOT_BLOCKED' | 'ALREADY_BLOCKED' | 'ALREADY_SUSPENDED' | 'NOT_SUSPENDED' | 'AGENT_TERMINATED' | 'FLOAT_NOT_EMPTY' | 'NOT_ACTIVE' | 'NOT_PENDING' | 'PHONE_NOT_VERIFIED' | 'PARTNER_WALLET_TAKEN' | 'CARD_ALREADY_LINKED' | 'CARD_HAS_CHILDREN' | 'CHILD_CARD_LIMIT' | 'TRUST_ACCOUNT_EXISTS' | 'TRUST_ACCOUNT_CLOSED' | 'TRUST_ACCOUNT_IN_USE' | 'REQUEST_CONFLICT' | 'REFERENCE_CONFLICT' | 'DELIVERY_IN_PROGRESS' | 'ALREADY_RETURNED' | 'DUPLICATE_BANK_ACCOUNT' | 'PAYOUT_CLEARED' | 'ALREADY_MATCHED' | 'ALREADY_UNDONE' | 'RECONCILIATION_RUNNING' | 'ALREADY_CAPTURED' | 'ALREADY_VOIDED' | 'EXPIRED' | 'ALREADY_PAID' | 'CANCELLED' | 'DECLINED' | 'QUOTE_CHANGED' | 'QUOTE_USED' | 'ALREADY_REVERSED' | 'ALREADY_RESOLVED' | 'ALREADY_CLOSED' | 'CLOSE_OUT_OF_ORDER' | 'ALREADY_DECIDED' | 'REQUESTER_NOT_PERMITTED' | 'RECORD_CHANGED' | 'NO_SECRETS' | 'SAVED_VIEW_EXISTS' | 'SAVED_VIEW_LIMIT' | 'WEBHOOK_ENDPOINT_LIMIT' | 'RULE_LIMIT' | 'CASE_EXISTS' | 'CASE_CLOSED' | 'NOT_ERASABLE' | 'PERSONAL_DATA_ERASED' | 'FILE_LIMIT' | 'NO_RECALL' | 'RECALL_OPEN' | 'RECALL_ENDED' | 'NOT_REVERSIBLE' | 'BULK_PAYMENT_EXISTS' | 'FILE_MISMATCH' | 'BULK_PAYMENT_STATE' | 'LEVEL_REQUEST_OPEN' | 'FLOAT_REQUEST_OPEN' | 'REPLAYED_REQUEST' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'DAY_NOT_OVER' | 'CARD_NOT_ASSIGNED' | 'BENEFICIARY_BLOCKED' | 'BENEFICIARY_MISMATCH' | 'CURRENCY_MISMATCH' | 'COMMISSION_EXCEEDS_FEES' | 'AMOUNT_OUT_OF_RANGE' | 'KYC_REQUIREMENT_MISSING' | 'DAILY_LIMIT_EXCEEDED' | 'KEY_LIMIT_EXCEEDED' | 'MATCH_DOES_NOT_BALANCE' | 'CREDIT_BEFORE_PAYOUT' | 'NOT_RECONCILABLE' | 'PAYOUT_NOT_WRITTEN_OFF' | 'TREASURY_LIMIT_EXCEEDED' | 'MAX_BALANCE_EXCEEDED' | 'PARTNER_EXPOSURE_LIMIT_EXCEEDED' | 'EXECUTION_REFUSED' | 'ROWS_INVALID' | 'BULK_ROW_LIMIT_EXCEEDED' | 'STATEMENT_INVALID' | 'COMPLIANCE_BLOCKED' | 'AMOUNT_MISMATCH' | 'CAPTURE_EXCEEDS_AUTHORIZATION' | 'REFUND_EXCEEDS_PAYMENT' | 'NOT_REFUNDABLE' | 'SETTLEMENT_EXCEEDS_OUTSTANDING' | 'RATE_LIMITED' | 'TOO_MANY_LOOKUPS' | 'TOO_MANY_ATTEMPTS' | 'INTERNAL_ERROR' | 'TRANSACTION_FAILED' | 'PROCESSING_FAILED' | 'SERVICE_UNAVAILABLE';

export type ExecutionRefusedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'EXECUTION_REFUSED';
    /**
     * EXECUTION_REFUSED: The failed approval.
     */
    approval_id?: string;
    refusal_code?: ErrorCode;
};

/**
 * The record and all that other tables have about the customer.
 */
export type ExportPersonalDataReply = {
    [key: string]: unknown;
};

export type ExtendRecallHoldConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NO_RECALL' | 'RECALL_ENDED' | 'EXPIRED' | 'ALREADY_DECIDED';
};

export type ExtendRecallHoldRequest = {
    /**
     * Why.
     */
    reason: string;
};

export type ExtendedHold = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The case of the recall.
     */
    case_id: string;
    /**
     * staff_decides: outside the rules, so staff decide before anything is held. placing: the hold is being made. asked: the recipient can answer. nothing_left: nothing was in the wallet. returned, contested, expired: how it ended.
     */
    state: 'staff_decides' | 'placing' | 'asked' | 'nothing_left' | 'returned' | 'contested' | 'expired';
    /**
     * When the hold ends. ISO 8601, UTC.
     */
    expires_at: string | null;
    /**
     * When the longer hold ends. ISO 8601, UTC.
     */
    extended_until: string | null;
};

export type FeeIncome = {
    /**
     * Charged, in minor units.
     */
    fees: number;
    /**
     * Earned by agents and others, in minor units.
     */
    commission: number;
    /**
     * Fees less commission, in minor units.
     */
    income: number;
};

/**
 * Without politically exposed persons, unless PEP access is open.
 */
export type FeePayer = {
    id: string;
    /**
     * Whose money it is: a subscriber's, an agent's, a processor's or a partner's, or a system account of the operator.
     */
    kind: 'wallet' | 'agent_float' | 'agent_commission' | 'processor' | 'partner_clearing' | 'fee_income' | 'treasury' | 'suspense' | 'payouts_in_transit';
    /**
     * In full for staff; null if the account has none.
     */
    name?: string | null;
    /**
     * Minor units.
     */
    current_fees?: number;
    /**
     * Minor units.
     */
    proposed_fees?: number;
    /**
     * Minor units.
     */
    difference?: number;
};

export type FeeQuote = {
    success: true;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    transaction_type: 'transfer_p2p' | 'agent_cashin' | 'vult_fund' | 'wallet_withdraw' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'processor_transfer' | 'processor_payout' | 'pos_refund';
    /**
     * Minor units.
     */
    amount: number;
    /**
     * Fee paid by the payer, in addition to the amount.
     */
    fee: number;
    /**
     * What leaves the payer's account.
     */
    total_debited: number;
    /**
     * Fee deducted from what the payee receives.
     */
    payee_fee: number;
    /**
     * What reaches the payee's account.
     */
    total_credited: number;
    /**
     * What the payer earns, even if it is settled later.
     */
    payer_commission: number;
    /**
     * What the payee earns, even if it is settled later.
     */
    payee_commission: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
};

export type FeeSetting = {
    /**
     * Null for a built-in default.
     */
    id: number | null;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    transaction_type: 'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw';
    /**
     * The party that is charged or paid.
     */
    party_type: 'sender' | 'recipient' | 'agent' | 'processor';
    /**
     * percentage: of the amount. flat: the same for each transaction.
     */
    fee_type: 'percentage' | 'flat';
    /**
     * Percent, at most 100 with up to 4 decimals; or, when flat, SLE with up to 2 decimals.
     */
    fee_value: number;
    /**
     * The party is charged.
     */
    debit_enabled: boolean;
    /**
     * The party receives it as commission, paid from fee income.
     */
    credit_enabled: boolean;
    /**
     * Whether it is a built-in default.
     */
    is_default: boolean;
    /**
     * ISO 8601, UTC. Null for a built-in default.
     */
    updated_at: string | null;
    /**
     * The user; null for a built-in default.
     */
    updated_by: string | null;
    /**
     * The current name of that user or API key.
     */
    updated_by_name?: string | null;
};

export type FeeWhatIf = {
    /**
     * The period that was evaluated.
     */
    period: {
        /**
         * ISO 8601, UTC.
         */
        from: string;
        /**
         * ISO 8601, UTC.
         */
        to: string;
    };
    /**
     * The last 30 days have too many payments: the period is shorter.
     */
    truncated: boolean;
    /**
     * Payments of types that have fees.
     */
    payments: number;
    current: FeeIncome;
    proposed: FeeIncome;
    /**
     * The proposed income less the current one, in minor units.
     */
    difference: number;
    /**
     * Fees actually charged for these payments, under the settings at the time; minor units.
     */
    charged: number;
    by_type: Array<{
        /**
         * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
         */
        transaction_type: 'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw';
        /**
         * Payments of types that have fees.
         */
        payments: number;
        current: FeeIncome;
        proposed: FeeIncome;
    }>;
    /**
     * Every day of the period, oldest first.
     */
    days: Array<{
        /**
         * A UTC day, YYYY-MM-DD.
         */
        date: string;
        /**
         * Payments of types that have fees.
         */
        payments: number;
        current: FeeIncome;
        proposed: FeeIncome;
    }>;
    /**
     * Accounts that pay a fee under the current settings or the proposed ones.
     */
    payers: {
        /**
         * Accounts that would pay more.
         */
        more: number;
        /**
         * Accounts that would pay less.
         */
        less: number;
        /**
         * Accounts that would pay the same.
         */
        same: number;
    };
    /**
     * At most 20, those with the largest increase first.
     */
    paying_more: Array<FeePayer>;
};

export type Figures = {
    /**
     * ISO 8601, UTC.
     */
    from: string;
    /**
     * Exclusive; the end of the current hour, or of the same hour a week before.
     */
    to: string;
    /**
     * Number of customers' payments, without refunds and reversals.
     */
    payments: number;
    /**
     * Minor units.
     */
    value: number;
    /**
     * Minor units.
     */
    fees: number;
    /**
     * Minor units.
     */
    commissions: number;
    /**
     * Number of refunds and reversals.
     */
    refunds: number;
    /**
     * Minor units.
     */
    refunded_value: number;
    /**
     * Number of registrations.
     */
    new_wallets: number;
    /**
     * Null for the last 24 hours: wallets are counted by UTC day.
     */
    active_wallets: number | null;
    /**
     * Refused requests to payment routes, most frequent first. Other gateways add theirs within 5 seconds.
     */
    refusals: Array<{
        /**
         * The refusal code.
         */
        code: string;
        /**
         * Number of refusals with this code.
         */
        count: number;
    }>;
};

export type FileLimitOrPersonalDataErasedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FILE_LIMIT' | 'PERSONAL_DATA_ERASED';
};

export type FinishCertificationReply = {
    certification: Certification;
};

export type FinishConsoleLoginReply = {
    /**
     * The access token, a JWT.
     */
    token: string;
    /**
     * Seconds until the access token expires.
     */
    expires_in: number;
};

export type FinishConsoleLoginRequest = {
    /**
     * The challenge from POST /admin/login.
     */
    challenge: string;
    /**
     * The authenticator app's six digits, or a recovery code.
     */
    code?: string;
    assertion?: PasskeyAssertion;
};

export type FinishCustomerLoginRequest = {
    /**
     * From POST /me/login.
     */
    challenge: string;
    /**
     * The six digits of the message, or those shown by USSD.
     */
    code: string;
    /**
     * Exactly 4 digits.
     */
    pin: string;
    /**
     * What the customer calls this phone or browser, for the list of devices.
     */
    device_name: string;
};

export type FinishLoginRequest = {
    /**
     * The challenge from POST /admin/login.
     */
    challenge: string;
    /**
     * The authenticator app's six digits, or a recovery code.
     */
    code?: string;
    assertion?: PasskeyAssertion;
};

export type FloatNotEmptyOrAgentTerminatedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FLOAT_NOT_EMPTY' | 'AGENT_TERMINATED';
    /**
     * FLOAT_NOT_EMPTY: What the float holds. Minor units.
     */
    balance?: number;
};

export type FloatPayment = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    transaction_id: string;
    /**
     * The id that the caller sent for this payment. Null if it sent none.
     */
    request_id: string | null;
    /**
     * Always COMPLETED: money moves at once, or the request is refused.
     */
    status: 'COMPLETED';
    /**
     * Minor units.
     */
    amount: number;
    /**
     * Fee paid by the payer, in addition to the amount.
     */
    fee: number;
    /**
     * Amount plus fee.
     */
    total_debited: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * Balance of the wallet after the payment. Absent if another credential sent the request.
     */
    balance?: number;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    agent_id: string;
};

export type FloatPaymentRequest = {
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount: number | string;
    /**
     * Makes retries safe. Required for API keys. The header X-Request-ID is an alternative.
     */
    request_id?: string;
    /**
     * What the payment is for; shown in the history of both sides. Control characters and line breaks become a space; blank text means absent.
     */
    description?: string;
};

export type FloatRequest = {
    id: string;
    /**
     * The sub-agent that asks.
     */
    agent_id: string;
    /**
     * Its business name.
     */
    agent_name: string;
    /**
     * Its super-agent, who decides.
     */
    super_agent_id: string;
    /**
     * Its business name.
     */
    super_agent_name: string;
    /**
     * Minor units.
     */
    amount: number;
    /**
     * What the sub-agent wrote.
     */
    note: string | null;
    /**
     * open until it is decided or its time is over. accepting: the transfer is being made, or its reply was lost: accept again.
     */
    state: 'open' | 'accepting' | 'accepted' | 'declined' | 'cancelled' | 'expired';
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * ISO 8601, UTC.
     */
    expires_at: string;
    /**
     * ISO 8601, UTC.
     */
    decided_at: string | null;
    /**
     * Why it was declined.
     */
    reason: string | null;
    /**
     * The transfer of float, once accepted.
     */
    transaction_id: string | null;
};

export type ForbiddenRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN';
};

export type ForgotPasswordRequest = {
    /**
     * The email, or the phone number of an agent's or processor's user in any format.
     */
    email: string;
};

export type FundAgentAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'AGENT_SUSPENDED' | 'AGENT_TERMINATED' | 'APPROVAL_REQUIRED';
};

export type FundAgentUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'MAX_BALANCE_EXCEEDED' | 'COMPLIANCE_BLOCKED' | 'KEY_LIMIT_EXCEEDED' | 'AMOUNT_OUT_OF_RANGE' | 'TREASURY_LIMIT_EXCEEDED';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
    /**
     * TREASURY_LIMIT_EXCEEDED, KEY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * TREASURY_LIMIT_EXCEEDED, KEY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
};

export type FundFromPartnerAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'PEP_ACCESS_REQUIRED' | 'SUBSCRIBER_BLOCKED' | 'TRANSACTION_TYPE_DISABLED' | 'APPROVAL_REQUIRED';
};

export type FundFromPartnerReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    transaction_id: string;
    /**
     * The id that the caller sent for this payment. Null if it sent none.
     */
    request_id: string | null;
    /**
     * Always COMPLETED: money moves at once, or the request is refused.
     */
    status: 'COMPLETED';
    /**
     * Minor units.
     */
    amount: number;
    /**
     * Fee paid by the payer, in addition to the amount.
     */
    fee: number;
    /**
     * Amount plus fee.
     */
    total_debited: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * Balance of the wallet after the payment. Absent for partners' keys. Absent if another credential sent the request.
     */
    balance?: number;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    partner_id: string;
    subscriber_id: string;
};

export type FundFromPartnerRequest = {
    /**
     * The id of a partner.
     */
    partner_id: string;
    /**
     * The id of a subscriber.
     */
    subscriber_id?: string;
    /**
     * The wallet's id at a partner.
     */
    partner_wallet_id?: string;
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount: number | string;
    /**
     * Makes retries safe. Required for API keys, except the funding partner's own key. The header X-Request-ID is an alternative.
     */
    request_id?: string;
    /**
     * What the payment is for; shown in the history of both sides. Control characters and line breaks become a space; blank text means absent.
     */
    description?: string;
};

export type FundFromPartnerUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'COMPLIANCE_BLOCKED' | 'MAX_BALANCE_EXCEEDED' | 'KEY_LIMIT_EXCEEDED' | 'AMOUNT_OUT_OF_RANGE' | 'PARTNER_EXPOSURE_LIMIT_EXCEEDED';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
    /**
     * KEY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * KEY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
};

export type GetAccountStatementRequest = {
    /**
     * The id of a subscriber.
     */
    subscriber_id: string;
    /**
     * The first day or instant, inclusive, as YYYY-MM-DD or ISO 8601.
     */
    from: string;
    /**
     * The last day or instant, inclusive; at most 366 days after from, as YYYY-MM-DD or ISO 8601.
     */
    to: string;
    /**
     * Default: json.
     */
    format?: 'json' | 'csv' | 'pdf';
};

export type GetAccountStatusReply = {
    success: true;
    /**
     * Whether there is such an account.
     */
    exists: boolean;
    /**
     * active, blocked or pending; null if there is no such account.
     */
    status: string | null;
};

export type GetAccountStatusRequest = {
    /**
     * In local format or E.164.
     */
    phone_number?: string;
    /**
     * The card serial, as printed or read by NFC, such as 04:A1:B2:C3.
     */
    card_serial?: string;
    /**
     * The 10 digits of a subscriber's account.
     */
    account_number?: string;
};

export type GetAgentReply = {
    agent: Agent;
};

export type GetAlertReply = {
    alert: Alert;
};

export type GetApiKeyReply = {
    api_key: ApiKey;
};

export type GetApprovalReply = {
    approval: Approval;
};

export type GetBalanceWithPinAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'ACCOUNT_LOCKED' | 'SUBSCRIBER_BLOCKED' | 'PEP_ACCESS_REQUIRED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type GetBalanceWithPinRequest = {
    /**
     * Exactly 4 digits.
     */
    pin: string;
};

export type GetBankStatementReply = {
    statement: BankStatement;
};

export type GetBulkPaymentReply = {
    bulk_payment: BulkPayment;
};

export type GetBulkRowLimitReply = {
    row_limit: BulkRowLimit;
};

export type GetCardReply = {
    card: Card;
};

export type GetCaseReply = {
    case: CaseDetails;
};

export type GetCertificationReply = {
    certification: Certification;
};

export type GetCloseFiguresReply = {
    figures: CloseFigures;
};

export type GetCloseReply = {
    close: Close;
};

export type GetCreditReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * Always OK. The credit's state is `data.status`.
     */
    code: 'OK';
    data: InboundTransaction;
};

export type GetHoldReply = {
    hold: Hold;
};

export type GetInboundCreditReply = {
    inbound: InboundRecord;
};

export type GetLivenessReply = {
    /**
     * Always ok.
     */
    status: 'ok';
};

export type GetMatchReply = {
    match: ReconciliationMatch;
    /**
     * Bank entries first, then transactions. An undone match keeps its items.
     */
    items: Array<ReconciliationItem>;
};

export type GetOverviewReply = {
    /**
     * ISO 8601, UTC.
     */
    at: string;
    /**
     * The UTC day.
     */
    today: Comparison;
    /**
     * Today until the start of the current hour, and the same hours a week before: both are complete, so that they can be compared at any minute.
     */
    today_full_hours: {
        current: Figures;
        week_before: Figures;
    };
    /**
     * Up to the end of the current hour.
     */
    last_24_hours: Comparison;
    today_by_hour: Course;
    week_before_by_hour: Course;
    last_30_days: Course;
    /**
     * As `GET /admin/counts` has them.
     */
    counts: {
        /**
         * ISO 8601, UTC.
         */
        at: string;
        /**
         * Open requests of other users that the caller can approve.
         */
        approvals_to_decide?: number;
        /**
         * Open alerts past their due time.
         */
        alerts_overdue?: number;
        /**
         * Open cases that nobody began with, or that are not resolved, in time.
         */
        cases_overdue?: number;
        /**
         * Webhooks whose last attempt failed and that will be retried; counted up to 1,000.
         */
        deliveries_failing?: number;
        /**
         * Bank entries and transactions without a match.
         */
        unmatched?: number;
        /**
         * Open items of the suspense account.
         */
        suspense?: number;
    };
    /**
     * For system_admin, finance_user and audit_user.
     */
    balances?: {
        /**
         * Wallets, agent floats, commissions, processors, pay-outs in transit and fee income together, as in the daily close.
         */
        e_money: number;
        /**
         * Minor units.
         */
        wallets: number;
        /**
         * Minor units.
         */
        agent_floats: number;
        /**
         * What agents have earned that is not settled yet.
         */
        agent_commissions: number;
        /**
         * Minor units.
         */
        processors: number;
        /**
         * Processors' pay-outs not yet matched with a bank entry.
         */
        payouts_in_transit: number;
        /**
         * What partners owe.
         */
        partner_debts: number;
        /**
         * Credits from unidentified payers; negative.
         */
        suspense: number;
        /**
         * Minor units.
         */
        fee_income: number;
        /**
         * Minor units.
         */
        treasury: number;
    };
    /**
     * Open alerts by age. For system_admin, compliance_user and audit_user.
     */
    alerts?: {
        /**
         * Number of items under a day old.
         */
        under_1_day: number;
        /**
         * Number of items one to three days old.
         */
        under_3_days: number;
        /**
         * Number of items three to seven days old.
         */
        under_7_days: number;
        /**
         * Number of items seven days old or more.
         */
        older: number;
        /**
         * Number of open alerts whose review is overdue.
         */
        overdue: number;
    };
    /**
     * Requests that wait for a second user's decision, by age.
     */
    approvals: {
        /**
         * Number of items under a day old.
         */
        under_1_day: number;
        /**
         * Number of items one to three days old.
         */
        under_3_days: number;
        /**
         * Number of items three to seven days old.
         */
        under_7_days: number;
        /**
         * Number of items seven days old or more.
         */
        older: number;
    };
    /**
     * Webhooks that were not delivered.
     */
    deliveries: {
        /**
         * Webhooks to be delivered, counted up to 20,000.
         */
        pending: number;
        /**
         * There are more than 20,000.
         */
        pending_is_minimum?: true;
        /**
         * The oldest of those counted; ISO 8601, UTC.
         */
        oldest_at: string | null;
    };
    /**
     * What is waiting for finance. For system_admin, finance_user and audit_user.
     */
    finance?: {
        /**
         * The trust accounts' bank statements.
         */
        statements: {
            /**
             * Active trust accounts without yesterday's statement.
             */
            missing: number;
            /**
             * The ones whose last statement ended more than 2 days ago.
             */
            late: number;
            /**
             * The last day that statements of all active trust accounts cover; null: there is none. YYYY-MM-DD.
             */
            covered_until: string | null;
            /**
             * Days between two statements of an active trust account that ended in the last 30 days, newest first, at most 20. Check that the bank issued none for them: entries that sum to zero could be missing.
             */
            gaps: Array<{
                trust_account_id: string;
                /**
                 * The first day without a statement. YYYY-MM-DD.
                 */
                from: string;
                /**
                 * The last day without a statement. YYYY-MM-DD.
                 */
                to: string;
            }>;
        };
        /**
         * Bank entries and movements without a match, by the days since their date.
         */
        unmatched: {
            /**
             * Bank statement entries.
             */
            bank: {
                /**
                 * Number of items under a day old.
                 */
                under_1_day: number;
                /**
                 * Number of items one to three days old.
                 */
                under_3_days: number;
                /**
                 * Number of items three to seven days old.
                 */
                under_7_days: number;
                /**
                 * Number of items seven days old or more.
                 */
                older: number;
            };
            /**
             * The ledger's transactions.
             */
            books: {
                /**
                 * Number of items under a day old.
                 */
                under_1_day: number;
                /**
                 * Number of items one to three days old.
                 */
                under_3_days: number;
                /**
                 * Number of items three to seven days old.
                 */
                under_7_days: number;
                /**
                 * Number of items seven days old or more.
                 */
                older: number;
            };
        };
        /**
         * Open items of the suspense account by age.
         */
        suspense: {
            /**
             * Number of items under a day old.
             */
            under_1_day: number;
            /**
             * Number of items one to three days old.
             */
            under_3_days: number;
            /**
             * Number of items three to seven days old.
             */
            under_7_days: number;
            /**
             * Number of items seven days old or more.
             */
            older: number;
        };
        /**
         * Whether the money at the banks covers the e-money.
         */
        cover: {
            /**
             * Trust balances divided by e-money at the end of that day; null: unknown.
             */
            ratio: string | null;
            /**
             * The last day that statements of all active trust accounts cover. YYYY-MM-DD.
             */
            date: string | null;
            /**
             * Whether the e-money exceeds the money at the banks.
             */
            is_below_1: boolean;
            /**
             * All trust accounts together at the end of that day, in minor units; null: unknown.
             */
            trust_balance: number | null;
            /**
             * At the end of that day, in minor units; null: unknown.
             */
            e_money: number | null;
        };
        /**
         * Daily closes.
         */
        closes: {
            /**
             * Days that are over and not closed.
             */
            missing: number;
            /**
             * The last day that was closed; null: none. YYYY-MM-DD.
             */
            last_date: string | null;
        };
    };
    /**
     * Active agents whose float lasts less than 24 hours, at most a minute old. For the roles that read the ledger.
     */
    floats_dry?: number;
    /**
     * Cases that wait for staff. For the roles that read cases.
     */
    cases?: {
        /**
         * Neither resolved nor rejected.
         */
        open: number;
        /**
         * Open, and nobody works on them.
         */
        unassigned: number;
        /**
         * Open, and nobody began with them or resolved them in time.
         */
        overdue: number;
        /**
         * Open, and nobody began with them.
         */
        unacknowledged: number;
        /**
         * Recalls that hold money until their recipients answer.
         */
        recalls: number;
        /**
         * Opened in the last 24 hours.
         */
        opened: number;
    };
    /**
     * For system_admin, audit_user and compliance_user.
     */
    health?: {
        audit_chain: {
            /**
             * Audit entries that are not in the hash chain yet, counted up to 20,000.
             */
            unsealed: number;
            /**
             * The oldest of them, ISO 8601, UTC; null: there are none.
             */
            oldest_at: string | null;
        };
        /**
         * What the database knows about its backups; other backup tools are not visible to it.
         */
        wal_archiving: {
            /**
             * The database server archives its write-ahead log.
             */
            enabled: boolean;
            /**
             * ISO 8601, UTC; null: never.
             */
            last_archived_at: string | null;
            /**
             * ISO 8601, UTC; null: never, or not since the statistics were reset.
             */
            last_failed_at: string | null;
        };
        /**
         * Active administrators created by someone with server access, with npm run admin:create.
         */
        administrators_from_server: Array<{
            id: string;
            /**
             * Email address.
             */
            email: string;
            /**
             * ISO 8601, UTC.
             */
            created_at: string;
        }>;
    };
};

export type GetOwnCaseReply = {
    case: OwnCaseDetails;
};

export type GetOwnPaymentRequestReply = {
    /**
     * Whether the customer is asked, or asks.
     */
    direction: 'incoming' | 'sent';
    payment_request: PaymentRequest | IncomingPaymentRequest;
};

export type GetOwnTransactionReply = {
    transaction: TransactionDetails;
};

export type GetOwnWebhookDeliveryReply = {
    delivery: DetailedWebhookDelivery;
};

export type GetPartnerReply = {
    partner: Partner;
};

export type GetPasskeyOptionsReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * For navigator.credentials.create (parseCreationOptionsFromJSON).
     */
    options: {
        [key: string]: unknown;
    };
};

export type GetPaymentRequestReply = {
    payment_request: PaymentRequestDetails;
};

export type GetProcessorReply = {
    processor: Processor;
};

export type GetProcessorTakingsReply = {
    /**
     * The length of each entry.
     */
    by: 'hour' | 'day';
    /**
     * ISO 8601, UTC.
     */
    from: string;
    /**
     * The end of the last hour or day, exclusive. ISO 8601, UTC.
     */
    to: string;
    /**
     * One per hour or day. Null with takings_pending, and for staff who may not see all payments of the period.
     */
    takings: Array<ProcessorTakings> | null;
    /**
     * Present while they are still being computed. Request them again in a moment.
     */
    takings_pending?: true;
    /**
     * Present if the period begins before this instant: earlier payments are archived, and not summed. ISO 8601, UTC.
     */
    archived_before?: string;
};

export type GetPublicKeysReply = {
    /**
     * Ed25519 keys (RFC 8037): the current one of closes, all that signed a close, and that of receipts. key_id names the one that signed a document.
     */
    keys: Array<{
        kty: string;
        crv: string;
        x: string;
        kid: string;
        use: string;
        alg: string;
        /**
         * Of the key that signs receipts, and nothing else.
         */
        purpose?: 'receipt';
    }>;
};

export type GetRolesReply = {
    /**
     * All roles.
     */
    roles: Array<'system_admin' | 'compliance_user' | 'support_user' | 'finance_user' | 'sales_user' | 'audit_user' | 'super_agent' | 'sub_agent' | 'processor' | 'subscriber'>;
    permissions: Array<RolePermission>;
};

export type GetRuleReply = {
    rule: ComplianceRule;
};

export type GetSecondFactorsReply = {
    /**
     * Whether the user has a second factor.
     */
    enrolled: boolean;
    /**
     * Whether the operator requires this user to have a second factor.
     */
    required: boolean;
    /**
     * ISO 8601, UTC. Null: there is no authenticator app.
     */
    totp_since: string | null;
    passkeys: Array<Passkey>;
    /**
     * Recovery codes not used yet.
     */
    recovery_codes_remaining: number;
};

export type GetSeriesReply = {
    /**
     * As requested.
     */
    metric: 'payments' | 'value' | 'fees' | 'commissions' | 'refunds' | 'refunded_value' | 'movements' | 'new_wallets' | 'active_wallets' | 'refusals';
    /**
     * The unit of the values.
     */
    unit: 'count' | 'minor_units';
    /**
     * UTC; weeks start on Monday.
     */
    step: 'hour' | 'day' | 'week';
    /**
     * ISO 8601, UTC.
     */
    from: string;
    /**
     * The end of the last step, exclusive. ISO 8601, UTC.
     */
    to: string;
    /**
     * One without `by`, else one per type.
     */
    series: Array<{
        /**
         * The movement type; null without by.
         */
        type: string | null;
        /**
         * Null for active_wallets: a wallet can be active in several steps.
         */
        total: number | null;
        /**
         * One per step, at most 750.
         */
        points: Array<SeriesPoint>;
    }>;
};

export type GetSubscriberReply = {
    subscriber: SubscriberView;
};

export type GetTransactionReply = {
    transaction: TransactionDetails;
};

export type GetTrialBalanceReply = {
    /**
     * ISO 8601, UTC.
     */
    at: string;
    /**
     * The sums of all accounts, by kind.
     */
    kinds: Array<{
        /**
         * Whose money it is: a subscriber's, an agent's, a processor's or a partner's, or a system account of the operator.
         */
        kind: 'wallet' | 'agent_float' | 'agent_commission' | 'processor' | 'partner_clearing' | 'fee_income' | 'treasury' | 'suspense' | 'payouts_in_transit';
        /**
         * Minor units.
         */
        balance: number;
    }>;
    /**
     * Always zero.
     */
    total: number;
};

export type GetTrustAccountReply = {
    trust_account: TrustAccount;
};

export type GetUserReply = {
    user: User;
};

export type GetWebhookDeliveryReply = {
    delivery: DetailedWebhookDelivery;
};

export type GetWebhookEndpointReply = {
    webhook_endpoint: WebhookEndpoint;
};

export type GoingLiveItem = {
    /**
     * restore_practised: a backup was restored. anchors_kept: anchors of the audit log are kept elsewhere. alerts_reach_a_person: somebody is on call. integrators_certified: each bank passed the certification. terms_reviewed: fees, limits and rules were reviewed.
     */
    item: 'restore_practised' | 'anchors_kept' | 'alerts_reach_a_person' | 'integrators_certified' | 'terms_reviewed';
    /**
     * What was done; null until it is confirmed.
     */
    note: string | null;
    /**
     * The user who confirmed it.
     */
    confirmed_by: string | null;
    /**
     * The name of that user.
     */
    confirmed_by_name: string | null;
    /**
     * ISO 8601, UTC.
     */
    confirmed_at: string | null;
};

export type HealthReport = {
    /**
     * degraded: a component is not available.
     */
    status: 'ok' | 'degraded';
    /**
     * Whether the ledger answers.
     */
    wallet_core: 'ok' | 'unavailable';
    /**
     * The service's version.
     */
    version: string;
    /**
     * The process's uptime.
     */
    uptime_seconds: number;
};

export type Hold = {
    /**
     * Also the transaction_id of the authorised payment.
     */
    id: string;
    /**
     * active until it is captured or released, or until expires_at.
     */
    status: 'active' | 'captured' | 'released' | 'expired';
    /**
     * What the money is held for.
     */
    purpose: 'card_payment' | 'cash_out_code' | 'bulk' | 'unclaimed' | 'recall';
    /**
     * What kind of transaction a capture is.
     */
    type: string;
    /**
     * What can be captured. Minor units.
     */
    amount: number;
    /**
     * The amount and the payer's fee. Minor units.
     */
    reserved: number;
    /**
     * What is still reserved: less than reserved once payments of a bulk payment were made from it.
     */
    remaining: number;
    /**
     * Minor units; null unless it was captured.
     */
    captured_amount: number | null;
    /**
     * The payment that captured it.
     */
    capture_transaction_id: string | null;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * Whose money is held. Null for the merchant, and where it is not shown to the reader.
     */
    payer_id: string | null;
    /**
     * For users only.
     */
    payer_name?: string | null;
    /**
     * Who may capture it; null for a cash-out code, which any agent may redeem.
     */
    payee_id: string | null;
    /**
     * For users only.
     */
    payee_name?: string | null;
    /**
     * Free text from the sender. Null if there is none.
     */
    narration: string | null;
    /**
     * The id that the caller sent for this payment. Null if it sent none.
     */
    request_id: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * ISO 8601, UTC.
     */
    expires_at: string;
    /**
     * When it was captured, released or found to have expired.
     */
    ended_at: string | null;
};

export type InAppPayment = {
    success: true;
    transaction_id: string;
    /**
     * AUTHORIZED with `capture: false`: nothing is paid yet.
     */
    status: 'APPROVED' | 'AUTHORIZED';
    /**
     * Six characters, for the receipt.
     */
    authorization_code: string;
    /**
     * Minor units.
     */
    amount: number;
    /**
     * The processor's fee, deducted from what it received.
     */
    fee: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * The merchant's identifier on terminals and receipts.
     */
    merchant_id: string;
    /**
     * The processor's (merchant's) id.
     */
    processor_id: string;
    /**
     * The card serial, as printed or read by NFC, such as 04:A1:B2:C3.
     */
    card_serial: string;
    /**
     * Lines of at most 32 characters, ready to print.
     */
    receipt: string;
    /**
     * Until when an authorised payment can be captured. ISO 8601, UTC.
     */
    expires_at?: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * As sent; absent if none was.
     */
    metadata?: unknown;
};

export type InAppPaymentRequest = {
    /**
     * Makes retries safe. Required in the body: no header replaces it.
     */
    request_id: string;
    /**
     * The id of a merchant.
     */
    merchant_id: string;
    /**
     * The id of a processor.
     */
    processor_id: string;
    /**
     * The card serial, as printed or read by NFC, such as 04:A1:B2:C3.
     */
    card_serial: string;
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount: number | string;
    /**
     * A compact JWE (alg dir, enc A256GCM) of {"pin", "card_serial"}, under HKDF-SHA256 of the secret that signs (no salt, info pin-encryption-v1, 32 bytes).
     */
    encrypted_pin?: string;
    /**
     * Instead of encrypted_pin, with svc_test_ keys only.
     */
    pin?: string;
    /**
     * ISO 4217; always SLE.
     */
    currency?: 'SLE';
    /**
     * Any JSON value of at most 16 KiB, stored unchanged.
     */
    metadata?: unknown;
    /**
     * False only authorises the payment: the amount is reserved for 7 days, until it is captured, voided or expires.
     */
    capture?: boolean;
};

export type InboundAccessDeniedOrPartnerMismatchRefusal = {
    success: false;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'SCOPE_DENIED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'PARTNER_MISMATCH';
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The outcome recorded for a credit.
     */
    data?: {
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference: string;
        /**
         * REJECTED: refused, nothing moved. FAILED: not processed, nothing moved.
         */
        status: 'REJECTED' | 'FAILED';
        /**
         * The same as code.
         */
        failure_code: string;
    };
};

export type InboundBeneficiaryNotFoundRefusal = {
    success: false;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'BENEFICIARY_NOT_FOUND';
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The outcome recorded for a credit.
     */
    data?: {
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference: string;
        /**
         * REJECTED: refused, nothing moved. FAILED: not processed, nothing moved.
         */
        status: 'REJECTED' | 'FAILED';
        /**
         * The same as code.
         */
        failure_code: string;
    };
};

export type InboundCreditWalletUnprocessableRefusal = {
    success: false;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'CARD_NOT_ASSIGNED' | 'BENEFICIARY_BLOCKED' | 'BENEFICIARY_MISMATCH' | 'CURRENCY_MISMATCH' | 'AMOUNT_OUT_OF_RANGE' | 'COMPLIANCE_BLOCKED' | 'MAX_BALANCE_EXCEEDED' | 'PARTNER_EXPOSURE_LIMIT_EXCEEDED' | 'PROCESSING_FAILED';
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The outcome recorded for a credit.
     */
    data?: {
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference: string;
        /**
         * REJECTED: refused, nothing moved. FAILED: not processed, nothing moved.
         */
        status: 'REJECTED' | 'FAILED';
        /**
         * The same as code.
         */
        failure_code: string;
    };
};

export type InboundCurrencyMismatchRefusal = {
    success: false;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'CURRENCY_MISMATCH';
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The outcome recorded for a credit.
     */
    data?: {
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference: string;
        /**
         * REJECTED: refused, nothing moved. FAILED: not processed, nothing moved.
         */
        status: 'REJECTED' | 'FAILED';
        /**
         * The same as code.
         */
        failure_code: string;
    };
};

export type InboundInternalErrorRefusal = {
    success: false;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INTERNAL_ERROR';
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The outcome recorded for a credit.
     */
    data?: {
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference: string;
        /**
         * REJECTED: refused, nothing moved. FAILED: not processed, nothing moved.
         */
        status: 'REJECTED' | 'FAILED';
        /**
         * The same as code.
         */
        failure_code: string;
    };
};

export type InboundInvalidRequestOrInvalidAmountRefusal = {
    success: false;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST' | 'INVALID_AMOUNT';
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The outcome recorded for a credit.
     */
    data?: {
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference: string;
        /**
         * REJECTED: refused, nothing moved. FAILED: not processed, nothing moved.
         */
        status: 'REJECTED' | 'FAILED';
        /**
         * The same as code.
         */
        failure_code: string;
    };
};

export type InboundInvalidRequestRefusal = {
    success: false;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST';
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The outcome recorded for a credit.
     */
    data?: {
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference: string;
        /**
         * REJECTED: refused, nothing moved. FAILED: not processed, nothing moved.
         */
        status: 'REJECTED' | 'FAILED';
        /**
         * The same as code.
         */
        failure_code: string;
    };
};

export type InboundNotFoundRefusal = {
    success: false;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_FOUND';
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The outcome recorded for a credit.
     */
    data?: {
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference: string;
        /**
         * REJECTED: refused, nothing moved. FAILED: not processed, nothing moved.
         */
        status: 'REJECTED' | 'FAILED';
        /**
         * The same as code.
         */
        failure_code: string;
    };
};

/**
 * The sender of the money.
 */
export type InboundPayer = {
    /**
     * Masked except for compliance_user.
     */
    name: string | null;
    /**
     * As the partner sent it; masked except for compliance_user.
     */
    account_masked: string | null;
    /**
     * The bank's code. Null if it was not sent.
     */
    bank_code: string | null;
};

export type InboundPayloadTooLargeRefusal = {
    success: false;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'PAYLOAD_TOO_LARGE';
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The outcome recorded for a credit.
     */
    data?: {
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference: string;
        /**
         * REJECTED: refused, nothing moved. FAILED: not processed, nothing moved.
         */
        status: 'REJECTED' | 'FAILED';
        /**
         * The same as code.
         */
        failure_code: string;
    };
};

export type InboundRateLimitedOrTooManyLookupsRefusal = {
    success: false;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'RATE_LIMITED' | 'TOO_MANY_LOOKUPS';
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The outcome recorded for a credit.
     */
    data?: {
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference: string;
        /**
         * REJECTED: refused, nothing moved. FAILED: not processed, nothing moved.
         */
        status: 'REJECTED' | 'FAILED';
        /**
         * The same as code.
         */
        failure_code: string;
    };
};

export type InboundRateLimitedRefusal = {
    success: false;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'RATE_LIMITED';
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The outcome recorded for a credit.
     */
    data?: {
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference: string;
        /**
         * REJECTED: refused, nothing moved. FAILED: not processed, nothing moved.
         */
        status: 'REJECTED' | 'FAILED';
        /**
         * The same as code.
         */
        failure_code: string;
    };
};

export type InboundRecord = {
    /**
     * The id of the inbound credit at this service.
     */
    inbound_id: string;
    partner_id: string;
    /**
     * The partner's current name.
     */
    partner_name: string;
    /**
     * The partner's id for the credit or cash-in, unique per partner.
     */
    reference: string;
    /**
     * COMPLETED: credited. REJECTED: refused, nothing moved. FAILED: not processed, nothing moved. REVERSED: taken back after it was completed.
     */
    status: 'COMPLETED' | 'REJECTED' | 'FAILED' | 'REVERSED';
    /**
     * Null if the credit was completed.
     */
    failure_code: string | null;
    /**
     * Null if no money moved.
     */
    transaction_id: string | null;
    /**
     * Minor units.
     */
    amount: number;
    /**
     * Minor units.
     */
    fee: number;
    /**
     * The amount credited to the wallet. Minor units.
     */
    net_credited: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * How the partner named the beneficiary.
     */
    identified_by: 'account_number' | 'msisdn' | 'card_serial';
    /**
     * As the partner sent it.
     */
    identifier: string;
    /**
     * Null if no beneficiary was found.
     */
    subscriber_id: string | null;
    /**
     * As the partner sent it; null if it sent a phone number or a card.
     */
    account_number: string | null;
    /**
     * First name and last initial.
     */
    account_name: string | null;
    /**
     * Free text from the sender. Null if there is none.
     */
    narration: string | null;
    /**
     * Null if the partner sent none.
     */
    payer: InboundPayer | null;
    /**
     * The API key of the partner.
     */
    key_id: string;
    /**
     * The request's X-Idempotency-Key header.
     */
    idempotency_key: string;
    /**
     * What the partner owed after the credit. Minor units. Null where it would reveal a credit the reader may not see.
     */
    partner_outstanding: number | null;
    /**
     * ISO 8601, UTC.
     */
    completed_at: string;
    /**
     * Null if it was not reversed.
     */
    reversal: InboundReversal | null;
};

export type InboundReplayedRequestOrReferenceConflictRefusal = {
    success: false;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REPLAYED_REQUEST' | 'REFERENCE_CONFLICT';
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The outcome recorded for a credit.
     */
    data?: {
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference: string;
        /**
         * REJECTED: refused, nothing moved. FAILED: not processed, nothing moved.
         */
        status: 'REJECTED' | 'FAILED';
        /**
         * The same as code.
         */
        failure_code: string;
    };
};

export type InboundReplayedRequestRefusal = {
    success: false;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REPLAYED_REQUEST';
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The outcome recorded for a credit.
     */
    data?: {
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference: string;
        /**
         * REJECTED: refused, nothing moved. FAILED: not processed, nothing moved.
         */
        status: 'REJECTED' | 'FAILED';
        /**
         * The same as code.
         */
        failure_code: string;
    };
};

export type InboundReversal = {
    /**
     * The reversal's transaction.
     */
    transaction_id: string;
    /**
     * As given by the user who reversed it.
     */
    reason: string;
    /**
     * The user.
     */
    reversed_by: string;
    /**
     * ISO 8601, UTC.
     */
    reversed_at: string;
};

export type InboundServiceUnavailableRefusal = {
    success: false;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'SERVICE_UNAVAILABLE';
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The outcome recorded for a credit.
     */
    data?: {
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference: string;
        /**
         * REJECTED: refused, nothing moved. FAILED: not processed, nothing moved.
         */
        status: 'REJECTED' | 'FAILED';
        /**
         * The same as code.
         */
        failure_code: string;
    };
};

export type InboundTransaction = {
    /**
     * The id of the inbound credit at this service.
     */
    inbound_id: string;
    /**
     * The partner's id for the credit or cash-in, unique per partner.
     */
    reference: string;
    /**
     * Null if no money moved.
     */
    transaction_id: string | null;
    /**
     * PROCESSING is reserved: version 1 always returns a final status.
     */
    status: 'COMPLETED' | 'REJECTED' | 'FAILED' | 'REVERSED' | 'PROCESSING';
    /**
     * Always credit.
     */
    operation: 'credit';
    /**
     * Minor units.
     */
    amount: number;
    /**
     * Minor units.
     */
    fee: number;
    /**
     * The amount credited to the wallet. Minor units.
     */
    net_credited: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * Null if no beneficiary was found.
     */
    beneficiary: Beneficiary | null;
    /**
     * What the partner owed after the credit. Minor units.
     */
    partner_outstanding: number;
    /**
     * ISO 8601, UTC.
     */
    completed_at: string;
    /**
     * Present if the credit was rejected or failed.
     */
    failure_code?: string;
};

export type InboundUnauthorizedOrStaleRequestOrInvalidSignatureRefusal = {
    success: false;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'UNAUTHORIZED' | 'STALE_REQUEST' | 'INVALID_SIGNATURE';
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The outcome recorded for a credit.
     */
    data?: {
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference: string;
        /**
         * REJECTED: refused, nothing moved. FAILED: not processed, nothing moved.
         */
        status: 'REJECTED' | 'FAILED';
        /**
         * The same as code.
         */
        failure_code: string;
    };
};

export type InboundUnsupportedMediaTypeRefusal = {
    success: false;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'UNSUPPORTED_MEDIA_TYPE';
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The outcome recorded for a credit.
     */
    data?: {
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference: string;
        /**
         * REJECTED: refused, nothing moved. FAILED: not processed, nothing moved.
         */
        status: 'REJECTED' | 'FAILED';
        /**
         * The same as code.
         */
        failure_code: string;
    };
};

export type IncomingPaymentRequest = {
    id: string;
    /**
     * A request that many can pay stays open and counts payments.
     */
    status: 'open' | 'paid' | 'declined' | 'expired' | 'cancelled';
    /**
     * Minor units. Null: the payer chooses.
     */
    amount: number | null;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * The registered name, which the payer sees.
     */
    payee_name: string;
    /**
     * What the payment is for.
     */
    description: string;
    /**
     * The payee's own reference, such as an order number.
     */
    reference: string | null;
    /**
     * Ten digits that the payer types.
     */
    code: string;
    /**
     * What the payer dials; null if the operator has no USSD service code.
     */
    ussd: string | null;
    /**
     * The text of the QR code (EMVCo). A reader trusts only the code in it, never the amount.
     */
    qr: string;
    /**
     * The page of the request. Whoever has it can read the request.
     */
    url: string;
    /**
     * False: it is a link that many can pay.
     */
    single_use: boolean;
    /**
     * Where the page returns the payer; null if none was sent.
     */
    return_url: string | null;
    /**
     * The newest ten payments.
     */
    transaction_ids: Array<string>;
    /**
     * ISO 8601, UTC.
     */
    expires_at: string;
};

export type InsufficientBalanceRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INSUFFICIENT_BALANCE';
};

export type InternalErrorRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INTERNAL_ERROR';
};

export type InvalidCodeOrInvalidPinRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_CODE' | 'INVALID_PIN';
    /**
     * INVALID_PIN: Attempts left before the lock. Absent if the value was not checked.
     */
    attempts_remaining?: number;
};

export type InvalidCodeRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_CODE';
};

export type InvalidOtpRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_OTP';
    /**
     * INVALID_OTP: Attempts left before the lock. Absent if the value was not checked.
     */
    attempts_remaining?: number;
};

export type InvalidRequestOrInsufficientFloatOrInvalidPinRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST' | 'INSUFFICIENT_FLOAT' | 'INVALID_PIN';
    /**
     * INSUFFICIENT_FLOAT: What is available. Minor units.
     */
    available?: number;
    /**
     * INSUFFICIENT_FLOAT: What the request needs. Minor units.
     */
    required?: number;
    /**
     * INVALID_PIN: Attempts left before the lock. Absent if the value was not checked.
     */
    attempts_remaining?: number;
};

export type InvalidRequestOrInvalidAmountOrInsufficientFloatRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST' | 'INVALID_AMOUNT' | 'INSUFFICIENT_FLOAT';
    /**
     * INSUFFICIENT_FLOAT: What is available. Minor units.
     */
    available?: number;
    /**
     * INSUFFICIENT_FLOAT: What the request needs. Minor units.
     */
    required?: number;
};

export type InvalidRequestOrInvalidAmountOrInvalidPinRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST' | 'INVALID_AMOUNT' | 'INVALID_PIN';
    /**
     * INVALID_PIN: Attempts left before the lock. Absent if the value was not checked.
     */
    attempts_remaining?: number;
};

export type InvalidRequestOrInvalidAmountOrSameAccountRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST' | 'INVALID_AMOUNT' | 'SAME_ACCOUNT';
};

export type InvalidRequestOrInvalidAmountRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST' | 'INVALID_AMOUNT';
};

export type InvalidRequestOrInvalidPinFormatRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST' | 'INVALID_PIN_FORMAT';
};

export type InvalidRequestOrInvalidPinOrInvalidCodeRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST' | 'INVALID_PIN' | 'INVALID_CODE';
    /**
     * INVALID_PIN: Attempts left before the lock. Absent if the value was not checked.
     */
    attempts_remaining?: number;
};

export type InvalidRequestOrInvalidPinOrSameAccountRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST' | 'INVALID_PIN' | 'SAME_ACCOUNT';
    /**
     * INVALID_PIN: Attempts left before the lock. Absent if the value was not checked.
     */
    attempts_remaining?: number;
};

export type InvalidRequestOrInvalidPinRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST' | 'INVALID_PIN';
    /**
     * INVALID_PIN: Attempts left before the lock. Absent if the value was not checked.
     */
    attempts_remaining?: number;
};

export type InvalidRequestOrMissingParentRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST' | 'MISSING_PARENT';
};

export type InvalidRequestOrSameAccountRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST' | 'SAME_ACCOUNT';
};

export type InvalidRequestRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST';
};

export type IpNotAllowedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'IP_NOT_ALLOWED';
};

export type IssuedApiKey = {
    /**
     * Sent as X-API-Key-ID with signed requests.
     */
    id: string;
    name: string;
    /**
     * The first characters of the bearer value.
     */
    prefix: string;
    /**
     * Whether a bearer value was issued. Without one, the key only signs requests.
     */
    bearer: boolean;
    /**
     * What the key may do.
     */
    scopes: Array<'payments:read' | 'payments:write' | 'balance:read' | 'subscribers:read' | 'subscribers:write' | 'cards:read' | 'cards:write' | 'inbound:read' | 'inbound:write' | 'treasury:write' | 'payouts:write' | 'agents:write' | 'processors:write' | 'compliance:read' | 'compliance:write' | 'audit:read'>;
    /**
     * The partner that the key acts for; null: it has no partner.
     */
    partner_id: string | null;
    /**
     * The processor that the key acts for; null: it has no processor.
     */
    processor_id: string | null;
    /**
     * Requests per second. Null: the service's default.
     */
    rate_limit: number | null;
    /**
     * What the key may move in one UTC day, in minor units. Null: it has none of the scopes that need one.
     */
    daily_limit: number | null;
    /**
     * The approval under which the key was created: under an approval policy it acts up to its daily_limit. Null: it was created or rotated without one.
     */
    approval_id: string | null;
    /**
     * ISO 8601, UTC. Null: it does not expire.
     */
    expires_at: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type IssuedCashOutCode = {
    /**
     * Also the id of the hold.
     */
    id: string;
    /**
     * active until an agent redeems it, it is cancelled or ended, or it expires.
     */
    status: 'active' | 'redeemed' | 'cancelled' | 'expired';
    /**
     * What an agent pays out. Minor units.
     */
    amount: number;
    /**
     * Minor units.
     */
    fee: number;
    /**
     * What is held of the balance. Minor units.
     */
    total: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * The withdrawal, once it is redeemed.
     */
    transaction_id: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * ISO 8601, UTC.
     */
    expires_at: string;
    /**
     * Eight digits, shown only here. Null in a repeated request once the code has ended.
     */
    code: string | null;
};

export type KeyLimitExceededOrAmountOutOfRangeRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'KEY_LIMIT_EXCEEDED' | 'AMOUNT_OUT_OF_RANGE';
    /**
     * KEY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * KEY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
};

export type KeyLimitExceededOrComplianceBlockedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'KEY_LIMIT_EXCEEDED' | 'COMPLIANCE_BLOCKED';
    /**
     * KEY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * KEY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
};

export type KeyLimitExceededRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'KEY_LIMIT_EXCEEDED';
    /**
     * KEY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * KEY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
};

export type KycRequirementMissingRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'KYC_REQUIREMENT_MISSING';
    /**
     * KYC_REQUIREMENT_MISSING: The fields that are not on file.
     */
    missing?: Array<string>;
};

export type LabPhone = {
    /**
     * E.164.
     */
    phone_number: string;
    /**
     * USSD_SERVICE_CODE; null: any code reaches the menus.
     */
    service_code: string | null;
    /**
     * Newest first, at most 50; without those to staff.
     */
    messages: Array<LabPhoneMessage>;
};

export type LabPhoneMessage = {
    id: string;
    /**
     * How it would have been sent.
     */
    channel: 'sms' | 'chat';
    /**
     * For example payment, login_code or new_device.
     */
    kind: string;
    /**
     * The message as the phone shows it.
     */
    text: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type LabPhonePage = {
    /**
     * What the phone shows, in lines.
     */
    text: string;
    /**
     * The session has ended.
     */
    ends: boolean;
    /**
     * The answer to this page is a PIN.
     */
    asks_pin: boolean;
};

/**
 * Only account_id and kind of a politically exposed person's wallet, without open PEP access.
 */
export type LedgerAccount = {
    account_id: string;
    /**
     * Whose money it is: a subscriber's, an agent's, a processor's or a partner's, or a system account of the operator.
     */
    kind: 'wallet' | 'agent_float' | 'agent_commission' | 'processor' | 'partner_clearing' | 'fee_income' | 'treasury' | 'suspense' | 'payouts_in_transit';
    /**
     * Minor units.
     */
    balance?: number;
    /**
     * For display, such as 125.00 SLE.
     */
    balance_formatted?: string;
    /**
     * ISO 4217; always SLE.
     */
    currency?: string;
    /**
     * The lowest balance it may have. Minor units. Null: no bound.
     */
    floor?: number | null;
    /**
     * The highest balance it may have. Minor units. Null: no bound.
     */
    ceiling?: number | null;
    /**
     * A frozen account neither sends nor receives.
     */
    frozen?: boolean;
    /**
     * Number of postings.
     */
    posting_count?: number;
    /**
     * ISO 8601, UTC.
     */
    last_posting_at?: string | null;
    /**
     * ISO 8601, UTC.
     */
    opened_at?: string;
};

export type LevelRequest = {
    /**
     * The kind of identity document, such as passport.
     */
    id_type: 'NATIONAL_ID' | 'PASSPORT' | 'DRIVERS_LICENSE';
    /**
     * The identity document's number.
     */
    id_number: string;
    /**
     * YYYY-MM-DD, a day in the past.
     */
    date_of_birth?: string;
    /**
     * The uploaded identity document.
     */
    identity_document_id: string;
    /**
     * The uploaded photo of the face.
     */
    face_document_id: string;
    /**
     * Makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
};

export type LinkCardAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'APPROVAL_REQUIRED' | 'PEP_ACCESS_REQUIRED' | 'SUBSCRIBER_BLOCKED' | 'CARD_BLOCKED';
};

export type LinkCardRequest = {
    /**
     * Case-insensitive; stored and returned in upper case.
     */
    card_serial: string;
    subscriber_id: string;
    /**
     * A name for the card, such as Daily card.
     */
    label?: string;
};

export type LinkChildCardAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'APPROVAL_REQUIRED' | 'PEP_ACCESS_REQUIRED' | 'CARD_BLOCKED' | 'SUBSCRIBER_BLOCKED';
};

export type LinkChildCardConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'PHONE_NOT_VERIFIED' | 'CARD_ALREADY_LINKED' | 'CHILD_CARD_LIMIT';
};

export type LinkChildCardRequest = {
    /**
     * Case-insensitive; stored and returned in upper case.
     */
    parent_serial: string;
    /**
     * Case-insensitive; stored and returned in upper case.
     */
    card_serial: string;
    /**
     * A name for the card, such as School card.
     */
    label?: string;
    /**
     * Minor units: a whole number, or a string of digits.
     */
    daily_limit?: number | string;
};

export type ListAccountRulesReply = {
    account_rules: Array<AccountRule>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListAgentCommissionsReply = {
    agent_id: string;
    /**
     * When commission is paid into the float: at once, or after each UTC day or ISO week.
     */
    settlement_mode: string;
    /**
     * What the agent has earned that is not settled yet.
     */
    accrued: number;
    /**
     * For display, such as 125.00 SLE.
     */
    accrued_formatted: string;
    /**
     * The sum of all settlements.
     */
    settled_total: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    settlements: Array<CommissionSettlement>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
    /**
     * They add up to accrued.
     */
    accrued_by_period: Array<{
        /**
         * A UTC day (2026-11-16) or an ISO week (2026-W47).
         */
        period: string;
        /**
         * ISO 8601, UTC.
         */
        ends_at: string;
        /**
         * due: the period has ended, and its commission is about to be settled.
         */
        status: 'due' | 'running';
        /**
         * Includes what earlier periods left over.
         */
        amount: number;
    }>;
};

export type ListAgentFloatsReply = {
    /**
     * The lowest hours left first.
     */
    floats: Array<{
        agent_id: string;
        business_name: string;
        /**
         * super_agent or sub_agent.
         */
        type: string;
        /**
         * active, suspended or terminated.
         */
        status: string;
        /**
         * The sub-agent's super-agent. Null for a super-agent.
         */
        parent_agent_id: string | null;
        /**
         * Minor units.
         */
        balance: number;
        /**
         * For display, such as 125.00 SLE.
         */
        balance_formatted: string;
        /**
         * ISO 4217; always SLE.
         */
        currency: string;
        /**
         * Net amount that customers took out of the float in the 24 hours before the current hour; negative if they paid in.
         */
        outflow_24_hours: number;
        /**
         * The same for the 7 days before the current hour.
         */
        outflow_7_days: number;
        /**
         * How long the balance lasts at the faster of the 24-hour and 7-day rates; null if the float does not shrink.
         */
        hours_left: number | null;
        /**
         * Sub-agents, without terminated ones; zero for a sub-agent.
         */
        sub_agent_count: number;
        /**
         * Its float and its sub-agents' floats together, in minor units.
         */
        network_balance: number;
        /**
         * The lowest hours_left of the agent and its sub-agents; null if no float shrinks.
         */
        network_hours_left: number | null;
    }>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListAgentTransactionsReply = {
    transactions: Array<Transaction>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
    /**
     * Present if total_count is a lower bound because an exact count would take too long. With a filter by amount, reference, request id or authorization code, it counts the records up to this page.
     */
    total_is_minimum?: true;
    /**
     * The cursor of the next page; null on the last one. A page may have fewer records than limit if matches are rare.
     */
    next_cursor: string | null;
    /**
     * Present if the period begins before this instant: earlier transactions are archived, and neither listed nor counted. ISO 8601, UTC.
     */
    archived_before?: string;
    /**
     * Totals of all matching records, not only this page's. Null on pages read with a cursor, and with totals_pending.
     */
    totals: AgentTotals | null;
    /**
     * Present while the totals are still being computed. Request them again in a moment.
     */
    totals_pending?: true;
};

export type ListAgentsReply = {
    agents: Array<Agent>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListAlertsReply = {
    alerts: Array<ListedAlert>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListAllPayoutsReply = {
    payouts: Array<PayoutRecord>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
    /**
     * Present if earlier pay-outs are archived: those before this instant are neither listed nor counted. ISO 8601, UTC.
     */
    archived_before?: string;
};

export type ListApiKeyRequestsReply = {
    requests: Array<LoggedRequest>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
    /**
     * The key's requests in the last 24 hours that were not kept, because too many arrived in one second.
     */
    omitted_count: number;
    /**
     * For newer_than: the id of this reply's newest request.
     */
    cursor: string;
};

export type ListApiKeysReply = {
    api_keys: Array<ApiKey>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListApprovalPoliciesReply = {
    policies: Array<ApprovalPolicy>;
    /**
     * Number of policies.
     */
    count: number;
};

export type ListApprovalsReply = {
    approvals: Array<Approval>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListAuditLogsReply = {
    logs: Array<AuditEntry>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListBankAccountsReply = {
    bank_accounts: Array<BankAccount>;
};

export type ListBankEntriesReply = {
    entries: Array<BankEntry>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListBankStatementsReply = {
    statements: Array<BankStatement>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListBlockedPayeesReply = {
    blocked_payees: Array<BlockedPayee>;
};

export type ListBulkPaymentRowsReply = {
    rows: Array<BulkPaymentRow>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListBulkPaymentsReply = {
    bulk_payments: Array<BulkPayment>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListCardsReply = {
    cards: Array<ListedCard>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListCaseClocksReply = {
    clocks: Array<CaseClocks>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListCasesReply = {
    cases: Array<Case>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListCashOutCodesReply = {
    cash_out_codes: Array<CashOutCode>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListCertificationsReply = {
    certifications: Array<CertificationRun>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListClosesReply = {
    closes: Array<CloseSummary>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListFeeSettingsReply = {
    settings: Array<FeeSetting>;
    /**
     * Number of settings.
     */
    count: number;
};

export type ListFloatRequestsReply = {
    float_requests: Array<FloatRequest>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListGoingLiveItemsReply = {
    /**
     * Always all of them.
     */
    items: Array<GoingLiveItem>;
};

export type ListHoldsReply = {
    holds: Array<Hold>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListInboundCreditsReply = {
    inbound: Array<InboundRecord>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
    /**
     * Present if total_count is a lower bound because there are more.
     */
    total_is_minimum?: true;
    /**
     * The cursor of the next page; null on the last one.
     */
    next_cursor: string | null;
};

export type ListIncomingRequestsReply = {
    payment_requests: Array<IncomingPaymentRequest>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListLedgerAccountsReply = {
    accounts: Array<LedgerAccount>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
    /**
     * Present if total_count is a lower bound because there are more.
     */
    total_is_minimum?: true;
    /**
     * The cursor of the next page; null on the last one.
     */
    next_cursor: string | null;
};

export type ListMatchesReply = {
    matches: Array<ReconciliationMatch>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListMessagesReply = {
    messages: Array<OutboxMessage>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListOwnCardsReply = {
    cards: Array<OwnCard>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListOwnCasesReply = {
    cases: Array<OwnCase>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListOwnRequestsReply = {
    requests: Array<LoggedRequest>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
    /**
     * The key's requests in the last 24 hours that were not kept, because too many arrived in one second.
     */
    omitted_count: number;
    /**
     * For newer_than: the id of this reply's newest request.
     */
    cursor: string;
};

export type ListOwnTransactionsReply = {
    transactions: Array<Transaction>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
    /**
     * Present if total_count is a lower bound because an exact count would take too long. With a filter by amount, reference, request id or authorization code, it counts the records up to this page.
     */
    total_is_minimum?: true;
    /**
     * The cursor of the next page; null on the last one. A page may have fewer records than limit if matches are rare.
     */
    next_cursor: string | null;
    /**
     * Present if the period begins before this instant: earlier transactions are archived, and neither listed nor counted. ISO 8601, UTC.
     */
    archived_before?: string;
};

export type ListOwnWebhookDeliveriesReply = {
    deliveries: Array<ListedWebhookDelivery>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListPartnerTransactionsReply = {
    success: true;
    transactions: Array<PartnerTransaction>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
    /**
     * total_count is a lower bound.
     */
    total_is_minimum?: true;
    /**
     * Null on the last page.
     */
    next_cursor: string | null;
};

export type ListPartnerTransactionsRequest = {
    /**
     * The first day or instant, as YYYY-MM-DD or ISO 8601.
     */
    from?: string;
    /**
     * The last day or instant, as YYYY-MM-DD or ISO 8601.
     */
    to?: string;
    /**
     * The page size: 50 by default, at most 100.
     */
    limit?: number;
    /**
     * The number of records to skip.
     */
    offset?: number;
    /**
     * next_cursor of the previous page.
     */
    cursor?: string;
};

export type ListPartnersReply = {
    partners: Array<Partner>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListPaymentRequestsReply = {
    payment_requests: Array<PaymentRequest>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListPayoutsReply = {
    payouts: Array<PayoutRecord>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
    /**
     * Present if earlier pay-outs are archived: those before this instant are neither listed nor counted. ISO 8601, UTC.
     */
    archived_before?: string;
};

export type ListProcessorTransactionsReply = {
    transactions: Array<Transaction>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
    /**
     * Present if total_count is a lower bound because an exact count would take too long. With a filter by amount, reference, request id or authorization code, it counts the records up to this page.
     */
    total_is_minimum?: true;
    /**
     * The cursor of the next page; null on the last one. A page may have fewer records than limit if matches are rare.
     */
    next_cursor: string | null;
    /**
     * Present if the period begins before this instant: earlier transactions are archived, and neither listed nor counted. ISO 8601, UTC.
     */
    archived_before?: string;
    /**
     * Totals of all matching records, not only this page's. Null on pages read with a cursor, and with totals_pending.
     */
    totals: ProcessorTotals | null;
    /**
     * Present while the totals are still being computed. Request them again in a moment.
     */
    totals_pending?: true;
};

export type ListProcessorsReply = {
    processors: Array<Processor>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListReconciliationItemsReply = {
    items: Array<ReconciliationItem>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListRulesReply = {
    rules: Array<ComplianceRule>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListSavedViewsReply = {
    views: Array<SavedView>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListSentRequestsReply = {
    payment_requests: Array<PaymentRequest>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListSubscriberNotesReply = {
    notes: Array<SubscriberNote>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListSubscribersReply = {
    subscribers: Array<SubscriberView>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListSuggestionsReply = {
    suggestions: Array<ReconciliationSuggestion>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListSuspenseItemsReply = {
    /**
     * Credits whose payer is not identified.
     */
    suspense: Array<SuspenseItem>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
    /**
     * The sum of all open items that match; without a filter including hidden ones. Minor units.
     */
    total_amount: number;
    /**
     * Open items that total_count and total_amount include, but only users with PEP access see. Null with a filter.
     */
    hidden_count: number | null;
};

export type ListTerminalKeysReply = {
    keys: Array<TerminalKey>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListTransactionsReply = {
    transactions: Array<Transaction>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
    /**
     * Present if total_count is a lower bound because an exact count would take too long. With a filter by amount, reference, request id or authorization code, it counts the records up to this page.
     */
    total_is_minimum?: true;
    /**
     * The cursor of the next page; null on the last one. A page may have fewer records than limit if matches are rare.
     */
    next_cursor: string | null;
    /**
     * Present if the period begins before this instant: earlier transactions are archived, and neither listed nor counted. ISO 8601, UTC.
     */
    archived_before?: string;
};

export type ListTrustAccountsReply = {
    trust_accounts: Array<TrustAccount>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListUsersReply = {
    users: Array<User>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListWebhookDeliveriesReply = {
    deliveries: Array<ListedWebhookDelivery>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type ListWebhookEndpointsReply = {
    webhook_endpoints: Array<WebhookEndpoint>;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

/**
 * Without PEP access, an alert about a politically exposed person has id and status only.
 */
export type ListedAlert = {
    id: string;
    /**
     * Sets when the review is due: at once, in 24 hours, in 48 hours, never.
     */
    severity?: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';
    /**
     * open, then in_review; resolved and dismissed are final.
     */
    status: 'open' | 'in_review' | 'resolved' | 'dismissed';
    /**
     * The kind of rule that raised it, or the type its reporter sent.
     */
    type?: string;
    /**
     * The subscriber that it is about; null if there is none.
     */
    subscriber_id?: string | null;
    /**
     * The agent that it is about; null if there is none.
     */
    agent_id?: string | null;
    /**
     * The processor that it is about; null if there is none.
     */
    processor_id?: string | null;
    /**
     * Null if no money moved.
     */
    transaction_id?: string | null;
    /**
     * Null if no rule raised it.
     */
    rule_id?: string | null;
    /**
     * The rule's version when it raised the alert. Null if no rule raised it.
     */
    rule_version?: number | null;
    /**
     * What was observed.
     */
    description?: string;
    /**
     * The reviewers' notes; null if there are none.
     */
    notes?: string | null;
    /**
     * The evidence: amounts, counts and all rules that were triggered.
     */
    figures?: {
        [key: string]: unknown;
    };
    /**
     * ISO 8601, UTC.
     */
    created_at?: string;
    /**
     * When its review is due: CRITICAL at once, HIGH in 24 hours, MEDIUM in 48, LOW never (null).
     */
    due_at?: string | null;
    /**
     * When it was resolved or dismissed.
     */
    resolved_at?: string | null;
    /**
     * The user who resolved or dismissed it. Null before.
     */
    resolved_by?: string | null;
    /**
     * The name of that user; null for an API key.
     */
    resolved_by_name?: string | null;
    /**
     * What the review found; null until then.
     */
    resolution?: string | null;
    /**
     * The name of the user or API key who reported it; null for others.
     */
    reported_by_name?: string | null;
    /**
     * false_positive: the rule was wrong. customer_explained: the customer gave a reason. confirmed_reported: reported to the authority. confirmed_blocked: the account was blocked. Null: the alert is open, or its review named none.
     */
    outcome?: 'false_positive' | 'customer_explained' | 'confirmed_reported' | 'confirmed_blocked' | null;
    /**
     * The name of the subscriber, agent or processor that it is about. Null for internal services.
     */
    subject_name?: string | null;
    /**
     * The user or API key reviewing it; null if there is none.
     */
    assigned_to?: string | null;
    /**
     * The name of that user; null for an API key.
     */
    assignee_name?: string | null;
    /**
     * When the user took it. ISO 8601, UTC.
     */
    assigned_at?: string | null;
};

/**
 * Without PEP access, a politically exposed person's card has serial and status only.
 */
export type ListedCard = {
    /**
     * The card serial, as printed or read by NFC.
     */
    serial: string;
    /**
     * A child card is created under a parent card, and can have its own daily limit.
     */
    type?: 'parent' | 'child';
    /**
     * unassigned: in stock. active can pay. blocked cannot; a blocked card can be unblocked, unless it is lost or stolen.
     */
    status: 'unassigned' | 'active' | 'blocked';
    /**
     * The holder; null for a card in stock.
     */
    subscriber_id?: string | null;
    /**
     * On child cards.
     */
    parent_serial?: string | null;
    /**
     * A name that the holder gave the card. Null if there is none.
     */
    label?: string | null;
    /**
     * Minor units.
     */
    daily_limit?: number | null;
    /**
     * ISO 8601, UTC.
     */
    linked_at?: string | null;
    /**
     * When the card was blocked for good; it can no longer be linked or unblocked.
     */
    retired_at?: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at?: string;
};

/**
 * Only id and status if it concerns a politically exposed person and the caller has no open PEP access.
 */
export type ListedWebhookDelivery = {
    /**
     * The X-Hook-Event-Id of every attempt.
     */
    id: string;
    /**
     * The partner that it is for; null if it is for a merchant.
     */
    partner_id?: string | null;
    /**
     * The merchant that it is for; null if it is for a partner.
     */
    processor_id?: string | null;
    /**
     * The webhook endpoint; null for a partner's webhook_url.
     */
    endpoint_id?: string | null;
    /**
     * credit.completed, credit.failed or credit.reversed.
     */
    event?: string;
    /**
     * The partner's reference for a credit; otherwise the id of what the event is about, such as a payment.
     */
    reference?: string;
    /**
     * The inbound credit; null for other events.
     */
    inbound_id?: string | null;
    /**
     * pending: will be sent, or sent again. delivered: answered with 2xx. abandoned: no attempts are left; staff can replay it.
     */
    status: 'pending' | 'delivered' | 'abandoned';
    /**
     * The body that is sent.
     */
    payload?: {
        [key: string]: unknown;
    };
    /**
     * Number of attempts so far.
     */
    attempt_count?: number;
    /**
     * The latest 20, in order.
     */
    attempts?: Array<WebhookAttempt>;
    /**
     * ISO 8601, UTC. Null: there is no further attempt.
     */
    next_attempt_at?: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at?: string;
    /**
     * ISO 8601, UTC. Null: it is not finished.
     */
    finished_at?: string | null;
};

export type LoggedRequest = {
    /**
     * Increases in the order of writing; the cursor of a follower.
     */
    id: string;
    /**
     * ISO 8601, UTC.
     */
    at: string;
    /**
     * False: the request named the key, but its signature was not accepted.
     */
    authenticated: boolean;
    /**
     * The HTTP method.
     */
    method: string;
    /**
     * Without the query. Ids of subscribers and cards are masked.
     */
    path: string;
    /**
     * The HTTP status of the reply.
     */
    status: number;
    /**
     * The error code of the reply; null if it was accepted.
     */
    code: string | null;
    /**
     * Why it was refused, where the reply must not say so, such as what is wrong with a signature; or that the client disconnected before the reply was sent.
     */
    reason: string | null;
    /**
     * Milliseconds.
     */
    duration_ms: number;
    /**
     * The X-Request-ID of the reply.
     */
    request_id: string;
    /**
     * The client's address.
     */
    ip: string;
    /**
     * The body's size.
     */
    request_bytes: number;
    /**
     * Size of the JSON of the reply; 0 for files.
     */
    reply_bytes: number;
    /**
     * Redacted and cut at 4 kB; null without a body.
     */
    request_body: string | null;
    /**
     * Redacted and cut at 4 kB; null for files.
     */
    reply_body: string | null;
};

export type LoginRequest = {
    /**
     * The email, or the phone number of an agent's or processor's user in any format.
     */
    email: string;
    password: string;
};

export type LogoutRequest = {
    refresh_token: string;
    /**
     * Also end every other session and every access token of the user.
     */
    everywhere?: boolean;
};

export type MarkCaseComplexRequest = {
    /**
     * Why.
     */
    reason: string;
};

export type MaxBalanceExceededOrDailyLimitExceededRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'MAX_BALANCE_EXCEEDED' | 'DAILY_LIMIT_EXCEEDED';
    /**
     * DAILY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * DAILY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
};

export type Me = {
    profile: CustomerProfile;
    limits: {
        daily: {
            /**
             * Minor units, as it applies now; null: none.
             */
            limit: number | null;
            /**
             * The KYC level's. Higher than limit while a PIN reset reduces it.
             */
            regular_limit: number | null;
            /**
             * Until when a PIN reset reduces the limit; null: it does not.
             */
            reduced_until: string | null;
            /**
             * Paid today, without fees.
             */
            used: number;
            /**
             * Minor units that can still be paid today, if the balance allows.
             */
            remaining: number | null;
            /**
             * The payments that count.
             */
            counted_types: Array<'transfer_p2p' | 'pos_payment' | 'wallet_withdraw'>;
            /**
             * ISO 8601, UTC.
             */
            resets_at: string;
            /**
             * The time zone in which a day begins.
             */
            time_zone: 'UTC';
        };
        balance: {
            /**
             * The balance now.
             */
            current: number;
            /**
             * Minor units; null: none.
             */
            maximum: number | null;
            /**
             * Minor units that the wallet can still receive.
             */
            remaining: number | null;
        };
    };
    /**
     * The device of this session.
     */
    device_id: string;
    /**
     * Null: the device is not new.
     */
    new_device: NewDeviceLimit | null;
    /**
     * Devices that logged in during the last 24 hours. Show them: the customer may not know of them.
     */
    other_new_devices: Array<CustomerDevice>;
};

export type MerchantRefundRequest = {
    /**
     * Required; makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
    /**
     * The id of a payment.
     */
    transaction_id: string;
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount?: number | string;
    /**
     * Why; shown in the history of both sides. Control characters and line breaks become a space; blank text means absent.
     */
    reason?: string;
};

export type MessageReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
};

export type MessagingAcknowledgement = {
    success: true;
};

export type NetworkLink = {
    /**
     * The account that paid.
     */
    from: string;
    /**
     * The account that was paid.
     */
    to: string;
    /**
     * Number of payments.
     */
    payments: number;
    /**
     * Their sum, in minor units.
     */
    value: number;
    /**
     * The first of them in the period. ISO 8601, UTC.
     */
    first_at: string;
    /**
     * The last of them in the period. ISO 8601, UTC.
     */
    last_at: string;
};

/**
 * Politically exposed persons are shown with open PEP access only.
 */
export type NetworkNode = {
    id: string;
    /**
     * Whose money it is: a subscriber's, an agent's, a processor's or a partner's, or a system account of the operator.
     */
    kind: 'wallet' | 'agent_float' | 'agent_commission' | 'processor' | 'partner_clearing' | 'fee_income' | 'treasury' | 'suspense' | 'payouts_in_transit';
    /**
     * The account that was asked for.
     */
    is_subject: boolean;
    /**
     * In full for staff; null if the account has none.
     */
    name: string | null;
    /**
     * What the subject paid to it. Absent for the subject itself.
     */
    paid_by_subject?: {
        /**
         * Number of payments.
         */
        payments: number;
        /**
         * Their sum, in minor units.
         */
        value: number;
        /**
         * The first of them. ISO 8601, UTC; null if there are none.
         */
        first_at: string | null;
        /**
         * The last of them. ISO 8601, UTC; null if there are none.
         */
        last_at: string | null;
    };
    /**
     * What it paid to the subject. Absent for the subject itself.
     */
    paid_to_subject?: {
        /**
         * Number of payments.
         */
        payments: number;
        /**
         * Their sum, in minor units.
         */
        value: number;
        /**
         * The first of them. ISO 8601, UTC; null if there are none.
         */
        first_at: string | null;
        /**
         * The last of them. ISO 8601, UTC; null if there are none.
         */
        last_at: string | null;
    };
};

export type NewCashOutCode = {
    /**
     * Minor units, which an agent pays out.
     */
    amount: number | string;
    /**
     * What you were shown that it costs. If it no longer does, the refusal QUOTE_CHANGED has the new price.
     */
    total?: number;
    /**
     * Exactly 4 digits.
     */
    pin: string;
    /**
     * Makes retries safe. Required in the body: no header replaces it.
     */
    request_id: string;
};

export type NewDeviceLimit = {
    /**
     * Until when the device can do less. ISO 8601, UTC.
     */
    restricted_until: string;
    /**
     * What the new devices of the wallet may pay together until then.
     */
    limit: number;
    /**
     * What they paid of it.
     */
    used: number;
};

export type NewPaymentRequest = {
    /**
     * The id of the processor that is paid. By default the credential's own; other callers must send it.
     */
    processor_id?: string;
    /**
     * Minor units. Absent or null: the payer chooses.
     */
    amount?: number | string;
    /**
     * What the payment is for; shown in the history of both sides. Control characters and line breaks become a space; blank text means absent.
     */
    description?: string;
    /**
     * The payee's own reference, such as an order number. The payer sees it.
     */
    reference?: string;
    /**
     * In local format or E.164.
     */
    payer_phone?: string;
    /**
     * True by default. False: many can pay, each any number of times.
     */
    single_use?: boolean;
    /**
     * Seconds until it expires: 3,600 by default.
     */
    expires_in?: number;
    /**
     * Any JSON value of at most 16 KiB, returned unchanged and stored with the payments.
     */
    metadata?: unknown;
    /**
     * Makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
    /**
     * Where the page of the request returns the payer, with `payment_request_id`: https, on a return host of the processor. In development also http://127.0.0.1.
     */
    return_url?: string;
};

export type NewQuote = {
    /**
     * What is to be paid. A QR code says itself whose it is.
     */
    type: 'transfer' | 'merchant' | 'payment_request';
    /**
     * In local format or E.164.
     */
    phone_number?: string;
    /**
     * The recipient's account number.
     */
    account_number?: string;
    /**
     * The seven digits of a merchant.
     */
    merchant_number?: string;
    /**
     * The id of a payment request.
     */
    payment_request_id?: string;
    /**
     * The ten digits of a payment request, or the token at the end of its link.
     */
    code?: string;
    /**
     * The text of a QR code as it was scanned.
     */
    qr?: string;
    /**
     * Minor units. Not needed for a request that says how much it asks.
     */
    amount?: number | string;
};

export type NoPhoneNumberRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NO_PHONE_NUMBER';
};

export type NoSecretsRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NO_SECRETS';
};

export type NotBlockedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_BLOCKED';
};

export type NotErasableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_ERASABLE';
    /**
     * NOT_ERASABLE: balance, hold, open_case, open_alert, open_approval, open_payment or retention.
     */
    reasons?: Array<string>;
    /**
     * NOT_ERASABLE: Until when the law requires the data. ISO 8601, UTC. Null: it no longer does.
     */
    retained_until?: string | null;
};

export type NotFoundOrCardNotFoundRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_FOUND' | 'CARD_NOT_FOUND';
};

export type NotFoundOrSubscriberNotFoundRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_FOUND' | 'SUBSCRIBER_NOT_FOUND';
};

export type NotFoundOrUserNotFoundRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_FOUND' | 'USER_NOT_FOUND';
};

export type NotFoundRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_FOUND';
};

export type NotLockedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_LOCKED';
};

export type NotPendingOrDuplicatePhoneRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_PENDING' | 'DUPLICATE_PHONE';
};

export type NotPendingOrPhoneNotVerifiedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_PENDING' | 'PHONE_NOT_VERIFIED';
};

export type NotPendingRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_PENDING';
};

export type NotReconcilableOrMatchDoesNotBalanceRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_RECONCILABLE' | 'MATCH_DOES_NOT_BALANCE';
    /**
     * MATCH_DOES_NOT_BALANCE: The sum of the bank entries. Minor units.
     */
    bank_amount?: number;
    /**
     * MATCH_DOES_NOT_BALANCE: The sum of the transactions. Minor units.
     */
    books_amount?: number;
};

export type NotReconcilableOrPayoutNotWrittenOffRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_RECONCILABLE' | 'PAYOUT_NOT_WRITTEN_OFF';
};

export type NotReconcilableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_RECONCILABLE';
};

export type NotRefundableOrRefundExceedsPaymentRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_REFUNDABLE' | 'REFUND_EXCEEDS_PAYMENT';
    /**
     * REFUND_EXCEEDS_PAYMENT: What can still be refunded. Minor units.
     */
    remaining?: number;
};

export type NotSuspendedOrAgentTerminatedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_SUSPENDED' | 'AGENT_TERMINATED';
};

export type NotSuspendedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_SUSPENDED';
};

export type NotificationSettings = {
    /**
     * en: English, kri: Krio.
     */
    language: 'en' | 'kri';
    /**
     * Where notices and codes go, among `available_channels`.
     */
    channels: Array<'sms' | 'chat'>;
    /**
     * Whether payments are told. Notices about security always are.
     */
    payments: boolean;
    /**
     * Whether notices of payments show the new balance.
     */
    show_balance: boolean;
};

export type NotifyPayerConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_PAID' | 'DECLINED' | 'EXPIRED' | 'CANCELLED';
};

export type NotifyPayerReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
};

export type NotifyPayerRequest = {
    /**
     * In local format or E.164.
     */
    phone_number: string;
};

export type OpenCaseRequest = {
    /**
     * What the case is about.
     */
    kind: 'wrong_transfer' | 'failed_payment' | 'fraud' | 'agent' | 'other';
    /**
     * The id of the customer.
     */
    subscriber_id: string;
    /**
     * The id of one of the customer's payments.
     */
    transaction_id?: string;
    /**
     * What happened, in the words of the customer.
     */
    description: string;
};

export type OpenOwnCaseRequest = {
    /**
     * What the case is about.
     */
    kind: 'wrong_transfer' | 'failed_payment' | 'fraud' | 'agent' | 'other';
    /**
     * The id of one of your payments.
     */
    transaction_id?: string;
    /**
     * What happened, in the words of the customer.
     */
    description: string;
    /**
     * Exactly 4 digits.
     */
    pin?: string;
};

export type OpenPaymentPageReply = {
    payment_request: AskedPayment;
};

export type OpenPaymentRequestReply = {
    payment_request: IncomingPaymentRequest;
};

export type OutboxMessage = {
    id: string;
    /**
     * The phone number or email address.
     */
    to: string;
    /**
     * What the message is about.
     */
    kind: string;
    /**
     * The message as it was sent.
     */
    text: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type OwnAccountAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED';
};

export type OwnCard = {
    /**
     * The card serial, as printed or read by NFC.
     */
    serial: string;
    /**
     * A child card is created under a parent card, and can have its own daily limit.
     */
    type: 'parent' | 'child';
    /**
     * unassigned: in stock. active can pay. blocked cannot; a blocked card can be unblocked, unless it is lost or stolen.
     */
    status: 'unassigned' | 'active' | 'blocked';
    /**
     * You.
     */
    subscriber_id: string | null;
    /**
     * On child cards.
     */
    parent_serial: string | null;
    /**
     * A name that the holder gave the card. Null if there is none.
     */
    label: string | null;
    /**
     * Minor units.
     */
    daily_limit: number | null;
    /**
     * ISO 8601, UTC.
     */
    linked_at: string | null;
    /**
     * When the card was blocked for good; it can no longer be linked or unblocked.
     */
    retired_at: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * Whether you blocked the card, and can unblock it.
     */
    blocked_by_you: boolean;
};

export type OwnCase = {
    id: string;
    /**
     * What people read out, such as C-2026-4817362. The last digit is a check digit.
     */
    number: string;
    /**
     * What the case is about.
     */
    kind: 'wrong_transfer' | 'failed_payment' | 'fraud' | 'agent' | 'other';
    /**
     * resolved and rejected are final.
     */
    state: 'open' | 'waiting_customer' | 'waiting_other_party' | 'investigating' | 'resolved' | 'rejected';
    /**
     * The payment it is about.
     */
    transaction_id: string | null;
    /**
     * It has more time than others.
     */
    is_complex: boolean;
    /**
     * When it is to be resolved. ISO 8601, UTC.
     */
    resolve_by: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * When it was resolved or rejected; null while it is open. ISO 8601, UTC.
     */
    closed_at: string | null;
    /**
     * customer: it is your case. recipient: the sender of a transfer asks you to return it.
     */
    role: 'customer' | 'recipient';
    /**
     * Null for a recipient.
     */
    description: string | null;
    /**
     * You can ask for the transfer back with your PIN.
     */
    can_confirm: boolean;
    /**
     * Null: there is no recall.
     */
    recall: OwnRecall | null;
};

export type OwnCaseDetails = {
    id: string;
    /**
     * What people read out, such as C-2026-4817362. The last digit is a check digit.
     */
    number: string;
    /**
     * What the case is about.
     */
    kind: 'wrong_transfer' | 'failed_payment' | 'fraud' | 'agent' | 'other';
    /**
     * resolved and rejected are final.
     */
    state: 'open' | 'waiting_customer' | 'waiting_other_party' | 'investigating' | 'resolved' | 'rejected';
    /**
     * The payment it is about.
     */
    transaction_id: string | null;
    /**
     * It has more time than others.
     */
    is_complex: boolean;
    /**
     * When it is to be resolved. ISO 8601, UTC.
     */
    resolve_by: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * When it was resolved or rejected; null while it is open. ISO 8601, UTC.
     */
    closed_at: string | null;
    /**
     * customer: it is your case. recipient: the sender of a transfer asks you to return it.
     */
    role: 'customer' | 'recipient';
    /**
     * Null for a recipient.
     */
    description: string | null;
    /**
     * You can ask for the transfer back with your PIN.
     */
    can_confirm: boolean;
    /**
     * Null: there is no recall.
     */
    recall: OwnRecall | null;
    timeline: Array<OwnCaseEvent>;
};

export type OwnCaseEvent = {
    /**
     * opened, state, complex, message, or a step of a recall.
     */
    kind: string;
    /**
     * The new state of the case; null for any other kind.
     */
    state: 'open' | 'waiting_customer' | 'waiting_other_party' | 'investigating' | 'resolved' | 'rejected';
    /**
     * A reason or a message.
     */
    text: string | null;
    /**
     * You did it.
     */
    by_you: boolean;
    /**
     * ISO 8601, UTC.
     */
    at: string;
};

export type OwnNotificationSettings = {
    notifications: NotificationSettings;
    /**
     * Those that the operator offers.
     */
    available_channels: Array<'sms' | 'chat'>;
};

export type OwnRecall = {
    /**
     * staff_decides: outside the rules, so staff decide before anything is held. placing: the hold is being made. asked: the recipient can answer. nothing_left: nothing was in the wallet. returned, contested, expired: how it ended.
     */
    state: 'staff_decides' | 'placing' | 'asked' | 'nothing_left' | 'returned' | 'contested' | 'expired';
    /**
     * Why staff decide first; null if the transfer is within the rules.
     */
    reason: string | null;
    /**
     * Masked.
     */
    counterparty: string;
    /**
     * What the sender asks for; to the recipient: what is held of it.
     */
    amount: number;
    /**
     * What was returned.
     */
    returned: number;
    /**
     * Until when the recipient can answer. ISO 8601, UTC.
     */
    answer_by: string | null;
    /**
     * When the recipient contested it. ISO 8601, UTC.
     */
    contested_at: string | null;
};

export type PaidPaymentRequest = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    transaction_id: string;
    /**
     * The id that the caller sent for this payment. Null if it sent none.
     */
    request_id: string | null;
    /**
     * Always COMPLETED: money moves at once, or the request is refused.
     */
    status: 'COMPLETED';
    /**
     * Minor units.
     */
    amount: number;
    /**
     * Fee paid by the payer, in addition to the amount.
     */
    fee: number;
    /**
     * Amount plus fee.
     */
    total_debited: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * Balance of the wallet after the payment. Absent if another credential sent the request.
     */
    balance?: number;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * The request that was paid.
     */
    payment_request_id: string;
};

export type Partner = {
    id: string;
    name: string;
    /**
     * Where events are sent. Null: no events.
     */
    webhook_url: string | null;
    /**
     * CIDR blocks or addresses that may call. Empty: any address.
     */
    ip_allowlist: Array<string>;
    /**
     * The minimum for one inbound credit or cash-in. Minor units.
     */
    min_amount: number;
    /**
     * The maximum for one inbound credit or cash-in. Minor units.
     */
    max_amount: number;
    /**
     * The most that the partner may owe. Minor units.
     */
    outstanding_limit: number;
    /**
     * What it owes now. Minor units.
     */
    outstanding: number;
    /**
     * suspended neither pays nor receives, and its keys are refused, until it is active again.
     */
    status: 'active' | 'suspended';
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * ISO 8601, UTC.
     */
    updated_at: string;
};

export type PartnerAccessDeniedOrPartnerMismatchRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'PARTNER_MISMATCH';
};

export type PartnerCashInAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'PARTNER_MISMATCH' | 'SUBSCRIBER_BLOCKED' | 'CARD_BLOCKED' | 'TRANSACTION_TYPE_DISABLED';
};

export type PartnerCashInReply = {
    success: true;
    transaction_id: string;
    /**
     * The partner's id for the credit or cash-in, unique per partner.
     */
    reference: string;
    /**
     * Minor units.
     */
    amount: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
};

export type PartnerCashInRequest = {
    /**
     * In local format or E.164.
     */
    phone_number?: string;
    /**
     * The card serial, as printed or read by NFC, such as 04:A1:B2:C3.
     */
    card_serial?: string;
    /**
     * The 10 digits of a subscriber's account.
     */
    account_number?: string;
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount: number | string;
    /**
     * Makes retries safe: requests with the same reference are executed once.
     */
    reference: string;
    /**
     * What the payment is for; shown in the history of both sides. Control characters and line breaks become a space; blank text means absent.
     */
    narration?: string;
};

export type PartnerCashInUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'AMOUNT_OUT_OF_RANGE' | 'MAX_BALANCE_EXCEEDED' | 'PARTNER_EXPOSURE_LIMIT_EXCEEDED' | 'COMPLIANCE_BLOCKED';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
};

export type PartnerTransaction = {
    transaction_id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: string;
    /**
     * Seen from the list's account: debit left it, credit entered it. Null in a view of all accounts.
     */
    direction: 'debit' | 'credit';
    /**
     * Minor units.
     */
    amount: number;
    /**
     * The fee charged to this account; the sum of all fees in a list of all accounts.
     */
    fee: number;
    /**
     * The commission the movement paid to this account; null in a list of all accounts. The balance changes by the amount, less the fee, plus the commission.
     */
    commission: number | null;
    /**
     * This account's balance after the transaction. Minor units. Null in a view of all accounts, and where it would reveal a payment that the reader may not see.
     */
    balance_after: number | null;
    /**
     * Null for a system account of the operator, and for a politically exposed person.
     */
    counterparty: string | null;
    /**
     * Null for a system account of the operator, and for a politically exposed person.
     */
    payer_id: string | null;
    /**
     * Null for a system account of the operator, and for a politically exposed person.
     */
    payee_id: string | null;
    /**
     * Free text from the sender. Null if there is none.
     */
    narration: string | null;
    /**
     * Always COMPLETED: the ledger has no other transactions.
     */
    status: string;
    /**
     * The id that the caller sent for this payment. Null if it sent none, and where the caller is the other party.
     */
    request_id: string | null;
    /**
     * The partner's reference; null for settlements without one.
     */
    reference: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * The payer's name. In lists, and for users only. Null where a politically exposed person is not shown to the reader.
     */
    payer_name?: string | null;
    /**
     * The payee's name. In lists, and for users only. Null where a politically exposed person is not shown to the reader.
     */
    payee_name?: string | null;
    /**
     * user, subscriber, key, service, notification or system. For staff only.
     */
    actor_type?: string | null;
    /**
     * The user, customer, key or service that made the payment. For staff only.
     */
    actor_id?: string | null;
    /**
     * The current name of that user or key. For staff only.
     */
    actor_name?: string | null;
    /**
     * The metadata that the caller sent, unchanged; null if none.
     */
    metadata: unknown;
};

export type Passkey = {
    id: string;
    name: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * ISO 8601, UTC. Null: not used yet.
     */
    last_used_at: string | null;
};

/**
 * The JSON form of the PublicKeyCredential that navigator.credentials.get returned.
 */
export type PasskeyAssertion = {
    /**
     * Base64url.
     */
    id: string;
    /**
     * Base64url.
     */
    rawId: string;
    /**
     * Always public-key (WebAuthn).
     */
    type: 'public-key';
    /**
     * platform or cross-platform, as the browser reports it (WebAuthn). Null if it is unknown.
     */
    authenticatorAttachment?: string | null;
    /**
     * Not used.
     */
    clientExtensionResults: {
        [key: string]: unknown;
    };
    /**
     * The authenticator's response (WebAuthn), in base64url.
     */
    response: {
        /**
         * Base64url.
         */
        clientDataJSON: string;
        /**
         * Base64url.
         */
        authenticatorData: string;
        /**
         * Base64url.
         */
        signature: string;
        /**
         * As the authenticator returns it; null if it has none.
         */
        userHandle?: string | null;
    };
};

/**
 * The JSON form of the PublicKeyCredential that navigator.credentials.create returned.
 */
export type PasskeyRegistration = {
    /**
     * Base64url.
     */
    id: string;
    /**
     * Base64url.
     */
    rawId: string;
    /**
     * Always public-key (WebAuthn).
     */
    type: 'public-key';
    /**
     * platform or cross-platform, as the browser reports it (WebAuthn). Null if it is unknown.
     */
    authenticatorAttachment?: string | null;
    /**
     * Not used.
     */
    clientExtensionResults: {
        [key: string]: unknown;
    };
    /**
     * The authenticator's response (WebAuthn), in base64url.
     */
    response: {
        /**
         * Base64url.
         */
        clientDataJSON: string;
        /**
         * Base64url.
         */
        attestationObject: string;
        /**
         * How the authenticator can be reached, such as usb or internal.
         */
        transports?: Array<string>;
    };
};

export type PasswordRecovery = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * For POST /admin/recover-password. Valid for 10 minutes and 3 codes.
     */
    challenge: string;
};

export type PayAtTerminalAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'CARD_BLOCKED' | 'SUBSCRIBER_BLOCKED' | 'TRANSACTION_TYPE_DISABLED' | 'MERCHANT_MISMATCH' | 'ACCOUNT_LOCKED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type PayAtTerminalUnauthorizedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'UNAUTHORIZED' | 'INVALID_SIGNATURE' | 'EXPIRED_TIMESTAMP' | 'INVALID_PIN';
    /**
     * INVALID_PIN: Attempts left before the lock. Absent if the value was not checked.
     */
    attempts_remaining?: number;
};

export type PayAtTerminalUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'CARD_NOT_ASSIGNED' | 'COMPLIANCE_BLOCKED' | 'DAILY_LIMIT_EXCEEDED';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
    /**
     * DAILY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * DAILY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
};

export type PayInAppAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'CARD_BLOCKED' | 'SUBSCRIBER_BLOCKED' | 'TRANSACTION_TYPE_DISABLED' | 'MERCHANT_MISMATCH' | 'ACCOUNT_LOCKED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type PayInAppUnauthorizedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'UNAUTHORIZED' | 'INVALID_SIGNATURE' | 'EXPIRED_TIMESTAMP' | 'INVALID_PIN';
    /**
     * INVALID_PIN: Attempts left before the lock. Absent if the value was not checked.
     */
    attempts_remaining?: number;
};

export type PayInAppUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'CARD_NOT_ASSIGNED' | 'COMPLIANCE_BLOCKED' | 'DAILY_LIMIT_EXCEEDED';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
    /**
     * DAILY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * DAILY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
};

export type PayMerchantAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'ACCOUNT_LOCKED' | 'SUBSCRIBER_BLOCKED' | 'TRANSACTION_TYPE_DISABLED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type PayMerchantConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REQUEST_CONFLICT' | 'EXPIRED' | 'QUOTE_CHANGED' | 'QUOTE_USED';
    /**
     * QUOTE_CHANGED: The new quote, as POST /me/quote returns it; for a cash-out code, its new price.
     */
    quote?: {
        [key: string]: unknown;
    };
};

export type PayMerchantUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'DAILY_LIMIT_EXCEEDED' | 'MAX_BALANCE_EXCEEDED' | 'COMPLIANCE_BLOCKED';
    /**
     * DAILY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * DAILY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
};

export type PayOutRequest = {
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount: number | string;
    /**
     * The id of one of the processor's bank accounts, or its number.
     */
    bank_account: string;
    /**
     * Makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
};

/**
 * The sender of the money; strongly recommended.
 */
export type Payer = {
    /**
     * The payer's name at the partner.
     */
    name?: string;
    /**
     * The payer's account at the partner, masked.
     */
    account_masked?: string;
    /**
     * The code of the payer's bank.
     */
    bank_code?: string;
};

export type PayloadTooLargeRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'PAYLOAD_TOO_LARGE';
};

export type Payment = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    transaction_id: string;
    /**
     * The id that the caller sent for this payment. Null if it sent none.
     */
    request_id: string | null;
    /**
     * Always COMPLETED: money moves at once, or the request is refused.
     */
    status: 'COMPLETED';
    /**
     * Minor units.
     */
    amount: number;
    /**
     * Fee paid by the payer, in addition to the amount.
     */
    fee: number;
    /**
     * Amount plus fee.
     */
    total_debited: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * Balance of the wallet after the payment. Absent if another credential sent the request.
     */
    balance?: number;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type PaymentAuthorizedEvent = {
    /**
     * The X-Hook-Event-Id. Process each id once.
     */
    id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: 'payment.authorized';
    /**
     * When it happened. ISO 8601, UTC.
     */
    created_at: string;
    data: {
        /**
         * The payment, request or pay-out, with the fields that the API replied.
         */
        object: {
            [key: string]: unknown;
        };
    };
};

export type PaymentCapturedEvent = {
    /**
     * The X-Hook-Event-Id. Process each id once.
     */
    id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: 'payment.captured';
    /**
     * When it happened. ISO 8601, UTC.
     */
    created_at: string;
    data: {
        /**
         * The payment, request or pay-out, with the fields that the API replied.
         */
        object: {
            [key: string]: unknown;
        };
    };
};

export type PaymentCompletedEvent = {
    /**
     * The X-Hook-Event-Id. Process each id once.
     */
    id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: 'payment.completed';
    /**
     * When it happened. ISO 8601, UTC.
     */
    created_at: string;
    data: {
        /**
         * The payment, request or pay-out, with the fields that the API replied.
         */
        object: {
            [key: string]: unknown;
        };
    };
};

export type PaymentExpiredEvent = {
    /**
     * The X-Hook-Event-Id. Process each id once.
     */
    id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: 'payment.expired';
    /**
     * When it happened. ISO 8601, UTC.
     */
    created_at: string;
    data: {
        /**
         * The payment, request or pay-out, with the fields that the API replied.
         */
        object: {
            [key: string]: unknown;
        };
    };
};

export type PaymentNetwork = {
    /**
     * The account that was asked for.
     */
    subject_id: string;
    /**
     * The period of the payments.
     */
    period: {
        /**
         * ISO 8601, UTC.
         */
        from: string;
        /**
         * ISO 8601, UTC.
         */
        to: string;
    };
    /**
     * Number of different accounts it paid or was paid by.
     */
    counterparty_count: number;
    /**
     * The subject, then its counterparties with the highest value; at most 40.
     */
    nodes: Array<NetworkNode>;
    /**
     * Payments by payer and payee: the subject's, then those among its counterparties; at most 120.
     */
    links: Array<NetworkLink>;
    /**
     * There are more counterparties or links, or more payments than were read: sums and first dates cover the newest ones.
     */
    truncated: boolean;
};

export type PaymentRefundedEvent = {
    /**
     * The X-Hook-Event-Id. Process each id once.
     */
    id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: 'payment.refunded';
    /**
     * When it happened. ISO 8601, UTC.
     */
    created_at: string;
    data: {
        /**
         * The payment, request or pay-out, with the fields that the API replied.
         */
        object: {
            [key: string]: unknown;
        };
    };
};

export type PaymentRequest = {
    id: string;
    /**
     * A request that many can pay stays open and counts payments.
     */
    status: 'open' | 'paid' | 'declined' | 'expired' | 'cancelled';
    /**
     * Minor units. Null: the payer chooses.
     */
    amount: number | null;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * The registered name, which the payer sees.
     */
    payee_name: string;
    /**
     * The processor's (merchant's) id.
     */
    processor_id: string | null;
    /**
     * Of a customer who asks another.
     */
    subscriber_id: string | null;
    /**
     * What the payment is for.
     */
    description: string;
    /**
     * The payee's own reference, such as an order number.
     */
    reference: string | null;
    /**
     * E.164.
     */
    payer_phone: string | null;
    /**
     * As the payee sent it; null if none was sent.
     */
    request_id: string | null;
    /**
     * Ten digits that the payer types.
     */
    code: string;
    /**
     * What the payer dials; null if the operator has no USSD service code.
     */
    ussd: string | null;
    /**
     * The text of the QR code (EMVCo). A reader trusts only the code in it, never the amount.
     */
    qr: string;
    /**
     * The page of the request. Whoever has it can read the request.
     */
    url: string;
    /**
     * False: it is a link that many can pay.
     */
    single_use: boolean;
    /**
     * Where the page returns the payer; null if none was sent.
     */
    return_url: string | null;
    /**
     * As sent; absent if none was.
     */
    metadata?: unknown;
    /**
     * Why it is not paid: declined, expired, or a payment failed. The payer learns the exact reason.
     */
    failure: 'DECLINED' | 'EXPIRED' | 'FAILED';
    /**
     * The number of payments.
     */
    payment_count: number;
    /**
     * The newest ten payments.
     */
    transaction_ids: Array<string>;
    /**
     * ISO 8601, UTC.
     */
    expires_at: string;
    /**
     * When it was paid, declined, cancelled or expired: ISO 8601, UTC. Null while it is open.
     */
    ended_at: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type PaymentRequestCancelledEvent = {
    /**
     * The X-Hook-Event-Id. Process each id once.
     */
    id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: 'payment_request.cancelled';
    /**
     * When it happened. ISO 8601, UTC.
     */
    created_at: string;
    data: {
        /**
         * The payment, request or pay-out, with the fields that the API replied.
         */
        object: {
            [key: string]: unknown;
        };
    };
};

export type PaymentRequestDeclinedEvent = {
    /**
     * The X-Hook-Event-Id. Process each id once.
     */
    id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: 'payment_request.declined';
    /**
     * When it happened. ISO 8601, UTC.
     */
    created_at: string;
    data: {
        /**
         * The payment, request or pay-out, with the fields that the API replied.
         */
        object: {
            [key: string]: unknown;
        };
    };
};

export type PaymentRequestDetails = {
    id: string;
    /**
     * A request that many can pay stays open and counts payments.
     */
    status: 'open' | 'paid' | 'declined' | 'expired' | 'cancelled';
    /**
     * Minor units. Null: the payer chooses.
     */
    amount: number | null;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * The registered name, which the payer sees.
     */
    payee_name: string;
    /**
     * The processor's (merchant's) id.
     */
    processor_id: string | null;
    /**
     * Of a customer who asks another.
     */
    subscriber_id: string | null;
    /**
     * What the payment is for.
     */
    description: string;
    /**
     * The payee's own reference, such as an order number.
     */
    reference: string | null;
    /**
     * E.164.
     */
    payer_phone: string | null;
    /**
     * As the payee sent it; null if none was sent.
     */
    request_id: string | null;
    /**
     * Ten digits that the payer types.
     */
    code: string;
    /**
     * What the payer dials; null if the operator has no USSD service code.
     */
    ussd: string | null;
    /**
     * The text of the QR code (EMVCo). A reader trusts only the code in it, never the amount.
     */
    qr: string;
    /**
     * The page of the request. Whoever has it can read the request.
     */
    url: string;
    /**
     * False: it is a link that many can pay.
     */
    single_use: boolean;
    /**
     * Where the page returns the payer; null if none was sent.
     */
    return_url: string | null;
    /**
     * As sent; absent if none was.
     */
    metadata?: unknown;
    /**
     * Why it is not paid: declined, expired, or a payment failed. The payer learns the exact reason.
     */
    failure: 'DECLINED' | 'EXPIRED' | 'FAILED';
    /**
     * The number of payments.
     */
    payment_count: number;
    /**
     * The newest ten payments.
     */
    transaction_ids: Array<string>;
    /**
     * ISO 8601, UTC.
     */
    expires_at: string;
    /**
     * When it was paid, declined, cancelled or expired: ISO 8601, UTC. Null while it is open.
     */
    ended_at: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * Refused payers. For staff only.
     */
    refusals?: Array<PaymentRequestRefusal>;
};

export type PaymentRequestExpiredEvent = {
    /**
     * The X-Hook-Event-Id. Process each id once.
     */
    id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: 'payment_request.expired';
    /**
     * When it happened. ISO 8601, UTC.
     */
    created_at: string;
    data: {
        /**
         * The payment, request or pay-out, with the fields that the API replied.
         */
        object: {
            [key: string]: unknown;
        };
    };
};

export type PaymentRequestPaidEvent = {
    /**
     * The X-Hook-Event-Id. Process each id once.
     */
    id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: 'payment_request.paid';
    /**
     * When it happened. ISO 8601, UTC.
     */
    created_at: string;
    data: {
        /**
         * The payment, request or pay-out, with the fields that the API replied.
         */
        object: {
            [key: string]: unknown;
        };
    };
};

export type PaymentRequestRefusal = {
    /**
     * The customer who tried.
     */
    payer_id: string;
    /**
     * Why the last attempt was refused.
     */
    code: string;
    /**
     * Refused attempts so far.
     */
    count: number;
    /**
     * ISO 8601, UTC.
     */
    at: string;
};

export type PaymentVoidedEvent = {
    /**
     * The X-Hook-Event-Id. Process each id once.
     */
    id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: 'payment.voided';
    /**
     * When it happened. ISO 8601, UTC.
     */
    created_at: string;
    data: {
        /**
         * The payment, request or pay-out, with the fields that the API replied.
         */
        object: {
            [key: string]: unknown;
        };
    };
};

export type Payout = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    transaction_id: string;
    /**
     * The id that the caller sent for this payment. Null if it sent none.
     */
    request_id: string | null;
    /**
     * Always COMPLETED: money moves at once, or the request is refused.
     */
    status: 'COMPLETED';
    /**
     * Minor units.
     */
    amount: number;
    /**
     * Fee paid by the payer, in addition to the amount.
     */
    fee: number;
    /**
     * Amount plus fee.
     */
    total_debited: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * Balance of the wallet after the payment. Absent if another credential sent the request.
     */
    balance?: number;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * The processor's (merchant's) id.
     */
    processor_id: string;
    /**
     * The account that the bank transfer goes to.
     */
    bank_account: string;
    /**
     * For the bank transfer, so that its debit is matched. At most 16 characters.
     */
    reference: string;
};

export type PayoutAtBank = {
    /**
     * According to its statements, the bank has executed the pay-out: a return needs the bank's credit in bank_entry_id.
     */
    credit_required: boolean;
    /**
     * What the bank says about the pay-out, oldest first.
     */
    bank_entries: Array<PayoutBankEntry>;
    /**
     * At most 50 open credits of the same amount since the pay-out: those with its reference first, then the oldest.
     */
    credits: Array<PayoutBankEntry>;
};

export type PayoutBankEntry = {
    /**
     * The id of the bank entry.
     */
    id: string;
    /**
     * The booking date.
     */
    date: string;
    /**
     * Money that arrives is positive. Minor units.
     */
    amount: number;
    /**
     * In the reconciliation: matched, suggested, unmatched or written_off.
     */
    status: string;
    /**
     * As the bank printed it.
     */
    reference: string | null;
    /**
     * As the bank names it.
     */
    counterparty: string | null;
    /**
     * As the bank printed it.
     */
    description: string | null;
    /**
     * Whose statement has the entry.
     */
    trust_account: {
        /**
         * The id of the trust account.
         */
        id: string;
        bank: string;
        /**
         * The last four characters; the others are masked.
         */
        account_number: string;
        /**
         * The id of the user who registered it.
         */
        created_by: string | null;
        /**
         * Null if it is not recorded.
         */
        created_by_name: string | null;
    };
    /**
     * The id of the bank statement that has the entry.
     */
    statement_id: string;
    /**
     * The id of the user who uploaded the statement.
     */
    uploaded_by: string;
    /**
     * Null if it was not a user.
     */
    uploaded_by_name: string | null;
    /**
     * matched: matched with the pay-out, or with the transaction of an executed request. match_undone: it was, or the named credit was matched with something else; the match was undone. reference: it has the reference of the pay-out, or has its amount and the first 10 characters or more of the reference. named: the request names it. amount: it is open, has the amount that the request would book, and is dated within the 31 days before the request, or later.
     */
    relations: Array<'matched' | 'match_undone' | 'reference' | 'named' | 'amount'>;
};

export type PayoutRecord = {
    transaction_id: string;
    /**
     * The processor's (merchant's) id.
     */
    processor_id: string;
    /**
     * The business name of the processor.
     */
    processor_name: string | null;
    /**
     * Minor units.
     */
    amount: number;
    /**
     * The account that the bank transfer goes to; null if it was not recorded.
     */
    bank_account: string | null;
    /**
     * The bank transfer reference.
     */
    reference: string | null;
    /**
     * The id that the caller sent for this payment. Null if it sent none.
     */
    request_id: string | null;
    /**
     * cleared: a bank entry is matched with it. returned: the bank sent it back.
     */
    state: 'in_transit' | 'cleared' | 'returned';
    /**
     * The match with the bank entry. For the operator's staff only.
     */
    match_id: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type PayoutReturnedEvent = {
    /**
     * The X-Hook-Event-Id. Process each id once.
     */
    id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: 'payout.returned';
    /**
     * When it happened. ISO 8601, UTC.
     */
    created_at: string;
    data: {
        /**
         * The payment, request or pay-out, with the fields that the API replied.
         */
        object: {
            [key: string]: unknown;
        };
    };
};

export type PayoutSentEvent = {
    /**
     * The X-Hook-Event-Id. Process each id once.
     */
    id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: 'payout.sent';
    /**
     * When it happened. ISO 8601, UTC.
     */
    created_at: string;
    data: {
        /**
         * The payment, request or pay-out, with the fields that the API replied.
         */
        object: {
            [key: string]: unknown;
        };
    };
};

export type PendingApproval = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    approval: Approval;
};

export type PersonalDataErasedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'PERSONAL_DATA_ERASED';
};

export type PhoneNotVerifiedOrCardAlreadyLinkedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'PHONE_NOT_VERIFIED' | 'CARD_ALREADY_LINKED';
};

export type PhoneNotVerifiedOrFileLimitRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'PHONE_NOT_VERIFIED' | 'FILE_LIMIT';
};

export type PhoneNotVerifiedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'PHONE_NOT_VERIFIED';
};

export type PinResetCode = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * ISO 8601, UTC.
     */
    expires_at: string;
};

export type PinResetRequest = {
    /**
     * Why; kept in the audit log. Control characters and line breaks become a space; blank text means absent.
     */
    reason?: string;
};

export type PlayLabUssdRequest = {
    /**
     * In local format or E.164.
     */
    phone_number: string;
    /**
     * Chosen for each session.
     */
    session_id: string;
    /**
     * The number of the step; 0 for the dialling.
     */
    sequence: number;
    /**
     * What was typed; at step 0, what was dialled after the service code.
     */
    input?: string;
};

export type PolicyLockedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'POLICY_LOCKED';
};

export type PosAccessDeniedOrSubscriberBlockedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'SUBSCRIBER_BLOCKED';
};

export type PosAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED';
};

export type Posting = {
    account_id: string;
    /**
     * The side that sends or receives the money, or a system account of the operator.
     */
    party: 'payer' | 'payee' | 'operator';
    /**
     * Signed: negative if the account paid.
     */
    amount: number;
    /**
     * The part that is a fee charged to the account.
     */
    fee: number;
    /**
     * Null if the caller may not see it.
     */
    balance_after: number | null;
};

export type Processor = {
    id: string;
    /**
     * The identifier that terminals send.
     */
    merchant_id: string;
    /**
     * Seven digits that customers type to pay the merchant; static QR codes contain it. Null for at most a minute during an upgrade.
     */
    merchant_number: string | null;
    business_name: string;
    contact_name: string;
    /**
     * E.164.
     */
    phone_number: string;
    /**
     * Email address.
     */
    email: string;
    /**
     * suspended neither pays nor receives, and its keys are refused, until it is active again.
     */
    status: 'active' | 'suspended';
    /**
     * Minor units.
     */
    balance: number;
    /**
     * Formatted for display: 1,234.56 SLE.
     */
    balance_formatted: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * Why it is suspended. For compliance_user, sales_user and system_admin only.
     */
    suspend_reason?: string | null;
};

export type ProcessorTakings = {
    /**
     * ISO 8601, UTC.
     */
    at: string;
    /**
     * Payments received, before fees and without transfers between processors.
     */
    received: number;
    /**
     * The number of payments received.
     */
    received_count: number;
    /**
     * Refunds paid.
     */
    refunded: number;
    /**
     * The number of refunds paid.
     */
    refunded_count: number;
    /**
     * Fees charged to the processor.
     */
    fees: number;
    /**
     * Commissions paid to the processor.
     */
    commissions: number;
    /**
     * Earnings: received - refunded - fees + commissions.
     */
    net: number;
};

export type ProcessorTotals = {
    /**
     * The number of matching records, equal to total_count.
     */
    count: number;
    /**
     * Payments received, before fees and without transfers between processors.
     */
    received: number;
    /**
     * Number of payments.
     */
    received_count: number;
    /**
     * Refunds paid.
     */
    refunded: number;
    /**
     * Number of refunds.
     */
    refunded_count: number;
    /**
     * Fees charged to the processor. Refunds do not return them.
     */
    fees: number;
    /**
     * Commissions paid to the processor.
     */
    commissions: number;
    /**
     * Earnings: received - refunded - fees + commissions.
     */
    net: number;
    /**
     * Transfers received from other processors.
     */
    transferred_in: number;
    /**
     * Transfers sent to other processors and to wallets.
     */
    transferred_out: number;
    /**
     * Pay-outs to bank accounts.
     */
    paid_out: number;
    /**
     * Pay-outs that the bank sent back.
     */
    payouts_returned: number;
    /**
     * The change of the balance: net + transferred_in - transferred_out - paid_out + payouts_returned.
     */
    balance_change: number;
};

export type ProductionCheck = {
    /**
     * The check, such as database_tls.
     */
    id: string;
    /**
     * What the check is about.
     */
    area: 'configuration' | 'network' | 'database' | 'recovery' | 'staff' | 'customers' | 'money';
    /**
     * For people, such as TLS to the database.
     */
    name: string;
    /**
     * error: not ready for production.
     */
    level: 'ok' | 'warning' | 'error';
    /**
     * What was found.
     */
    message: string;
    /**
     * What to do; null if the level is ok.
     */
    action: string | null;
};

export type ProductionReport = {
    /**
     * The worst level of all checks.
     */
    status: 'ok' | 'warning' | 'error';
    /**
     * One for each check, always in the same order.
     */
    checks: Array<ProductionCheck>;
};

export type PutFeeSettingReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    setting: FeeSetting;
};

export type PutFeeSettingRequest = {
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    transaction_type: 'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw';
    /**
     * The party that is charged or paid.
     */
    party_type: 'sender' | 'recipient' | 'agent' | 'processor';
    /**
     * percentage: of the amount. flat: the same for each transaction.
     */
    fee_type: 'percentage' | 'flat';
    /**
     * Percent, at most 100 with up to 4 decimals; or, when flat, SLE with up to 2 decimals.
     */
    fee_value: number;
    /**
     * Default: true.
     */
    debit_enabled?: boolean;
    /**
     * Default: false.
     */
    credit_enabled?: boolean;
    /**
     * As the record has it. true with the values of the default creates no custom setting.
     */
    is_default?: boolean;
    /**
     * Ignored: the service sets it.
     */
    updated_at?: unknown;
    /**
     * Ignored: the service sets it.
     */
    updated_by?: unknown;
    /**
     * Ignored: the service sets it.
     */
    updated_by_name?: unknown;
    /**
     * Accepted while it is unchanged.
     */
    readonly id?: number | null;
};

export type RaiseAlertReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    alert: Alert;
};

export type RaiseAlertRequest = {
    /**
     * Sets when the review is due: at once, in 24 hours, in 48 hours, never.
     */
    severity: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';
    /**
     * Default: manual.
     */
    type?: string;
    /**
     * What was observed.
     */
    description: string;
    /**
     * The id of a subscriber.
     */
    subscriber_id?: string;
    /**
     * The id of an agent.
     */
    agent_id?: string;
    /**
     * The id of a processor.
     */
    processor_id?: string;
    /**
     * The id of a transaction.
     */
    transaction_id?: string;
};

export type RaisedLevel = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    subscriber_id: string;
    /**
     * 1 to 3: how well the subscriber is identified. It sets the maximum balance and the daily limit.
     */
    kyc_level: number;
};

export type RateLimitedOrTooManyAttemptsOrTooManyLookupsRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'RATE_LIMITED' | 'TOO_MANY_ATTEMPTS' | 'TOO_MANY_LOOKUPS';
};

export type RateLimitedOrTooManyAttemptsRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'RATE_LIMITED' | 'TOO_MANY_ATTEMPTS';
};

export type RateLimitedOrTooManyLookupsRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'RATE_LIMITED' | 'TOO_MANY_LOOKUPS';
};

export type RateLimitedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'RATE_LIMITED';
};

export type Recall = {
    /**
     * staff_decides: outside the rules, so staff decide before anything is held. placing: the hold is being made. asked: the recipient can answer. nothing_left: nothing was in the wallet. returned, contested, expired: how it ended.
     */
    state: 'staff_decides' | 'placing' | 'asked' | 'nothing_left' | 'returned' | 'contested' | 'expired';
    /**
     * The rule that the transfer is outside of; null if it is within the rules.
     */
    outside_rule: 'addressing' | 'first_payment' | 'paid_since' | 'window' | 'one_open' | 'two_in_30_days';
    /**
     * The same in words.
     */
    reason: string | null;
    /**
     * The transfer.
     */
    transaction_id: string;
    /**
     * The customer who made the transfer.
     */
    sender_id: string;
    /**
     * The customer who received it.
     */
    recipient_id: string;
    /**
     * The amount of the transfer.
     */
    amount: number;
    /**
     * What is held for it, in minor units.
     */
    held: number | null;
    /**
     * The hold, as GET /holds/{id} shows it.
     */
    hold_id: string | null;
    /**
     * What was returned.
     */
    returned: number;
    /**
     * When the sender confirmed it with the PIN. ISO 8601, UTC.
     */
    confirmed_at: string;
    /**
     * The user who decided to ask the recipient although it is outside the rules.
     */
    decided_by: string | null;
    /**
     * When the recipient was asked. ISO 8601, UTC.
     */
    asked_at: string | null;
    /**
     * When the hold ends unless the recipient answers. ISO 8601, UTC.
     */
    expires_at: string | null;
    /**
     * When the recipient contested it. ISO 8601, UTC.
     */
    contested_at: string | null;
    /**
     * Two users extended the hold until then. ISO 8601, UTC.
     */
    extended_until: string | null;
    /**
     * These users.
     */
    extended_by: Array<string>;
};

export type Receipt = {
    transaction_id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: string;
    /**
     * Minor units.
     */
    amount: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    payer: ReceiptParty;
    payee: ReceiptParty;
    /**
     * When the money moved. ISO 8601, UTC.
     */
    created_at: string;
    /**
     * At signed_at.
     */
    status: 'completed' | 'partly_refunded' | 'refunded' | 'reversed' | 'partly_recalled' | 'recalled';
    /**
     * What was refunded or reversed so far. Minor units.
     */
    returned_amount: number;
    /**
     * The operator's legal name.
     */
    operator: string;
    /**
     * The link; only a path if the operator has not configured PUBLIC_ORIGIN.
     */
    url: string | null;
    /**
     * When the link ends. ISO 8601, UTC.
     */
    valid_until: string;
    /**
     * When the receipt was read from the books. ISO 8601, UTC.
     */
    signed_at: string;
};

export type ReceiptParty = {
    /**
     * A customer's first name and initial; a business in full.
     */
    name: string | null;
    /**
     * A customer's, masked: +232 ** *** 456. Null for others.
     */
    phone_number: string | null;
};

/**
 * The payload of the WhatsApp Cloud API.
 */
export type ReceiveMessagesRequest = {
    /**
     * whatsapp_business_account
     */
    object?: unknown;
    /**
     * The events. Text messages in changes of the field messages are answered.
     */
    entry?: unknown;
} | null;

export type ReceivePartnerCashInReply = {
    success: true;
    transaction_id: string;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The wallet's balance after the cash-in. Minor units.
     */
    new_balance: number;
    /**
     * The cash-in was already received: this notification moved no money.
     */
    duplicate?: true;
};

export type ReceivePartnerCashInRequest = {
    /**
     * One of the subscriber's cards; its wallet is credited.
     */
    card_serial: string;
    /**
     * In local format or E.164.
     */
    phone_number?: string;
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount: number | string;
    /**
     * Makes retries safe: requests with the same reference are executed once.
     */
    reference?: string;
};

export type RecentChange = {
    /**
     * ISO 8601, UTC.
     */
    at: string;
    /**
     * As in the audit log, for example subscriber.update.
     */
    action: string;
    /**
     * The changed fields of an update.
     */
    fields: Array<string>;
    /**
     * The id of the user or API key. Null: the service or the public.
     */
    by: string | null;
    /**
     * Null if it was not a user.
     */
    by_name: string | null;
    /**
     * The id of the user who approved it.
     */
    approved_by: string | null;
    /**
     * Null if it needed no approval.
     */
    approved_by_name: string | null;
};

export type RecentPayment = {
    transaction_id: string;
    /**
     * Six characters printed on the receipt.
     */
    authorization_code: string;
    /**
     * Minor units.
     */
    amount: number;
    /**
     * Minor units.
     */
    refunded_total: number;
    /**
     * The processor's (merchant's) id.
     */
    processor_id: string;
    /**
     * The merchant's identifier on terminals and receipts.
     */
    merchant_id: string;
    /**
     * The merchant's terminal. Null for payments in an app.
     */
    terminal_id: string | null;
    /**
     * At a terminal or in an app.
     */
    channel: 'pos' | 'in_app';
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type ReconciliationItem = {
    /**
     * The id of the bank entry or of the transaction.
     */
    id: string;
    /**
     * bank: a statement's entry. books: a transaction of the ledger.
     */
    side: 'bank' | 'books';
    /**
     * The booking date, or the UTC day of the transaction.
     */
    date: string;
    /**
     * Days since then.
     */
    age_days: number;
    /**
     * As the bank shows it: money that arrives is positive. Minor units.
     */
    amount: number;
    /**
     * unmatched, or suggested by a run, until it is matched or written off.
     */
    status: 'matched' | 'suggested' | 'unmatched' | 'written_off';
    /**
     * bank_entry, the transaction's type, or archived if the transaction is archived.
     */
    type: string;
    /**
     * The bank's, or the transaction's; its request id if it has none.
     */
    reference: string | null;
    /**
     * As the bank names it, or the name of the agent, partner or processor.
     */
    counterparty: string | null;
    /**
     * As the bank or the payer wrote it; null if there is none.
     */
    description: string | null;
    /**
     * For bank entries.
     */
    trust_account_id: string | null;
    /**
     * The bank statement of a bank entry.
     */
    statement_id: string | null;
    /**
     * The agent, partner or processor of a transaction.
     */
    party_id: string | null;
    /**
     * The match or write-off.
     */
    match_id: string | null;
    /**
     * The suggestion that it is part of.
     */
    suggestion_id: string | null;
    /**
     * The user working on it; null if nobody is. It stays with the item when it is matched.
     */
    owner_id: string | null;
    /**
     * The owner's name.
     */
    owner_name: string | null;
    /**
     * When the owner took it. ISO 8601, UTC.
     */
    owned_since: string | null;
    /**
     * For open pay-outs that were returned, and open returns. bank_debit_missing: the bank's credit is recorded, the debit that executed the pay-out is not. bank_credit_missing: the reverse. both_open: neither is matched; if the bank never executed the pay-out, match the two with each other. Otherwise null.
     */
    open_reason: 'bank_debit_missing' | 'bank_credit_missing' | 'both_open' | null;
    /**
     * The return of such a pay-out, or such a return's pay-out.
     */
    related_id: string | null;
    /**
     * The trust account that has the other bank entry; the missing one is expected in its statements.
     */
    expected_trust_account_id: string | null;
};

export type ReconciliationMatch = {
    id: string;
    /**
     * The rule that found it, manual, or write_off.
     */
    kind: 'reference' | 'amount' | 'day_sum' | 'manual' | 'write_off';
    /**
     * A match or write-off can be undone once, which is final.
     */
    status: 'matched' | 'written_off' | 'undone';
    /**
     * Bank entry ids.
     */
    bank_entry_ids: Array<string>;
    /**
     * Transaction ids.
     */
    transaction_ids: Array<string>;
    /**
     * The sum of the bank entries. Minor units.
     */
    bank_amount: number;
    /**
     * The sum of the transactions; equal to bank_amount except in a write-off. Minor units.
     */
    books_amount: number;
    /**
     * The note, or the reason for a write-off.
     */
    note: string | null;
    /**
     * The user; null if a run matched it.
     */
    created_by: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * The user. Null if the match was not undone.
     */
    undone_by: string | null;
    /**
     * ISO 8601, UTC.
     */
    undone_at: string | null;
    /**
     * The movement that cleared its pay-outs.
     */
    cleared_transaction_id: string | null;
    /**
     * The movement that reversed the clearing when the match was undone.
     */
    uncleared_transaction_id: string | null;
};

export type ReconciliationRunningRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'RECONCILIATION_RUNNING';
};

export type ReconciliationSuggestion = {
    id: string;
    /**
     * What both sides have in common: the reference, the amount around the same day, or a day's total.
     */
    rule: 'reference' | 'amount' | 'day_sum';
    /**
     * Bank entry ids.
     */
    bank_entry_ids: Array<string>;
    /**
     * Transaction ids.
     */
    transaction_ids: Array<string>;
    /**
     * The sum of each side. Minor units.
     */
    amount: number;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type RecoverPasswordRequest = {
    /**
     * The challenge from POST /admin/forgot-password.
     */
    challenge: string;
    /**
     * The six digits of the message.
     */
    code: string;
    /**
     * It must have 8 to 128 characters with an uppercase letter, a lowercase letter, a digit and a special character (a space counts).
     */
    new_password: string;
};

export type RedeemCashOutCodeAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'AGENT_SUSPENDED' | 'ACCOUNT_LOCKED' | 'SUBSCRIBER_BLOCKED' | 'TRANSACTION_TYPE_DISABLED' | 'AGENT_TERMINATED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type RedeemCashOutCodeConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REQUEST_CONFLICT' | 'ALREADY_PAID' | 'CANCELLED' | 'EXPIRED';
};

export type RedeemedCashOutCode = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    transaction_id: string;
    /**
     * The id that the caller sent for this payment. Null if it sent none.
     */
    request_id: string | null;
    /**
     * Always COMPLETED: money moves at once, or the request is refused.
     */
    status: 'COMPLETED';
    /**
     * Minor units.
     */
    amount: number;
    /**
     * Fee paid by the payer, in addition to the amount.
     */
    fee: number;
    /**
     * Amount plus fee.
     */
    total_debited: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * Balance of the wallet after the payment. Absent if another credential sent the request.
     */
    balance?: number;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    agent_id: string;
};

export type Redemption = {
    /**
     * The eight digits that the customer shows.
     */
    code: string;
    /**
     * In local format or E.164.
     */
    phone_number: string;
    /**
     * The agent's PIN. The customer's is never typed on the agent's phone.
     */
    pin: string;
    /**
     * The id of the agent, for API keys; by default your own.
     */
    agent_id?: string;
    /**
     * Required for a code that was sent to a number without a wallet; it is stored encrypted.
     */
    identity_document?: {
        /**
         * For example national_id, passport, voter_id or driving_licence.
         */
        type: string;
        /**
         * The number of the document.
         */
        number: string;
        /**
         * As on the document.
         */
        full_name: string;
    };
    /**
     * Makes retries safe. Required in the body: no header replaces it.
     */
    request_id: string;
};

export type ReferenceConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REFERENCE_CONFLICT';
};

export type RefreshConsoleSessionReply = {
    /**
     * The access token, a JWT.
     */
    token: string;
    /**
     * Seconds until the access token expires.
     */
    expires_in: number;
};

export type RefreshCustomerTokensRequest = {
    /**
     * From the login or the last refresh.
     */
    refresh_token: string;
};

export type RefreshTokenRequest = {
    refresh_token: string;
};

export type Refund = {
    success: true;
    transaction_id: string;
    /**
     * The transaction that this one refunds, reverses or resolves.
     */
    original_transaction_id: string;
    /**
     * Minor units.
     */
    amount: number;
    /**
     * The commission that the customer earned on the payment, deducted from the refund.
     */
    commission_returned?: number;
    /**
     * The sum of all refunds of the payment.
     */
    refunded_total: number;
    /**
     * The amount that can still be refunded.
     */
    remaining: number;
    /**
     * REFUNDED: nothing of the payment remains.
     */
    status: 'PARTIALLY_REFUNDED' | 'REFUNDED';
};

export type RefundAtTerminalUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_REFUNDABLE' | 'COMPLIANCE_BLOCKED' | 'REFUND_EXCEEDS_PAYMENT';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
    /**
     * REFUND_EXCEEDS_PAYMENT: What can still be refunded. Minor units.
     */
    remaining?: number;
};

export type RefundFromProcessorUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_REFUNDABLE' | 'COMPLIANCE_BLOCKED' | 'REFUND_EXCEEDS_PAYMENT';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
    /**
     * REFUND_EXCEEDS_PAYMENT: What can still be refunded. Minor units.
     */
    remaining?: number;
};

export type RefundInAppUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'NOT_REFUNDABLE' | 'COMPLIANCE_BLOCKED' | 'REFUND_EXCEEDS_PAYMENT';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
    /**
     * REFUND_EXCEEDS_PAYMENT: What can still be refunded. Minor units.
     */
    remaining?: number;
};

export type RefundRequest = {
    /**
     * Makes retries safe. Required in the body: no header replaces it.
     */
    request_id: string;
    /**
     * The id of a payment.
     */
    transaction_id: string;
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount?: number | string;
    /**
     * Why; shown in the history of both sides. Control characters and line breaks become a space; blank text means absent.
     */
    reason?: string;
};

export type RefusedPayment = {
    id: string;
    /**
     * When it was refused, or the first of several. ISO 8601, UTC.
     */
    at: string;
    /**
     * The same, or the last of several. ISO 8601, UTC.
     */
    last_at: string;
    /**
     * How many attempts the record stands for: beyond five in a minute, equal ones share a record.
     */
    attempts: number;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: 'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'inbound_reversal' | 'partner_cashin' | 'suspense_resolution' | 'suspense_refund' | 'partner_settlement' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'commission_settlement' | 'processor_transfer' | 'processor_payout' | 'payout_returned' | 'payout_cleared' | 'payout_uncleared' | 'pos_refund' | 'recall' | 'unclaimed_payment';
    /**
     * Where the payment was requested.
     */
    channel: 'wallet' | 'ussd' | 'merchant' | 'agent' | 'partner' | 'staff' | 'api';
    /**
     * Minor units. Null for several attempts, and where there was no valid one.
     */
    amount: number | null;
    code: ErrorCode;
    /**
     * The same in words. Null for merchants.
     */
    reason: string | null;
    /**
     * By how much the payment exceeded the balance or limit, in minor units: for the customer and for `balance:read`, otherwise null.
     */
    excess: number | null;
    /**
     * Where a customer was refused: the id of the merchant or agent.
     */
    place_id: string | null;
    /**
     * Its business name.
     */
    place_name: string | null;
};

export type RefusedPayments = {
    refusals: Array<RefusedPayment>;
    /**
     * All refused attempts of the last 90 days.
     */
    attempt_count: number;
    /**
     * Number of records that match the filter, on all pages.
     */
    total_count: number;
    /**
     * The page size that was applied.
     */
    limit: number;
    /**
     * Number of records that were skipped.
     */
    offset: number;
};

export type RegisterAgentReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    agent_id: string;
    /**
     * The agent's login.
     */
    user_id: string;
    agent: {
        id: string;
        /**
         * A super_agent registers and funds sub-agents. A sub_agent belongs to a super-agent.
         */
        type: 'super_agent' | 'sub_agent';
        business_name: string;
        /**
         * active works. suspended neither pays nor receives, until it is reactivated. terminated is final.
         */
        status: 'active' | 'suspended' | 'terminated';
        /**
         * ISO 8601, UTC.
         */
        created_at: string;
        /**
         * Null on super-agents.
         */
        parent_agent_id: string | null;
    };
};

export type RegisterAgentRequest = {
    /**
     * A super_agent registers and funds sub-agents. A sub_agent belongs to a super-agent.
     */
    agent_type: 'super_agent' | 'sub_agent';
    business_name: string;
    first_name: string;
    last_name: string;
    /**
     * In local format or E.164.
     */
    phone_number: string;
    /**
     * Email address.
     */
    email: string;
    /**
     * Where the agent works.
     */
    location?: string;
    /**
     * The super-agent that a sub-agent belongs to.
     */
    parent_agent_id?: string;
    /**
     * Default: standard.
     */
    commission_tier?: 'standard' | 'premium' | 'custom';
    /**
     * The percentage of the commissions that an agent of the tier custom gets, with up to 4 decimals. Not for agents' users.
     */
    commission_percent?: number;
    /**
     * Default: instant.
     */
    settlement_mode?: 'instant' | 'daily' | 'weekly';
};

export type RegisterPasskeyReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    passkey: Passkey;
    /**
     * Shown once. Each replaces a second factor for one login.
     */
    recovery_codes?: Array<string>;
};

export type RegisterPasskeyRequest = {
    name?: string;
    credential: PasskeyRegistration;
};

export type RegisteredSubscriber = {
    success: true;
    subscriber_id: string;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    subscriber: Subscriber;
};

export type RejectRequestRequest = {
    /**
     * Why the request is rejected. Control characters and line breaks become a space; blank text means absent.
     */
    reason: string;
};

export type RelatedTransaction = {
    /**
     * How the other transaction relates to this one.
     */
    relation: 'original' | 'refund' | 'reversal' | 'resolution';
    transaction_id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: string;
    /**
     * Minor units.
     */
    amount: number;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type ReleaseAlertReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    alert: Alert;
};

export type ReleaseReconciliationItemsReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * Items whose owner changed.
     */
    changed: number;
};

export type ReleaseReconciliationItemsRequest = {
    /**
     * Bank entry ids.
     */
    bank_entry_ids?: Array<string>;
    /**
     * Transaction ids.
     */
    transaction_ids?: Array<string>;
};

export type ReplaceRecoveryCodesReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * Shown once. Each replaces a second factor for one login.
     */
    recovery_codes: Array<string>;
};

export type ReplayOwnWebhookDeliveryReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    delivery: WebhookDelivery;
};

export type ReplayWebhookDeliveryReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    delivery: WebhookDelivery;
};

export type RequestConflictOrArchivedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REQUEST_CONFLICT' | 'ARCHIVED';
    /**
     * ARCHIVED: Transactions before this instant are archived. ISO 8601, UTC.
     */
    archived_before?: string;
};

export type RequestConflictOrFloatRequestOpenRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REQUEST_CONFLICT' | 'FLOAT_REQUEST_OPEN';
};

export type RequestConflictOrNoRecallRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REQUEST_CONFLICT' | 'NO_RECALL';
};

export type RequestConflictOrQuoteChangedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REQUEST_CONFLICT' | 'QUOTE_CHANGED';
    /**
     * QUOTE_CHANGED: The new quote, as POST /me/quote returns it; for a cash-out code, its new price.
     */
    quote?: {
        [key: string]: unknown;
    };
};

export type RequestConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REQUEST_CONFLICT';
};

export type RequestOutcome = {
    success: true;
    /**
     * The id that the caller sent for this payment.
     */
    request_id: string;
    /**
     * completed: the payment was made, once. refused: it was not made, and a repeated request is refused again. pending_approval: it waits for a second user. unknown: nothing is recorded (yet); send the same request again.
     */
    status: 'completed' | 'refused' | 'pending_approval' | 'unknown';
    /**
     * The completed payment's; null if an approval executed it.
     */
    transaction_id: string | null;
    /**
     * If the payment needed approval: GET /admin/approvals/{id} has its result.
     */
    approval_id: string | null;
    /**
     * The stored reply of a payment without approval, as a repeated request would get it: without balances if another credential sent the request.
     */
    reply: {
        [key: string]: unknown;
    } | null;
};

export type RequestSubscriberLevelConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REQUEST_CONFLICT' | 'PHONE_NOT_VERIFIED' | 'NOT_ACTIVE' | 'RECORD_CHANGED' | 'DUPLICATE_IDENTITY' | 'LEVEL_REQUEST_OPEN';
};

export type ResetAgentPinAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'APPROVAL_REQUIRED' | 'AGENT_SUSPENDED' | 'AGENT_TERMINATED';
};

export type ResetPasswordReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    user: User;
    /**
     * Shown once. The user must change it at the next login.
     */
    temporary_password: string;
};

export type ResetSubscriberPinAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'APPROVAL_REQUIRED' | 'PEP_ACCESS_REQUIRED' | 'SUBSCRIBER_BLOCKED';
};

export type ResolveAlertReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    alert: Alert;
};

export type ResolveAlertRequest = {
    /**
     * What was found and done.
     */
    resolution: string;
    /**
     * false_positive: the rule was wrong. customer_explained: the customer gave a reason. confirmed_reported: reported to the authority. confirmed_blocked: the account was blocked.
     */
    outcome?: 'false_positive' | 'customer_explained' | 'confirmed_reported' | 'confirmed_blocked';
};

export type ResolveSuspenseItemReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The transaction that resolved the item.
     */
    transaction_id: string;
    /**
     * The transaction that this one refunds, reverses or resolves.
     */
    original_transaction_id: string;
    /**
     * As sent.
     */
    request_id: string | null;
    /**
     * partner: the partner owes it. refund: it was taken back from the wallet.
     */
    resolution: 'partner' | 'refund';
    /**
     * The partner that owes the amount; null for a refund.
     */
    partner_id: string | null;
    /**
     * Minor units.
     */
    amount: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * As the request gave it.
     */
    reason: string;
    /**
     * What the partner owes now, which may exceed its limit. Minor units.
     */
    partner_outstanding?: number;
    /**
     * The balance of the wallet after a refund. Minor units.
     */
    balance?: number;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type ResolveSuspenseItemRequest = {
    /**
     * The id of the partner that owes the amount.
     */
    partner_id?: string;
    /**
     * Takes the amount back from the wallet. Instead of partner_id.
     */
    refund?: true;
    /**
     * Why; recorded in the audit log. Control characters and line breaks become a space; blank text means absent.
     */
    reason: string;
    /**
     * Makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
};

export type RetryBulkPaymentReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    bulk_payment: BulkPayment;
};

export type ReturnAgentFloatUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'MAX_BALANCE_EXCEEDED' | 'COMPLIANCE_BLOCKED' | 'KEY_LIMIT_EXCEEDED';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
    /**
     * KEY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * KEY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
};

export type ReturnByLegalOrderRequest = {
    /**
     * Court or authority, and the number of the order.
     */
    order_reference: string;
    /**
     * What it orders.
     */
    reason: string;
    /**
     * Minor units. At most what is left of the transfer.
     */
    amount: number | string;
    /**
     * Makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
};

export type ReturnHosts = {
    /**
     * Hosts to which pages of requests may return payers.
     */
    return_hosts: Array<string>;
};

export type ReturnPayoutConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REQUEST_CONFLICT' | 'ARCHIVED' | 'ALREADY_RETURNED' | 'PAYOUT_CLEARED' | 'ALREADY_MATCHED';
    /**
     * ARCHIVED: Transactions before this instant are archived. ISO 8601, UTC.
     */
    archived_before?: string;
    /**
     * ALREADY_MATCHED: The ids of the items concerned.
     */
    matched_items?: Array<string>;
};

export type ReturnPayoutReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    transaction_id: string;
    /**
     * The id that the caller sent for this payment. Null if it sent none.
     */
    request_id: string | null;
    /**
     * Always COMPLETED: money moves at once, or the request is refused.
     */
    status: 'COMPLETED';
    /**
     * Minor units.
     */
    amount: number;
    /**
     * Fee paid by the payer, in addition to the amount.
     */
    fee: number;
    /**
     * Amount plus fee.
     */
    total_debited: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * Balance of the wallet after the payment. Absent if another credential sent the request.
     */
    balance?: number;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * The processor's (merchant's) id.
     */
    processor_id: string;
    /**
     * The id of the pay-out.
     */
    original_transaction_id: string;
    /**
     * The bank transfer's reference; null if it was not recorded.
     */
    reference: string | null;
};

export type ReturnPayoutRequest = {
    /**
     * Why the bank sent it back; kept with the transaction. Control characters and line breaks become a space; blank text means absent.
     */
    reason: string;
    /**
     * The bank's credit, which is matched with the return. Required if the bank has cleared the pay-out.
     */
    bank_entry_id?: string;
    /**
     * Makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
};

export type ReturnPayoutUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'MATCH_DOES_NOT_BALANCE' | 'CREDIT_BEFORE_PAYOUT' | 'COMPLIANCE_BLOCKED';
    /**
     * MATCH_DOES_NOT_BALANCE: The sum of the bank entries. Minor units.
     */
    bank_amount?: number;
    /**
     * MATCH_DOES_NOT_BALANCE: The sum of the transactions. Minor units.
     */
    books_amount?: number;
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
};

export type ReturnedByLegalOrder = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    transaction_id: string;
    /**
     * The id that the caller sent for this payment. Null if it sent none.
     */
    request_id: string | null;
    /**
     * Always COMPLETED: money moves at once, or the request is refused.
     */
    status: 'COMPLETED';
    /**
     * What was returned.
     */
    amount: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * The case of the recall.
     */
    case_id: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type ReverseInboundCreditConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ARCHIVED' | 'NOT_REVERSIBLE' | 'ALREADY_REVERSED' | 'REQUEST_CONFLICT';
    /**
     * ARCHIVED: Transactions before this instant are archived. ISO 8601, UTC.
     */
    archived_before?: string;
};

export type ReverseInboundCreditReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The id of the inbound credit at this service.
     */
    inbound_id: string;
    partner_id: string;
    /**
     * The partner's id for the credit or cash-in, unique per partner.
     */
    reference: string;
    /**
     * Always REVERSED.
     */
    status: 'REVERSED';
    /**
     * The reversal's transaction.
     */
    transaction_id: string;
    /**
     * The transaction that this one refunds, reverses or resolves.
     */
    original_transaction_id: string;
    /**
     * As sent.
     */
    request_id: string | null;
    subscriber_id: string;
    /**
     * Minor units.
     */
    amount: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * As the request gave it.
     */
    reason: string;
    /**
     * The balance of the wallet after the reversal. Minor units. Absent if another credential sent the request.
     */
    balance?: number;
    /**
     * What the partner owes after the reversal. Minor units. Absent if another credential sent the request.
     */
    partner_outstanding?: number;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type ReverseInboundCreditRequest = {
    /**
     * Why; sent to the partner. Control characters and line breaks become a space; blank text means absent.
     */
    reason: string;
    /**
     * Whether the balance may become negative if the money was spent. Default: false.
     */
    allow_negative?: boolean;
    /**
     * Makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
};

export type RevokeReceiptReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
};

export type RevokeReceiptRequest = {
    /**
     * Why; kept in the audit log. Control characters and line breaks become a space; blank text means absent.
     */
    reason: string;
};

export type RolePermission = {
    /**
     * Its name, as in refusals and in `GET /admin/me`.
     */
    permission: string;
    /**
     * What it allows.
     */
    description: string;
    /**
     * The roles that have it.
     */
    roles: Array<'system_admin' | 'compliance_user' | 'support_user' | 'finance_user' | 'sales_user' | 'audit_user' | 'super_agent' | 'sub_agent' | 'processor' | 'subscriber'>;
    /**
     * Whether only users with `pep_access_authorized` have it.
     */
    pep_access_authorized: boolean;
    /**
     * API key scopes that have it, by the key's owner.
     */
    scopes: {
        /**
         * Scopes of operator keys; one of them is sufficient.
         */
        operator: Array<'payments:read' | 'payments:write' | 'balance:read' | 'subscribers:read' | 'subscribers:write' | 'cards:read' | 'cards:write' | 'inbound:read' | 'inbound:write' | 'treasury:write' | 'payouts:write' | 'agents:write' | 'processors:write' | 'compliance:read' | 'compliance:write' | 'audit:read'>;
        /**
         * Scopes of partner keys; one of them is sufficient.
         */
        partner: Array<'payments:read' | 'payments:write' | 'balance:read' | 'subscribers:read' | 'subscribers:write' | 'cards:read' | 'cards:write' | 'inbound:read' | 'inbound:write' | 'treasury:write' | 'payouts:write' | 'agents:write' | 'processors:write' | 'compliance:read' | 'compliance:write' | 'audit:read'>;
        /**
         * Scopes of processor keys; one of them is sufficient.
         */
        processor: Array<'payments:read' | 'payments:write' | 'balance:read' | 'subscribers:read' | 'subscribers:write' | 'cards:read' | 'cards:write' | 'inbound:read' | 'inbound:write' | 'treasury:write' | 'payouts:write' | 'agents:write' | 'processors:write' | 'compliance:read' | 'compliance:write' | 'audit:read'>;
    };
};

export type RotateApiKeyReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    api_key: IssuedApiKey;
    /**
     * The bearer value, shown once; null for a key without one.
     */
    key: string | null;
    /**
     * Signs HMAC requests. Shown once.
     */
    secret: string;
    /**
     * ISO 8601, UTC.
     */
    previous_valid_until: string;
};

export type RotateWebhookEndpointSecretReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    webhook_endpoint: WebhookEndpoint;
    /**
     * Signs the webhooks. Shown once.
     */
    secret: string;
};

export type RotateWebhookEndpointSecretRequest = {
    /**
     * How long the old secret signs too. Default: 86,400, a day.
     */
    overlap_seconds?: number;
};

export type RotateWebhookSecretReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * Signs outgoing webhooks. Shown once.
     */
    webhook_secret: string;
    /**
     * ISO 8601, UTC.
     */
    activate_at: string;
    /**
     * ISO 8601, UTC.
     */
    previous_valid_until: string;
};

export type RotateWebhookSecretRequest = {
    /**
     * When the new secret begins to sign X-Hook-Signature, at most 90 days ahead. Default: at once.
     */
    activate_at?: string;
};

export type RowsInvalidOrBulkRowLimitExceededRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ROWS_INVALID' | 'BULK_ROW_LIMIT_EXCEEDED';
    /**
     * BULK_ROW_LIMIT_EXCEEDED: How many more rows can be checked now.
     */
    allowed_rows?: number;
};

export type RuleLimitRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'RULE_LIMIT';
};

export type RuleWhatIf = {
    rule: {
        name: string;
        /**
         * The value compared with the threshold: the amount of one payment, or the number or sum of payments in a window.
         */
        kind: 'amount' | 'velocity_count' | 'velocity_amount';
        /**
         * The account that the rule applies to. payer: the paying account or, when something other than a wallet pays into a wallet, that wallet. payee: the account that is paid; the velocity kinds then count what wallets receive.
         */
        side: 'payer' | 'payee';
        /**
         * The kinds of transactions that the rule applies to.
         */
        transaction_types: Array<'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'inbound_reversal' | 'partner_cashin' | 'suspense_resolution' | 'suspense_refund' | 'partner_settlement' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'processor_transfer' | 'processor_payout' | 'payout_returned' | 'pos_refund' | 'unclaimed_payment'>;
        /**
         * flag: the payment proceeds with an alert. block: it is refused with an alert.
         */
        outcome: 'flag' | 'block';
        /**
         * The severity of alerts raised by a flagging rule; blocked payments raise CRITICAL alerts.
         */
        severity: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';
        /**
         * Whether it is applied.
         */
        enabled: boolean;
        /**
         * The rule is triggered above it: minor units, or a number of payments for velocity_count.
         */
        threshold: number;
        /**
         * The sliding window of a velocity rule. Null for an amount rule.
         */
        window_seconds: number | null;
    };
    /**
     * The period that was evaluated.
     */
    period: {
        /**
         * ISO 8601, UTC.
         */
        from: string;
        /**
         * ISO 8601, UTC.
         */
        to: string;
    };
    /**
     * The last 30 days have too many payments: the period is shorter.
     */
    truncated: boolean;
    /**
     * Not all payments before the period, which its first windows include, could be read.
     */
    counts_are_minimum: boolean;
    /**
     * Payments of the rule's types in the period.
     */
    payments_checked: number;
    proposed: {
        /**
         * Payments that would have raised an alert.
         */
        flagged: number;
        /**
         * Payments that would have been refused.
         */
        blocked: number;
        /**
         * The sum of these payments, in minor units.
         */
        value: number;
        /**
         * Share of the checked payments, with up to 4 decimals.
         */
        share_percent: number;
        /**
         * Different accounts that these payments count for.
         */
        subjects: number;
        /**
         * At most 20, those with the most payments first.
         */
        top_subjects: Array<AffectedSubject>;
        /**
         * At most 10, newest first.
         */
        examples: Array<AffectedPayment>;
    };
    /**
     * The same for the rule as it is now. All zero if it is disabled.
     */
    current?: {
        /**
         * Payments that would have raised an alert.
         */
        flagged: number;
        /**
         * Payments that would have been refused.
         */
        blocked: number;
        /**
         * The sum of these payments, in minor units.
         */
        value: number;
        /**
         * Share of the checked payments, with up to 4 decimals.
         */
        share_percent: number;
        /**
         * Different accounts that these payments count for.
         */
        subjects: number;
        /**
         * Payments the rule actually refused in the period. They are not in the history.
         */
        refused: number;
    };
    /**
     * Absent for a new rule, as `current`.
     */
    comparison?: {
        /**
         * Payments that only the proposed rule affects.
         */
        newly_affected: number;
        /**
         * Payments that only the current rule affects.
         */
        no_longer_affected: number;
    };
    /**
     * Every day of the period, oldest first.
     */
    days: Array<{
        /**
         * A UTC day, YYYY-MM-DD.
         */
        date: string;
        /**
         * Payments of the rule's types.
         */
        payments: number;
        /**
         * Payments that would have raised an alert.
         */
        flagged: number;
        /**
         * Payments that would have been refused.
         */
        blocked: number;
        /**
         * Payments that the current rule affects.
         */
        current?: number;
    }>;
};

export type RunReconciliationReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * What the run did.
     */
    run: {
        id: string;
        /**
         * Matches that this run made.
         */
        matched: number;
        /**
         * Suggestions that are open now.
         */
        suggested: number;
        /**
         * ISO 8601, UTC.
         */
        started_at: string;
        /**
         * ISO 8601, UTC.
         */
        finished_at: string;
    };
};

export type SavedComplianceRule = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    rule: ComplianceRule;
};

export type SavedView = {
    id: string;
    /**
     * One line, unique for the user and screen.
     */
    name: string;
    /**
     * The console screen, such as transactions.
     */
    screen: string;
    /**
     * The query string of the screen without the question mark, URL-encoded.
     */
    query: string;
    /**
     * Staff with the same role see it too.
     */
    shared: boolean;
    /**
     * The caller saved it and can delete it.
     */
    is_own: boolean;
    /**
     * First and last name.
     */
    owner_name: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type SavedViewExistsOrSavedViewLimitRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'SAVED_VIEW_EXISTS' | 'SAVED_VIEW_LIMIT';
};

export type SearchHit = {
    /**
     * What kind of record was found.
     */
    type: 'subscriber' | 'card' | 'transaction' | 'inbound' | 'agent' | 'processor' | 'partner';
    /**
     * The record's id; for a card, its serial.
     */
    id: string;
    /**
     * What the record is called: a name, a serial, a type with its amount.
     */
    title: string;
    /**
     * What distinguishes it from similar records.
     */
    subtitle: string | null;
    /**
     * The record's status, as its own routes show it.
     */
    status: string;
    /**
     * The field that matches the search.
     */
    matched_by: 'id' | 'phone_number' | 'account_number' | 'card_serial' | 'name' | 'merchant_id' | 'merchant_number' | 'transaction_id' | 'reference' | 'request_id' | 'authorization_code';
    /**
     * The holder of a card, or the beneficiary of an inbound credit.
     */
    subscriber_id?: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string | null;
};

export type SearchReply = {
    success: true;
    /**
     * At most 10 of each type that the caller may read, exact matches first. Politically exposed persons are found only with open PEP access; their cards, payments and credits show only id and status.
     */
    hits: Array<SearchHit>;
    /**
     * The types with more matches than are returned: search for more of the name or number.
     */
    truncated: Array<'subscriber' | 'card' | 'transaction' | 'inbound' | 'agent' | 'processor' | 'partner'>;
    /**
     * Present if the caller may read transactions: those before this instant are archived, and not found. ISO 8601, UTC.
     */
    archived_before?: string;
};

export type SecondFactorExistsOrPasskeysNotConfiguredRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'SECOND_FACTOR_EXISTS' | 'PASSKEYS_NOT_CONFIGURED';
};

export type SecondFactorExistsOrSecondFactorNotEnrolledRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'SECOND_FACTOR_EXISTS' | 'SECOND_FACTOR_NOT_ENROLLED';
};

export type SecondFactorExistsRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'SECOND_FACTOR_EXISTS';
};

export type SecondFactorNotEnrolledRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'SECOND_FACTOR_NOT_ENROLLED';
};

export type SecondFactorProof = {
    /**
     * The password, or a code.
     */
    password?: string;
    /**
     * The authenticator app's six digits, or a recovery code.
     */
    code?: string;
};

export type SendCaseMessageRequest = {
    /**
     * What the customer should read or answer.
     */
    text: string;
};

export type SendOwnCaseMessageRequest = {
    /**
     * What the customer should read or answer.
     */
    text: string;
};

export type SendPepCodeReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * Masked except for the last four digits.
     */
    phone_number: string;
    /**
     * ISO 8601, UTC.
     */
    expires_at: string;
};

export type SeriesPoint = {
    /**
     * ISO 8601, UTC.
     */
    at: string;
    /**
     * A number or minor units, as `unit` says.
     */
    value: number;
};

export type ServiceStatus = {
    /**
     * ok if all of them are, down if payments are.
     */
    status: 'ok' | 'degraded' | 'down';
    payments: {
        /**
         * degraded: in the last 5 minutes payments failed or were rejected because of load. Repeat them with the same request id.
         */
        status: 'ok' | 'degraded' | 'down';
    };
    webhooks: {
        /**
         * degraded: more than 5 minutes late. down: nothing is sent.
         */
        status: 'ok' | 'degraded' | 'down';
        /**
         * How late the most overdue webhook is, in whole minutes; null while the service is down.
         */
        delay_seconds: number | null;
    };
    messages: {
        /**
         * degraded: more than 5 minutes late. down: nothing is sent.
         */
        status: 'ok' | 'degraded' | 'down';
        /**
         * How late the most overdue text to a customer is, in whole minutes; null while the service is down.
         */
        delay_seconds: number | null;
    };
    /**
     * Announced maintenance that is to come or in progress.
     */
    maintenance: {
        /**
         * When the maintenance begins.
         */
        from: string;
        /**
         * When it ends.
         */
        until: string;
        /**
         * What is done, in one sentence.
         */
        message: string;
    } | null;
    /**
     * When the state was looked at.
     */
    checked_at: string;
};

export type ServiceUnavailableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'SERVICE_UNAVAILABLE';
};

export type SetNewPinReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * Until then, outgoing payments are limited to a tenth of the daily limit; an agent's, to a tenth of the float.
     */
    reduced_until: string;
};

export type SetNewPinRequest = {
    /**
     * In local format or E.164.
     */
    phone_number: string;
    /**
     * Six digits.
     */
    code: string;
    /**
     * Exactly 4 digits.
     */
    new_pin: string;
};

export type SetReturnHostsRequest = {
    /**
     * Hosts such as `shop.example.com`, with a port unless it is 443. They replace the earlier ones.
     */
    return_hosts: Array<string>;
};

export type SettlePartnerReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    transaction_id: string;
    /**
     * The id that the caller sent for this payment. Null if it sent none.
     */
    request_id: string | null;
    partner_id: string;
    /**
     * The bank transfer reference; null if the request had none.
     */
    reference: string | null;
    /**
     * Minor units.
     */
    amount: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * What it owes after the settlement. Minor units. Absent if another credential sent the request.
     */
    partner_outstanding?: number;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type SettlePartnerRequest = {
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount: number | string;
    /**
     * The reference of the bank transfer that settles the debt.
     */
    reference?: string;
    /**
     * Makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
    /**
     * What the payment is for; shown in the history of both sides. Control characters and line breaks become a space; blank text means absent.
     */
    description?: string;
};

export type SignedReceipt = {
    receipt: Receipt;
    /**
     * The exact text that is signed: the receipt and its kind as canonical JSON (RFC 8785) in UTF-8.
     */
    document: string;
    /**
     * Ed25519 over the bytes of the document, in base64.
     */
    signature: string;
    /**
     * The key of /.well-known/kissi-keys.json that verifies the signature.
     */
    key_id: string;
};

export type SimulateMessageReply = {
    /**
     * The reply to the sender.
     */
    answer: string;
    /**
     * error: no answer was available, and answer contains an apology.
     */
    status: 'success' | 'error';
};

export type SimulateMessageRequest = {
    /**
     * The kind of event, for example message.
     */
    event: string;
    /**
     * The message's text.
     */
    message: string;
    /**
     * The sender's id on the messaging platform.
     */
    from: string;
    /**
     * The sender's phone number.
     */
    phoneE164: string;
};

export type StartCertificationReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    certification: Certification;
};

export type StartCertificationRequest = {
    /**
     * The id of the partner.
     */
    partner_id: string;
    /**
     * The id of an API key of the partner.
     */
    key_id: string;
};

export type StartConsoleSessionReply = {
    /**
     * The access token, a JWT.
     */
    token: string;
    /**
     * Seconds until the access token expires.
     */
    expires_in: number;
};

export type StartConsoleSessionRequest = {
    /**
     * The email, or the phone number of an agent's or processor's user in any format.
     */
    email: string;
    password: string;
};

export type StartCustomerLoginRequest = {
    /**
     * In local format or E.164.
     */
    phone_number: string;
};

export type Statement = {
    success: true;
    subscriber_id: string;
    /**
     * The account holder's name.
     */
    holder_name: string;
    /**
     * Masked except for the last four digits.
     */
    account_number: string;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * ISO 8601, UTC.
     */
    from: string;
    /**
     * ISO 8601, UTC.
     */
    to: string;
    /**
     * ISO 8601, UTC.
     */
    generated_at: string;
    /**
     * Present if the period begins before this instant: earlier entries are archived, and opening_balance is the balance at this instant. ISO 8601, UTC.
     */
    archived_before?: string;
    /**
     * Minor units. Null where it would reveal a payment of a politically exposed person to the reader.
     */
    opening_balance: number | null;
    /**
     * For display, such as 125.00 SLE.
     */
    opening_balance_formatted: string | null;
    /**
     * opening_balance + total_credits - total_debits; null like it.
     */
    closing_balance: number | null;
    /**
     * For display, such as 125.00 SLE.
     */
    closing_balance_formatted: string | null;
    /**
     * What authorised payments reserved of the closing balance. Minor units; null like it.
     */
    closing_held: number | null;
    /**
     * Minor units. Null where it would reveal a payment of a politically exposed person to the reader.
     */
    total_credits: number | null;
    /**
     * Minor units. Null where it would reveal a payment of a politically exposed person to the reader.
     */
    total_debits: number | null;
    /**
     * Number of entries.
     */
    entry_count: number;
    entries: Array<StatementEntry>;
};

export type StatementEntry = {
    transaction_id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: string;
    /**
     * Seen from the list's account: debit left it, credit entered it. Null in a view of all accounts.
     */
    direction: 'debit' | 'credit';
    /**
     * Minor units.
     */
    amount: number;
    /**
     * The fee charged to this account; the sum of all fees in a list of all accounts.
     */
    fee: number;
    /**
     * The commission the movement paid to this account; null in a list of all accounts. The balance changes by the amount, less the fee, plus the commission.
     */
    commission: number | null;
    /**
     * This account's balance after the transaction. Minor units. Null in a view of all accounts, and where it would reveal a payment that the reader may not see.
     */
    balance_after: number | null;
    /**
     * The id of the other side; null for a politically exposed person on the other side, and for every customer if the caller is the other party.
     */
    counterparty: string | null;
    /**
     * null for a politically exposed person on the other side, and for every customer if the caller is the other party.
     */
    payer_id: string | null;
    /**
     * null for a politically exposed person on the other side, and for every customer if the caller is the other party.
     */
    payee_id: string | null;
    /**
     * Free text from the sender. Null if there is none.
     */
    narration: string | null;
    /**
     * Always COMPLETED: the ledger has no other transactions.
     */
    status: string;
    /**
     * The id that the caller sent for this payment. Null if it sent none, and where the caller is the other party.
     */
    request_id: string | null;
    /**
     * The partner's reference; null for transactions without a partner.
     */
    reference: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * For people.
     */
    description: string;
    /**
     * The amount debited, fee included.
     */
    debit: number;
    /**
     * The amount credited, fee deducted.
     */
    credit: number;
    /**
     * The metadata of an inbound credit, unchanged.
     */
    metadata?: unknown;
};

export type StatementInvalidRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'STATEMENT_INVALID';
};

export type StopBulkPaymentReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    bulk_payment: BulkPayment;
};

export type Subscriber = {
    id: string;
    /**
     * Ten digits, the last one a Luhn check digit.
     */
    account_number: string;
    /**
     * E.164.
     */
    phone_number: string;
    first_name: string;
    last_name: string;
    /**
     * Email address. Null if it is not recorded.
     */
    email: string | null;
    /**
     * YYYY-MM-DD. Null if it is not recorded.
     */
    date_of_birth: string | null;
    /**
     * Postal address. Null if it is not recorded.
     */
    address: string | null;
    /**
     * 1 to 3: how well the subscriber is identified. It sets the maximum balance and the daily limit.
     */
    kyc_level: number;
    /**
     * PENDING: registered, until the phone number is verified or staff activate it. ACTIVE can pay and receive. BLOCKED neither pays nor receives, until staff unblock it.
     */
    status: 'ACTIVE' | 'BLOCKED' | 'PENDING';
    /**
     * Absent, or false: the code sent to the number has not been entered yet, and the number does not find the wallet.
     */
    phone_verified?: boolean;
    /**
     * Transaction types that are blocked for this subscriber; the others are allowed.
     */
    disabled_transaction_types: Array<string>;
    /**
     * Formatted for display: 1,234.56 SLE.
     */
    balance: string;
    /**
     * What authorised payments reserve of the balance. Formatted like it.
     */
    held: string;
    /**
     * balance - held. Formatted like it.
     */
    available: string;
    /**
     * The identity document's number. Null if it is not recorded.
     */
    id_number: string | null;
    /**
     * The kind of identity document, such as passport. Null if it is not recorded.
     */
    id_type: string | null;
    /**
     * The wallet's id at a partner. Null if there is none.
     */
    partner_wallet_id: string | null;
    /**
     * Number of linked cards.
     */
    cards_count: number;
    /**
     * How many child cards the subscriber may have.
     */
    max_child_cards: number;
    /**
     * A politically exposed person.
     */
    is_pep: boolean;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * ISO 8601, UTC.
     */
    updated_at: string;
    /**
     * Why it is blocked. For compliance_user, support_user and system_admin only.
     */
    block_reason?: string | null;
    /**
     * ISO 8601, UTC. For compliance_user, support_user and system_admin only.
     */
    blocked_at?: string | null;
    /**
     * The id of the user or API key. For compliance_user, support_user and system_admin only.
     */
    blocked_by?: string | null;
    /**
     * The current name of that user or API key. For compliance_user, support_user and system_admin only.
     */
    blocked_by_name?: string | null;
    /**
     * ISO 8601, UTC; null if the account is not locked after wrong PINs. A locked account cannot pay. For compliance_user, support_user and system_admin only.
     */
    pin_locked_until?: string | null;
    /**
     * Three wrong PINs in a row (30 minutes), or ten on one UTC day (until 00:00 UTC). For compliance_user, support_user and system_admin only.
     */
    pin_lock_reason?: 'wrong_in_a_row' | 'wrong_on_one_day' | 'wrong_on_own_channels';
    /**
     * Until then the holder can set a new PIN with the code that was sent; the old PIN keeps working. ISO 8601, UTC; null if no code is open. For compliance_user, support_user and system_admin only.
     */
    pin_reset_code_until?: string | null;
    /**
     * Until then outgoing payments are reduced, because the PIN was reset. ISO 8601, UTC. For compliance_user, support_user and system_admin only.
     */
    outgoing_reduced_until?: string | null;
    /**
     * The daily limit until then, in minor units. For compliance_user, support_user and system_admin only.
     */
    reduced_daily_limit?: number | null;
    /**
     * For compliance_user and system_admin only.
     */
    id_document_url?: string | null;
    /**
     * For compliance_user and system_admin only.
     */
    selfie_url?: string | null;
};

export type SubscriberDocument = {
    id: string;
    /**
     * identity: the identity document; face: a photo of the holder.
     */
    kind: 'identity' | 'face';
    /**
     * The media type of what is stored.
     */
    type: 'image/jpeg' | 'image/png' | 'application/pdf';
    /**
     * Bytes of what is stored.
     */
    size: number;
    /**
     * Hexadecimal, of what is stored.
     */
    sha256: string;
    /**
     * A user's or an API key's id.
     */
    uploaded_by: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type SubscriberDocuments = {
    /**
     * Newest first.
     */
    documents: Array<SubscriberDocument>;
};

export type SubscriberLimits = {
    success: true;
    subscriber_id: string;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    daily: {
        /**
         * Minor units, as it applies now; null: none.
         */
        limit: number | null;
        /**
         * The KYC level's. Higher than limit while a PIN reset reduces it.
         */
        regular_limit: number | null;
        /**
         * Until when a PIN reset reduces the limit; null: it does not.
         */
        reduced_until: string | null;
        /**
         * Paid today, without fees.
         */
        used: number;
        /**
         * Minor units that can still be paid today, if the balance allows.
         */
        remaining: number | null;
        /**
         * The payments that count.
         */
        counted_types: Array<'transfer_p2p' | 'pos_payment' | 'wallet_withdraw'>;
        /**
         * ISO 8601, UTC.
         */
        resets_at: string;
        /**
         * The time zone in which a day begins.
         */
        time_zone: 'UTC';
    };
    balance: {
        /**
         * The balance now.
         */
        current: number;
        /**
         * Minor units; null: none.
         */
        maximum: number | null;
        /**
         * Minor units that the wallet can still receive.
         */
        remaining: number | null;
    };
    /**
     * The cards with their own daily limit.
     */
    cards: Array<CardLimit>;
};

export type SubscriberNotFoundOrCardNotFoundRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'SUBSCRIBER_NOT_FOUND' | 'CARD_NOT_FOUND';
};

export type SubscriberNotFoundOrNotFoundRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'SUBSCRIBER_NOT_FOUND' | 'NOT_FOUND';
};

export type SubscriberNotFoundRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'SUBSCRIBER_NOT_FOUND';
};

export type SubscriberNote = {
    id: string;
    subscriber_id: string;
    /**
     * As it was written; may have several lines.
     */
    text: string;
    /**
     * A user's id.
     */
    author_id: string;
    /**
     * First and last name.
     */
    author_name: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type SubscriberRegistration = {
    /**
     * In local format or E.164.
     */
    phone_number: string;
    first_name: string;
    last_name: string;
    /**
     * Exactly 4 digits.
     */
    pin: string;
    /**
     * Email address.
     */
    email?: string;
    /**
     * YYYY-MM-DD, a day in the past.
     */
    date_of_birth?: string;
    /**
     * Postal address.
     */
    address?: string;
    /**
     * The identity document's number.
     */
    id_number?: string;
    /**
     * The kind of identity document, such as passport.
     */
    id_type?: 'NATIONAL_ID' | 'PASSPORT' | 'DRIVERS_LICENSE';
    /**
     * How many child cards the subscriber may have.
     */
    max_child_cards?: number;
    /**
     * Where the identity document's image is stored. The service does not read it.
     */
    id_document_url?: string;
    /**
     * Where the subscriber's picture is stored. The service does not read it.
     */
    selfie_url?: string;
    /**
     * Staff only: the subscriber must be activated.
     */
    status?: 'PENDING';
    /**
     * Refused: is set afterwards by compliance, with PUT /subscribers/{id}.
     */
    is_pep?: unknown;
    /**
     * Makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
};

/**
 * In lists, the record of a politically exposed person has id and status only for users without PEP access. Agents' users get the record of a subscriber they registered without the balance; for any other subscriber, only id, name, status and kyc_level.
 */
export type SubscriberView = {
    id: string;
    /**
     * Ten digits, the last one a Luhn check digit.
     */
    account_number?: string;
    /**
     * E.164.
     */
    phone_number?: string;
    first_name?: string;
    last_name?: string;
    /**
     * Email address. Null if it is not recorded.
     */
    email?: string | null;
    /**
     * YYYY-MM-DD. Null if it is not recorded.
     */
    date_of_birth?: string | null;
    /**
     * Postal address. Null if it is not recorded.
     */
    address?: string | null;
    /**
     * 1 to 3: how well the subscriber is identified. It sets the maximum balance and the daily limit.
     */
    kyc_level?: number;
    /**
     * PENDING: registered, until the phone number is verified or staff activate it. ACTIVE can pay and receive. BLOCKED neither pays nor receives, until staff unblock it.
     */
    status: 'ACTIVE' | 'BLOCKED' | 'PENDING';
    /**
     * Absent, or false: the code sent to the number has not been entered yet, and the number does not find the wallet.
     */
    phone_verified?: boolean;
    /**
     * Transaction types that are blocked for this subscriber; the others are allowed.
     */
    disabled_transaction_types?: Array<string>;
    /**
     * Formatted for display: 1,234.56 SLE.
     */
    balance?: string;
    /**
     * What authorised payments reserve of the balance. Formatted like it.
     */
    held?: string;
    /**
     * balance - held. Formatted like it.
     */
    available?: string;
    /**
     * The identity document's number. Null if it is not recorded.
     */
    id_number?: string | null;
    /**
     * The kind of identity document, such as passport. Null if it is not recorded.
     */
    id_type?: string | null;
    /**
     * The wallet's id at a partner. Null if there is none.
     */
    partner_wallet_id?: string | null;
    /**
     * Number of linked cards.
     */
    cards_count?: number;
    /**
     * How many child cards the subscriber may have.
     */
    max_child_cards?: number;
    /**
     * A politically exposed person.
     */
    is_pep?: boolean;
    /**
     * ISO 8601, UTC.
     */
    created_at?: string;
    /**
     * ISO 8601, UTC.
     */
    updated_at?: string;
    /**
     * Why it is blocked. For compliance_user, support_user and system_admin only.
     */
    block_reason?: string | null;
    /**
     * ISO 8601, UTC. For compliance_user, support_user and system_admin only.
     */
    blocked_at?: string | null;
    /**
     * The id of the user or API key. For compliance_user, support_user and system_admin only.
     */
    blocked_by?: string | null;
    /**
     * The current name of that user or API key. For compliance_user, support_user and system_admin only.
     */
    blocked_by_name?: string | null;
    /**
     * ISO 8601, UTC; null if the account is not locked after wrong PINs. A locked account cannot pay. For compliance_user, support_user and system_admin only.
     */
    pin_locked_until?: string | null;
    /**
     * Three wrong PINs in a row (30 minutes), or ten on one UTC day (until 00:00 UTC). For compliance_user, support_user and system_admin only.
     */
    pin_lock_reason?: 'wrong_in_a_row' | 'wrong_on_one_day' | 'wrong_on_own_channels';
    /**
     * Until then the holder can set a new PIN with the code that was sent; the old PIN keeps working. ISO 8601, UTC; null if no code is open. For compliance_user, support_user and system_admin only.
     */
    pin_reset_code_until?: string | null;
    /**
     * Until then outgoing payments are reduced, because the PIN was reset. ISO 8601, UTC. For compliance_user, support_user and system_admin only.
     */
    outgoing_reduced_until?: string | null;
    /**
     * The daily limit until then, in minor units. For compliance_user, support_user and system_admin only.
     */
    reduced_daily_limit?: number | null;
    /**
     * For compliance_user and system_admin only.
     */
    id_document_url?: string | null;
    /**
     * For compliance_user and system_admin only.
     */
    selfie_url?: string | null;
    /**
     * First name and initial of the last name.
     */
    name?: string;
};

export type SuspendAgentRequest = {
    /**
     * Why; kept in the audit log. Control characters and line breaks become a space; blank text means absent.
     */
    reason: string;
};

export type SuspendProcessorRequest = {
    /**
     * Why; kept in the audit log. Control characters and line breaks become a space; blank text means absent.
     */
    reason: string;
};

export type SuspenseItem = {
    transaction_id: string;
    /**
     * Whole days since the credit.
     */
    age_days: number;
    /**
     * The wallet that was credited.
     */
    subscriber_id: string;
    /**
     * Its holder's name.
     */
    subscriber_name: string | null;
    /**
     * Minor units.
     */
    amount: number;
    /**
     * For display, such as 125.00 SLE.
     */
    amount_formatted: string;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * The reference of the notification.
     */
    reference: string | null;
    /**
     * The card the cash was paid in for.
     */
    card_serial: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type TerminalKey = {
    /**
     * The terminal sends it as X-API-Key-ID.
     */
    id: string;
    name: string;
    /**
     * Only an active key is accepted.
     */
    status: 'active' | 'expired' | 'revoked';
    /**
     * Its last request in the last 24 hours; null if there was none. ISO 8601, UTC.
     */
    last_used_at: string | null;
    /**
     * ISO 8601, UTC; null: never.
     */
    expires_at: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type TerminalPaymentRequest = {
    /**
     * Makes retries safe. Required in the body: no header replaces it.
     */
    request_id: string;
    /**
     * The id of a merchant.
     */
    merchant_id: string;
    /**
     * The id of a processor.
     */
    processor_id: string;
    /**
     * The card serial, as printed or read by NFC, such as 04:A1:B2:C3.
     */
    card_serial: string;
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount: number | string;
    /**
     * A compact JWE (alg dir, enc A256GCM) of {"pin", "card_serial"}, under HKDF-SHA256 of the secret that signs (no salt, info pin-encryption-v1, 32 bytes).
     */
    encrypted_pin?: string;
    /**
     * Instead of encrypted_pin, with svc_test_ keys only.
     */
    pin?: string;
    /**
     * ISO 4217; always SLE.
     */
    currency?: 'SLE';
    /**
     * Any JSON value of at most 16 KiB, stored unchanged.
     */
    metadata?: unknown;
    /**
     * False only authorises the payment: the amount is reserved for 7 days, until it is captured, voided or expires.
     */
    capture?: boolean;
    /**
     * The merchant's terminal.
     */
    terminal_id: string;
};

export type TerminateAgentRequest = {
    /**
     * Why; kept in the audit log. Control characters and line breaks become a space; blank text means absent.
     */
    reason?: string;
};

export type TestWebhookEndpointReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * Its outcome: GET /webhook-deliveries/{id}.
     */
    delivery_id: string;
};

export type TestWebhookEndpointRequest = {
    /**
     * Sends an example of this event instead of `endpoint.test`. Not in production.
     */
    type?: 'payment.authorized' | 'payment.completed' | 'payment.captured' | 'payment.voided' | 'payment.expired' | 'payment.refunded' | 'payment_request.paid' | 'payment_request.declined' | 'payment_request.expired' | 'payment_request.cancelled' | 'payout.sent' | 'payout.returned' | 'bulk_payment.checked' | 'bulk_payment.completed';
};

export type Tokens = {
    /**
     * The access token, a JWT.
     */
    token: string;
    /**
     * Valid for one refresh within 7 days.
     */
    refresh_token: string;
    /**
     * Seconds until the access token expires.
     */
    expires_in: number;
};

export type Transaction = {
    transaction_id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: string;
    /**
     * Seen from the list's account: debit left it, credit entered it. Null in a view of all accounts.
     */
    direction: 'debit' | 'credit';
    /**
     * Minor units.
     */
    amount: number;
    /**
     * The fee charged to this account; the sum of all fees in a list of all accounts.
     */
    fee: number;
    /**
     * The commission the movement paid to this account; null in a list of all accounts. The balance changes by the amount, less the fee, plus the commission.
     */
    commission: number | null;
    /**
     * This account's balance after the transaction. Minor units. Null in a view of all accounts, and where it would reveal a payment that the reader may not see.
     */
    balance_after: number | null;
    /**
     * The id of the other side; null for a politically exposed person on the other side, and for every customer if the caller is the other party.
     */
    counterparty: string | null;
    /**
     * null for a politically exposed person on the other side, and for every customer if the caller is the other party.
     */
    payer_id: string | null;
    /**
     * null for a politically exposed person on the other side, and for every customer if the caller is the other party.
     */
    payee_id: string | null;
    /**
     * Free text from the sender. Null if there is none.
     */
    narration: string | null;
    /**
     * Always COMPLETED: the ledger has no other transactions.
     */
    status: string;
    /**
     * The id that the caller sent for this payment. Null if it sent none, and where the caller is the other party.
     */
    request_id: string | null;
    /**
     * The partner's reference; null for transactions without a partner.
     */
    reference: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * The payer's name. In lists, and for users only. Null where a politically exposed person is not shown to the reader.
     */
    payer_name?: string | null;
    /**
     * The payee's name. In lists, and for users only. Null where a politically exposed person is not shown to the reader.
     */
    payee_name?: string | null;
    /**
     * user, subscriber, key, service, notification or system. For staff only.
     */
    actor_type?: string | null;
    /**
     * The user, customer, key or service that made the payment. For staff only.
     */
    actor_id?: string | null;
    /**
     * The current name of that user or key. For staff only.
     */
    actor_name?: string | null;
    /**
     * The metadata that the caller sent, unchanged; null if none.
     */
    metadata: unknown;
};

export type TransactionAlert = {
    id: string;
    /**
     * CRITICAL, HIGH, MEDIUM or LOW.
     */
    severity: string;
    /**
     * open, in_review, resolved or dismissed.
     */
    status: string;
    /**
     * The kind of rule that raised it, or the type its reporter sent.
     */
    type: string;
    /**
     * Null if no rule raised it.
     */
    rule_id: string | null;
    /**
     * What was observed.
     */
    description: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
};

export type TransactionAuditEntry = {
    id: string;
    /**
     * ISO 8601, UTC.
     */
    at: string;
    /**
     * user, subscriber, key, service, notification, public or system.
     */
    actor_type: string;
    /**
     * The user, key or service. Null for public routes and the service itself.
     */
    actor_id: string | null;
    /**
     * The current name of the user or API key; null for others.
     */
    actor_name: string | null;
    /**
     * What was done, such as subscribers.block.
     */
    action: string;
    /**
     * The request's id in the logs; null for the service itself.
     */
    request_id: string | null;
};

export type TransactionDelivery = {
    id: string;
    /**
     * credit.completed, credit.failed or credit.reversed.
     */
    event: string;
    /**
     * pending, delivered or abandoned.
     */
    status: string;
    /**
     * Number of attempts so far.
     */
    attempt_count: number;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * ISO 8601, UTC. Null: it is not finished.
     */
    finished_at: string | null;
};

export type TransactionDetails = {
    transaction_id: string;
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    type: string;
    /**
     * Seen from the list's account: debit left it, credit entered it. Null in a view of all accounts.
     */
    direction: 'debit' | 'credit';
    /**
     * Minor units.
     */
    amount: number;
    /**
     * The fee charged to this account; the sum of all fees in a list of all accounts.
     */
    fee: number;
    /**
     * The commission the movement paid to this account; null in a list of all accounts. The balance changes by the amount, less the fee, plus the commission.
     */
    commission: number | null;
    /**
     * This account's balance after the transaction. Minor units. Null in a view of all accounts, and where it would reveal a payment that the reader may not see.
     */
    balance_after: number | null;
    /**
     * The id of the other side; null for a politically exposed person on the other side, and for every customer if the caller is the other party.
     */
    counterparty: string | null;
    /**
     * null for a politically exposed person on the other side, and for every customer if the caller is the other party.
     */
    payer_id: string | null;
    /**
     * null for a politically exposed person on the other side, and for every customer if the caller is the other party.
     */
    payee_id: string | null;
    /**
     * Free text from the sender. Null if there is none.
     */
    narration: string | null;
    /**
     * Always COMPLETED: the ledger has no other transactions.
     */
    status: string;
    /**
     * The id that the caller sent for this payment. Null if it sent none, and where the caller is the other party.
     */
    request_id: string | null;
    /**
     * The partner's reference; null for transactions without a partner.
     */
    reference: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * The payer's name. In lists, and for users only. Null where a politically exposed person is not shown to the reader.
     */
    payer_name?: string | null;
    /**
     * The payee's name. In lists, and for users only. Null where a politically exposed person is not shown to the reader.
     */
    payee_name?: string | null;
    /**
     * user, subscriber, key, service, notification or system. For staff only.
     */
    actor_type?: string | null;
    /**
     * The user, customer, key or service that made the payment. For staff only.
     */
    actor_id?: string | null;
    /**
     * The current name of the user or API key that asked for it; null for others. For staff only.
     */
    actor_name?: string | null;
    /**
     * The metadata that the caller sent, unchanged; null if none.
     */
    metadata: unknown;
    /**
     * For card payments.
     */
    authorization_code: string | null;
    /**
     * The card's serial, masked except for the last four characters.
     */
    card: string | null;
    /**
     * The merchant's terminal. Null for payments in an app.
     */
    terminal_id: string | null;
    /**
     * The public link of the receipt, for 13 months; null for what the operator moves between its own accounts and floats.
     */
    receipt_url: string | null;
    /**
     * The side that sends the money.
     */
    payer: TransactionParty;
    /**
     * The side that receives the money.
     */
    payee: TransactionParty;
    /**
     * For the operator, all postings; for an owner, its own posting.
     */
    postings: Array<Posting>;
    /**
     * For the operator and the agent of a cash-in or cash-out, both sides' fees; for other owners, their own fee.
     */
    fees: Array<TransactionFee>;
    /**
     * The original of a refund or reversal; refunds and reversals of it.
     */
    related: Array<RelatedTransaction>;
    /**
     * Null if the transaction is not sealed, which `ledger:verify` reports.
     */
    seal: TransactionSeal | null;
    /**
     * For callers with compliance:read.
     */
    alerts?: Array<TransactionAlert>;
    /**
     * For staff. Of credits under the same reference, and of a payment to its merchant.
     */
    webhook_deliveries?: Array<TransactionDelivery>;
    /**
     * For callers with audit:read; the latest 50.
     */
    audit_entries?: Array<TransactionAuditEntry>;
};

export type TransactionFailedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'TRANSACTION_FAILED';
};

export type TransactionFee = {
    /**
     * The side that sends or receives the money.
     */
    party: 'payer' | 'payee';
    /**
     * Null for a politically exposed person on the other side.
     */
    account_id: string | null;
    /**
     * Fee paid by the party.
     */
    charged: number;
    /**
     * Commission of the party, paid at once or accrued until it is settled.
     */
    earned: number;
};

export type TransactionParty = {
    /**
     * Null for a politically exposed person on the other side.
     */
    id: string | null;
    /**
     * wallet, agent_float, agent_commission, processor, partner_clearing, payouts_in_transit, treasury, suspense or fee_income.
     */
    kind: string | null;
    /**
     * sender, recipient, agent or processor.
     */
    role: string | null;
    /**
     * In full for staff; first name and initial of a subscriber for others; null for a politically exposed person.
     */
    name: string | null;
    /**
     * E.164; for callers who cannot read the party's record: +232 ** *** 456.
     */
    phone_number: string | null;
    /**
     * A wallet's number, masked except for the last four digits for callers who cannot read its record; a merchant's merchant_id.
     */
    account_number: string | null;
    /**
     * The name of the person who owns the agent's or merchant's business.
     */
    owner: string | null;
    /**
     * The agent's town or address.
     */
    location: string | null;
};

export type TransactionSeal = {
    /**
     * chain × 2^32 + number.
     */
    batch: number;
    /**
     * The chain of seals; each gateway writes its own.
     */
    chain: number;
    /**
     * The batch's number in its chain.
     */
    number: number;
    /**
     * The sealed content's version.
     */
    format: number;
    /**
     * HMAC-SHA-256 over the previous seal and everything the batch wrote, in hex.
     */
    mac: string;
    /**
     * ISO 8601, UTC.
     */
    sealed_at: string;
};

export type TransactionSums = {
    /**
     * The number of transactions.
     */
    count: number;
    /**
     * The sum of the amounts, without fees.
     */
    amount: number;
    /**
     * The sum of the fees: the account's, or all of them in a list of all accounts.
     */
    fee: number;
    /**
     * Present if summing everything would take too long: there is more.
     */
    is_minimum?: true;
};

export type TransferAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'PEP_ACCESS_REQUIRED' | 'SUBSCRIBER_BLOCKED' | 'TRANSACTION_TYPE_DISABLED' | 'ACCOUNT_LOCKED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type TransferAgentFloatAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'AGENT_SUSPENDED' | 'AGENT_TERMINATED' | 'ACCOUNT_LOCKED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type TransferAgentFloatBadRequestRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST' | 'INVALID_AMOUNT' | 'INVALID_PIN' | 'INSUFFICIENT_FLOAT';
    /**
     * INVALID_PIN: Attempts left before the lock. Absent if the value was not checked.
     */
    attempts_remaining?: number;
    /**
     * INSUFFICIENT_FLOAT: What is available. Minor units.
     */
    available?: number;
    /**
     * INSUFFICIENT_FLOAT: What the request needs. Minor units.
     */
    required?: number;
};

export type TransferAgentFloatReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    transaction_id: string;
    /**
     * Formatted for display: 1,234.56 SLE.
     */
    amount: string;
    /**
     * Formatted for display: 1,234.56 SLE.
     */
    from_balance?: string;
    /**
     * Formatted for display: 1,234.56 SLE.
     */
    to_balance?: string;
};

export type TransferAgentFloatRequest = {
    /**
     * The id of an agent.
     */
    from_agent_id: string;
    /**
     * The id of an agent.
     */
    to_agent_id: string;
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount: number | string;
    /**
     * The agent's PIN, exactly 4 digits.
     */
    pin: string;
    /**
     * Makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
    /**
     * What the payment is for; shown in the history of both sides. Control characters and line breaks become a space; blank text means absent.
     */
    description?: string;
};

export type TransferAgentFloatUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'MAX_BALANCE_EXCEEDED' | 'COMPLIANCE_BLOCKED' | 'DAILY_LIMIT_EXCEEDED';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
    /**
     * DAILY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * DAILY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
};

export type TransferBadRequestRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST' | 'INVALID_AMOUNT' | 'INVALID_PIN' | 'SAME_ACCOUNT';
    /**
     * INVALID_PIN: Attempts left before the lock. Absent if the value was not checked.
     */
    attempts_remaining?: number;
};

export type TransferByCardAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'PEP_ACCESS_REQUIRED' | 'SUBSCRIBER_BLOCKED' | 'TRANSACTION_TYPE_DISABLED' | 'ACCOUNT_LOCKED' | 'CARD_BLOCKED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type TransferByCardBadRequestRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'INVALID_REQUEST' | 'INVALID_AMOUNT' | 'INVALID_PIN' | 'SAME_ACCOUNT';
    /**
     * INVALID_PIN: Attempts left before the lock. Absent if the value was not checked.
     */
    attempts_remaining?: number;
};

export type TransferByCardRequest = {
    /**
     * The id of a subscriber.
     */
    sender_id: string;
    /**
     * The serial of one of the recipient's cards.
     */
    recipient_card_serial: string;
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount: number | string;
    /**
     * Exactly 4 digits.
     */
    pin: string;
    /**
     * Makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
    /**
     * What the payment is for; shown in the history of both sides. Control characters and line breaks become a space; blank text means absent.
     */
    description?: string;
};

export type TransferByCardUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'COMPLIANCE_BLOCKED' | 'MAX_BALANCE_EXCEEDED' | 'DAILY_LIMIT_EXCEEDED';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
    /**
     * DAILY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * DAILY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
};

export type TransferFromProcessorAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'APPROVAL_REQUIRED' | 'SUBSCRIBER_BLOCKED' | 'TRANSACTION_TYPE_DISABLED';
};

export type TransferFromProcessorRequest = {
    /**
     * The id of a processor.
     */
    to_processor_id?: string;
    /**
     * The id of a subscriber.
     */
    to_subscriber_id?: string;
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount: number | string;
    /**
     * Makes retries safe. Required for API keys. The header X-Request-ID is an alternative.
     */
    request_id?: string;
    /**
     * What the payment is for; shown in the history of both sides. Control characters and line breaks become a space; blank text means absent.
     */
    description?: string;
};

export type TransferFromProcessorUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'KEY_LIMIT_EXCEEDED' | 'COMPLIANCE_BLOCKED' | 'MAX_BALANCE_EXCEEDED';
    /**
     * KEY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * KEY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
};

export type TransferRequest = {
    /**
     * The id of a subscriber.
     */
    sender_id: string;
    /**
     * The id of a subscriber.
     */
    recipient_id?: string;
    /**
     * In local format or E.164.
     */
    recipient_phone?: string;
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount: number | string;
    /**
     * Exactly 4 digits.
     */
    pin: string;
    /**
     * Makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
    /**
     * What the payment is for; shown in the history of both sides. Control characters and line breaks become a space; blank text means absent.
     */
    description?: string;
};

export type TransferUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'COMPLIANCE_BLOCKED' | 'MAX_BALANCE_EXCEEDED' | 'DAILY_LIMIT_EXCEEDED';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
    /**
     * DAILY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * DAILY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
};

export type TriggeredRule = {
    id: string;
    name?: string;
    /**
     * Incremented with every rule change.
     */
    version?: number;
    /**
     * What the rule compares with its threshold: one payment, or the number or sum of payments in the window.
     */
    kind?: 'amount' | 'velocity_count' | 'velocity_amount';
    /**
     * The side that sends or receives the money.
     */
    side?: 'payer' | 'payee';
    /**
     * flag: the payment proceeds with an alert. block: it is refused with an alert.
     */
    outcome?: 'flag' | 'block';
    /**
     * Sets when the review is due: at once, in 24 hours, in 48 hours, never.
     */
    severity?: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';
    /**
     * The rule is triggered above it: minor units, or a number of payments for velocity_count.
     */
    threshold?: number;
    /**
     * The sliding window of a velocity rule. Null for an amount rule.
     */
    window_seconds?: number | null;
    /**
     * The amount or count that exceeds the threshold, including this payment; a lower bound.
     */
    found?: number;
};

export type TrustAccount = {
    id: string;
    name: string;
    bank: string;
    /**
     * Letters and digits, without spaces and separators.
     */
    account_number: string;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * A closed account takes no statements. Only an empty account can be closed.
     */
    status: 'active' | 'closed';
    /**
     * The closing balance of the last statement. Minor units.
     */
    balance: number | null;
    /**
     * The day on which the last statement ends. YYYY-MM-DD.
     */
    balance_date: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * ISO 8601, UTC.
     */
    updated_at: string;
};

export type TrustAccountClosedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'TRUST_ACCOUNT_CLOSED';
};

export type TrustAccountExistsOrTrustAccountInUseRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'TRUST_ACCOUNT_EXISTS' | 'TRUST_ACCOUNT_IN_USE';
};

export type TrustAccountExistsRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'TRUST_ACCOUNT_EXISTS';
};

export type UnauthorizedOrInvalidOtpRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'UNAUTHORIZED' | 'INVALID_OTP';
    /**
     * INVALID_OTP: Attempts left before the lock. Absent if the value was not checked.
     */
    attempts_remaining?: number;
};

export type UnauthorizedOrInvalidPinRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'UNAUTHORIZED' | 'INVALID_PIN';
    /**
     * INVALID_PIN: Attempts left before the lock. Absent if the value was not checked.
     */
    attempts_remaining?: number;
};

export type UnauthorizedOrInvalidSecondFactorRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'UNAUTHORIZED' | 'INVALID_SECOND_FACTOR';
    /**
     * INVALID_SECOND_FACTOR: Attempts left before the lock. Absent if the value was not checked.
     */
    attempts_remaining?: number;
};

export type UnauthorizedOrInvalidSignatureOrExpiredTimestampRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'UNAUTHORIZED' | 'INVALID_SIGNATURE' | 'EXPIRED_TIMESTAMP';
};

export type UnauthorizedOrSecondFactorRequiredRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'UNAUTHORIZED' | 'SECOND_FACTOR_REQUIRED';
    /**
     * SECOND_FACTOR_REQUIRED: For POST /admin/login/second-factor; valid for 5 minutes.
     */
    challenge?: string;
    /**
     * SECOND_FACTOR_REQUIRED: The methods that the user has enrolled.
     */
    methods?: Array<string>;
    /**
     * SECOND_FACTOR_REQUIRED: Options for navigator.credentials.get.
     */
    webauthn?: {
        [key: string]: unknown;
    };
};

export type UnauthorizedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'UNAUTHORIZED';
};

export type UnblockCardAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'PEP_ACCESS_REQUIRED' | 'SUBSCRIBER_BLOCKED' | 'CARD_BLOCKED';
};

export type UnblockOwnCardAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'ACCOUNT_LOCKED' | 'SUBSCRIBER_BLOCKED' | 'CARD_BLOCKED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type UnblockOwnCardRequest = {
    /**
     * Exactly 4 digits.
     */
    pin: string;
};

export type UnblockPayeeReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
};

export type UnblockSubscriberReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * ISO 8601, UTC.
     */
    unblocked_at: string;
    /**
     * The user.
     */
    unblocked_by: string;
};

export type UnblockSubscriberRequest = {
    /**
     * Why; kept in the audit log. Control characters and line breaks become a space; blank text means absent.
     */
    reason?: string;
};

export type UndoMatchConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'ALREADY_UNDONE' | 'PAYOUT_CLEARED' | 'ARCHIVED';
    /**
     * ARCHIVED: Transactions before this instant are archived. ISO 8601, UTC.
     */
    archived_before?: string;
};

export type UnlinkCardRequest = {
    /**
     * Why; kept in the audit log. Control characters and line breaks become a space; blank text means absent.
     */
    reason?: string;
};

export type UnsupportedMediaTypeRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'UNSUPPORTED_MEDIA_TYPE';
};

export type UpdateAgentConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'DUPLICATE_PHONE' | 'RECORD_CHANGED' | 'AGENT_TERMINATED';
};

export type UpdateAgentRequest = {
    business_name?: string;
    first_name?: string;
    last_name?: string;
    /**
     * In local format or E.164; also a login name. Not for agents' users.
     */
    phone_number?: string;
    /**
     * Where the agent works.
     */
    location?: string | '';
    /**
     * Not for agents' users.
     */
    commission_tier?: 'standard' | 'premium' | 'custom';
    /**
     * The percentage of the commissions that an agent of the tier custom gets, with up to 4 decimals. Not for agents' users.
     */
    commission_percent?: number;
    /**
     * Not for agents' users.
     */
    settlement_mode?: 'instant' | 'daily' | 'weekly';
    /**
     * Accepted while it is unchanged.
     */
    readonly id?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly type?: 'super_agent' | 'sub_agent';
    /**
     * Accepted while it is unchanged.
     */
    readonly email?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly status?: 'active' | 'suspended' | 'terminated';
    /**
     * Accepted while it is unchanged.
     */
    readonly float_balance_formatted?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly sub_agent_count?: number;
    /**
     * Accepted while it is unchanged.
     */
    readonly parent_agent_id?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly created_at?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly status_reason?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly pin_reset_code_until?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly outgoing_reduced_until?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly reduced_floor?: number | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly pin_locked_until?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly pin_lock_reason?: 'wrong_in_a_row' | 'wrong_on_one_day' | 'wrong_on_own_channels';
};

export type UpdateAlertReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    alert: Alert;
};

export type UpdateAlertRequest = {
    /**
     * open, then in_review; resolved and dismissed are final.
     */
    status?: 'open' | 'in_review' | 'resolved' | 'dismissed';
    /**
     * Replaces the existing notes.
     */
    notes?: string;
    /**
     * With the status resolved or dismissed: what was found.
     */
    resolution?: string;
    /**
     * With the status resolved or dismissed. A dismissed alert takes false_positive or customer_explained.
     */
    outcome?: 'false_positive' | 'customer_explained' | 'confirmed_reported' | 'confirmed_blocked';
    /**
     * Accepted while it is unchanged.
     */
    readonly id?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly severity?: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';
    /**
     * Accepted while it is unchanged.
     */
    readonly type?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly subscriber_id?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly agent_id?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly processor_id?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly transaction_id?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly rule_id?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly rule_version?: number | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly description?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly figures?: {
        [key: string]: unknown;
    };
    /**
     * Accepted while it is unchanged.
     */
    readonly created_at?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly due_at?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly resolved_at?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly resolved_by?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly resolved_by_name?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly reported_by_name?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly subject_name?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly assigned_to?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly assignee_name?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly assigned_at?: string | null;
};

export type UpdateApiKeyReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    api_key: ApiKey;
};

export type UpdateApiKeyRequest = {
    name?: string;
    /**
     * The scopes the key keeps. None can be added.
     */
    scopes?: Array<string>;
    /**
     * ISO 8601, UTC; in the future, and not later than the key's current expiry.
     */
    expires_at?: string;
    /**
     * Minor units, and not more than now: it can only be reduced.
     */
    daily_limit?: number | string;
    /**
     * Accepted while it is unchanged.
     */
    readonly id?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly prefix?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly bearer?: boolean;
    /**
     * Accepted while it is unchanged.
     */
    readonly partner_id?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly processor_id?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly rate_limit?: number | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly approval_id?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly created_at?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly revoked_at?: string | null;
};

export type UpdateApprovalPolicyReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    policy: ApprovalPolicy;
};

export type UpdateApprovalPolicyRequest = {
    /**
     * The operation that can need an approval.
     */
    action: 'agents.fund' | 'agents.return_float' | 'wallet.fund_from_partner' | 'partners.settle' | 'inbound.reverse' | 'processors.transfer' | 'suspense.resolve' | 'processors.payout' | 'beneficiaries.change' | 'reconciliation.write_off' | 'trust_accounts.change' | 'fees.change' | 'rules.change' | 'kyc.raise' | 'pin.reset' | 'subscribers.change_phone' | 'users.change' | 'api_keys.create' | 'partners.change' | 'cases.recall' | 'privacy.erase';
    /**
     * Whether it is applied.
     */
    enabled: boolean;
    /**
     * Minor units. A request needs approval if its requester's total for the UTC day exceeds it. Absent: every request does.
     */
    threshold?: number | string;
    /**
     * Accepted while it is unchanged.
     */
    readonly updated_by?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly updated_at?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly locked?: boolean;
};

export type UpdateBulkRowLimitReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    row_limit: BulkRowLimit;
};

export type UpdateBulkRowLimitRequest = {
    /**
     * How many rows the payer may have checked and not paid in 30 days, beyond the rows paid. Default: 1,000.
     */
    unpaid_rows: number;
    /**
     * Accepted while it is unchanged.
     */
    readonly payer_id?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly checked_rows?: number;
    /**
     * Accepted while it is unchanged.
     */
    readonly paid_rows?: number;
    /**
     * Accepted while it is unchanged.
     */
    readonly remaining?: number;
};

export type UpdateBusinessNotificationsRequest = {
    /**
     * en: English, kri: Krio.
     */
    language?: 'en' | 'kri';
    /**
     * Where notices and codes go, among `available_channels`.
     */
    channels?: Array<'sms' | 'chat'>;
    /**
     * Whether payments are told. Notices about security always are.
     */
    payments?: boolean;
    /**
     * Whether notices of payments show the new balance.
     */
    show_balance?: boolean;
};

export type UpdateCardRequest = {
    /**
     * A name that the holder gave the card.
     */
    label?: string | '';
    /**
     * Minor units; empty text removes the limit. Only for linked cards.
     */
    daily_limit?: number | string;
    /**
     * Accepted while it is unchanged.
     */
    readonly serial?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly type?: 'parent' | 'child';
    /**
     * Accepted while it is unchanged.
     */
    readonly status?: 'unassigned' | 'active' | 'blocked';
    /**
     * Accepted while it is unchanged.
     */
    readonly subscriber_id?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly parent_serial?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly linked_at?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly retired_at?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly created_at?: string;
};

export type UpdateCommissionTiersReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The percentage of the fee settings' commissions that agents of this tier get; up to 4 decimals.
     */
    standard: number;
    /**
     * The percentage of the fee settings' commissions that agents of this tier get; up to 4 decimals.
     */
    premium: number;
};

export type UpdateCommissionTiersRequest = {
    /**
     * The percentage of the fee settings' commissions that agents of this tier get; up to 4 decimals.
     */
    standard?: number;
    /**
     * The percentage of the fee settings' commissions that agents of this tier get; up to 4 decimals.
     */
    premium?: number;
};

export type UpdateOwnNotificationsRequest = {
    /**
     * en: English, kri: Krio.
     */
    language?: 'en' | 'kri';
    /**
     * Where notices and codes go, among `available_channels`.
     */
    channels?: Array<'sms' | 'chat'>;
    /**
     * Whether payments are told. Notices about security always are.
     */
    payments?: boolean;
    /**
     * Whether notices of payments show the new balance.
     */
    show_balance?: boolean;
};

export type UpdatePartnerReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    partner: Partner;
};

export type UpdatePartnerRequest = {
    name?: string;
    /**
     * Must be https in production. Empty text removes it.
     */
    webhook_url?: string;
    /**
     * CIDR blocks or addresses, IPv4 or IPv6. Empty: any address is allowed.
     */
    ip_allowlist?: Array<string>;
    /**
     * The minimum for one inbound credit or cash-in. Default: 1. Minor units.
     */
    min_amount?: number | string;
    /**
     * The maximum for one inbound credit or cash-in. Default: 50,000,000. Minor units.
     */
    max_amount?: number | string;
    /**
     * The most it may owe from credits, cash-ins and fundings. Default: 1,000,000,000. Minor units.
     */
    outstanding_limit?: number | string;
    /**
     * suspended neither pays nor receives, and its keys are refused, until it is active again.
     */
    status?: 'active' | 'suspended';
    /**
     * Accepted while it is unchanged.
     */
    readonly id?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly outstanding?: number;
    /**
     * Accepted while it is unchanged.
     */
    readonly created_at?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly updated_at?: string;
};

export type UpdateProcessorRequest = {
    business_name?: string;
    contact_name?: string;
    /**
     * In local format or E.164.
     */
    phone_number?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly id?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly merchant_id?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly merchant_number?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly email?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly status?: 'active' | 'suspended';
    /**
     * Accepted while it is unchanged.
     */
    readonly balance?: number;
    /**
     * Accepted while it is unchanged.
     */
    readonly balance_formatted?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly created_at?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly suspend_reason?: string | null;
};

export type UpdateRuleRequest = {
    name?: string;
    /**
     * The value compared with the threshold: the amount of one payment, or the number or sum of payments in a window.
     */
    kind?: 'amount' | 'velocity_count' | 'velocity_amount';
    /**
     * The account that the rule applies to. payer: the paying account or, when something other than a wallet pays into a wallet, that wallet. payee: the account that is paid; the velocity kinds then count what wallets receive.
     */
    side?: 'payer' | 'payee';
    /**
     * The kinds of transactions that the rule applies to.
     */
    transaction_types?: Array<'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'inbound_reversal' | 'partner_cashin' | 'suspense_resolution' | 'suspense_refund' | 'partner_settlement' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'processor_transfer' | 'processor_payout' | 'payout_returned' | 'pos_refund' | 'unclaimed_payment'>;
    /**
     * flag: the payment proceeds with an alert. block: it is refused with an alert.
     */
    outcome?: 'flag' | 'block';
    /**
     * The severity of alerts raised by a flagging rule; blocked payments raise CRITICAL alerts.
     */
    severity?: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';
    /**
     * Whether it is applied.
     */
    enabled?: boolean;
    /**
     * The highest allowed value: minor units, or a number of payments for velocity_count.
     */
    threshold?: number | string;
    /**
     * The sliding window; required for velocity_count and velocity_amount, not allowed for amount.
     */
    window_seconds?: number;
    /**
     * Accepted while it is unchanged.
     */
    readonly id?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly version?: number;
    /**
     * Accepted while it is unchanged.
     */
    readonly created_at?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly updated_at?: string;
};

export type UpdateSubscriberConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'DUPLICATE_PHONE' | 'PHONE_NOT_VERIFIED' | 'NOT_ACTIVE' | 'RECORD_CHANGED' | 'DUPLICATE_IDENTITY' | 'PARTNER_WALLET_TAKEN';
};

export type UpdateSubscriberRequest = {
    /**
     * In local format or E.164.
     */
    phone_number?: string;
    first_name?: string;
    last_name?: string;
    /**
     * Email address.
     */
    email?: string | '';
    /**
     * YYYY-MM-DD.
     */
    date_of_birth?: string | '';
    /**
     * Postal address.
     */
    address?: string | '';
    /**
     * The identity document's number.
     */
    id_number?: string | '';
    /**
     * The kind of identity document, such as passport.
     */
    id_type?: 'NATIONAL_ID' | 'PASSPORT' | 'DRIVERS_LICENSE' | '';
    /**
     * Where the identity document's image is stored. The service does not read it.
     */
    id_document_url?: string | '';
    /**
     * Where the subscriber's picture is stored. The service does not read it.
     */
    selfie_url?: string | '';
    /**
     * The wallet's id at a partner.
     */
    partner_wallet_id?: string | '';
    /**
     * How many child cards the subscriber may have.
     */
    max_child_cards?: number;
    /**
     * 1 to 3: how well the subscriber is identified. It sets the maximum balance and the daily limit.
     */
    kyc_level?: number;
    /**
     * Whether the subscriber is a politically exposed person. Set by compliance.
     */
    is_pep?: boolean;
    /**
     * Refused: is changed with POST /subscribers/{id}/change-pin.
     */
    pin?: unknown;
    /**
     * Accepted while it is unchanged.
     */
    readonly id?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly account_number?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly status?: 'ACTIVE' | 'BLOCKED' | 'PENDING';
    /**
     * Accepted while it is unchanged.
     */
    readonly phone_verified?: boolean;
    /**
     * Accepted while it is unchanged.
     */
    readonly disabled_transaction_types?: Array<string>;
    /**
     * Accepted while it is unchanged.
     */
    readonly balance?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly held?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly available?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly cards_count?: number;
    /**
     * Accepted while it is unchanged.
     */
    readonly created_at?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly updated_at?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly block_reason?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly blocked_at?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly blocked_by?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly blocked_by_name?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly pin_locked_until?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly pin_lock_reason?: 'wrong_in_a_row' | 'wrong_on_one_day' | 'wrong_on_own_channels';
    /**
     * Accepted while it is unchanged.
     */
    readonly pin_reset_code_until?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly outgoing_reduced_until?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly reduced_daily_limit?: number | null;
};

export type UpdateTrustAccountRequest = {
    name?: string;
    bank?: string;
    /**
     * The bank account number. Letters and digits; spaces and separators are removed.
     */
    account_number?: string;
    /**
     * A closed account takes no statements. Only an empty account can be closed.
     */
    status?: 'active' | 'closed';
    /**
     * Accepted while it is unchanged.
     */
    readonly id?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly currency?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly balance?: number | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly balance_date?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly created_at?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly updated_at?: string;
};

export type UpdateUserConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'DUPLICATE_PHONE' | 'LAST_ADMIN' | 'AGENT_SUSPENDED' | 'AGENT_TERMINATED';
};

export type UpdateUserReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    user: User;
};

export type UpdateUserRequest = {
    first_name?: string;
    last_name?: string;
    /**
     * In local format or E.164.
     */
    phone_number?: string;
    /**
     * Can be changed to system_admin, compliance_user, support_user, sales_user, audit_user, finance_user, super_agent, sub_agent.
     */
    role?: 'system_admin' | 'compliance_user' | 'support_user' | 'finance_user' | 'sales_user' | 'audit_user' | 'super_agent' | 'sub_agent' | 'processor';
    /**
     * active can log in. inactive and suspended cannot.
     */
    status?: 'active' | 'inactive' | 'suspended';
    /**
     * Whether the user may ask for access to records of politically exposed persons.
     */
    pep_access_authorized?: boolean;
    /**
     * It must have 8 to 128 characters with an uppercase letter, a lowercase letter, a digit and a special character (a space counts).
     */
    password?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly id?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly email?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly last_login_at?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly second_factor_since?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly created_at?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly agent_id?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly processor_id?: string | null;
};

export type UpdateWebhookEndpointReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    webhook_endpoint: WebhookEndpoint;
};

export type UpdateWebhookEndpointRequest = {
    /**
     * Where events are posted. Must be https in production.
     */
    url?: string;
    /**
     * The events that are sent. `credit.*`: only for partners.
     */
    events?: Array<'payment.authorized' | 'payment.completed' | 'payment.captured' | 'payment.voided' | 'payment.expired' | 'payment.refunded' | 'payment_request.paid' | 'payment_request.declined' | 'payment_request.expired' | 'payment_request.cancelled' | 'payout.sent' | 'payout.returned' | 'bulk_payment.checked' | 'bulk_payment.completed' | 'credit.completed' | 'credit.failed' | 'credit.reversed'>;
    /**
     * Accepted while it is unchanged.
     */
    readonly id?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly processor_id?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly partner_id?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly previous_secret_valid_until?: string | null;
    /**
     * Accepted while it is unchanged.
     */
    readonly created_by?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly created_at?: string;
    /**
     * Accepted while it is unchanged.
     */
    readonly updated_at?: string;
};

/**
 * Without the balance for agents' users.
 */
export type UpdatedSubscriber = {
    id: string;
    /**
     * Ten digits, the last one a Luhn check digit.
     */
    account_number: string;
    /**
     * E.164.
     */
    phone_number: string;
    first_name: string;
    last_name: string;
    /**
     * Email address. Null if it is not recorded.
     */
    email: string | null;
    /**
     * YYYY-MM-DD. Null if it is not recorded.
     */
    date_of_birth: string | null;
    /**
     * Postal address. Null if it is not recorded.
     */
    address: string | null;
    /**
     * 1 to 3: how well the subscriber is identified. It sets the maximum balance and the daily limit.
     */
    kyc_level: number;
    /**
     * PENDING: registered, until the phone number is verified or staff activate it. ACTIVE can pay and receive. BLOCKED neither pays nor receives, until staff unblock it.
     */
    status: 'ACTIVE' | 'BLOCKED' | 'PENDING';
    /**
     * Absent, or false: the code sent to the number has not been entered yet, and the number does not find the wallet.
     */
    phone_verified?: boolean;
    /**
     * Transaction types that are blocked for this subscriber; the others are allowed.
     */
    disabled_transaction_types: Array<string>;
    /**
     * The identity document's number. Null if it is not recorded.
     */
    id_number: string | null;
    /**
     * The kind of identity document, such as passport. Null if it is not recorded.
     */
    id_type: string | null;
    /**
     * The wallet's id at a partner. Null if there is none.
     */
    partner_wallet_id: string | null;
    /**
     * Number of linked cards.
     */
    cards_count: number;
    /**
     * How many child cards the subscriber may have.
     */
    max_child_cards: number;
    /**
     * A politically exposed person.
     */
    is_pep: boolean;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * ISO 8601, UTC.
     */
    updated_at: string;
    /**
     * Why it is blocked. For compliance_user, support_user and system_admin only.
     */
    block_reason?: string | null;
    /**
     * ISO 8601, UTC. For compliance_user, support_user and system_admin only.
     */
    blocked_at?: string | null;
    /**
     * The id of the user or API key. For compliance_user, support_user and system_admin only.
     */
    blocked_by?: string | null;
    /**
     * The current name of that user or API key. For compliance_user, support_user and system_admin only.
     */
    blocked_by_name?: string | null;
    /**
     * ISO 8601, UTC; null if the account is not locked after wrong PINs. A locked account cannot pay. For compliance_user, support_user and system_admin only.
     */
    pin_locked_until?: string | null;
    /**
     * Three wrong PINs in a row (30 minutes), or ten on one UTC day (until 00:00 UTC). For compliance_user, support_user and system_admin only.
     */
    pin_lock_reason?: 'wrong_in_a_row' | 'wrong_on_one_day' | 'wrong_on_own_channels';
    /**
     * Until then the holder can set a new PIN with the code that was sent; the old PIN keeps working. ISO 8601, UTC; null if no code is open. For compliance_user, support_user and system_admin only.
     */
    pin_reset_code_until?: string | null;
    /**
     * Until then outgoing payments are reduced, because the PIN was reset. ISO 8601, UTC. For compliance_user, support_user and system_admin only.
     */
    outgoing_reduced_until?: string | null;
    /**
     * The daily limit until then, in minor units. For compliance_user, support_user and system_admin only.
     */
    reduced_daily_limit?: number | null;
    /**
     * For compliance_user and system_admin only.
     */
    id_document_url?: string | null;
    /**
     * For compliance_user and system_admin only.
     */
    selfie_url?: string | null;
    /**
     * Formatted for display: 1,234.56 SLE.
     */
    balance?: string;
    /**
     * What authorised payments reserve of the balance. Formatted like it.
     */
    held?: string;
    /**
     * balance - held. Formatted like it.
     */
    available?: string;
};

export type UploadBulkPaymentReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    bulk_payment: BulkPayment;
};

export type UploadBulkPaymentRequest = {
    rows: Array<BulkPaymentFileRow>;
};

export type UploadCardsReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * The number of non-blank lines, without the header.
     */
    total: number;
    /**
     * Number of cards that were created.
     */
    created: number;
    /**
     * Cards already in stock or linked, or repeated in the file.
     */
    skipped: number;
    /**
     * The first 1,000.
     */
    errors: Array<{
        /**
         * The line in the file, from 1.
         */
        line: number;
        /**
         * The serial in that line.
         */
        serial: string;
        /**
         * Why the line was skipped.
         */
        error: string;
    }>;
    /**
     * Number of skipped lines; `errors` has the first of them.
     */
    errors_total: number;
};

export type UploadedBankStatement = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    statement: BankStatement;
    /**
     * What to check, for example days between this statement and the previous one. The statement is valid.
     */
    warnings: Array<string>;
};

export type UploadedCaseFile = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    file: CaseFile;
};

export type UploadedSubscriberDocument = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    document: SubscriberDocument;
};

export type User = {
    id: string;
    /**
     * Email address.
     */
    email: string;
    first_name: string;
    last_name: string;
    /**
     * E.164, such as +23276123456. Null if it is not recorded.
     */
    phone_number: string | null;
    role: 'system_admin' | 'compliance_user' | 'support_user' | 'finance_user' | 'sales_user' | 'audit_user' | 'super_agent' | 'sub_agent' | 'processor';
    /**
     * active can log in. inactive and suspended cannot.
     */
    status: 'active' | 'inactive' | 'suspended';
    /**
     * ISO 8601, UTC. Null: no login yet.
     */
    last_login_at: string | null;
    /**
     * Since when the user has a second factor; null: there is none. ISO 8601, UTC.
     */
    second_factor_since: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * The agent this user belongs to; null for others.
     */
    agent_id: string | null;
    /**
     * The processor this user belongs to; null for others.
     */
    processor_id: string | null;
    /**
     * Whether the user may ask for access to records of politically exposed persons.
     */
    pep_access_authorized: boolean;
};

export type UserExistsOrDuplicatePhoneRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'USER_EXISTS' | 'DUPLICATE_PHONE';
};

export type UserNotFoundRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'USER_NOT_FOUND';
};

export type UssdCallback = {
    /**
     * The gateway's id of the session.
     */
    sessionId: string;
    /**
     * The number that dials.
     */
    phoneNumber: string;
    /**
     * For example *715#.
     */
    serviceCode: string;
    /**
     * The gateway's code of the phone network.
     */
    networkCode?: string;
    /**
     * All inputs so far, joined by *; empty when the code is dialled.
     */
    text?: string;
};

export type UssdPage = {
    /**
     * The page, with line breaks.
     */
    text: string;
    /**
     * The session has ended.
     */
    ends: boolean;
};

export type UssdSessionEnd = {
    /**
     * The gateway's id of the session.
     */
    sessionId: string;
    /**
     * Success, Incomplete or Failed.
     */
    status?: string;
};

export type UssdStep = {
    /**
     * The gateway's id of the session.
     */
    session_id: string;
    /**
     * The number that dials.
     */
    phone_number: string;
    /**
     * For example *715#.
     */
    service_code: string;
    /**
     * The number of the step; 0 for the dialling.
     */
    sequence: number;
    /**
     * What was typed; at step 0, what was dialled after the code.
     */
    input?: string;
};

export type VerifyPepCodeReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    /**
     * ISO 8601, UTC.
     */
    access_until: string;
};

export type VerifyPepCodeRequest = {
    /**
     * The six digits that were sent.
     */
    code: string;
};

export type VerifyPublicSubscriberRequest = {
    /**
     * Six digits.
     */
    code: string;
};

export type VerifySubscriberPinAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'PEP_ACCESS_REQUIRED' | 'SUBSCRIBER_BLOCKED' | 'ACCOUNT_LOCKED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type VerifySubscriberPinReply = {
    success: true;
    /**
     * Always true: a wrong PIN is refused.
     */
    verified: true;
};

export type VerifySubscriberPinRequest = {
    /**
     * Exactly 4 digits.
     */
    pin: string;
};

export type Void = {
    success: true;
    /**
     * The authorisation.
     */
    transaction_id: string;
    /**
     * Always VOIDED.
     */
    status: 'VOIDED';
    /**
     * What is available to the customer again, apart from a fee.
     */
    amount: number;
    /**
     * ISO 4217; always SLE.
     */
    currency: string;
    /**
     * ISO 8601, UTC.
     */
    voided_at: string;
};

export type VoidAtTerminalConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REQUEST_CONFLICT' | 'ALREADY_CAPTURED' | 'ALREADY_VOIDED' | 'EXPIRED';
};

export type VoidInAppConflictRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'REQUEST_CONFLICT' | 'ALREADY_CAPTURED' | 'ALREADY_VOIDED' | 'EXPIRED';
};

export type VoidRequest = {
    /**
     * Makes retries safe. Required in the body: no header replaces it.
     */
    request_id: string;
};

export type WebhookAttempt = {
    /**
     * From 1.
     */
    number: number;
    /**
     * ISO 8601, UTC.
     */
    at: string;
    /**
     * Milliseconds.
     */
    duration_ms: number;
    /**
     * The HTTP status of the response; null if there was none.
     */
    status: number | null;
    /**
     * Why the attempt failed; null if it was acknowledged.
     */
    error: string | null;
};

export type WebhookAttemptReply = {
    /**
     * content-type, retry-after and location, if the endpoint sent them.
     */
    headers: {
        [key: string]: string;
    };
    /**
     * The first 2,000 bytes as text. Control characters except line feeds and tabs are escaped as ; bytes that are not UTF-8 are U+FFFD.
     */
    body: string;
    /**
     * The body is longer than 2,000 bytes, or was not complete within one second.
     */
    truncated: boolean;
};

export type WebhookAttemptRequest = {
    /**
     * The endpoint's address at the attempt's time.
     */
    url: string;
    /**
     * As sent, with the signatures, but without connection headers such as Host.
     */
    headers: {
        [key: string]: string;
    };
};

export type WebhookDelivery = {
    /**
     * The X-Hook-Event-Id of every attempt.
     */
    id: string;
    /**
     * The partner that it is for; null if it is for a merchant.
     */
    partner_id: string | null;
    /**
     * The merchant that it is for; null if it is for a partner.
     */
    processor_id: string | null;
    /**
     * The webhook endpoint; null for a partner's webhook_url.
     */
    endpoint_id: string | null;
    /**
     * credit.completed, credit.failed or credit.reversed.
     */
    event: string;
    /**
     * The partner's reference for a credit; otherwise the id of what the event is about, such as a payment.
     */
    reference: string;
    /**
     * The inbound credit; null for other events.
     */
    inbound_id: string | null;
    /**
     * pending: will be sent, or sent again. delivered: answered with 2xx. abandoned: no attempts are left; staff can replay it.
     */
    status: 'pending' | 'delivered' | 'abandoned';
    /**
     * The body that is sent.
     */
    payload: {
        [key: string]: unknown;
    };
    /**
     * Number of attempts so far.
     */
    attempt_count: number;
    /**
     * The latest 20, in order.
     */
    attempts: Array<WebhookAttempt>;
    /**
     * ISO 8601, UTC. Null: there is no further attempt.
     */
    next_attempt_at: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * ISO 8601, UTC. Null: it is not finished.
     */
    finished_at: string | null;
};

export type WebhookEndpoint = {
    /**
     * The id of the endpoint.
     */
    id: string;
    /**
     * The merchant that owns it; null if a partner does.
     */
    processor_id: string | null;
    /**
     * The partner that owns it; null if a merchant does.
     */
    partner_id: string | null;
    /**
     * Where events are sent.
     */
    url: string;
    /**
     * Only these are sent.
     */
    events: Array<'payment.authorized' | 'payment.completed' | 'payment.captured' | 'payment.voided' | 'payment.expired' | 'payment.refunded' | 'payment_request.paid' | 'payment_request.declined' | 'payment_request.expired' | 'payment_request.cancelled' | 'payout.sent' | 'payout.returned' | 'bulk_payment.checked' | 'bulk_payment.completed' | 'credit.completed' | 'credit.failed' | 'credit.reversed'>;
    /**
     * Until then the secret before the last rotation signs too; null: there was no rotation, or no overlap. ISO 8601, UTC.
     */
    previous_secret_valid_until: string | null;
    /**
     * The user or API key that created it.
     */
    created_by: string;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    /**
     * ISO 8601, UTC.
     */
    updated_at: string;
};

export type WebhookEndpointLimitRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'WEBHOOK_ENDPOINT_LIMIT';
};

export type WebhookRefusal = {
    success: false;
    /**
     * A sentence for people. It can change.
     */
    message: string;
};

export type WhatIfFeesRequest = {
    /**
     * The proposed settings, in the form PUT /fee-settings accepts. Others stay as they are.
     */
    settings: Array<{
        /**
         * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
         */
        transaction_type: 'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw';
        /**
         * The party that is charged or paid.
         */
        party_type: 'sender' | 'recipient' | 'agent' | 'processor';
        /**
         * percentage: of the amount. flat: the same for each transaction.
         */
        fee_type: 'percentage' | 'flat';
        /**
         * Percent, at most 100 with up to 4 decimals; or, when flat, SLE with up to 2 decimals.
         */
        fee_value: number;
        /**
         * Default: true.
         */
        debit_enabled?: boolean;
        /**
         * Default: false.
         */
        credit_enabled?: boolean;
        /**
         * As the record has it. true with the values of the default creates no custom setting.
         */
        is_default?: boolean;
        /**
         * Ignored: the service sets it.
         */
        updated_at?: unknown;
        /**
         * Ignored: the service sets it.
         */
        updated_by?: unknown;
        /**
         * Ignored: the service sets it.
         */
        updated_by_name?: unknown;
    }>;
};

export type WhatIfNewRuleRequest = {
    name: string;
    /**
     * The value compared with the threshold: the amount of one payment, or the number or sum of payments in a window.
     */
    kind: 'amount' | 'velocity_count' | 'velocity_amount';
    /**
     * The account that the rule applies to. payer: the paying account or, when something other than a wallet pays into a wallet, that wallet. payee: the account that is paid; the velocity kinds then count what wallets receive. Default: payer.
     */
    side?: 'payer' | 'payee';
    /**
     * The kinds of transactions that the rule applies to.
     */
    transaction_types: Array<'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'inbound_reversal' | 'partner_cashin' | 'suspense_resolution' | 'suspense_refund' | 'partner_settlement' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'processor_transfer' | 'processor_payout' | 'payout_returned' | 'pos_refund' | 'unclaimed_payment'>;
    /**
     * flag: the payment proceeds with an alert. block: it is refused with an alert.
     */
    outcome: 'flag' | 'block';
    /**
     * Default: CRITICAL if the rule blocks, otherwise MEDIUM.
     */
    severity?: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';
    /**
     * Default: true.
     */
    enabled?: boolean;
    /**
     * The highest allowed value: minor units, or a number of payments for velocity_count.
     */
    threshold: number | string;
    /**
     * The sliding window; required for velocity_count and velocity_amount, not allowed for amount.
     */
    window_seconds?: number;
};

export type WhatIfRuleRequest = {
    name?: string;
    /**
     * The value compared with the threshold: the amount of one payment, or the number or sum of payments in a window.
     */
    kind?: 'amount' | 'velocity_count' | 'velocity_amount';
    /**
     * The account that the rule applies to. payer: the paying account or, when something other than a wallet pays into a wallet, that wallet. payee: the account that is paid; the velocity kinds then count what wallets receive.
     */
    side?: 'payer' | 'payee';
    /**
     * The kinds of transactions that the rule applies to.
     */
    transaction_types?: Array<'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'inbound_reversal' | 'partner_cashin' | 'suspense_resolution' | 'suspense_refund' | 'partner_settlement' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'processor_transfer' | 'processor_payout' | 'payout_returned' | 'pos_refund' | 'unclaimed_payment'>;
    /**
     * flag: the payment proceeds with an alert. block: it is refused with an alert.
     */
    outcome?: 'flag' | 'block';
    /**
     * The severity of alerts raised by a flagging rule; blocked payments raise CRITICAL alerts.
     */
    severity?: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';
    /**
     * Whether it is applied.
     */
    enabled?: boolean;
    /**
     * The highest allowed value: minor units, or a number of payments for velocity_count.
     */
    threshold?: number | string;
    /**
     * The sliding window; required for velocity_count and velocity_amount, not allowed for amount.
     */
    window_seconds?: number;
};

export type WithdrawAccessDeniedRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'FORBIDDEN' | 'PASSWORD_CHANGE_REQUIRED' | 'SECOND_FACTOR_ENROLMENT_REQUIRED' | 'PARTNER_SUSPENDED' | 'PROCESSOR_SUSPENDED' | 'IP_NOT_ALLOWED' | 'CERTIFICATE_REQUIRED' | 'PEP_ACCESS_REQUIRED' | 'SUBSCRIBER_BLOCKED' | 'TRANSACTION_TYPE_DISABLED' | 'ACCOUNT_LOCKED' | 'AGENT_SUSPENDED' | 'AGENT_TERMINATED';
    /**
     * ACCOUNT_LOCKED: ISO 8601, UTC. Null: until the PIN is reset.
     */
    locked_until?: string | null;
};

export type WithdrawGoingLiveItemReply = {
    success: true;
    /**
     * A sentence for people. It can change.
     */
    message: string;
    item: GoingLiveItem;
};

export type WithdrawRequest = {
    /**
     * The id of a subscriber.
     */
    subscriber_id: string;
    /**
     * The id of an agent.
     */
    agent_id: string;
    /**
     * Minor units: a whole number, or a string of digits.
     */
    amount: number | string;
    /**
     * Exactly 4 digits.
     */
    pin: string;
    /**
     * Makes retries safe. The header X-Request-ID is an alternative.
     */
    request_id?: string;
    /**
     * What the payment is for; shown in the history of both sides. Control characters and line breaks become a space; blank text means absent.
     */
    description?: string;
};

export type WithdrawUnprocessableRefusal = {
    success: false;
    /**
     * Why the request was refused, as a sentence for people. Programs use `code`.
     */
    error: string;
    /**
     * Identifies the refusal. Codes do not change; new ones can be added.
     */
    code: 'COMPLIANCE_BLOCKED' | 'MAX_BALANCE_EXCEEDED' | 'DAILY_LIMIT_EXCEEDED';
    /**
     * COMPLIANCE_BLOCKED: The alert that was raised.
     */
    alert_id?: string;
    /**
     * DAILY_LIMIT_EXCEEDED: What is available. Minor units.
     */
    available?: number;
    /**
     * DAILY_LIMIT_EXCEEDED: What the request needs. Minor units.
     */
    required?: number;
};

export type WriteOffRequest = {
    /**
     * Bank entry ids.
     */
    bank_entry_ids?: Array<string>;
    /**
     * Transaction ids.
     */
    transaction_ids?: Array<string>;
    /**
     * Why; kept with the write-off. Control characters and line breaks become a space; blank text means absent.
     */
    reason: string;
};

export type PutFeeSettingRequestWritable = {
    /**
     * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
     */
    transaction_type: 'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw';
    /**
     * The party that is charged or paid.
     */
    party_type: 'sender' | 'recipient' | 'agent' | 'processor';
    /**
     * percentage: of the amount. flat: the same for each transaction.
     */
    fee_type: 'percentage' | 'flat';
    /**
     * Percent, at most 100 with up to 4 decimals; or, when flat, SLE with up to 2 decimals.
     */
    fee_value: number;
    /**
     * Default: true.
     */
    debit_enabled?: boolean;
    /**
     * Default: false.
     */
    credit_enabled?: boolean;
    /**
     * As the record has it. true with the values of the default creates no custom setting.
     */
    is_default?: boolean;
    /**
     * Ignored: the service sets it.
     */
    updated_at?: unknown;
    /**
     * Ignored: the service sets it.
     */
    updated_by?: unknown;
    /**
     * Ignored: the service sets it.
     */
    updated_by_name?: unknown;
};

export type UpdateAgentRequestWritable = {
    business_name?: string;
    first_name?: string;
    last_name?: string;
    /**
     * In local format or E.164; also a login name. Not for agents' users.
     */
    phone_number?: string;
    /**
     * Where the agent works.
     */
    location?: string | '';
    /**
     * Not for agents' users.
     */
    commission_tier?: 'standard' | 'premium' | 'custom';
    /**
     * The percentage of the commissions that an agent of the tier custom gets, with up to 4 decimals. Not for agents' users.
     */
    commission_percent?: number;
    /**
     * Not for agents' users.
     */
    settlement_mode?: 'instant' | 'daily' | 'weekly';
};

export type UpdateAlertRequestWritable = {
    /**
     * open, then in_review; resolved and dismissed are final.
     */
    status?: 'open' | 'in_review' | 'resolved' | 'dismissed';
    /**
     * Replaces the existing notes.
     */
    notes?: string;
    /**
     * With the status resolved or dismissed: what was found.
     */
    resolution?: string;
    /**
     * With the status resolved or dismissed. A dismissed alert takes false_positive or customer_explained.
     */
    outcome?: 'false_positive' | 'customer_explained' | 'confirmed_reported' | 'confirmed_blocked';
};

export type UpdateApiKeyRequestWritable = {
    name?: string;
    /**
     * The scopes the key keeps. None can be added.
     */
    scopes?: Array<string>;
    /**
     * ISO 8601, UTC; in the future, and not later than the key's current expiry.
     */
    expires_at?: string;
    /**
     * Minor units, and not more than now: it can only be reduced.
     */
    daily_limit?: number | string;
};

export type UpdateApprovalPolicyRequestWritable = {
    /**
     * The operation that can need an approval.
     */
    action: 'agents.fund' | 'agents.return_float' | 'wallet.fund_from_partner' | 'partners.settle' | 'inbound.reverse' | 'processors.transfer' | 'suspense.resolve' | 'processors.payout' | 'beneficiaries.change' | 'reconciliation.write_off' | 'trust_accounts.change' | 'fees.change' | 'rules.change' | 'kyc.raise' | 'pin.reset' | 'subscribers.change_phone' | 'users.change' | 'api_keys.create' | 'partners.change' | 'cases.recall' | 'privacy.erase';
    /**
     * Whether it is applied.
     */
    enabled: boolean;
    /**
     * Minor units. A request needs approval if its requester's total for the UTC day exceeds it. Absent: every request does.
     */
    threshold?: number | string;
};

export type UpdateBulkRowLimitRequestWritable = {
    /**
     * How many rows the payer may have checked and not paid in 30 days, beyond the rows paid. Default: 1,000.
     */
    unpaid_rows: number;
};

export type UpdateCardRequestWritable = {
    /**
     * A name that the holder gave the card.
     */
    label?: string | '';
    /**
     * Minor units; empty text removes the limit. Only for linked cards.
     */
    daily_limit?: number | string;
};

export type UpdatePartnerRequestWritable = {
    name?: string;
    /**
     * Must be https in production. Empty text removes it.
     */
    webhook_url?: string;
    /**
     * CIDR blocks or addresses, IPv4 or IPv6. Empty: any address is allowed.
     */
    ip_allowlist?: Array<string>;
    /**
     * The minimum for one inbound credit or cash-in. Default: 1. Minor units.
     */
    min_amount?: number | string;
    /**
     * The maximum for one inbound credit or cash-in. Default: 50,000,000. Minor units.
     */
    max_amount?: number | string;
    /**
     * The most it may owe from credits, cash-ins and fundings. Default: 1,000,000,000. Minor units.
     */
    outstanding_limit?: number | string;
    /**
     * suspended neither pays nor receives, and its keys are refused, until it is active again.
     */
    status?: 'active' | 'suspended';
};

export type UpdateProcessorRequestWritable = {
    business_name?: string;
    contact_name?: string;
    /**
     * In local format or E.164.
     */
    phone_number?: string;
};

export type UpdateRuleRequestWritable = {
    name?: string;
    /**
     * The value compared with the threshold: the amount of one payment, or the number or sum of payments in a window.
     */
    kind?: 'amount' | 'velocity_count' | 'velocity_amount';
    /**
     * The account that the rule applies to. payer: the paying account or, when something other than a wallet pays into a wallet, that wallet. payee: the account that is paid; the velocity kinds then count what wallets receive.
     */
    side?: 'payer' | 'payee';
    /**
     * The kinds of transactions that the rule applies to.
     */
    transaction_types?: Array<'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'inbound_reversal' | 'partner_cashin' | 'suspense_resolution' | 'suspense_refund' | 'partner_settlement' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'processor_transfer' | 'processor_payout' | 'payout_returned' | 'pos_refund' | 'unclaimed_payment'>;
    /**
     * flag: the payment proceeds with an alert. block: it is refused with an alert.
     */
    outcome?: 'flag' | 'block';
    /**
     * The severity of alerts raised by a flagging rule; blocked payments raise CRITICAL alerts.
     */
    severity?: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';
    /**
     * Whether it is applied.
     */
    enabled?: boolean;
    /**
     * The highest allowed value: minor units, or a number of payments for velocity_count.
     */
    threshold?: number | string;
    /**
     * The sliding window; required for velocity_count and velocity_amount, not allowed for amount.
     */
    window_seconds?: number;
};

export type UpdateSubscriberRequestWritable = {
    /**
     * In local format or E.164.
     */
    phone_number?: string;
    first_name?: string;
    last_name?: string;
    /**
     * Email address.
     */
    email?: string | '';
    /**
     * YYYY-MM-DD.
     */
    date_of_birth?: string | '';
    /**
     * Postal address.
     */
    address?: string | '';
    /**
     * The identity document's number.
     */
    id_number?: string | '';
    /**
     * The kind of identity document, such as passport.
     */
    id_type?: 'NATIONAL_ID' | 'PASSPORT' | 'DRIVERS_LICENSE' | '';
    /**
     * Where the identity document's image is stored. The service does not read it.
     */
    id_document_url?: string | '';
    /**
     * Where the subscriber's picture is stored. The service does not read it.
     */
    selfie_url?: string | '';
    /**
     * The wallet's id at a partner.
     */
    partner_wallet_id?: string | '';
    /**
     * How many child cards the subscriber may have.
     */
    max_child_cards?: number;
    /**
     * 1 to 3: how well the subscriber is identified. It sets the maximum balance and the daily limit.
     */
    kyc_level?: number;
    /**
     * Whether the subscriber is a politically exposed person. Set by compliance.
     */
    is_pep?: boolean;
    /**
     * Refused: is changed with POST /subscribers/{id}/change-pin.
     */
    pin?: unknown;
};

export type UpdateTrustAccountRequestWritable = {
    name?: string;
    bank?: string;
    /**
     * The bank account number. Letters and digits; spaces and separators are removed.
     */
    account_number?: string;
    /**
     * A closed account takes no statements. Only an empty account can be closed.
     */
    status?: 'active' | 'closed';
};

export type UpdateUserRequestWritable = {
    first_name?: string;
    last_name?: string;
    /**
     * In local format or E.164.
     */
    phone_number?: string;
    /**
     * Can be changed to system_admin, compliance_user, support_user, sales_user, audit_user, finance_user, super_agent, sub_agent.
     */
    role?: 'system_admin' | 'compliance_user' | 'support_user' | 'finance_user' | 'sales_user' | 'audit_user' | 'super_agent' | 'sub_agent' | 'processor';
    /**
     * active can log in. inactive and suspended cannot.
     */
    status?: 'active' | 'inactive' | 'suspended';
    /**
     * Whether the user may ask for access to records of politically exposed persons.
     */
    pep_access_authorized?: boolean;
    /**
     * It must have 8 to 128 characters with an uppercase letter, a lowercase letter, a digit and a special character (a space counts).
     */
    password?: string;
};

export type UpdateWebhookEndpointRequestWritable = {
    /**
     * Where events are posted. Must be https in production.
     */
    url?: string;
    /**
     * The events that are sent. `credit.*`: only for partners.
     */
    events?: Array<'payment.authorized' | 'payment.completed' | 'payment.captured' | 'payment.voided' | 'payment.expired' | 'payment.refunded' | 'payment_request.paid' | 'payment_request.declined' | 'payment_request.expired' | 'payment_request.cancelled' | 'payout.sent' | 'payout.returned' | 'bulk_payment.checked' | 'bulk_payment.completed' | 'credit.completed' | 'credit.failed' | 'credit.reversed'>;
};

/**
 * The id of an agent.
 */
export type AgentId = string;

/**
 * The id of an authorised payment.
 */
export type CaptureAtTerminalTransactionId = string;

/**
 * An error code.
 */
export type Code = string;

/**
 * next_cursor of the previous page.
 */
export type Cursor = string;

/**
 * The day, or a close's id: a day that was corrected has several.
 */
export type Date = string;

/**
 * Only those to this webhook endpoint.
 */
export type EndpointId = string;

/**
 * Only this type of event.
 */
export type Event = string;

/**
 * true: read anew, after the caller's change.
 */
export type Fresh = 'true';

/**
 * The first day or instant, as YYYY-MM-DD or ISO 8601.
 */
export type From = string;

/**
 * One of transfer_p2p, agent_cashin, pos_payment, vult_fund, wallet_withdraw.
 */
export type GetFeeSettingType = string;

/**
 * What the metrics of the same name count in reports: customers' payments, or their refunds and reversals.
 */
export type Group = 'payments' | 'refunds';

/**
 * Returned if the token is correct.
 */
export type HubChallenge = string;

/**
 * subscribe
 */
export type HubMode = string;

/**
 * The verify token configured on the platform.
 */
export type HubVerifyToken = string;

export type Id = string;

/**
 * The id of the inbound credit at this service.
 */
export type InboundId = string;

/**
 * One of restore_practised, anchors_kept, alerts_reach_a_person, integrators_certified, terms_reviewed.
 */
export type Item = string;

/**
 * The language of the page: en or kri.
 */
export type Lang = string;

/**
 * Maximum number of records: 50 by default, at most 100.
 */
export type Limit = number | string;

/**
 * newest (default), oldest, or by the name of the business; as CSV newest first instead of by name.
 */
export type ListAgentsSort = 'newest' | 'oldest' | 'name';

export type ListCertificationsPartnerId = string;

/**
 * The partner's id for the credit or cash-in, unique per partner.
 */
export type ListInboundCreditsReference = string;

/**
 * All transactions of the ledger are COMPLETED. The others are statuses of inbound credits and match nothing here.
 */
export type ListOwnTransactionsStatus = 'COMPLETED' | 'REJECTED' | 'FAILED' | 'REVERSED' | 'PROCESSING';

/**
 * pending: will be sent, or sent again. delivered: answered with 2xx. abandoned: no attempts are left; staff can replay it.
 */
export type ListOwnWebhookDeliveriesStatus = 'pending' | 'delivered' | 'abandoned';

/**
 * suspended neither pays nor receives, and its keys are refused, until it is active again.
 */
export type ListPartnersStatus = 'active' | 'suspended';

/**
 * Only requests in this state.
 */
export type ListSentRequestsStatus = 'open' | 'paid' | 'declined' | 'expired' | 'cancelled';

/**
 * The processor's (merchant's) id.
 */
export type ListWebhookEndpointsProcessorId = string;

/**
 * The highest amount, without fees, in minor units.
 */
export type MaxAmount = number | string;

/**
 * The lowest amount, without fees, in minor units.
 */
export type MinAmount = number | string;

/**
 * The cursor of the previous reply: only requests that were written after it, beginning with those that directly follow it.
 */
export type NewerThan = number | string;

/**
 * Number of records to skip.
 */
export type Offset = number | string;

/**
 * The id of a partner.
 */
export type PartnerId = string;

/**
 * One of sender, recipient, agent, processor.
 */
export type Party = string;

/**
 * A merchant or a partner.
 */
export type PayerId = string;

/**
 * The id of a processor.
 */
export type ProcessorId = string;

/**
 * Only deliveries about this credit.
 */
export type Reference = string;

/**
 * The request_id or X-Request-ID of the request.
 */
export type RequestId = string;

/**
 * One of USSD_SECRET.
 */
export type Secret = string;

/**
 * The card serial, as printed or read by NFC.
 */
export type Serial = string;

/**
 * Sets when the review is due: at once, in 24 hours, in 48 hours, never.
 */
export type Severity = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';

/**
 * newest (default) or oldest first.
 */
export type Sort = 'newest' | 'oldest';

/**
 * in_transit: the bank has it. cleared: a bank entry is matched. returned: the bank sent it back.
 */
export type State = 'in_transit' | 'cleared' | 'returned';

export type StatementId = string;

/**
 * An HTTP status, or a class such as 4xx.
 */
export type Status = string;

/**
 * The id of a subscriber.
 */
export type SubscriberId = string;

/**
 * The last day or instant, as YYYY-MM-DD or ISO 8601.
 */
export type To = string;

/**
 * The last part of the payment request's url.
 */
export type Token = string;

export type TransactionId = string;

/**
 * true: the operator's treasury pays.
 */
export type Treasury = 'true' | 'false';

/**
 * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
 */
export type Type = 'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'inbound_reversal' | 'partner_cashin' | 'suspense_resolution' | 'suspense_refund' | 'partner_settlement' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'commission_settlement' | 'processor_transfer' | 'processor_payout' | 'payout_returned' | 'payout_cleared' | 'payout_uncleared' | 'pos_refund' | 'recall' | 'unclaimed_payment';

/**
 * The partner that pays.
 */
export type UploadBulkPaymentPartnerId = string;

/**
 * The merchant that pays.
 */
export type UploadBulkPaymentProcessorId = string;

export type GetHealthData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/health';
};

export type GetHealthResponses = {
    /**
     * Success.
     */
    200: HealthReport;
};

export type GetHealthResponse = GetHealthResponses[keyof GetHealthResponses];

export type GetReadinessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/health/ready';
};

export type GetReadinessResponses = {
    /**
     * Success.
     */
    200: HealthReport;
};

export type GetReadinessResponse = GetReadinessResponses[keyof GetReadinessResponses];

export type GetLivenessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/health/live';
};

export type GetLivenessResponses = {
    /**
     * Success.
     */
    200: GetLivenessReply;
};

export type GetLivenessResponse = GetLivenessResponses[keyof GetLivenessResponses];

export type GetStatusData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/status';
};

export type GetStatusResponses = {
    /**
     * Success.
     */
    200: ServiceStatus;
};

export type GetStatusResponse = GetStatusResponses[keyof GetStatusResponses];

export type GetProductionHealthData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/health/production';
};

export type GetProductionHealthResponses = {
    /**
     * Success.
     */
    200: ProductionReport;
};

export type GetProductionHealthResponse = GetProductionHealthResponses[keyof GetProductionHealthResponses];

export type GetMetricsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/metrics';
};

export type GetMetricsResponses = {
    /**
     * Metrics in Prometheus' text format.
     */
    200: string;
};

export type GetMetricsResponse = GetMetricsResponses[keyof GetMetricsResponses];

export type LoginData = {
    body: LoginRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/login';
};

export type LoginResponses = {
    /**
     * Success.
     */
    200: Tokens;
};

export type LoginResponse = LoginResponses[keyof LoginResponses];

export type FinishLoginData = {
    body: FinishLoginRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/login/second-factor';
};

export type FinishLoginResponses = {
    /**
     * Success.
     */
    200: Tokens;
};

export type FinishLoginResponse = FinishLoginResponses[keyof FinishLoginResponses];

export type RefreshTokensData = {
    body: RefreshTokenRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/refresh';
};

export type RefreshTokensResponses = {
    /**
     * Success.
     */
    200: Tokens;
};

export type RefreshTokensResponse = RefreshTokensResponses[keyof RefreshTokensResponses];

export type LogoutData = {
    body: LogoutRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/logout';
};

export type LogoutResponses = {
    /**
     * Success.
     */
    200: MessageReply;
};

export type LogoutResponse = LogoutResponses[keyof LogoutResponses];

export type ForgotPasswordData = {
    body: ForgotPasswordRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/forgot-password';
};

export type ForgotPasswordResponses = {
    /**
     * Accepted.
     */
    202: PasswordRecovery;
};

export type ForgotPasswordResponse = ForgotPasswordResponses[keyof ForgotPasswordResponses];

export type RecoverPasswordData = {
    body: RecoverPasswordRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/recover-password';
};

export type RecoverPasswordResponses = {
    /**
     * Success.
     */
    200: MessageReply;
};

export type RecoverPasswordResponse = RecoverPasswordResponses[keyof RecoverPasswordResponses];

export type GetCurrentUserData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/admin/me';
};

export type GetCurrentUserResponses = {
    /**
     * Success.
     */
    200: CurrentUser;
};

export type GetCurrentUserResponse = GetCurrentUserResponses[keyof GetCurrentUserResponses];

export type ChangePasswordData = {
    body: ChangePasswordRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/change-password';
};

export type ChangePasswordResponses = {
    /**
     * Success.
     */
    200: MessageReply;
};

export type ChangePasswordResponse = ChangePasswordResponses[keyof ChangePasswordResponses];

export type GetSecondFactorsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/admin/second-factor';
};

export type GetSecondFactorsResponses = {
    /**
     * Success.
     */
    200: GetSecondFactorsReply;
};

export type GetSecondFactorsResponse = GetSecondFactorsResponses[keyof GetSecondFactorsResponses];

export type BeginTotpEnrolmentData = {
    body: SecondFactorProof;
    path?: never;
    query?: never;
    url: '/api/v1/admin/second-factor/totp';
};

export type BeginTotpEnrolmentResponses = {
    /**
     * Success.
     */
    200: BeginTotpEnrolmentReply;
};

export type BeginTotpEnrolmentResponse = BeginTotpEnrolmentResponses[keyof BeginTotpEnrolmentResponses];

export type ConfirmTotpData = {
    body: ConfirmTotpRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/second-factor/totp/confirm';
};

export type ConfirmTotpResponses = {
    /**
     * Success.
     */
    200: ConfirmTotpReply;
};

export type ConfirmTotpResponse = ConfirmTotpResponses[keyof ConfirmTotpResponses];

export type RemoveTotpData = {
    body: SecondFactorProof;
    path?: never;
    query?: never;
    url: '/api/v1/admin/second-factor/totp/remove';
};

export type RemoveTotpResponses = {
    /**
     * Success.
     */
    200: MessageReply;
};

export type RemoveTotpResponse = RemoveTotpResponses[keyof RemoveTotpResponses];

export type GetPasskeyOptionsData = {
    body: SecondFactorProof;
    path?: never;
    query?: never;
    url: '/api/v1/admin/second-factor/passkeys/options';
};

export type GetPasskeyOptionsResponses = {
    /**
     * Success.
     */
    200: GetPasskeyOptionsReply;
};

export type GetPasskeyOptionsResponse = GetPasskeyOptionsResponses[keyof GetPasskeyOptionsResponses];

export type RegisterPasskeyData = {
    body: RegisterPasskeyRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/second-factor/passkeys';
};

export type RegisterPasskeyResponses = {
    /**
     * Created.
     */
    201: RegisterPasskeyReply;
};

export type RegisterPasskeyResponse = RegisterPasskeyResponses[keyof RegisterPasskeyResponses];

export type RemovePasskeyData = {
    body: SecondFactorProof;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/second-factor/passkeys/{id}/remove';
};

export type RemovePasskeyResponses = {
    /**
     * Success.
     */
    200: MessageReply;
};

export type RemovePasskeyResponse = RemovePasskeyResponses[keyof RemovePasskeyResponses];

export type ReplaceRecoveryCodesData = {
    body: SecondFactorProof;
    path?: never;
    query?: never;
    url: '/api/v1/admin/second-factor/recovery-codes';
};

export type ReplaceRecoveryCodesResponses = {
    /**
     * Success.
     */
    200: ReplaceRecoveryCodesReply;
};

export type ReplaceRecoveryCodesResponse = ReplaceRecoveryCodesResponses[keyof ReplaceRecoveryCodesResponses];

export type ResetSecondFactorData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/users/{id}/reset-second-factor';
};

export type ResetSecondFactorResponses = {
    /**
     * Success.
     */
    200: MessageReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type ResetSecondFactorResponse = ResetSecondFactorResponses[keyof ResetSecondFactorResponses];

export type SendPepCodeData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/admin/pep/otp';
};

export type SendPepCodeResponses = {
    /**
     * Success.
     */
    200: SendPepCodeReply;
};

export type SendPepCodeResponse = SendPepCodeResponses[keyof SendPepCodeResponses];

export type VerifyPepCodeData = {
    body: VerifyPepCodeRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/pep/verify';
};

export type VerifyPepCodeResponses = {
    /**
     * Success.
     */
    200: VerifyPepCodeReply;
};

export type VerifyPepCodeResponse = VerifyPepCodeResponses[keyof VerifyPepCodeResponses];

export type ListUsersData = {
    body?: never;
    path?: never;
    query?: {
        role?: 'system_admin' | 'compliance_user' | 'support_user' | 'finance_user' | 'sales_user' | 'audit_user' | 'super_agent' | 'sub_agent' | 'processor';
        /**
         * active can log in. inactive and suspended cannot.
         */
        status?: 'active' | 'inactive' | 'suspended';
        /**
         * Whether the user has a second factor.
         */
        second_factor?: 'true' | 'false';
        /**
         * Part of an email address, a name or a phone number, ignoring case.
         */
        search?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/users';
};

export type ListUsersResponses = {
    /**
     * Success.
     */
    200: ListUsersReply;
};

export type ListUsersResponse = ListUsersResponses[keyof ListUsersResponses];

export type CreateUserData = {
    body: CreateUserRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/users';
};

export type CreateUserResponses = {
    /**
     * Created.
     */
    201: CreateUserReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type CreateUserResponse = CreateUserResponses[keyof CreateUserResponses];

export type GetUserData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/users/{id}';
};

export type GetUserResponses = {
    /**
     * Success.
     */
    200: GetUserReply;
};

export type GetUserResponse = GetUserResponses[keyof GetUserResponses];

export type UpdateUserData = {
    body: UpdateUserRequestWritable;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/users/{id}';
};

export type UpdateUserResponses = {
    /**
     * Success.
     */
    200: UpdateUserReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type UpdateUserResponse = UpdateUserResponses[keyof UpdateUserResponses];

export type ResetPasswordData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/users/{id}/reset-password';
};

export type ResetPasswordResponses = {
    /**
     * Success.
     */
    200: ResetPasswordReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type ResetPasswordResponse = ResetPasswordResponses[keyof ResetPasswordResponses];

export type GetRolesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/admin/roles';
};

export type GetRolesResponses = {
    /**
     * Success.
     */
    200: GetRolesReply;
};

export type GetRolesResponse = GetRolesResponses[keyof GetRolesResponses];

export type ListApiKeysData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The id of a partner.
         */
        partner_id?: string;
        /**
         * The id of a processor.
         */
        processor_id?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/api-keys';
};

export type ListApiKeysResponses = {
    /**
     * Success.
     */
    200: ListApiKeysReply;
};

export type ListApiKeysResponse = ListApiKeysResponses[keyof ListApiKeysResponses];

export type CreateApiKeyData = {
    body: CreateApiKeyRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/api-keys';
};

export type CreateApiKeyResponses = {
    /**
     * Created.
     */
    201: CreateApiKeyReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type CreateApiKeyResponse = CreateApiKeyResponses[keyof CreateApiKeyResponses];

export type RevokeApiKeyData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/api-keys/{id}';
};

export type RevokeApiKeyResponses = {
    /**
     * The API key is revoked.
     */
    204: void;
};

export type RevokeApiKeyResponse = RevokeApiKeyResponses[keyof RevokeApiKeyResponses];

export type GetApiKeyData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/api-keys/{id}';
};

export type GetApiKeyResponses = {
    /**
     * Success.
     */
    200: GetApiKeyReply;
};

export type GetApiKeyResponse = GetApiKeyResponses[keyof GetApiKeyResponses];

export type UpdateApiKeyData = {
    body: UpdateApiKeyRequestWritable;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/api-keys/{id}';
};

export type UpdateApiKeyResponses = {
    /**
     * Success.
     */
    200: UpdateApiKeyReply;
};

export type UpdateApiKeyResponse = UpdateApiKeyResponses[keyof UpdateApiKeyResponses];

export type RotateApiKeyData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * How long the previous credentials remain valid, in seconds; 0 ends them at once.
         */
        overlap_seconds?: number | string;
    };
    url: '/api/v1/admin/api-keys/{id}/rotate';
};

export type RotateApiKeyResponses = {
    /**
     * Success.
     */
    200: RotateApiKeyReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type RotateApiKeyResponse = RotateApiKeyResponses[keyof RotateApiKeyResponses];

export type ListAuditLogsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * user: what people did.
         */
        actor_type?: 'user' | 'subscriber' | 'key' | 'service' | 'notification' | 'public' | 'system';
        /**
         * Only entries of this user, key or service.
         */
        actor_id?: string;
        /**
         * Only entries of this action, such as subscribers.block.
         */
        action?: string;
        /**
         * Only entries about this record.
         */
        resource_id?: string;
        /**
         * At or after this time, as YYYY-MM-DD or ISO 8601.
         */
        from?: string;
        /**
         * At or before this time, as YYYY-MM-DD or ISO 8601.
         */
        to?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/audit/logs';
};

export type ListAuditLogsResponses = {
    /**
     * Success.
     */
    200: ListAuditLogsReply;
};

export type ListAuditLogsResponse = ListAuditLogsResponses[keyof ListAuditLogsResponses];

export type VerifyAuditLogData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/audit/verify';
};

export type VerifyAuditLogResponses = {
    /**
     * Success.
     */
    200: AuditVerification;
};

export type VerifyAuditLogResponse = VerifyAuditLogResponses[keyof VerifyAuditLogResponses];

export type ListMessagesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The phone number or email address.
         */
        to?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/messages';
};

export type ListMessagesResponses = {
    /**
     * Success.
     */
    200: ListMessagesReply;
};

export type ListMessagesResponse = ListMessagesResponses[keyof ListMessagesResponses];

export type ListApiKeyRequestsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * An HTTP status, or a class such as 4xx.
         */
        status?: string;
        /**
         * An error code.
         */
        code?: string;
        /**
         * The cursor of the previous reply: only requests that were written after it, beginning with those that directly follow it.
         */
        newer_than?: number | string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/api-keys/{id}/requests';
};

export type ListApiKeyRequestsResponses = {
    /**
     * Success.
     */
    200: ListApiKeyRequestsReply;
};

export type ListApiKeyRequestsResponse = ListApiKeyRequestsResponses[keyof ListApiKeyRequestsResponses];

export type ListSavedViewsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The console screen, such as transactions.
         */
        screen?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/saved-views';
};

export type ListSavedViewsResponses = {
    /**
     * Success.
     */
    200: ListSavedViewsReply;
};

export type ListSavedViewsResponse = ListSavedViewsResponses[keyof ListSavedViewsResponses];

export type CreateSavedViewData = {
    body: CreateSavedViewRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/saved-views';
};

export type CreateSavedViewResponses = {
    /**
     * Created.
     */
    201: CreateSavedViewReply;
};

export type CreateSavedViewResponse = CreateSavedViewResponses[keyof CreateSavedViewResponses];

export type DeleteSavedViewData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/saved-views/{id}';
};

export type DeleteSavedViewResponses = {
    /**
     * The view is deleted.
     */
    204: void;
};

export type DeleteSavedViewResponse = DeleteSavedViewResponses[keyof DeleteSavedViewResponses];

export type ListGoingLiveItemsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/admin/going-live';
};

export type ListGoingLiveItemsResponses = {
    /**
     * Success.
     */
    200: ListGoingLiveItemsReply;
};

export type ListGoingLiveItemsResponse = ListGoingLiveItemsResponses[keyof ListGoingLiveItemsResponses];

export type ConfirmGoingLiveItemData = {
    body: ConfirmGoingLiveItemRequest;
    path: {
        /**
         * One of restore_practised, anchors_kept, alerts_reach_a_person, integrators_certified, terms_reviewed.
         */
        item: string;
    };
    query?: never;
    url: '/api/v1/admin/going-live/{item}/confirm';
};

export type ConfirmGoingLiveItemResponses = {
    /**
     * Success.
     */
    200: ConfirmGoingLiveItemReply;
};

export type ConfirmGoingLiveItemResponse = ConfirmGoingLiveItemResponses[keyof ConfirmGoingLiveItemResponses];

export type WithdrawGoingLiveItemData = {
    body?: never;
    path: {
        /**
         * One of restore_practised, anchors_kept, alerts_reach_a_person, integrators_certified, terms_reviewed.
         */
        item: string;
    };
    query?: never;
    url: '/api/v1/admin/going-live/{item}/withdraw';
};

export type WithdrawGoingLiveItemResponses = {
    /**
     * Success.
     */
    200: WithdrawGoingLiveItemReply;
};

export type WithdrawGoingLiveItemResponse = WithdrawGoingLiveItemResponses[keyof WithdrawGoingLiveItemResponses];

export type ListCertificationsData = {
    body?: never;
    path?: never;
    query?: {
        partner_id?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/lab/certifications';
};

export type ListCertificationsResponses = {
    /**
     * Success.
     */
    200: ListCertificationsReply;
};

export type ListCertificationsResponse = ListCertificationsResponses[keyof ListCertificationsResponses];

export type StartCertificationData = {
    body: StartCertificationRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/lab/certifications';
};

export type StartCertificationResponses = {
    /**
     * Created.
     */
    201: StartCertificationReply;
};

export type StartCertificationResponse = StartCertificationResponses[keyof StartCertificationResponses];

export type GetCertificationData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/lab/certifications/{id}';
};

export type GetCertificationResponses = {
    /**
     * Success.
     */
    200: GetCertificationReply;
};

export type GetCertificationResponse = GetCertificationResponses[keyof GetCertificationResponses];

export type FinishCertificationData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/lab/certifications/{id}/finish';
};

export type FinishCertificationResponses = {
    /**
     * Success.
     */
    200: FinishCertificationReply;
};

export type FinishCertificationResponse = FinishCertificationResponses[keyof FinishCertificationResponses];

export type GetLabPhoneData = {
    body?: never;
    path?: never;
    query: {
        /**
         * In local format or E.164.
         */
        phone_number: string;
    };
    url: '/api/v1/admin/lab/phone';
};

export type GetLabPhoneResponses = {
    /**
     * Success.
     */
    200: LabPhone;
};

export type GetLabPhoneResponse = GetLabPhoneResponses[keyof GetLabPhoneResponses];

export type PlayLabUssdData = {
    body: PlayLabUssdRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/lab/ussd';
};

export type PlayLabUssdResponses = {
    /**
     * Success.
     */
    200: LabPhonePage;
};

export type PlayLabUssdResponse = PlayLabUssdResponses[keyof PlayLabUssdResponses];

export type CreateLabPaymentRequestData = {
    body: CreateLabPaymentRequestRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/lab/payment-requests';
};

export type CreateLabPaymentRequestResponses = {
    /**
     * Created.
     */
    201: ChangedPaymentRequest;
};

export type CreateLabPaymentRequestResponse = CreateLabPaymentRequestResponses[keyof CreateLabPaymentRequestResponses];

export type ConfirmLabPaymentRequestData = {
    body: ConfirmLabPaymentRequestRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/lab/payment-requests/{id}/confirm';
};

export type ConfirmLabPaymentRequestResponses = {
    /**
     * Success.
     */
    200: PaidPaymentRequest;
};

export type ConfirmLabPaymentRequestResponse = ConfirmLabPaymentRequestResponses[keyof ConfirmLabPaymentRequestResponses];

export type DeclineLabPaymentRequestData = {
    body: DeclineLabPaymentRequestRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/lab/payment-requests/{id}/decline';
};

export type DeclineLabPaymentRequestResponses = {
    /**
     * Success.
     */
    200: DeclineLabPaymentRequestReply;
};

export type DeclineLabPaymentRequestResponse = DeclineLabPaymentRequestResponses[keyof DeclineLabPaymentRequestResponses];

export type StartConsoleSessionData = {
    body: StartConsoleSessionRequest;
    path?: never;
    query?: never;
    url: '/console/session';
};

export type StartConsoleSessionResponses = {
    /**
     * Success.
     */
    200: StartConsoleSessionReply;
};

export type StartConsoleSessionResponse = StartConsoleSessionResponses[keyof StartConsoleSessionResponses];

export type FinishConsoleLoginData = {
    body: FinishConsoleLoginRequest;
    path?: never;
    query?: never;
    url: '/console/session/second-factor';
};

export type FinishConsoleLoginResponses = {
    /**
     * Success.
     */
    200: FinishConsoleLoginReply;
};

export type FinishConsoleLoginResponse = FinishConsoleLoginResponses[keyof FinishConsoleLoginResponses];

export type RefreshConsoleSessionData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/console/session/refresh';
};

export type RefreshConsoleSessionResponses = {
    /**
     * Success.
     */
    200: RefreshConsoleSessionReply;
};

export type RefreshConsoleSessionResponse = RefreshConsoleSessionResponses[keyof RefreshConsoleSessionResponses];

export type EndConsoleSessionData = {
    body?: EndConsoleSessionRequest;
    path?: never;
    query?: never;
    url: '/console/session/logout';
};

export type EndConsoleSessionResponses = {
    /**
     * Success.
     */
    200: MessageReply;
};

export type EndConsoleSessionResponse = EndConsoleSessionResponses[keyof EndConsoleSessionResponses];

export type ListApprovalPoliciesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/admin/approval-policies';
};

export type ListApprovalPoliciesResponses = {
    /**
     * Success.
     */
    200: ListApprovalPoliciesReply;
};

export type ListApprovalPoliciesResponse = ListApprovalPoliciesResponses[keyof ListApprovalPoliciesResponses];

export type UpdateApprovalPolicyData = {
    body: UpdateApprovalPolicyRequestWritable;
    path?: never;
    query?: never;
    url: '/api/v1/admin/approval-policies';
};

export type UpdateApprovalPolicyResponses = {
    /**
     * Success.
     */
    200: UpdateApprovalPolicyReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type UpdateApprovalPolicyResponse = UpdateApprovalPolicyResponses[keyof UpdateApprovalPolicyResponses];

export type ListApprovalsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * pending, then approved, rejected, withdrawn or, after 7 days, expired. approved ends as executed or failed.
         */
        status?: 'pending' | 'approved' | 'executed' | 'failed' | 'rejected' | 'withdrawn' | 'expired';
        /**
         * Only approvals of this operation.
         */
        action?: 'agents.fund' | 'agents.return_float' | 'wallet.fund_from_partner' | 'partners.settle' | 'inbound.reverse' | 'processors.transfer' | 'suspense.resolve' | 'processors.payout' | 'beneficiaries.change' | 'reconciliation.write_off' | 'trust_accounts.change' | 'fees.change' | 'rules.change' | 'kyc.raise' | 'pin.reset' | 'subscribers.change_phone' | 'users.change' | 'api_keys.create' | 'partners.change' | 'cases.recall' | 'privacy.erase' | 'policies.change';
        /**
         * The id of a user.
         */
        requested_by?: string;
        /**
         * Naming this customer, agent, merchant, partner or user.
         */
        party_id?: string;
        /**
         * Requests that posted this transaction, returned or reversed it, or ask to.
         */
        transaction_id?: string;
        /**
         * newest (default) or oldest first.
         */
        sort?: 'newest' | 'oldest';
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/approvals';
};

export type ListApprovalsResponses = {
    /**
     * Success.
     */
    200: ListApprovalsReply;
};

export type ListApprovalsResponse = ListApprovalsResponses[keyof ListApprovalsResponses];

export type GetApprovalData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/approvals/{id}';
};

export type GetApprovalResponses = {
    /**
     * Success.
     */
    200: GetApprovalReply;
};

export type GetApprovalResponse = GetApprovalResponses[keyof GetApprovalResponses];

export type ApproveRequestData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/approvals/{id}/approve';
};

export type ApproveRequestResponses = {
    /**
     * Success.
     */
    200: DecidedApproval;
};

export type ApproveRequestResponse = ApproveRequestResponses[keyof ApproveRequestResponses];

export type RejectRequestData = {
    body: RejectRequestRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/approvals/{id}/reject';
};

export type RejectRequestResponses = {
    /**
     * Success.
     */
    200: DecidedApproval;
};

export type RejectRequestResponse = RejectRequestResponses[keyof RejectRequestResponses];

export type WithdrawRequestData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/approvals/{id}/withdraw';
};

export type WithdrawRequestResponses = {
    /**
     * Success.
     */
    200: DecidedApproval;
};

export type WithdrawRequestResponse = WithdrawRequestResponses[keyof WithdrawRequestResponses];

export type CollectSecretsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/approvals/{id}/collect-secrets';
};

export type CollectSecretsResponses = {
    /**
     * Success.
     */
    200: CollectSecretsReply;
};

export type CollectSecretsResponse = CollectSecretsResponses[keyof CollectSecretsResponses];

export type GetCountsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * true: read anew, after the caller's change.
         */
        fresh?: 'true';
    };
    url: '/api/v1/admin/counts';
};

export type GetCountsResponses = {
    /**
     * A count is present if the caller's role may read what it counts.
     */
    200: Counts;
};

export type GetCountsResponse = GetCountsResponses[keyof GetCountsResponses];

export type GetOverviewData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * true: read anew, after the caller's change.
         */
        fresh?: 'true';
    };
    url: '/api/v1/admin/overview';
};

export type GetOverviewResponses = {
    /**
     * Success.
     */
    200: GetOverviewReply;
};

export type GetOverviewResponse = GetOverviewResponses[keyof GetOverviewResponses];

export type GetSeriesData = {
    body?: never;
    path?: never;
    query: {
        /**
         * payments, value: customers' payments, without refunds, reversals and float movements. refunds, refunded_value: refunds and reversals. movements: everything. active_wallets: wallets with a posting in the step.
         */
        metric: 'payments' | 'value' | 'fees' | 'commissions' | 'refunds' | 'refunded_value' | 'movements' | 'new_wallets' | 'active_wallets' | 'refusals';
        /**
         * The first step contains it, as YYYY-MM-DD or ISO 8601.
         */
        from?: string;
        /**
         * The last step contains it, as YYYY-MM-DD or ISO 8601.
         */
        to?: string;
        /**
         * day by default; UTC, weeks start on Monday.
         */
        step?: 'hour' | 'day' | 'week';
        /**
         * One series per movement type; for sums over movements.
         */
        by?: 'type';
    };
    url: '/api/v1/admin/series';
};

export type GetSeriesResponses = {
    /**
     * Success.
     */
    200: GetSeriesReply;
};

export type GetSeriesResponse = GetSeriesResponses[keyof GetSeriesResponses];

export type ListLedgerAccountsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Whose money it is: a subscriber's, an agent's, a processor's or a partner's, or a system account of the operator.
         */
        kind?: 'wallet' | 'agent_float' | 'agent_commission' | 'processor' | 'partner_clearing' | 'fee_income' | 'treasury' | 'suspense' | 'payouts_in_transit';
        /**
         * The id of the owner.
         */
        owner?: string;
        /**
         * next_cursor of the previous page.
         */
        cursor?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/ledger/accounts';
};

export type ListLedgerAccountsResponses = {
    /**
     * Success.
     */
    200: ListLedgerAccountsReply;
};

export type ListLedgerAccountsResponse = ListLedgerAccountsResponses[keyof ListLedgerAccountsResponses];

export type GetTrialBalanceData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The books after everything that was posted before it (a day: its start, UTC); now by default, as YYYY-MM-DD or ISO 8601.
         */
        at?: string;
    };
    url: '/api/v1/admin/ledger/trial-balance';
};

export type GetTrialBalanceResponses = {
    /**
     * Success.
     */
    200: GetTrialBalanceReply;
};

export type GetTrialBalanceResponse = GetTrialBalanceResponses[keyof GetTrialBalanceResponses];

export type ListAgentFloatsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only agents of this type.
         */
        type?: 'super_agent' | 'sub_agent';
        /**
         * Only its sub-agents.
         */
        parent_agent_id?: string;
        /**
         * Only active agents whose hours_left is less.
         */
        hours_left_below?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/agents/float';
};

export type ListAgentFloatsResponses = {
    /**
     * Success.
     */
    200: ListAgentFloatsReply;
};

export type ListAgentFloatsResponse = ListAgentFloatsResponses[keyof ListAgentFloatsResponses];

export type StartCustomerLoginData = {
    body: StartCustomerLoginRequest;
    path?: never;
    query?: never;
    url: '/api/v1/me/login';
};

export type StartCustomerLoginResponses = {
    /**
     * Accepted.
     */
    202: CustomerChallenge;
};

export type StartCustomerLoginResponse = StartCustomerLoginResponses[keyof StartCustomerLoginResponses];

export type FinishCustomerLoginData = {
    body: FinishCustomerLoginRequest;
    path?: never;
    query?: never;
    url: '/api/v1/me/login/verify';
};

export type FinishCustomerLoginResponses = {
    /**
     * Success.
     */
    200: CustomerLogin;
};

export type FinishCustomerLoginResponse = FinishCustomerLoginResponses[keyof FinishCustomerLoginResponses];

export type CustomerDeviceLoginData = {
    body: CustomerDeviceLoginRequest;
    path?: never;
    query?: never;
    url: '/api/v1/me/login/device';
};

export type CustomerDeviceLoginResponses = {
    /**
     * Success.
     */
    200: CustomerLogin;
};

export type CustomerDeviceLoginResponse = CustomerDeviceLoginResponses[keyof CustomerDeviceLoginResponses];

export type RefreshCustomerTokensData = {
    body: RefreshCustomerTokensRequest;
    path?: never;
    query?: never;
    url: '/api/v1/me/refresh';
};

export type RefreshCustomerTokensResponses = {
    /**
     * Success.
     */
    200: CustomerTokens;
};

export type RefreshCustomerTokensResponse = RefreshCustomerTokensResponses[keyof RefreshCustomerTokensResponses];

export type EndCustomerSessionData = {
    body: EndCustomerSessionRequest;
    path?: never;
    query?: never;
    url: '/api/v1/me/logout';
};

export type EndCustomerSessionResponses = {
    /**
     * Success.
     */
    200: MessageReply;
};

export type EndCustomerSessionResponse = EndCustomerSessionResponses[keyof EndCustomerSessionResponses];

export type CreateQuoteData = {
    body: NewQuote;
    path?: never;
    query?: never;
    url: '/api/v1/me/quote';
};

export type CreateQuoteResponses = {
    /**
     * Success.
     */
    200: CreateQuoteReply;
};

export type CreateQuoteResponse = CreateQuoteResponses[keyof CreateQuoteResponses];

export type CreateOwnTransferData = {
    body: ConfirmedQuote;
    path?: never;
    query?: never;
    url: '/api/v1/me/transfers';
};

export type CreateOwnTransferResponses = {
    /**
     * Success.
     */
    200: Payment;
};

export type CreateOwnTransferResponse = CreateOwnTransferResponses[keyof CreateOwnTransferResponses];

export type PayMerchantData = {
    body: ConfirmedQuote;
    path?: never;
    query?: never;
    url: '/api/v1/me/payments';
};

export type PayMerchantResponses = {
    /**
     * Success.
     */
    200: Payment;
};

export type PayMerchantResponse = PayMerchantResponses[keyof PayMerchantResponses];

export type ListCashOutCodesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/me/cash-out-codes';
};

export type ListCashOutCodesResponses = {
    /**
     * Success.
     */
    200: ListCashOutCodesReply;
};

export type ListCashOutCodesResponse = ListCashOutCodesResponses[keyof ListCashOutCodesResponses];

export type CreateCashOutCodeData = {
    body: NewCashOutCode;
    path?: never;
    query?: never;
    url: '/api/v1/me/cash-out-codes';
};

export type CreateCashOutCodeResponses = {
    /**
     * Created.
     */
    201: CreateCashOutCodeReply;
};

export type CreateCashOutCodeResponse = CreateCashOutCodeResponses[keyof CreateCashOutCodeResponses];

export type GetCashOutPriceData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Minor units, which an agent pays out.
         */
        amount: string;
    };
    url: '/api/v1/me/cash-out-codes/price';
};

export type GetCashOutPriceResponses = {
    /**
     * Success.
     */
    200: CashOutPrice;
};

export type GetCashOutPriceResponse = GetCashOutPriceResponses[keyof GetCashOutPriceResponses];

export type CancelCashOutCodeData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/me/cash-out-codes/{id}/cancel';
};

export type CancelCashOutCodeResponses = {
    /**
     * Success.
     */
    200: CancelCashOutCodeReply;
};

export type CancelCashOutCodeResponse = CancelCashOutCodeResponses[keyof CancelCashOutCodeResponses];

export type ListIncomingRequestsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/me/payment-requests/incoming';
};

export type ListIncomingRequestsResponses = {
    /**
     * Success.
     */
    200: ListIncomingRequestsReply;
};

export type ListIncomingRequestsResponse = ListIncomingRequestsResponses[keyof ListIncomingRequestsResponses];

export type OpenPaymentRequestData = {
    body?: never;
    path: {
        /**
         * The ten digits of a payment request, or the token at the end of its link.
         */
        code: string;
    };
    query?: never;
    url: '/api/v1/payment-requests/by-code/{code}';
};

export type OpenPaymentRequestResponses = {
    /**
     * Success.
     */
    200: OpenPaymentRequestReply;
};

export type OpenPaymentRequestResponse = OpenPaymentRequestResponses[keyof OpenPaymentRequestResponses];

export type ApprovePaymentRequestData = {
    body: ConfirmedQuote;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/me/payment-requests/{id}/approve';
};

export type ApprovePaymentRequestResponses = {
    /**
     * Success.
     */
    200: ApprovedPaymentRequest;
};

export type ApprovePaymentRequestResponse = ApprovePaymentRequestResponses[keyof ApprovePaymentRequestResponses];

export type DeclinePaymentRequestData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/me/payment-requests/{id}/decline';
};

export type DeclinePaymentRequestResponses = {
    /**
     * Success.
     */
    200: DeclinePaymentRequestReply;
};

export type DeclinePaymentRequestResponse = DeclinePaymentRequestResponses[keyof DeclinePaymentRequestResponses];

export type ListSentRequestsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only requests in this state.
         */
        status?: 'open' | 'paid' | 'declined' | 'expired' | 'cancelled';
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/me/payment-requests';
};

export type ListSentRequestsResponses = {
    /**
     * Success.
     */
    200: ListSentRequestsReply;
};

export type ListSentRequestsResponse = ListSentRequestsResponses[keyof ListSentRequestsResponses];

export type CreateOwnPaymentRequestData = {
    body: CreateOwnPaymentRequestRequest;
    path?: never;
    query?: never;
    url: '/api/v1/me/payment-requests';
};

export type CreateOwnPaymentRequestResponses = {
    /**
     * Created.
     */
    201: CreateOwnPaymentRequestReply;
};

export type CreateOwnPaymentRequestResponse = CreateOwnPaymentRequestResponses[keyof CreateOwnPaymentRequestResponses];

export type GetOwnPaymentRequestData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/me/payment-requests/{id}';
};

export type GetOwnPaymentRequestResponses = {
    /**
     * Success.
     */
    200: GetOwnPaymentRequestReply;
};

export type GetOwnPaymentRequestResponse = GetOwnPaymentRequestResponses[keyof GetOwnPaymentRequestResponses];

export type CancelOwnPaymentRequestData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/me/payment-requests/{id}/cancel';
};

export type CancelOwnPaymentRequestResponses = {
    /**
     * Success.
     */
    200: CancelOwnPaymentRequestReply;
};

export type CancelOwnPaymentRequestResponse = CancelOwnPaymentRequestResponses[keyof CancelOwnPaymentRequestResponses];

export type BlockPayeeData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/me/payment-requests/{id}/block-payee';
};

export type BlockPayeeResponses = {
    /**
     * Success.
     */
    200: BlockPayeeReply;
};

export type BlockPayeeResponse = BlockPayeeResponses[keyof BlockPayeeResponses];

export type UnblockPayeeData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/me/payment-requests/{id}/unblock-payee';
};

export type UnblockPayeeResponses = {
    /**
     * Success.
     */
    200: UnblockPayeeReply;
};

export type UnblockPayeeResponse = UnblockPayeeResponses[keyof UnblockPayeeResponses];

export type ListBlockedPayeesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/me/blocked-payees';
};

export type ListBlockedPayeesResponses = {
    /**
     * Success.
     */
    200: ListBlockedPayeesReply;
};

export type ListBlockedPayeesResponse = ListBlockedPayeesResponses[keyof ListBlockedPayeesResponses];

export type RedeemCashOutCodeData = {
    body: Redemption;
    path?: never;
    query?: never;
    url: '/api/v1/agents/cashout-code';
};

export type RedeemCashOutCodeResponses = {
    /**
     * Success.
     */
    200: RedeemedCashOutCode;
};

export type RedeemCashOutCodeResponse = RedeemCashOutCodeResponses[keyof RedeemCashOutCodeResponses];

export type GetMeData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/me';
};

export type GetMeResponses = {
    /**
     * Success.
     */
    200: Me;
};

export type GetMeResponse = GetMeResponses[keyof GetMeResponses];

export type GetOwnBalanceData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/me/balance';
};

export type GetOwnBalanceResponses = {
    /**
     * Success.
     */
    200: Balance;
};

export type GetOwnBalanceResponse = GetOwnBalanceResponses[keyof GetOwnBalanceResponses];

export type ListOwnTransactionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
         */
        type?: 'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'inbound_reversal' | 'partner_cashin' | 'suspense_resolution' | 'suspense_refund' | 'partner_settlement' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'commission_settlement' | 'processor_transfer' | 'processor_payout' | 'payout_returned' | 'payout_cleared' | 'payout_uncleared' | 'pos_refund' | 'recall' | 'unclaimed_payment';
        /**
         * All transactions of the ledger are COMPLETED. The others are statuses of inbound credits and match nothing here.
         */
        status?: 'COMPLETED' | 'REJECTED' | 'FAILED' | 'REVERSED' | 'PROCESSING';
        /**
         * The first day or instant, as YYYY-MM-DD or ISO 8601.
         */
        from?: string;
        /**
         * The last day or instant, as YYYY-MM-DD or ISO 8601.
         */
        to?: string;
        /**
         * next_cursor of the previous page.
         */
        cursor?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/me/transactions';
};

export type ListOwnTransactionsResponses = {
    /**
     * Success.
     */
    200: ListOwnTransactionsReply;
};

export type ListOwnTransactionsResponse = ListOwnTransactionsResponses[keyof ListOwnTransactionsResponses];

export type GetOwnTransactionData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/me/transactions/{id}';
};

export type GetOwnTransactionResponses = {
    /**
     * Success.
     */
    200: GetOwnTransactionReply;
};

export type GetOwnTransactionResponse = GetOwnTransactionResponses[keyof GetOwnTransactionResponses];

export type GetOwnStatementData = {
    body?: never;
    path?: never;
    query: {
        /**
         * The first day or instant, inclusive, as YYYY-MM-DD or ISO 8601.
         */
        from: string;
        /**
         * The last day or instant, inclusive; at most 366 days after from, as YYYY-MM-DD or ISO 8601.
         */
        to: string;
        /**
         * Default: json.
         */
        format?: 'json' | 'csv' | 'pdf';
    };
    url: '/api/v1/me/statement';
};

export type GetOwnStatementResponses = {
    /**
     * The statement, in the requested format.
     */
    200: Statement;
};

export type GetOwnStatementResponse = GetOwnStatementResponses[keyof GetOwnStatementResponses];

export type ListOwnCardsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/me/cards';
};

export type ListOwnCardsResponses = {
    /**
     * Success.
     */
    200: ListOwnCardsReply;
};

export type ListOwnCardsResponse = ListOwnCardsResponses[keyof ListOwnCardsResponses];

export type BlockOwnCardData = {
    body?: never;
    path: {
        /**
         * The card serial, as printed or read by NFC.
         */
        serial: string;
    };
    query?: never;
    url: '/api/v1/me/cards/{serial}/block';
};

export type BlockOwnCardResponses = {
    /**
     * Success.
     */
    200: ChangedOwnCard;
};

export type BlockOwnCardResponse = BlockOwnCardResponses[keyof BlockOwnCardResponses];

export type UnblockOwnCardData = {
    body: UnblockOwnCardRequest;
    path: {
        /**
         * The card serial, as printed or read by NFC.
         */
        serial: string;
    };
    query?: never;
    url: '/api/v1/me/cards/{serial}/unblock';
};

export type UnblockOwnCardResponses = {
    /**
     * Success.
     */
    200: ChangedOwnCard;
};

export type UnblockOwnCardResponse = UnblockOwnCardResponses[keyof UnblockOwnCardResponses];

export type ChangeOwnPinData = {
    body: ChangeOwnPinRequest;
    path?: never;
    query?: never;
    url: '/api/v1/me/change-pin';
};

export type ChangeOwnPinResponses = {
    /**
     * Success.
     */
    200: MessageReply;
};

export type ChangeOwnPinResponse = ChangeOwnPinResponses[keyof ChangeOwnPinResponses];

export type ListOwnDevicesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/me/devices';
};

export type ListOwnDevicesResponses = {
    /**
     * Success.
     */
    200: CustomerDevices;
};

export type ListOwnDevicesResponse = ListOwnDevicesResponses[keyof ListOwnDevicesResponses];

export type EndOwnDeviceData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/me/devices/{id}';
};

export type EndOwnDeviceResponses = {
    /**
     * The device has ended.
     */
    204: void;
};

export type EndOwnDeviceResponse = EndOwnDeviceResponses[keyof EndOwnDeviceResponses];

export type ListOwnRefusalsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/me/refusals';
};

export type ListOwnRefusalsResponses = {
    /**
     * Success.
     */
    200: RefusedPayments;
};

export type ListOwnRefusalsResponse = ListOwnRefusalsResponses[keyof ListOwnRefusalsResponses];

export type ListOwnCasesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/me/cases';
};

export type ListOwnCasesResponses = {
    /**
     * Success.
     */
    200: ListOwnCasesReply;
};

export type ListOwnCasesResponse = ListOwnCasesResponses[keyof ListOwnCasesResponses];

export type OpenOwnCaseData = {
    body: OpenOwnCaseRequest;
    path?: never;
    query?: never;
    url: '/api/v1/me/cases';
};

export type OpenOwnCaseResponses = {
    /**
     * Created.
     */
    201: ChangedOwnCase;
};

export type OpenOwnCaseResponse = OpenOwnCaseResponses[keyof OpenOwnCaseResponses];

export type GetOwnCaseData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/me/cases/{id}';
};

export type GetOwnCaseResponses = {
    /**
     * Success.
     */
    200: GetOwnCaseReply;
};

export type GetOwnCaseResponse = GetOwnCaseResponses[keyof GetOwnCaseResponses];

export type SendOwnCaseMessageData = {
    body: SendOwnCaseMessageRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/me/cases/{id}/messages';
};

export type SendOwnCaseMessageResponses = {
    /**
     * Success.
     */
    200: ChangedOwnCase;
};

export type SendOwnCaseMessageResponse = SendOwnCaseMessageResponses[keyof SendOwnCaseMessageResponses];

export type ConfirmOwnRecallData = {
    body: ConfirmOwnRecallRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/me/cases/{id}/confirm';
};

export type ConfirmOwnRecallResponses = {
    /**
     * Success.
     */
    200: ChangedOwnCase;
};

export type ConfirmOwnRecallResponse = ConfirmOwnRecallResponses[keyof ConfirmOwnRecallResponses];

export type AcceptRecallData = {
    body: AcceptRecallRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/me/cases/{id}/accept';
};

export type AcceptRecallResponses = {
    /**
     * Success.
     */
    200: AcceptedRecall;
};

export type AcceptRecallResponse = AcceptRecallResponses[keyof AcceptRecallResponses];

export type ContestRecallData = {
    body?: ContestRecallRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/me/cases/{id}/contest';
};

export type ContestRecallResponses = {
    /**
     * Success.
     */
    200: ChangedOwnCase;
};

export type ContestRecallResponse = ContestRecallResponses[keyof ContestRecallResponses];

export type ListCasesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only cases in this state.
         */
        state?: 'open' | 'waiting_customer' | 'waiting_other_party' | 'investigating' | 'resolved' | 'rejected';
        /**
         * Neither resolved nor rejected.
         */
        is_open?: 'true' | 'false';
        /**
         * Only records with this value.
         */
        is_overdue?: 'true' | 'false';
        /**
         * What the case is about.
         */
        kind?: 'wrong_transfer' | 'failed_payment' | 'fraud' | 'agent' | 'other';
        /**
         * A user; none: nobody.
         */
        assignee_id?: string;
        /**
         * Cases of this customer, and recalls that ask them.
         */
        subscriber_id?: string;
        transaction_id?: string;
        /**
         * What people read out, such as C-2026-4817362. The last digit is a check digit.
         */
        number?: string;
        /**
         * Opened on this day or later, as YYYY-MM-DD or ISO 8601.
         */
        from?: string;
        /**
         * Opened on this day or earlier, as YYYY-MM-DD or ISO 8601.
         */
        to?: string;
        /**
         * newest (default), oldest, or due: the open case whose clock runs out first, with overdue ones at the top; closed cases come last. As CSV newest first instead of by due.
         */
        sort?: 'newest' | 'oldest' | 'due';
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/cases';
};

export type ListCasesResponses = {
    /**
     * Success.
     */
    200: ListCasesReply;
};

export type ListCasesResponse = ListCasesResponses[keyof ListCasesResponses];

export type OpenCaseData = {
    body: OpenCaseRequest;
    path?: never;
    query?: never;
    url: '/api/v1/cases';
};

export type OpenCaseResponses = {
    /**
     * Created.
     */
    201: ChangedCase;
};

export type OpenCaseResponse = OpenCaseResponses[keyof OpenCaseResponses];

export type GetCaseData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/cases/{id}';
};

export type GetCaseResponses = {
    /**
     * Success.
     */
    200: GetCaseReply;
};

export type GetCaseResponse = GetCaseResponses[keyof GetCaseResponses];

export type AssignCaseData = {
    body: AssignCaseRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/cases/{id}/assign';
};

export type AssignCaseResponses = {
    /**
     * Success.
     */
    200: ChangedCase;
};

export type AssignCaseResponse = AssignCaseResponses[keyof AssignCaseResponses];

export type AddCaseNoteData = {
    body: AddCaseNoteRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/cases/{id}/notes';
};

export type AddCaseNoteResponses = {
    /**
     * Success.
     */
    200: ChangedCase;
};

export type AddCaseNoteResponse = AddCaseNoteResponses[keyof AddCaseNoteResponses];

export type SendCaseMessageData = {
    body: SendCaseMessageRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/cases/{id}/messages';
};

export type SendCaseMessageResponses = {
    /**
     * Success.
     */
    200: ChangedCase;
};

export type SendCaseMessageResponse = SendCaseMessageResponses[keyof SendCaseMessageResponses];

export type ChangeCaseStateData = {
    body: ChangeCaseStateRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/cases/{id}/state';
};

export type ChangeCaseStateResponses = {
    /**
     * Success.
     */
    200: ChangedCase;
};

export type ChangeCaseStateResponse = ChangeCaseStateResponses[keyof ChangeCaseStateResponses];

export type MarkCaseComplexData = {
    body: MarkCaseComplexRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/cases/{id}/complex';
};

export type MarkCaseComplexResponses = {
    /**
     * Success.
     */
    200: ChangedCase;
};

export type MarkCaseComplexResponse = MarkCaseComplexResponses[keyof MarkCaseComplexResponses];

export type DecideRecallData = {
    body: DecideRecallRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/cases/{id}/recall';
};

export type DecideRecallResponses = {
    /**
     * Success.
     */
    200: ChangedCase;
};

export type DecideRecallResponse = DecideRecallResponses[keyof DecideRecallResponses];

export type ExtendRecallHoldData = {
    body: ExtendRecallHoldRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/cases/{id}/extend-hold';
};

export type ExtendRecallHoldResponses = {
    /**
     * Success.
     */
    200: ExtendedHold;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type ExtendRecallHoldResponse = ExtendRecallHoldResponses[keyof ExtendRecallHoldResponses];

export type ReturnByLegalOrderData = {
    body: ReturnByLegalOrderRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/cases/{id}/legal-order';
};

export type ReturnByLegalOrderResponses = {
    /**
     * Success.
     */
    200: ReturnedByLegalOrder;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type ReturnByLegalOrderResponse = ReturnByLegalOrderResponses[keyof ReturnByLegalOrderResponses];

export type UploadCaseFileData = {
    /**
     * The file. Its content must be of its media type.
     */
    body: string;
    path: {
        id: string;
    };
    query?: {
        /**
         * What staff call the file.
         */
        name?: string;
    };
    url: '/api/v1/cases/{id}/files';
};

export type UploadCaseFileResponses = {
    /**
     * Created.
     */
    201: UploadedCaseFile;
};

export type UploadCaseFileResponse = UploadCaseFileResponses[keyof UploadCaseFileResponses];

export type GetCaseFileData = {
    body?: never;
    path: {
        id: string;
        /**
         * One of the files of the case.
         */
        fileId: string;
    };
    query?: never;
    url: '/api/v1/cases/{id}/files/{fileId}';
};

export type GetCaseFileResponses = {
    /**
     * The file.
     */
    200: Blob | File;
};

export type GetCaseFileResponse = GetCaseFileResponses[keyof GetCaseFileResponses];

export type ListCaseClocksData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/case-clocks';
};

export type ListCaseClocksResponses = {
    /**
     * Success.
     */
    200: ListCaseClocksReply;
};

export type ListCaseClocksResponse = ListCaseClocksResponses[keyof ListCaseClocksResponses];

export type AddCaseClocksData = {
    body: AddCaseClocksRequest;
    path?: never;
    query?: never;
    url: '/api/v1/case-clocks';
};

export type AddCaseClocksResponses = {
    /**
     * Created.
     */
    201: AddCaseClocksReply;
};

export type AddCaseClocksResponse = AddCaseClocksResponses[keyof AddCaseClocksResponses];

export type GetOwnRequestData = {
    body?: never;
    path: {
        /**
         * The request_id or X-Request-ID of the request.
         */
        request_id: string;
    };
    query?: never;
    url: '/api/v1/me/requests/{request_id}';
};

export type GetOwnRequestResponses = {
    /**
     * Success.
     */
    200: RequestOutcome;
};

export type GetOwnRequestResponse = GetOwnRequestResponses[keyof GetOwnRequestResponses];

export type GetOwnNotificationsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/me/notifications';
};

export type GetOwnNotificationsResponses = {
    /**
     * Success.
     */
    200: OwnNotificationSettings;
};

export type GetOwnNotificationsResponse = GetOwnNotificationsResponses[keyof GetOwnNotificationsResponses];

export type UpdateOwnNotificationsData = {
    body: UpdateOwnNotificationsRequest;
    path?: never;
    query?: never;
    url: '/api/v1/me/notifications';
};

export type UpdateOwnNotificationsResponses = {
    /**
     * Success.
     */
    200: ChangedNotificationSettings;
};

export type UpdateOwnNotificationsResponse = UpdateOwnNotificationsResponses[keyof UpdateOwnNotificationsResponses];

export type GetBusinessNotificationsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/admin/notifications';
};

export type GetBusinessNotificationsResponses = {
    /**
     * Success.
     */
    200: OwnNotificationSettings;
};

export type GetBusinessNotificationsResponse = GetBusinessNotificationsResponses[keyof GetBusinessNotificationsResponses];

export type UpdateBusinessNotificationsData = {
    body: UpdateBusinessNotificationsRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/notifications';
};

export type UpdateBusinessNotificationsResponses = {
    /**
     * Success.
     */
    200: ChangedNotificationSettings;
};

export type UpdateBusinessNotificationsResponse = UpdateBusinessNotificationsResponses[keyof UpdateBusinessNotificationsResponses];

export type RegisterPublicSubscriberData = {
    body: SubscriberRegistration;
    path?: never;
    query?: never;
    url: '/api/v1/public/subscribers';
};

export type RegisterPublicSubscriberResponses = {
    /**
     * Created.
     */
    201: RegisteredSubscriber;
};

export type RegisterPublicSubscriberResponse = RegisterPublicSubscriberResponses[keyof RegisterPublicSubscriberResponses];

export type VerifyPublicSubscriberData = {
    body: VerifyPublicSubscriberRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/public/subscribers/{id}/verify';
};

export type VerifyPublicSubscriberResponses = {
    /**
     * Success.
     */
    200: MessageReply;
};

export type VerifyPublicSubscriberResponse = VerifyPublicSubscriberResponses[keyof VerifyPublicSubscriberResponses];

export type ResendVerificationCodeData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/public/subscribers/{id}/resend-code';
};

export type ResendVerificationCodeResponses = {
    /**
     * Success.
     */
    200: MessageReply;
};

export type ResendVerificationCodeResponse = ResendVerificationCodeResponses[keyof ResendVerificationCodeResponses];

export type GetSubscriberData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/subscribers/{id}';
};

export type GetSubscriberResponses = {
    /**
     * Success.
     */
    200: GetSubscriberReply;
};

export type GetSubscriberResponse = GetSubscriberResponses[keyof GetSubscriberResponses];

export type UpdateSubscriberData = {
    body: UpdateSubscriberRequestWritable;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/subscribers/{id}';
};

export type UpdateSubscriberResponses = {
    /**
     * Success.
     */
    200: ChangedSubscriber;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type UpdateSubscriberResponse = UpdateSubscriberResponses[keyof UpdateSubscriberResponses];

export type ListSubscribersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * PENDING: registered, until the phone number is verified or staff activate it. ACTIVE can pay and receive. BLOCKED neither pays nor receives, until staff unblock it.
         */
        status?: 'ACTIVE' | 'BLOCKED' | 'PENDING';
        /**
         * 1 to 3: how well the subscriber is identified. It sets the maximum balance and the daily limit.
         */
        kyc_level?: '1' | '2' | '3';
        /**
         * In local format or E.164.
         */
        phone_number?: string;
        /**
         * Ten digits that identify a subscriber to partners; the last one is a Luhn check digit.
         */
        account_number?: string;
        /**
         * This card's holder.
         */
        card_serial?: string;
        /**
         * Only politically exposed persons; for users with open PEP access.
         */
        is_pep?: 'true';
        /**
         * Part of a name, phone number, account number or email.
         */
        search?: string;
        /**
         * newest (default) or oldest first.
         */
        sort?: 'newest' | 'oldest';
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/subscribers';
};

export type ListSubscribersResponses = {
    /**
     * Success.
     */
    200: ListSubscribersReply;
};

export type ListSubscribersResponse = ListSubscribersResponses[keyof ListSubscribersResponses];

export type RegisterSubscriberData = {
    body: SubscriberRegistration;
    path?: never;
    query?: never;
    url: '/api/v1/subscribers';
};

export type RegisterSubscriberResponses = {
    /**
     * Created.
     */
    201: RegisteredSubscriber;
};

export type RegisterSubscriberResponse = RegisterSubscriberResponses[keyof RegisterSubscriberResponses];

export type BlockSubscriberData = {
    body: BlockSubscriberRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/subscribers/{id}/block';
};

export type BlockSubscriberResponses = {
    /**
     * Success.
     */
    200: ChangedSubscriber;
};

export type BlockSubscriberResponse = BlockSubscriberResponses[keyof BlockSubscriberResponses];

export type UnblockSubscriberData = {
    body?: UnblockSubscriberRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/subscribers/{id}/unblock';
};

export type UnblockSubscriberResponses = {
    /**
     * Success.
     */
    200: UnblockSubscriberReply;
};

export type UnblockSubscriberResponse = UnblockSubscriberResponses[keyof UnblockSubscriberResponses];

export type EnableTransactionTypesData = {
    body: EnableTransactionTypesRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/subscribers/{id}/enable-types';
};

export type EnableTransactionTypesResponses = {
    /**
     * Success.
     */
    200: ChangedSubscriber;
};

export type EnableTransactionTypesResponse = EnableTransactionTypesResponses[keyof EnableTransactionTypesResponses];

export type ActivateSubscriberData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/subscribers/{id}/activate';
};

export type ActivateSubscriberResponses = {
    /**
     * Success.
     */
    200: ChangedSubscriber;
};

export type ActivateSubscriberResponse = ActivateSubscriberResponses[keyof ActivateSubscriberResponses];

export type VerifySubscriberPinData = {
    body: VerifySubscriberPinRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/subscribers/{id}/verify-pin';
};

export type VerifySubscriberPinResponses = {
    /**
     * Success.
     */
    200: VerifySubscriberPinReply;
};

export type VerifySubscriberPinResponse = VerifySubscriberPinResponses[keyof VerifySubscriberPinResponses];

export type ChangeSubscriberPinData = {
    body: ChangeSubscriberPinRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/subscribers/{id}/change-pin';
};

export type ChangeSubscriberPinResponses = {
    /**
     * Success.
     */
    200: MessageReply;
};

export type ChangeSubscriberPinResponse = ChangeSubscriberPinResponses[keyof ChangeSubscriberPinResponses];

export type ListSubscriberDocumentsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/subscribers/{id}/documents';
};

export type ListSubscriberDocumentsResponses = {
    /**
     * Success.
     */
    200: SubscriberDocuments;
};

export type ListSubscriberDocumentsResponse = ListSubscriberDocumentsResponses[keyof ListSubscriberDocumentsResponses];

export type UploadSubscriberDocumentData = {
    /**
     * The file. Its content must be of its media type.
     */
    body: string;
    path: {
        id: string;
    };
    query: {
        /**
         * What the file shows.
         */
        kind: 'identity' | 'face';
    };
    url: '/api/v1/subscribers/{id}/documents';
};

export type UploadSubscriberDocumentResponses = {
    /**
     * Created.
     */
    201: UploadedSubscriberDocument;
};

export type UploadSubscriberDocumentResponse = UploadSubscriberDocumentResponses[keyof UploadSubscriberDocumentResponses];

export type GetSubscriberDocumentData = {
    body?: never;
    path: {
        id: string;
        /**
         * One of the documents of the subscriber.
         */
        documentId: string;
    };
    query?: never;
    url: '/api/v1/subscribers/{id}/documents/{documentId}';
};

export type GetSubscriberDocumentResponses = {
    /**
     * The file.
     */
    200: Blob | File;
};

export type GetSubscriberDocumentResponse = GetSubscriberDocumentResponses[keyof GetSubscriberDocumentResponses];

export type RequestSubscriberLevelData = {
    body: LevelRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/subscribers/{id}/request-level';
};

export type RequestSubscriberLevelResponses = {
    /**
     * Success.
     */
    200: RaisedLevel;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type RequestSubscriberLevelResponse = RequestSubscriberLevelResponses[keyof RequestSubscriberLevelResponses];

export type ListSubscriberNotesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/subscribers/{id}/notes';
};

export type ListSubscriberNotesResponses = {
    /**
     * Success.
     */
    200: ListSubscriberNotesReply;
};

export type ListSubscriberNotesResponse = ListSubscriberNotesResponses[keyof ListSubscriberNotesResponses];

export type AddSubscriberNoteData = {
    body: AddSubscriberNoteRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/subscribers/{id}/notes';
};

export type AddSubscriberNoteResponses = {
    /**
     * Created.
     */
    201: AddSubscriberNoteReply;
};

export type AddSubscriberNoteResponse = AddSubscriberNoteResponses[keyof AddSubscriberNoteResponses];

export type SetNewPinData = {
    body: SetNewPinRequest;
    path?: never;
    query?: never;
    url: '/api/v1/public/pin-reset';
};

export type SetNewPinResponses = {
    /**
     * Success.
     */
    200: SetNewPinReply;
};

export type SetNewPinResponse = SetNewPinResponses[keyof SetNewPinResponses];

export type ResetSubscriberPinData = {
    body?: PinResetRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/subscribers/{id}/reset-pin';
};

export type ResetSubscriberPinResponses = {
    /**
     * Success.
     */
    200: PinResetCode;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type ResetSubscriberPinResponse = ResetSubscriberPinResponses[keyof ResetSubscriberPinResponses];

export type ResetAgentPinData = {
    body?: PinResetRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/agents/{id}/reset-pin';
};

export type ResetAgentPinResponses = {
    /**
     * Success.
     */
    200: PinResetCode;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type ResetAgentPinResponse = ResetAgentPinResponses[keyof ResetAgentPinResponses];

export type UnlockSubscriberPinData = {
    body?: PinResetRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/subscribers/{id}/unlock';
};

export type UnlockSubscriberPinResponses = {
    /**
     * Success.
     */
    200: MessageReply;
};

export type UnlockSubscriberPinResponse = UnlockSubscriberPinResponses[keyof UnlockSubscriberPinResponses];

export type ListSubscriberRefusalsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/subscribers/{id}/refusals';
};

export type ListSubscriberRefusalsResponses = {
    /**
     * Success.
     */
    200: RefusedPayments;
};

export type ListSubscriberRefusalsResponse = ListSubscriberRefusalsResponses[keyof ListSubscriberRefusalsResponses];

export type ExportPersonalDataData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/subscribers/{id}/personal-data';
};

export type ExportPersonalDataResponses = {
    /**
     * The personal data as a file.
     */
    200: ExportPersonalDataReply;
};

export type ExportPersonalDataResponse = ExportPersonalDataResponses[keyof ExportPersonalDataResponses];

export type ErasePersonalDataData = {
    body: ErasePersonalDataRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/subscribers/{id}/erase';
};

export type ErasePersonalDataResponses = {
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type ErasePersonalDataResponse = ErasePersonalDataResponses[keyof ErasePersonalDataResponses];

export type LinkCardData = {
    body: LinkCardRequest;
    path?: never;
    query?: never;
    url: '/api/v1/cards/link';
};

export type LinkCardResponses = {
    /**
     * Created.
     */
    201: ChangedCard;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type LinkCardResponse = LinkCardResponses[keyof LinkCardResponses];

export type LinkChildCardData = {
    body: LinkChildCardRequest;
    path?: never;
    query?: never;
    url: '/api/v1/cards/child';
};

export type LinkChildCardResponses = {
    /**
     * Created.
     */
    201: ChangedCard;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type LinkChildCardResponse = LinkChildCardResponses[keyof LinkChildCardResponses];

export type GetCardData = {
    body?: never;
    path: {
        /**
         * The card serial, as printed or read by NFC.
         */
        serial: string;
    };
    query?: never;
    url: '/api/v1/cards/{serial}';
};

export type GetCardResponses = {
    /**
     * Success.
     */
    200: GetCardReply;
};

export type GetCardResponse = GetCardResponses[keyof GetCardResponses];

export type UpdateCardData = {
    body: UpdateCardRequestWritable;
    path: {
        /**
         * The card serial, as printed or read by NFC.
         */
        serial: string;
    };
    query?: never;
    url: '/api/v1/cards/{serial}';
};

export type UpdateCardResponses = {
    /**
     * Success.
     */
    200: ChangedCard;
};

export type UpdateCardResponse = UpdateCardResponses[keyof UpdateCardResponses];

export type ListCardsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * unassigned: in stock. active can pay. blocked cannot; a blocked card can be unblocked, unless it is lost or stolen.
         */
        status?: 'unassigned' | 'active' | 'blocked';
        /**
         * A child card is created under a parent card, and can have its own daily limit.
         */
        type?: 'parent' | 'child';
        subscriber_id?: string;
        /**
         * Only child cards under this parent card.
         */
        parent_serial?: string;
        /**
         * Prefix of the serial.
         */
        search?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/cards';
};

export type ListCardsResponses = {
    /**
     * Success.
     */
    200: ListCardsReply;
};

export type ListCardsResponse = ListCardsResponses[keyof ListCardsResponses];

export type UnlinkCardData = {
    body?: UnlinkCardRequest;
    path: {
        /**
         * The card serial, as printed or read by NFC.
         */
        serial: string;
    };
    query?: never;
    url: '/api/v1/cards/{serial}/unlink';
};

export type UnlinkCardResponses = {
    /**
     * Success.
     */
    200: ChangedCard;
};

export type UnlinkCardResponse = UnlinkCardResponses[keyof UnlinkCardResponses];

export type BlockCardData = {
    body?: BlockCardRequest;
    path: {
        /**
         * The card serial, as printed or read by NFC.
         */
        serial: string;
    };
    query?: never;
    url: '/api/v1/cards/{serial}/block';
};

export type BlockCardResponses = {
    /**
     * Success.
     */
    200: ChangedCard;
};

export type BlockCardResponse = BlockCardResponses[keyof BlockCardResponses];

export type UnblockCardData = {
    body?: never;
    path: {
        /**
         * The card serial, as printed or read by NFC.
         */
        serial: string;
    };
    query?: never;
    url: '/api/v1/cards/{serial}/unblock';
};

export type UnblockCardResponses = {
    /**
     * Success.
     */
    200: ChangedCard;
};

export type UnblockCardResponse = UnblockCardResponses[keyof UnblockCardResponses];

export type UploadCardsData = {
    /**
     * The header serial or serial,label, then one card per line; UTF-8, at most 64 MiB.
     */
    body: string;
    path?: never;
    query?: never;
    url: '/api/v1/cards/upload-csv';
};

export type UploadCardsResponses = {
    /**
     * Success.
     */
    200: UploadCardsReply;
};

export type UploadCardsResponse = UploadCardsResponses[keyof UploadCardsResponses];

export type GetBalanceWithPinData = {
    body: GetBalanceWithPinRequest;
    path: {
        subscriber_id: string;
    };
    query?: never;
    url: '/api/v1/wallet/balance/{subscriber_id}';
};

export type GetBalanceWithPinResponses = {
    /**
     * Success.
     */
    200: Balance;
};

export type GetBalanceWithPinResponse = GetBalanceWithPinResponses[keyof GetBalanceWithPinResponses];

export type GetBalanceData = {
    body?: never;
    path: {
        /**
         * A subscriber's id.
         */
        user_id: string;
    };
    query?: never;
    url: '/api/v1/balance/{user_id}';
};

export type GetBalanceResponses = {
    /**
     * Success.
     */
    200: Balance;
};

export type GetBalanceResponse = GetBalanceResponses[keyof GetBalanceResponses];

export type TransferData = {
    body: TransferRequest;
    path?: never;
    query?: never;
    url: '/api/v1/wallet/transfer';
};

export type TransferResponses = {
    /**
     * Success.
     */
    200: Payment;
};

export type TransferResponse = TransferResponses[keyof TransferResponses];

export type TransferByCardData = {
    body: TransferByCardRequest;
    path?: never;
    query?: never;
    url: '/api/v1/wallet/transfer-p2p';
};

export type TransferByCardResponses = {
    /**
     * Success.
     */
    200: Payment;
};

export type TransferByCardResponse = TransferByCardResponses[keyof TransferByCardResponses];

export type FundFromPartnerData = {
    body: FundFromPartnerRequest;
    path?: never;
    query?: never;
    url: '/api/v1/wallet/fund-from-partner';
};

export type FundFromPartnerResponses = {
    /**
     * Success.
     */
    200: FundFromPartnerReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type FundFromPartnerResponse = FundFromPartnerResponses[keyof FundFromPartnerResponses];

export type WithdrawData = {
    body: WithdrawRequest;
    path?: never;
    query?: never;
    url: '/api/v1/wallet/withdraw';
};

export type WithdrawResponses = {
    /**
     * Success.
     */
    200: Payment;
};

export type WithdrawResponse = WithdrawResponses[keyof WithdrawResponses];

export type GetSubscriberLimitsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/subscribers/{id}/limits';
};

export type GetSubscriberLimitsResponses = {
    /**
     * Success.
     */
    200: SubscriberLimits;
};

export type GetSubscriberLimitsResponse = GetSubscriberLimitsResponses[keyof GetSubscriberLimitsResponses];

export type ListTransactionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The id of a subscriber.
         */
        subscriber_id?: string;
        /**
         * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
         */
        type?: 'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'inbound_reversal' | 'partner_cashin' | 'suspense_resolution' | 'suspense_refund' | 'partner_settlement' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'commission_settlement' | 'processor_transfer' | 'processor_payout' | 'payout_returned' | 'payout_cleared' | 'payout_uncleared' | 'pos_refund' | 'recall' | 'unclaimed_payment';
        /**
         * All transactions of the ledger are COMPLETED. The others are statuses of inbound credits and match nothing here.
         */
        status?: 'COMPLETED' | 'REJECTED' | 'FAILED' | 'REVERSED' | 'PROCESSING';
        /**
         * The first day or instant, as YYYY-MM-DD or ISO 8601.
         */
        from?: string;
        /**
         * The last day or instant, as YYYY-MM-DD or ISO 8601.
         */
        to?: string;
        /**
         * next_cursor of the previous page.
         */
        cursor?: string;
        /**
         * What the metrics of the same name count in reports: customers' payments, or their refunds and reversals.
         */
        group?: 'payments' | 'refunds';
        /**
         * The id of an agent.
         */
        agent_id?: string;
        /**
         * The id of a processor.
         */
        processor_id?: string;
        /**
         * The id of a partner.
         */
        partner_id?: string;
        /**
         * The id of a transaction.
         */
        transaction_id?: string;
        /**
         * The partner's reference.
         */
        reference?: string;
        /**
         * The request id; several callers may have used the same one. It is found for 90 days, or as long as the operator keeps it.
         */
        request_id?: string;
        /**
         * The six characters on the card payment's receipt, ignoring case.
         */
        authorization_code?: string;
        /**
         * The lowest amount, without fees, in minor units.
         */
        min_amount?: number | string;
        /**
         * The highest amount, without fees, in minor units.
         */
        max_amount?: number | string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/transactions';
};

export type ListTransactionsResponses = {
    /**
     * Success.
     */
    200: ListTransactionsReply;
};

export type ListTransactionsResponse = ListTransactionsResponses[keyof ListTransactionsResponses];

export type GetTransactionSumsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The id of a subscriber.
         */
        subscriber_id?: string;
        /**
         * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
         */
        type?: 'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'inbound_reversal' | 'partner_cashin' | 'suspense_resolution' | 'suspense_refund' | 'partner_settlement' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'commission_settlement' | 'processor_transfer' | 'processor_payout' | 'payout_returned' | 'payout_cleared' | 'payout_uncleared' | 'pos_refund' | 'recall' | 'unclaimed_payment';
        /**
         * What the metrics of the same name count in reports: customers' payments, or their refunds and reversals.
         */
        group?: 'payments' | 'refunds';
        /**
         * The first day or instant, as YYYY-MM-DD or ISO 8601.
         */
        from?: string;
        /**
         * The last day or instant, as YYYY-MM-DD or ISO 8601.
         */
        to?: string;
        /**
         * The id of an agent.
         */
        agent_id?: string;
        /**
         * The id of a processor.
         */
        processor_id?: string;
        /**
         * The id of a partner.
         */
        partner_id?: string;
        /**
         * The lowest amount, without fees, in minor units.
         */
        min_amount?: number | string;
        /**
         * The highest amount, without fees, in minor units.
         */
        max_amount?: number | string;
    };
    url: '/api/v1/transactions/sums';
};

export type GetTransactionSumsResponses = {
    /**
     * Success.
     */
    200: TransactionSums;
};

export type GetTransactionSumsResponse = GetTransactionSumsResponses[keyof GetTransactionSumsResponses];

export type GetTransactionData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/transactions/{id}';
};

export type GetTransactionResponses = {
    /**
     * Success.
     */
    200: GetTransactionReply;
};

export type GetTransactionResponse = GetTransactionResponses[keyof GetTransactionResponses];

export type GetTransactionEvidenceData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/transactions/{id}/evidence';
};

export type GetTransactionEvidenceResponses = {
    /**
     * A PDF file: the transaction with its parties, postings and seal.
     */
    200: Blob | File;
};

export type GetTransactionEvidenceResponse = GetTransactionEvidenceResponses[keyof GetTransactionEvidenceResponses];

export type ListHoldsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The id of the customer whose money is held.
         */
        subscriber_id?: string;
        /**
         * The id of the processor that may capture it.
         */
        processor_id?: string;
        /**
         * Only holds in this state.
         */
        status?: 'active' | 'captured' | 'released' | 'expired';
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/holds';
};

export type ListHoldsResponses = {
    /**
     * Success.
     */
    200: ListHoldsReply;
};

export type ListHoldsResponse = ListHoldsResponses[keyof ListHoldsResponses];

export type GetHoldData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/holds/{id}';
};

export type GetHoldResponses = {
    /**
     * Success.
     */
    200: GetHoldReply;
};

export type GetHoldResponse = GetHoldResponses[keyof GetHoldResponses];

export type GetRequestData = {
    body?: never;
    path: {
        /**
         * The request_id or X-Request-ID of the request.
         */
        request_id: string;
    };
    query?: {
        /**
         * The party the request acted for: the wallet (its subscriber id), agent, processor or partner, or operator for treasury movements. Default: the caller's party. Required for callers that act for several parties.
         */
        party_id?: string;
    };
    url: '/api/v1/requests/{request_id}';
};

export type GetRequestResponses = {
    /**
     * Success.
     */
    200: RequestOutcome;
};

export type GetRequestResponse = GetRequestResponses[keyof GetRequestResponses];

export type GetAccountStatementData = {
    body: GetAccountStatementRequest;
    path?: never;
    query?: never;
    url: '/api/v1/wallet/account-statement';
};

export type GetAccountStatementResponses = {
    /**
     * The statement, in the requested format.
     */
    200: Statement;
};

export type GetAccountStatementResponse = GetAccountStatementResponses[keyof GetAccountStatementResponses];

export type SearchData = {
    body?: never;
    path?: never;
    query: {
        /**
         * At least 3 characters: a phone number in any usual spelling, its first or last 4 digits or more, the start of any words of a name, an account number or its first 4 digits or more, the start of a card serial, or a complete transaction id, reference, request id, authorization code, merchant id, merchant number or id of a record. For agents' users: a complete phone number, account number or card serial.
         */
        q: string;
    };
    url: '/api/v1/search';
};

export type SearchResponses = {
    /**
     * Success.
     */
    200: SearchReply;
};

export type SearchResponse = SearchResponses[keyof SearchResponses];

export type ListAgentsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * A super_agent registers and funds sub-agents. A sub_agent belongs to a super-agent.
         */
        type?: 'super_agent' | 'sub_agent';
        /**
         * active works. suspended neither pays nor receives, until it is reactivated. terminated is final.
         */
        status?: 'active' | 'suspended' | 'terminated';
        /**
         * The id of an agent.
         */
        parent_agent_id?: string;
        /**
         * Part of a name, the business name or the phone.
         */
        search?: string;
        /**
         * newest (default), oldest, or by the name of the business; as CSV newest first instead of by name.
         */
        sort?: 'newest' | 'oldest' | 'name';
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/agents';
};

export type ListAgentsResponses = {
    /**
     * Success.
     */
    200: ListAgentsReply;
};

export type ListAgentsResponse = ListAgentsResponses[keyof ListAgentsResponses];

export type RegisterAgentData = {
    body: RegisterAgentRequest;
    path?: never;
    query?: never;
    url: '/api/v1/agents';
};

export type RegisterAgentResponses = {
    /**
     * Created.
     */
    201: RegisterAgentReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type RegisterAgentResponse = RegisterAgentResponses[keyof RegisterAgentResponses];

export type GetAgentData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/agents/{id}';
};

export type GetAgentResponses = {
    /**
     * Success.
     */
    200: GetAgentReply;
};

export type GetAgentResponse = GetAgentResponses[keyof GetAgentResponses];

export type UpdateAgentData = {
    body: UpdateAgentRequestWritable;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/agents/{id}';
};

export type UpdateAgentResponses = {
    /**
     * Success.
     */
    200: ChangedAgent;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type UpdateAgentResponse = UpdateAgentResponses[keyof UpdateAgentResponses];

export type GetAgentBalanceData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/agents/{id}/balance';
};

export type GetAgentBalanceResponses = {
    /**
     * Success.
     */
    200: AgentBalance;
};

export type GetAgentBalanceResponse = GetAgentBalanceResponses[keyof GetAgentBalanceResponses];

export type ListAgentTransactionsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
         */
        type?: 'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'inbound_reversal' | 'partner_cashin' | 'suspense_resolution' | 'suspense_refund' | 'partner_settlement' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'commission_settlement' | 'processor_transfer' | 'processor_payout' | 'payout_returned' | 'payout_cleared' | 'payout_uncleared' | 'pos_refund' | 'recall' | 'unclaimed_payment';
        /**
         * All transactions of the ledger are COMPLETED. The others are statuses of inbound credits and match nothing here.
         */
        status?: 'COMPLETED' | 'REJECTED' | 'FAILED' | 'REVERSED' | 'PROCESSING';
        /**
         * The first day or instant, as YYYY-MM-DD or ISO 8601.
         */
        from?: string;
        /**
         * The last day or instant, as YYYY-MM-DD or ISO 8601.
         */
        to?: string;
        /**
         * next_cursor of the previous page.
         */
        cursor?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/agents/{id}/transactions';
};

export type ListAgentTransactionsResponses = {
    /**
     * Success.
     */
    200: ListAgentTransactionsReply;
};

export type ListAgentTransactionsResponse = ListAgentTransactionsResponses[keyof ListAgentTransactionsResponses];

export type SuspendAgentData = {
    body: SuspendAgentRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/agents/{id}/suspend';
};

export type SuspendAgentResponses = {
    /**
     * Success.
     */
    200: ChangedAgent;
};

export type SuspendAgentResponse = SuspendAgentResponses[keyof SuspendAgentResponses];

export type ReactivateAgentData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/agents/{id}/reactivate';
};

export type ReactivateAgentResponses = {
    /**
     * Success.
     */
    200: ChangedAgent;
};

export type ReactivateAgentResponse = ReactivateAgentResponses[keyof ReactivateAgentResponses];

export type TerminateAgentData = {
    body?: TerminateAgentRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/agents/{id}/terminate';
};

export type TerminateAgentResponses = {
    /**
     * Success.
     */
    200: ChangedAgent;
};

export type TerminateAgentResponse = TerminateAgentResponses[keyof TerminateAgentResponses];

export type ChangeAgentPinData = {
    body: ChangeAgentPinRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/agents/{id}/change-pin';
};

export type ChangeAgentPinResponses = {
    /**
     * Success.
     */
    200: MessageReply;
};

export type ChangeAgentPinResponse = ChangeAgentPinResponses[keyof ChangeAgentPinResponses];

export type FundAgentData = {
    body: FloatPaymentRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/agents/{id}/fund';
};

export type FundAgentResponses = {
    /**
     * Success.
     */
    200: FloatPayment;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type FundAgentResponse = FundAgentResponses[keyof FundAgentResponses];

export type ReturnAgentFloatData = {
    body: FloatPaymentRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/agents/{id}/return-float';
};

export type ReturnAgentFloatResponses = {
    /**
     * Success.
     */
    200: FloatPayment;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type ReturnAgentFloatResponse = ReturnAgentFloatResponses[keyof ReturnAgentFloatResponses];

export type CashInData = {
    body: CashInRequest;
    path?: never;
    query?: never;
    url: '/api/v1/agents/cashin';
};

export type CashInResponses = {
    /**
     * Success.
     */
    200: CashInReply;
};

export type CashInResponse = CashInResponses[keyof CashInResponses];

export type TransferAgentFloatData = {
    body: TransferAgentFloatRequest;
    path?: never;
    query?: never;
    url: '/api/v1/agents/transfer';
};

export type TransferAgentFloatResponses = {
    /**
     * Success.
     */
    200: TransferAgentFloatReply;
};

export type TransferAgentFloatResponse = TransferAgentFloatResponses[keyof TransferAgentFloatResponses];

export type ListFloatRequestsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Only requests in this state.
         */
        state?: 'open' | 'accepting' | 'accepted' | 'declined' | 'cancelled' | 'expired';
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/agents/{id}/float-requests';
};

export type ListFloatRequestsResponses = {
    /**
     * Success.
     */
    200: ListFloatRequestsReply;
};

export type ListFloatRequestsResponse = ListFloatRequestsResponses[keyof ListFloatRequestsResponses];

export type AskForFloatData = {
    body: AskForFloatRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/agents/{id}/float-requests';
};

export type AskForFloatResponses = {
    /**
     * Created.
     */
    201: ChangedFloatRequest;
};

export type AskForFloatResponse = AskForFloatResponses[keyof AskForFloatResponses];

export type AcceptFloatRequestData = {
    body: AcceptFloatRequestRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/agents/float-requests/{id}/accept';
};

export type AcceptFloatRequestResponses = {
    /**
     * Success.
     */
    200: AcceptFloatRequestReply;
};

export type AcceptFloatRequestResponse = AcceptFloatRequestResponses[keyof AcceptFloatRequestResponses];

export type DeclineFloatRequestData = {
    body: DeclineFloatRequestRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/agents/float-requests/{id}/decline';
};

export type DeclineFloatRequestResponses = {
    /**
     * Success.
     */
    200: ChangedFloatRequest;
};

export type DeclineFloatRequestResponse = DeclineFloatRequestResponses[keyof DeclineFloatRequestResponses];

export type CancelFloatRequestData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/agents/float-requests/{id}/cancel';
};

export type CancelFloatRequestResponses = {
    /**
     * Success.
     */
    200: ChangedFloatRequest;
};

export type CancelFloatRequestResponse = CancelFloatRequestResponses[keyof CancelFloatRequestResponses];

export type ListAgentRefusalsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/agents/{id}/refusals';
};

export type ListAgentRefusalsResponses = {
    /**
     * Success.
     */
    200: RefusedPayments;
};

export type ListAgentRefusalsResponse = ListAgentRefusalsResponses[keyof ListAgentRefusalsResponses];

export type ListAlertsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Sets when the review is due: at once, in 24 hours, in 48 hours, never.
         */
        severity?: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';
        /**
         * open, then in_review; resolved and dismissed are final.
         */
        status?: 'open' | 'in_review' | 'resolved' | 'dismissed';
        /**
         * How its review ended.
         */
        outcome?: 'false_positive' | 'customer_explained' | 'confirmed_reported' | 'confirmed_blocked';
        /**
         * The exact type.
         */
        type?: string;
        /**
         * About this subscriber.
         */
        subscriber_id?: string;
        /**
         * About this agent.
         */
        agent_id?: string;
        /**
         * About this processor.
         */
        processor_id?: string;
        /**
         * About this transaction.
         */
        transaction_id?: string;
        /**
         * Raised by this rule.
         */
        rule_id?: string;
        /**
         * Raised at or after this time, as YYYY-MM-DD or ISO 8601.
         */
        from?: string;
        /**
         * Raised at or before this time, as YYYY-MM-DD or ISO 8601.
         */
        to?: string;
        /**
         * true: open alerts whose review is overdue.
         */
        overdue?: 'true' | 'false';
        /**
         * true: open and in review. false: resolved and dismissed.
         */
        pending?: 'true' | 'false';
        /**
         * me: the caller's alerts. none: alerts without an assignee.
         */
        assignee?: 'me' | 'none';
        /**
         * newest (default), or due_at: the one that is due first, then those without a due time. Without PEP access, alerts about politically exposed persons come last, so that their position does not reveal when they are due.
         */
        sort?: 'newest' | 'due_at';
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/compliance/alerts';
};

export type ListAlertsResponses = {
    /**
     * Success.
     */
    200: ListAlertsReply;
};

export type ListAlertsResponse = ListAlertsResponses[keyof ListAlertsResponses];

export type RaiseAlertData = {
    body: RaiseAlertRequest;
    path?: never;
    query?: {
        /**
         * For internal services: hex SHA-256 of the body. The signature covers the query, and so the body.
         */
        body_sha256?: string;
    };
    url: '/api/v1/compliance/alerts';
};

export type RaiseAlertResponses = {
    /**
     * Created.
     */
    201: RaiseAlertReply;
};

export type RaiseAlertResponse = RaiseAlertResponses[keyof RaiseAlertResponses];

export type GetPaymentNetworkData = {
    body?: never;
    path: {
        /**
         * The id of a subscriber, agent or processor.
         */
        id: string;
    };
    query?: {
        /**
         * How many days back, from 1 to 90; 30 by default. Not together with from or to.
         */
        days?: string;
        /**
         * The first day or instant, at most 366 days before the last; 30 by default, as YYYY-MM-DD or ISO 8601.
         */
        from?: string;
        /**
         * The last day or instant; now by default, as YYYY-MM-DD or ISO 8601.
         */
        to?: string;
    };
    url: '/api/v1/compliance/network/{id}';
};

export type GetPaymentNetworkResponses = {
    /**
     * Success.
     */
    200: PaymentNetwork;
};

export type GetPaymentNetworkResponse = GetPaymentNetworkResponses[keyof GetPaymentNetworkResponses];

export type CheckPaymentData = {
    body: CheckPaymentRequest;
    path?: never;
    query?: never;
    url: '/api/v1/compliance/check';
};

export type CheckPaymentResponses = {
    /**
     * Success.
     */
    200: CheckPaymentReply;
};

export type CheckPaymentResponse = CheckPaymentResponses[keyof CheckPaymentResponses];

export type GetAlertData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/compliance/alerts/{id}';
};

export type GetAlertResponses = {
    /**
     * Success.
     */
    200: GetAlertReply;
};

export type GetAlertResponse = GetAlertResponses[keyof GetAlertResponses];

export type UpdateAlertData = {
    body: UpdateAlertRequestWritable;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/compliance/alerts/{id}';
};

export type UpdateAlertResponses = {
    /**
     * Success.
     */
    200: UpdateAlertReply;
};

export type UpdateAlertResponse = UpdateAlertResponses[keyof UpdateAlertResponses];

export type ResolveAlertData = {
    body: ResolveAlertRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/compliance/alerts/{id}/resolve';
};

export type ResolveAlertResponses = {
    /**
     * Success.
     */
    200: ResolveAlertReply;
};

export type ResolveAlertResponse = ResolveAlertResponses[keyof ResolveAlertResponses];

export type AssignAlertData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/compliance/alerts/{id}/assign';
};

export type AssignAlertResponses = {
    /**
     * Success.
     */
    200: AssignAlertReply;
};

export type AssignAlertResponse = AssignAlertResponses[keyof AssignAlertResponses];

export type ReleaseAlertData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/compliance/alerts/{id}/release';
};

export type ReleaseAlertResponses = {
    /**
     * Success.
     */
    200: ReleaseAlertReply;
};

export type ReleaseAlertResponse = ReleaseAlertResponses[keyof ReleaseAlertResponses];

export type ListRulesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * What the rule compares with its threshold: one payment, or the number or sum of payments in the window.
         */
        kind?: 'amount' | 'velocity_count' | 'velocity_amount';
        /**
         * flag: the payment proceeds with an alert. block: it is refused with an alert.
         */
        outcome?: 'flag' | 'block';
        /**
         * Sets when the review is due: at once, in 24 hours, in 48 hours, never.
         */
        severity?: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';
        /**
         * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
         */
        transaction_type?: 'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'inbound_reversal' | 'partner_cashin' | 'suspense_resolution' | 'suspense_refund' | 'partner_settlement' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'commission_settlement' | 'processor_transfer' | 'processor_payout' | 'payout_returned' | 'payout_cleared' | 'payout_uncleared' | 'pos_refund' | 'recall' | 'unclaimed_payment';
        /**
         * The side that sends or receives the money.
         */
        side?: 'payer' | 'payee';
        /**
         * Only records with this value.
         */
        enabled?: 'true' | 'false';
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/compliance/rules';
};

export type ListRulesResponses = {
    /**
     * Success.
     */
    200: ListRulesReply;
};

export type ListRulesResponse = ListRulesResponses[keyof ListRulesResponses];

export type CreateRuleData = {
    body: CreateRuleRequest;
    path?: never;
    query?: never;
    url: '/api/v1/compliance/rules';
};

export type CreateRuleResponses = {
    /**
     * Created.
     */
    201: SavedComplianceRule;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type CreateRuleResponse = CreateRuleResponses[keyof CreateRuleResponses];

export type GetRuleData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/compliance/rules/{id}';
};

export type GetRuleResponses = {
    /**
     * Success.
     */
    200: GetRuleReply;
};

export type GetRuleResponse = GetRuleResponses[keyof GetRuleResponses];

export type UpdateRuleData = {
    body: UpdateRuleRequestWritable;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/compliance/rules/{id}';
};

export type UpdateRuleResponses = {
    /**
     * Success.
     */
    200: SavedComplianceRule;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type UpdateRuleResponse = UpdateRuleResponses[keyof UpdateRuleResponses];

export type WhatIfNewRuleData = {
    body: WhatIfNewRuleRequest;
    path?: never;
    query?: never;
    url: '/api/v1/compliance/rules/what-if';
};

export type WhatIfNewRuleResponses = {
    /**
     * Success.
     */
    200: RuleWhatIf;
};

export type WhatIfNewRuleResponse = WhatIfNewRuleResponses[keyof WhatIfNewRuleResponses];

export type WhatIfRuleData = {
    body: WhatIfRuleRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/compliance/rules/{id}/what-if';
};

export type WhatIfRuleResponses = {
    /**
     * Success.
     */
    200: RuleWhatIf;
};

export type WhatIfRuleResponse = WhatIfRuleResponses[keyof WhatIfRuleResponses];

export type ListAccountRulesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/compliance/account-rules';
};

export type ListAccountRulesResponses = {
    /**
     * Success.
     */
    200: ListAccountRulesReply;
};

export type ListAccountRulesResponse = ListAccountRulesResponses[keyof ListAccountRulesResponses];

export type GetAccountRulesData = {
    body?: never;
    path: {
        /**
         * 1, 2 or 3.
         */
        kyc_level: string;
    };
    query?: never;
    url: '/api/v1/account-rules/{kyc_level}';
};

export type GetAccountRulesResponses = {
    /**
     * Success.
     */
    200: AccountRule;
};

export type GetAccountRulesResponse = GetAccountRulesResponses[keyof GetAccountRulesResponses];

export type GetFeeQuoteData = {
    body?: never;
    path?: never;
    query: {
        /**
         * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
         */
        transaction_type: 'transfer_p2p' | 'agent_cashin' | 'vult_fund' | 'wallet_withdraw' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'processor_transfer' | 'processor_payout' | 'pos_refund';
        /**
         * Minor units.
         */
        amount: string;
        /**
         * The agent that pays or is paid; required for agent types and for wallet_withdraw.
         */
        agent_id?: string;
        /**
         * The processor that pays; required for processor_transfer and processor_payout.
         */
        processor_id?: string;
        /**
         * The payment that is refunded; required for pos_refund.
         */
        transaction_id?: string;
    };
    url: '/api/v1/fee-quote';
};

export type GetFeeQuoteResponses = {
    /**
     * Success.
     */
    200: FeeQuote;
};

export type GetFeeQuoteResponse = GetFeeQuoteResponses[keyof GetFeeQuoteResponses];

export type ListFeeSettingsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
         */
        transaction_type?: 'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw';
    };
    url: '/api/v1/fee-settings';
};

export type ListFeeSettingsResponses = {
    /**
     * Success.
     */
    200: ListFeeSettingsReply;
};

export type ListFeeSettingsResponse = ListFeeSettingsResponses[keyof ListFeeSettingsResponses];

export type PutFeeSettingData = {
    body: PutFeeSettingRequestWritable;
    path?: never;
    query?: never;
    url: '/api/v1/fee-settings';
};

export type PutFeeSettingResponses = {
    /**
     * Success.
     */
    200: PutFeeSettingReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type PutFeeSettingResponse = PutFeeSettingResponses[keyof PutFeeSettingResponses];

export type DeleteFeeSettingData = {
    body?: never;
    path: {
        /**
         * One of transfer_p2p, agent_cashin, pos_payment, vult_fund, wallet_withdraw.
         */
        type: string;
        /**
         * One of sender, recipient, agent, processor.
         */
        party: string;
    };
    query?: never;
    url: '/api/v1/fee-settings/{type}/{party}';
};

export type DeleteFeeSettingResponses = {
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
    /**
     * The custom setting is deleted.
     */
    204: void;
};

export type DeleteFeeSettingResponse = DeleteFeeSettingResponses[keyof DeleteFeeSettingResponses];

export type GetFeeSettingData = {
    body?: never;
    path: {
        /**
         * One of transfer_p2p, agent_cashin, pos_payment, vult_fund, wallet_withdraw.
         */
        type: string;
        /**
         * One of sender, recipient, agent, processor.
         */
        party: string;
    };
    query?: never;
    url: '/api/v1/fee-settings/{type}/{party}';
};

export type GetFeeSettingResponses = {
    /**
     * Success.
     */
    200: FeeSetting;
};

export type GetFeeSettingResponse = GetFeeSettingResponses[keyof GetFeeSettingResponses];

export type WhatIfFeesData = {
    body: WhatIfFeesRequest;
    path?: never;
    query?: never;
    url: '/api/v1/fee-settings/what-if';
};

export type WhatIfFeesResponses = {
    /**
     * Success.
     */
    200: FeeWhatIf;
};

export type WhatIfFeesResponse = WhatIfFeesResponses[keyof WhatIfFeesResponses];

export type GetCommissionTiersData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/admin/commission-tiers';
};

export type GetCommissionTiersResponses = {
    /**
     * Success.
     */
    200: CommissionTiers;
};

export type GetCommissionTiersResponse = GetCommissionTiersResponses[keyof GetCommissionTiersResponses];

export type UpdateCommissionTiersData = {
    body: UpdateCommissionTiersRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/commission-tiers';
};

export type UpdateCommissionTiersResponses = {
    /**
     * Success.
     */
    200: UpdateCommissionTiersReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type UpdateCommissionTiersResponse = UpdateCommissionTiersResponses[keyof UpdateCommissionTiersResponses];

export type ListAgentCommissionsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/agents/{id}/commissions';
};

export type ListAgentCommissionsResponses = {
    /**
     * Success.
     */
    200: ListAgentCommissionsReply;
};

export type ListAgentCommissionsResponse = ListAgentCommissionsResponses[keyof ListAgentCommissionsResponses];

export type ListPartnersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * suspended neither pays nor receives, and its keys are refused, until it is active again.
         */
        status?: 'active' | 'suspended';
        /**
         * Part of the name, ignoring case.
         */
        search?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/partners';
};

export type ListPartnersResponses = {
    /**
     * Success.
     */
    200: ListPartnersReply;
};

export type ListPartnersResponse = ListPartnersResponses[keyof ListPartnersResponses];

export type CreatePartnerData = {
    body: CreatePartnerRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/partners';
};

export type CreatePartnerResponses = {
    /**
     * Created.
     */
    201: CreatePartnerReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type CreatePartnerResponse = CreatePartnerResponses[keyof CreatePartnerResponses];

export type GetPartnerData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/partners/{id}';
};

export type GetPartnerResponses = {
    /**
     * Success.
     */
    200: GetPartnerReply;
};

export type GetPartnerResponse = GetPartnerResponses[keyof GetPartnerResponses];

export type UpdatePartnerData = {
    body: UpdatePartnerRequestWritable;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/partners/{id}';
};

export type UpdatePartnerResponses = {
    /**
     * Success.
     */
    200: UpdatePartnerReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type UpdatePartnerResponse = UpdatePartnerResponses[keyof UpdatePartnerResponses];

export type RotateWebhookSecretData = {
    body?: RotateWebhookSecretRequest;
    path: {
        id: string;
    };
    query?: {
        /**
         * How long X-Hook-Signature-Previous carries the signature of the old secret after the activation. Default: 86400. 0: not at all.
         */
        overlap_seconds?: number | string;
    };
    url: '/api/v1/admin/partners/{id}/rotate-webhook-secret';
};

export type RotateWebhookSecretResponses = {
    /**
     * Success.
     */
    200: RotateWebhookSecretReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type RotateWebhookSecretResponse = RotateWebhookSecretResponses[keyof RotateWebhookSecretResponses];

export type SettlePartnerData = {
    body: SettlePartnerRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/partners/{id}/settle';
};

export type SettlePartnerResponses = {
    /**
     * Success.
     */
    200: SettlePartnerReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type SettlePartnerResponse = SettlePartnerResponses[keyof SettlePartnerResponses];

export type GetProcessorData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/processors/{id}';
};

export type GetProcessorResponses = {
    /**
     * Success.
     */
    200: GetProcessorReply;
};

export type GetProcessorResponse = GetProcessorResponses[keyof GetProcessorResponses];

export type UpdateProcessorData = {
    body: UpdateProcessorRequestWritable;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/processors/{id}';
};

export type UpdateProcessorResponses = {
    /**
     * Success.
     */
    200: ChangedProcessor;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type UpdateProcessorResponse = UpdateProcessorResponses[keyof UpdateProcessorResponses];

export type GetProcessorQrData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * The PDF is a poster for the counter.
         */
        format?: 'svg' | 'png' | 'pdf';
    };
    url: '/api/v1/processors/{id}/qr';
};

export type GetProcessorQrResponses = {
    /**
     * The QR code.
     */
    200: Blob | File;
};

export type GetProcessorQrResponse = GetProcessorQrResponses[keyof GetProcessorQrResponses];

export type ListProcessorsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * suspended neither pays nor receives, and its keys are refused, until it is active again.
         */
        status?: 'active' | 'suspended';
        /**
         * Part of a name, the merchant id, the phone number or the email, or the complete merchant number.
         */
        search?: string;
        /**
         * newest (default), oldest, or by the name of the business; as CSV newest first instead of by name.
         */
        sort?: 'newest' | 'oldest' | 'name';
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/processors';
};

export type ListProcessorsResponses = {
    /**
     * Success.
     */
    200: ListProcessorsReply;
};

export type ListProcessorsResponse = ListProcessorsResponses[keyof ListProcessorsResponses];

export type CreateProcessorData = {
    body: CreateProcessorRequest;
    path?: never;
    query?: never;
    url: '/api/v1/processors';
};

export type CreateProcessorResponses = {
    /**
     * Created.
     */
    201: CreateProcessorReply;
};

export type CreateProcessorResponse = CreateProcessorResponses[keyof CreateProcessorResponses];

export type SuspendProcessorData = {
    body: SuspendProcessorRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/processors/{id}/suspend';
};

export type SuspendProcessorResponses = {
    /**
     * Success.
     */
    200: ChangedProcessor;
};

export type SuspendProcessorResponse = SuspendProcessorResponses[keyof SuspendProcessorResponses];

export type ReactivateProcessorData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/processors/{id}/reactivate';
};

export type ReactivateProcessorResponses = {
    /**
     * Success.
     */
    200: ChangedProcessor;
};

export type ReactivateProcessorResponse = ReactivateProcessorResponses[keyof ReactivateProcessorResponses];

export type TransferFromProcessorData = {
    body: TransferFromProcessorRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/processors/{id}/transfer';
};

export type TransferFromProcessorResponses = {
    /**
     * Success.
     */
    200: Payment;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type TransferFromProcessorResponse = TransferFromProcessorResponses[keyof TransferFromProcessorResponses];

export type ListBankAccountsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/processors/{id}/bank-accounts';
};

export type ListBankAccountsResponses = {
    /**
     * Success.
     */
    200: ListBankAccountsReply;
};

export type ListBankAccountsResponse = ListBankAccountsResponses[keyof ListBankAccountsResponses];

export type AddBankAccountData = {
    body: AddBankAccountRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/processors/{id}/bank-accounts';
};

export type AddBankAccountResponses = {
    /**
     * Created.
     */
    201: AddBankAccountReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type AddBankAccountResponse = AddBankAccountResponses[keyof AddBankAccountResponses];

export type RemoveBankAccountData = {
    body?: never;
    path: {
        id: string;
        account_id: string;
    };
    query?: never;
    url: '/api/v1/processors/{id}/bank-accounts/{account_id}';
};

export type RemoveBankAccountResponses = {
    /**
     * Success.
     */
    200: MessageReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type RemoveBankAccountResponse = RemoveBankAccountResponses[keyof RemoveBankAccountResponses];

export type PayOutData = {
    body: PayOutRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/processors/{id}/payout';
};

export type PayOutResponses = {
    /**
     * Success.
     */
    200: Payout;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type PayOutResponse = PayOutResponses[keyof PayOutResponses];

export type ListPayoutsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * in_transit: the bank has it. cleared: a bank entry is matched. returned: the bank sent it back.
         */
        state?: 'in_transit' | 'cleared' | 'returned';
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/processors/{id}/payouts';
};

export type ListPayoutsResponses = {
    /**
     * Success.
     */
    200: ListPayoutsReply;
};

export type ListPayoutsResponse = ListPayoutsResponses[keyof ListPayoutsResponses];

export type ListAllPayoutsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * in_transit: the bank has it. cleared: a bank entry is matched. returned: the bank sent it back.
         */
        state?: 'in_transit' | 'cleared' | 'returned';
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/payouts';
};

export type ListAllPayoutsResponses = {
    /**
     * Success.
     */
    200: ListAllPayoutsReply;
};

export type ListAllPayoutsResponse = ListAllPayoutsResponses[keyof ListAllPayoutsResponses];

export type GetPayoutAtBankData = {
    body?: never;
    path: {
        id: string;
        transaction_id: string;
    };
    query?: never;
    url: '/api/v1/processors/{id}/payouts/{transaction_id}/bank-entries';
};

export type GetPayoutAtBankResponses = {
    /**
     * Success.
     */
    200: PayoutAtBank;
};

export type GetPayoutAtBankResponse = GetPayoutAtBankResponses[keyof GetPayoutAtBankResponses];

export type ReturnPayoutData = {
    body: ReturnPayoutRequest;
    path: {
        id: string;
        transaction_id: string;
    };
    query?: never;
    url: '/api/v1/processors/{id}/payouts/{transaction_id}/return';
};

export type ReturnPayoutResponses = {
    /**
     * Success.
     */
    200: ReturnPayoutReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type ReturnPayoutResponse = ReturnPayoutResponses[keyof ReturnPayoutResponses];

export type ListTerminalKeysData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/processors/{id}/keys';
};

export type ListTerminalKeysResponses = {
    /**
     * Success.
     */
    200: ListTerminalKeysReply;
};

export type ListTerminalKeysResponse = ListTerminalKeysResponses[keyof ListTerminalKeysResponses];

export type CreateOwnKeyData = {
    body: CreateOwnKeyRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/processors/{id}/keys';
};

export type CreateOwnKeyResponses = {
    /**
     * Created.
     */
    201: CreateOwnKeyReply;
};

export type CreateOwnKeyResponse = CreateOwnKeyResponses[keyof CreateOwnKeyResponses];

export type RevokeOwnKeyData = {
    body?: never;
    path: {
        id: string;
        /**
         * The id of the API key.
         */
        key_id: string;
    };
    query?: never;
    url: '/api/v1/processors/{id}/keys/{key_id}';
};

export type RevokeOwnKeyResponses = {
    /**
     * The API key is revoked.
     */
    204: void;
};

export type RevokeOwnKeyResponse = RevokeOwnKeyResponses[keyof RevokeOwnKeyResponses];

export type CreateProcessorLoginData = {
    body: CreateProcessorLoginRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/processors/{id}/users';
};

export type CreateProcessorLoginResponses = {
    /**
     * Created.
     */
    201: CreateProcessorLoginReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type CreateProcessorLoginResponse = CreateProcessorLoginResponses[keyof CreateProcessorLoginResponses];

export type ListProcessorTransactionsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * What kind of transaction it is, such as transfer_p2p, pos_payment or inbound_credit.
         */
        type?: 'transfer_p2p' | 'agent_cashin' | 'pos_payment' | 'vult_fund' | 'wallet_withdraw' | 'inbound_credit' | 'inbound_reversal' | 'partner_cashin' | 'suspense_resolution' | 'suspense_refund' | 'partner_settlement' | 'agent_fund' | 'agent_return' | 'agent_transfer' | 'commission_settlement' | 'processor_transfer' | 'processor_payout' | 'payout_returned' | 'payout_cleared' | 'payout_uncleared' | 'pos_refund' | 'recall' | 'unclaimed_payment';
        /**
         * All transactions of the ledger are COMPLETED. The others are statuses of inbound credits and match nothing here.
         */
        status?: 'COMPLETED' | 'REJECTED' | 'FAILED' | 'REVERSED' | 'PROCESSING';
        /**
         * The first day or instant, as YYYY-MM-DD or ISO 8601.
         */
        from?: string;
        /**
         * The last day or instant, as YYYY-MM-DD or ISO 8601.
         */
        to?: string;
        /**
         * next_cursor of the previous page.
         */
        cursor?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/processors/{id}/transactions';
};

export type ListProcessorTransactionsResponses = {
    /**
     * Success.
     */
    200: ListProcessorTransactionsReply;
};

export type ListProcessorTransactionsResponse = ListProcessorTransactionsResponses[keyof ListProcessorTransactionsResponses];

export type GetProcessorTakingsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * day by default; UTC.
         */
        by?: 'hour' | 'day';
        /**
         * The first hour or day contains it, as YYYY-MM-DD or ISO 8601.
         */
        from?: string;
        /**
         * The last hour or day contains it; at most 48 hours or 31 days, as YYYY-MM-DD or ISO 8601.
         */
        to?: string;
    };
    url: '/api/v1/processors/{id}/takings';
};

export type GetProcessorTakingsResponses = {
    /**
     * Success.
     */
    200: GetProcessorTakingsReply;
};

export type GetProcessorTakingsResponse = GetProcessorTakingsResponses[keyof GetProcessorTakingsResponses];

export type ListProcessorRefusalsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/processors/{id}/refusals';
};

export type ListProcessorRefusalsResponses = {
    /**
     * Success.
     */
    200: RefusedPayments;
};

export type ListProcessorRefusalsResponse = ListProcessorRefusalsResponses[keyof ListProcessorRefusalsResponses];

export type RefundFromProcessorData = {
    body: MerchantRefundRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/processors/{id}/refunds';
};

export type RefundFromProcessorResponses = {
    /**
     * Success.
     */
    200: Refund;
};

export type RefundFromProcessorResponse = RefundFromProcessorResponses[keyof RefundFromProcessorResponses];

export type ListPaymentRequestsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The id of a processor.
         */
        processor_id?: string;
        /**
         * The id of a subscriber who asks.
         */
        subscriber_id?: string;
        /**
         * Only requests in this state.
         */
        status?: 'open' | 'paid' | 'declined' | 'expired' | 'cancelled';
        /**
         * The payee's own reference, such as an order number.
         */
        reference?: string;
        /**
         * In local format or E.164.
         */
        payer_phone?: string;
        /**
         * The first day or instant of creation, as YYYY-MM-DD or ISO 8601.
         */
        from?: string;
        /**
         * The last day or instant of creation, as YYYY-MM-DD or ISO 8601.
         */
        to?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/payment-requests';
};

export type ListPaymentRequestsResponses = {
    /**
     * Success.
     */
    200: ListPaymentRequestsReply;
};

export type ListPaymentRequestsResponse = ListPaymentRequestsResponses[keyof ListPaymentRequestsResponses];

export type CreatePaymentRequestData = {
    body: NewPaymentRequest;
    path?: never;
    query?: never;
    url: '/api/v1/payment-requests';
};

export type CreatePaymentRequestResponses = {
    /**
     * Created.
     */
    201: ChangedPaymentRequest;
};

export type CreatePaymentRequestResponse = CreatePaymentRequestResponses[keyof CreatePaymentRequestResponses];

export type GetPaymentRequestData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/payment-requests/{id}';
};

export type GetPaymentRequestResponses = {
    /**
     * Success.
     */
    200: GetPaymentRequestReply;
};

export type GetPaymentRequestResponse = GetPaymentRequestResponses[keyof GetPaymentRequestResponses];

export type CancelPaymentRequestData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/payment-requests/{id}/cancel';
};

export type CancelPaymentRequestResponses = {
    /**
     * Success.
     */
    200: ChangedPaymentRequest;
};

export type CancelPaymentRequestResponse = CancelPaymentRequestResponses[keyof CancelPaymentRequestResponses];

export type ListBulkPaymentsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The merchant that pays.
         */
        processor_id?: string;
        /**
         * The partner that pays.
         */
        partner_id?: string;
        /**
         * true: the operator's treasury pays.
         */
        treasury?: 'true' | 'false';
        /**
         * Only bulk payments with this status.
         */
        status?: 'checking' | 'checked' | 'approved' | 'running' | 'completed' | 'stopped' | 'cancelled';
        /**
         * Uploaded at or after, as YYYY-MM-DD or ISO 8601.
         */
        from?: string;
        /**
         * Uploaded at or before, as YYYY-MM-DD or ISO 8601.
         */
        to?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/bulk-payments';
};

export type ListBulkPaymentsResponses = {
    /**
     * Success.
     */
    200: ListBulkPaymentsReply;
};

export type ListBulkPaymentsResponse = ListBulkPaymentsResponses[keyof ListBulkPaymentsResponses];

export type UploadBulkPaymentData = {
    body: UploadBulkPaymentRequest;
    path?: never;
    query?: {
        /**
         * The merchant that pays.
         */
        processor_id?: string;
        /**
         * The partner that pays.
         */
        partner_id?: string;
        /**
         * true: the operator's treasury pays.
         */
        treasury?: 'true' | 'false';
        /**
         * What people call it, such as Nurses, November.
         */
        name?: string;
        /**
         * code: rows for numbers without a wallet are valid, and paid as cash-out codes. Default: invalid.
         */
        unclaimed?: 'code';
        /**
         * The completed bulk payment whose file is to be paid again on purpose.
         */
        repeat_of?: string;
        /**
         * SHA-256 of the file in hexadecimal digits. Required for keys: their signature covers it, and it covers the file.
         */
        file_sha256?: string;
    };
    url: '/api/v1/bulk-payments';
};

export type UploadBulkPaymentResponses = {
    /**
     * Accepted.
     */
    202: UploadBulkPaymentReply;
};

export type UploadBulkPaymentResponse = UploadBulkPaymentResponses[keyof UploadBulkPaymentResponses];

export type GetBulkPaymentData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/bulk-payments/{id}';
};

export type GetBulkPaymentResponses = {
    /**
     * Success.
     */
    200: GetBulkPaymentReply;
};

export type GetBulkPaymentResponse = GetBulkPaymentResponses[keyof GetBulkPaymentResponses];

export type ListBulkPaymentRowsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Only rows with this status.
         */
        status?: 'pending' | 'valid' | 'invalid' | 'paying' | 'paid' | 'unclaimed' | 'returned' | 'failed' | 'cancelled';
        /**
         * Only rows whose name is, or is not, the wallet's.
         */
        name_match?: 'match' | 'no_match';
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/bulk-payments/{id}/rows';
};

export type ListBulkPaymentRowsResponses = {
    /**
     * Success.
     */
    200: ListBulkPaymentRowsReply;
};

export type ListBulkPaymentRowsResponse = ListBulkPaymentRowsResponses[keyof ListBulkPaymentRowsResponses];

export type GetBulkPaymentReportData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/bulk-payments/{id}/report.csv';
};

export type GetBulkPaymentReportResponses = {
    /**
     * Amounts are in leones with two decimals.
     */
    200: string;
};

export type GetBulkPaymentReportResponse = GetBulkPaymentReportResponses[keyof GetBulkPaymentReportResponses];

export type GetBulkPaymentReportPdfData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/bulk-payments/{id}/report.pdf';
};

export type GetBulkPaymentReportPdfResponses = {
    /**
     * A PDF file: the totals, who uploaded and approved it, and the rows that are not paid.
     */
    200: Blob | File;
};

export type GetBulkPaymentReportPdfResponse = GetBulkPaymentReportPdfResponses[keyof GetBulkPaymentReportPdfResponses];

export type CancelBulkPaymentData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/bulk-payments/{id}/cancel';
};

export type CancelBulkPaymentResponses = {
    /**
     * Success.
     */
    200: CancelBulkPaymentReply;
};

export type CancelBulkPaymentResponse = CancelBulkPaymentResponses[keyof CancelBulkPaymentResponses];

export type GetBulkRowLimitData = {
    body?: never;
    path: {
        /**
         * A merchant or a partner.
         */
        payer_id: string;
    };
    query?: never;
    url: '/api/v1/admin/bulk-payment-limits/{payer_id}';
};

export type GetBulkRowLimitResponses = {
    /**
     * Success.
     */
    200: GetBulkRowLimitReply;
};

export type GetBulkRowLimitResponse = GetBulkRowLimitResponses[keyof GetBulkRowLimitResponses];

export type UpdateBulkRowLimitData = {
    body: UpdateBulkRowLimitRequestWritable;
    path: {
        /**
         * A merchant or a partner.
         */
        payer_id: string;
    };
    query?: never;
    url: '/api/v1/admin/bulk-payment-limits/{payer_id}';
};

export type UpdateBulkRowLimitResponses = {
    /**
     * Success.
     */
    200: UpdateBulkRowLimitReply;
};

export type UpdateBulkRowLimitResponse = UpdateBulkRowLimitResponses[keyof UpdateBulkRowLimitResponses];

export type ApproveBulkPaymentData = {
    body: ApproveBulkPaymentRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/bulk-payments/{id}/approve';
};

export type ApproveBulkPaymentResponses = {
    /**
     * Success.
     */
    200: ApproveBulkPaymentReply;
};

export type ApproveBulkPaymentResponse = ApproveBulkPaymentResponses[keyof ApproveBulkPaymentResponses];

export type StopBulkPaymentData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/bulk-payments/{id}/stop';
};

export type StopBulkPaymentResponses = {
    /**
     * Success.
     */
    200: StopBulkPaymentReply;
};

export type StopBulkPaymentResponse = StopBulkPaymentResponses[keyof StopBulkPaymentResponses];

export type RetryBulkPaymentData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/bulk-payments/{id}/retry-failed';
};

export type RetryBulkPaymentResponses = {
    /**
     * Success.
     */
    200: RetryBulkPaymentReply;
};

export type RetryBulkPaymentResponse = RetryBulkPaymentResponses[keyof RetryBulkPaymentResponses];

export type GetReturnHostsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/processors/{id}/return-hosts';
};

export type GetReturnHostsResponses = {
    /**
     * Success.
     */
    200: ReturnHosts;
};

export type GetReturnHostsResponse = GetReturnHostsResponses[keyof GetReturnHostsResponses];

export type SetReturnHostsData = {
    body: SetReturnHostsRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/processors/{id}/return-hosts';
};

export type SetReturnHostsResponses = {
    /**
     * Success.
     */
    200: ChangedReturnHosts;
};

export type SetReturnHostsResponse = SetReturnHostsResponses[keyof SetReturnHostsResponses];

export type ListOwnRequestsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * An HTTP status, or a class such as 4xx.
         */
        status?: string;
        /**
         * An error code.
         */
        code?: string;
        /**
         * The cursor of the previous reply: only requests that were written after it, beginning with those that directly follow it.
         */
        newer_than?: number | string;
        /**
         * Another key of the same partner or processor. Default: the key that makes the request; users must name one.
         */
        key_id?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/request-log';
};

export type ListOwnRequestsResponses = {
    /**
     * Success.
     */
    200: ListOwnRequestsReply;
};

export type ListOwnRequestsResponse = ListOwnRequestsResponses[keyof ListOwnRequestsResponses];

export type ListWebhookEndpointsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The processor's (merchant's) id.
         */
        processor_id?: string;
        partner_id?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/webhook-endpoints';
};

export type ListWebhookEndpointsResponses = {
    /**
     * Success.
     */
    200: ListWebhookEndpointsReply;
};

export type ListWebhookEndpointsResponse = ListWebhookEndpointsResponses[keyof ListWebhookEndpointsResponses];

export type CreateWebhookEndpointData = {
    body: CreateWebhookEndpointRequest;
    path?: never;
    query?: never;
    url: '/api/v1/webhook-endpoints';
};

export type CreateWebhookEndpointResponses = {
    /**
     * Created.
     */
    201: CreateWebhookEndpointReply;
};

export type CreateWebhookEndpointResponse = CreateWebhookEndpointResponses[keyof CreateWebhookEndpointResponses];

export type DeleteWebhookEndpointData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/webhook-endpoints/{id}';
};

export type DeleteWebhookEndpointResponses = {
    /**
     * The webhook endpoint is deleted.
     */
    204: void;
};

export type DeleteWebhookEndpointResponse = DeleteWebhookEndpointResponses[keyof DeleteWebhookEndpointResponses];

export type GetWebhookEndpointData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/webhook-endpoints/{id}';
};

export type GetWebhookEndpointResponses = {
    /**
     * Success.
     */
    200: GetWebhookEndpointReply;
};

export type GetWebhookEndpointResponse = GetWebhookEndpointResponses[keyof GetWebhookEndpointResponses];

export type UpdateWebhookEndpointData = {
    body: UpdateWebhookEndpointRequestWritable;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/webhook-endpoints/{id}';
};

export type UpdateWebhookEndpointResponses = {
    /**
     * Success.
     */
    200: UpdateWebhookEndpointReply;
};

export type UpdateWebhookEndpointResponse = UpdateWebhookEndpointResponses[keyof UpdateWebhookEndpointResponses];

export type RotateWebhookEndpointSecretData = {
    body?: RotateWebhookEndpointSecretRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/webhook-endpoints/{id}/rotate-secret';
};

export type RotateWebhookEndpointSecretResponses = {
    /**
     * Success.
     */
    200: RotateWebhookEndpointSecretReply;
};

export type RotateWebhookEndpointSecretResponse = RotateWebhookEndpointSecretResponses[keyof RotateWebhookEndpointSecretResponses];

export type TestWebhookEndpointData = {
    body?: TestWebhookEndpointRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/webhook-endpoints/{id}/test';
};

export type TestWebhookEndpointResponses = {
    /**
     * Success.
     */
    200: TestWebhookEndpointReply;
};

export type TestWebhookEndpointResponse = TestWebhookEndpointResponses[keyof TestWebhookEndpointResponses];

export type ListOwnWebhookDeliveriesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * pending: will be sent, or sent again. delivered: answered with 2xx. abandoned: no attempts are left; staff can replay it.
         */
        status?: 'pending' | 'delivered' | 'abandoned';
        /**
         * Only this type of event.
         */
        event?: string;
        /**
         * Only those to this webhook endpoint.
         */
        endpoint_id?: string;
        /**
         * Only deliveries about this credit.
         */
        reference?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/webhook-deliveries';
};

export type ListOwnWebhookDeliveriesResponses = {
    /**
     * Success.
     */
    200: ListOwnWebhookDeliveriesReply;
};

export type ListOwnWebhookDeliveriesResponse = ListOwnWebhookDeliveriesResponses[keyof ListOwnWebhookDeliveriesResponses];

export type GetOwnWebhookDeliveryData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/webhook-deliveries/{id}';
};

export type GetOwnWebhookDeliveryResponses = {
    /**
     * Success.
     */
    200: GetOwnWebhookDeliveryReply;
};

export type GetOwnWebhookDeliveryResponse = GetOwnWebhookDeliveryResponses[keyof GetOwnWebhookDeliveryResponses];

export type ReplayOwnWebhookDeliveryData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/webhook-deliveries/{id}/replay';
};

export type ReplayOwnWebhookDeliveryResponses = {
    /**
     * Success.
     */
    200: ReplayOwnWebhookDeliveryReply;
};

export type ReplayOwnWebhookDeliveryResponse = ReplayOwnWebhookDeliveryResponses[keyof ReplayOwnWebhookDeliveryResponses];

export type PayAtTerminalData = {
    body: TerminalPaymentRequest;
    path?: never;
    query?: never;
    url: '/api/v1/pos/payment';
};

export type PayAtTerminalResponses = {
    /**
     * Success.
     */
    200: CardPayment;
};

export type PayAtTerminalResponse = PayAtTerminalResponses[keyof PayAtTerminalResponses];

export type PayInAppData = {
    body: InAppPaymentRequest;
    path?: never;
    query?: never;
    url: '/api/v1/payment';
};

export type PayInAppResponses = {
    /**
     * Success.
     */
    200: InAppPayment;
};

export type PayInAppResponse = PayInAppResponses[keyof PayInAppResponses];

export type RefundAtTerminalData = {
    body: RefundRequest;
    path?: never;
    query?: never;
    url: '/api/v1/pos/refund';
};

export type RefundAtTerminalResponses = {
    /**
     * Success.
     */
    200: Refund;
};

export type RefundAtTerminalResponse = RefundAtTerminalResponses[keyof RefundAtTerminalResponses];

export type CaptureAtTerminalData = {
    body: CaptureRequest;
    path: {
        /**
         * The id of an authorised payment.
         */
        transaction_id: string;
    };
    query?: never;
    url: '/api/v1/pos/payment/{transaction_id}/capture';
};

export type CaptureAtTerminalResponses = {
    /**
     * Success.
     */
    200: Capture;
};

export type CaptureAtTerminalResponse = CaptureAtTerminalResponses[keyof CaptureAtTerminalResponses];

export type VoidAtTerminalData = {
    body: VoidRequest;
    path: {
        /**
         * The id of an authorised payment.
         */
        transaction_id: string;
    };
    query?: never;
    url: '/api/v1/pos/payment/{transaction_id}/void';
};

export type VoidAtTerminalResponses = {
    /**
     * Success.
     */
    200: Void;
};

export type VoidAtTerminalResponse = VoidAtTerminalResponses[keyof VoidAtTerminalResponses];

export type VerifyCardAtTerminalData = {
    body: CardRequest;
    path?: never;
    query?: never;
    url: '/api/v1/pos/verify-card';
};

export type VerifyCardAtTerminalResponses = {
    /**
     * Success.
     */
    200: CardVerification;
};

export type VerifyCardAtTerminalResponse = VerifyCardAtTerminalResponses[keyof VerifyCardAtTerminalResponses];

export type VerifyAccountAtTerminalData = {
    body: AccountRequest;
    path?: never;
    query?: never;
    url: '/api/v1/pos/verify-account';
};

export type VerifyAccountAtTerminalResponses = {
    /**
     * Success.
     */
    200: AccountVerification;
};

export type VerifyAccountAtTerminalResponse = VerifyAccountAtTerminalResponses[keyof VerifyAccountAtTerminalResponses];

export type LookUpCardAtTerminalData = {
    body: CardRequest;
    path?: never;
    query?: never;
    url: '/api/v1/pos/lookup-card';
};

export type LookUpCardAtTerminalResponses = {
    /**
     * Success.
     */
    200: CardLookup;
};

export type LookUpCardAtTerminalResponse = LookUpCardAtTerminalResponses[keyof LookUpCardAtTerminalResponses];

export type RefundInAppData = {
    body: RefundRequest;
    path?: never;
    query?: never;
    url: '/api/v1/payment/refund';
};

export type RefundInAppResponses = {
    /**
     * Success.
     */
    200: Refund;
};

export type RefundInAppResponse = RefundInAppResponses[keyof RefundInAppResponses];

export type CaptureInAppData = {
    body: CaptureRequest;
    path: {
        /**
         * The id of an authorised payment.
         */
        transaction_id: string;
    };
    query?: never;
    url: '/api/v1/payment/{transaction_id}/capture';
};

export type CaptureInAppResponses = {
    /**
     * Success.
     */
    200: Capture;
};

export type CaptureInAppResponse = CaptureInAppResponses[keyof CaptureInAppResponses];

export type VoidInAppData = {
    body: VoidRequest;
    path: {
        /**
         * The id of an authorised payment.
         */
        transaction_id: string;
    };
    query?: never;
    url: '/api/v1/payment/{transaction_id}/void';
};

export type VoidInAppResponses = {
    /**
     * Success.
     */
    200: Void;
};

export type VoidInAppResponse = VoidInAppResponses[keyof VoidInAppResponses];

export type VerifyCardInAppData = {
    body: CardRequest;
    path?: never;
    query?: never;
    url: '/api/v1/payment/verify-card';
};

export type VerifyCardInAppResponses = {
    /**
     * Success.
     */
    200: CardVerification;
};

export type VerifyCardInAppResponse = VerifyCardInAppResponses[keyof VerifyCardInAppResponses];

export type VerifyAccountInAppData = {
    body: AccountRequest;
    path?: never;
    query?: never;
    url: '/api/v1/payment/verify-account';
};

export type VerifyAccountInAppResponses = {
    /**
     * Success.
     */
    200: AccountVerification;
};

export type VerifyAccountInAppResponse = VerifyAccountInAppResponses[keyof VerifyAccountInAppResponses];

export type LookUpCardInAppData = {
    body: CardRequest;
    path?: never;
    query?: never;
    url: '/api/v1/payment/lookup-card';
};

export type LookUpCardInAppResponses = {
    /**
     * Success.
     */
    200: CardLookup;
};

export type LookUpCardInAppResponse = LookUpCardInAppResponses[keyof LookUpCardInAppResponses];

export type ListWebhookDeliveriesData = {
    body?: never;
    path?: never;
    query?: {
        partner_id?: string;
        /**
         * The processor's (merchant's) id.
         */
        processor_id?: string;
        /**
         * pending: will be sent, or sent again. delivered: answered with 2xx. abandoned: no attempts are left; staff can replay it.
         */
        status?: 'pending' | 'delivered' | 'abandoned';
        /**
         * Only this type of event.
         */
        event?: string;
        /**
         * Only those to this webhook endpoint.
         */
        endpoint_id?: string;
        /**
         * Only deliveries about this credit.
         */
        reference?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/webhook-deliveries';
};

export type ListWebhookDeliveriesResponses = {
    /**
     * Success.
     */
    200: ListWebhookDeliveriesReply;
};

export type ListWebhookDeliveriesResponse = ListWebhookDeliveriesResponses[keyof ListWebhookDeliveriesResponses];

export type GetWebhookDeliveryData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/webhook-deliveries/{id}';
};

export type GetWebhookDeliveryResponses = {
    /**
     * Success.
     */
    200: GetWebhookDeliveryReply;
};

export type GetWebhookDeliveryResponse = GetWebhookDeliveryResponses[keyof GetWebhookDeliveryResponses];

export type ReplayWebhookDeliveryData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/webhook-deliveries/{id}/replay';
};

export type ReplayWebhookDeliveryResponses = {
    /**
     * Success.
     */
    200: ReplayWebhookDeliveryReply;
};

export type ReplayWebhookDeliveryResponse = ReplayWebhookDeliveryResponses[keyof ReplayWebhookDeliveryResponses];

export type EnquireNameData = {
    body: EnquireNameRequest;
    path?: never;
    query?: never;
    url: '/api/v1/inbound/name-enquiry';
};

export type EnquireNameResponses = {
    /**
     * Success.
     */
    200: EnquireNameReply;
};

export type EnquireNameResponse = EnquireNameResponses[keyof EnquireNameResponses];

export type CreditWalletData = {
    body: CreditWalletRequest;
    headers: {
        /**
         * Identifies the operation; the same on every retry of it. 1 to 128 visible ASCII characters. It is part of the signed string.
         */
        'x-idempotency-key': string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/inbound/credit';
};

export type CreditWalletResponses = {
    /**
     * Success.
     */
    200: CreditWalletReply;
};

export type CreditWalletResponse = CreditWalletResponses[keyof CreditWalletResponses];

export type GetCreditData = {
    body?: never;
    path: {
        /**
         * The partner's reference for the credit.
         */
        reference: string;
    };
    query?: never;
    url: '/api/v1/inbound/transactions/{reference}';
};

export type GetCreditResponses = {
    /**
     * Success.
     */
    200: GetCreditReply;
};

export type GetCreditResponse = GetCreditResponses[keyof GetCreditResponses];

export type ReverseInboundCreditData = {
    body: ReverseInboundCreditRequest;
    path: {
        /**
         * The id of the inbound credit at this service.
         */
        inbound_id: string;
    };
    query?: never;
    url: '/api/v1/admin/inbound/{inbound_id}/reverse';
};

export type ReverseInboundCreditResponses = {
    /**
     * Success.
     */
    200: ReverseInboundCreditReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type ReverseInboundCreditResponse = ReverseInboundCreditResponses[keyof ReverseInboundCreditResponses];

export type ListInboundCreditsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * COMPLETED: credited. REJECTED: refused, nothing moved. FAILED: not processed, nothing moved. REVERSED: taken back after it was completed.
         */
        status?: 'COMPLETED' | 'REJECTED' | 'FAILED' | 'REVERSED';
        /**
         * The id of a partner.
         */
        partner_id?: string;
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference?: string;
        /**
         * The id of a subscriber.
         */
        subscriber_id?: string;
        /**
         * The first day or instant, as YYYY-MM-DD or ISO 8601.
         */
        from?: string;
        /**
         * The last day or instant, as YYYY-MM-DD or ISO 8601.
         */
        to?: string;
        /**
         * next_cursor of the previous page.
         */
        cursor?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/inbound';
};

export type ListInboundCreditsResponses = {
    /**
     * Success.
     */
    200: ListInboundCreditsReply;
};

export type ListInboundCreditsResponse = ListInboundCreditsResponses[keyof ListInboundCreditsResponses];

export type GetInboundCreditData = {
    body?: never;
    path: {
        /**
         * The id of the inbound credit at this service.
         */
        inbound_id: string;
    };
    query?: never;
    url: '/api/v1/admin/inbound/{inbound_id}';
};

export type GetInboundCreditResponses = {
    /**
     * Success.
     */
    200: GetInboundCreditReply;
};

export type GetInboundCreditResponse = GetInboundCreditResponses[keyof GetInboundCreditResponses];

export type ListSuspenseItemsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The id of a subscriber.
         */
        subscriber_id?: string;
        /**
         * The partner's id for the credit or cash-in, unique per partner.
         */
        reference?: string;
        /**
         * Only items at least this many whole days old.
         */
        older_than_days?: number | string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/suspense';
};

export type ListSuspenseItemsResponses = {
    /**
     * Success.
     */
    200: ListSuspenseItemsReply;
};

export type ListSuspenseItemsResponse = ListSuspenseItemsResponses[keyof ListSuspenseItemsResponses];

export type ResolveSuspenseItemData = {
    body: ResolveSuspenseItemRequest;
    path: {
        transaction_id: string;
    };
    query?: never;
    url: '/api/v1/admin/suspense/{transaction_id}/resolve';
};

export type ResolveSuspenseItemResponses = {
    /**
     * Success.
     */
    200: ResolveSuspenseItemReply;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type ResolveSuspenseItemResponse = ResolveSuspenseItemResponses[keyof ResolveSuspenseItemResponses];

export type ListTrustAccountsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * A closed account takes no statements. Only an empty account can be closed.
         */
        status?: 'active' | 'closed';
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/trust-accounts';
};

export type ListTrustAccountsResponses = {
    /**
     * Success.
     */
    200: ListTrustAccountsReply;
};

export type ListTrustAccountsResponse = ListTrustAccountsResponses[keyof ListTrustAccountsResponses];

export type CreateTrustAccountData = {
    body: CreateTrustAccountRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/trust-accounts';
};

export type CreateTrustAccountResponses = {
    /**
     * Created.
     */
    201: ChangedTrustAccount;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type CreateTrustAccountResponse = CreateTrustAccountResponses[keyof CreateTrustAccountResponses];

export type GetTrustAccountData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/trust-accounts/{id}';
};

export type GetTrustAccountResponses = {
    /**
     * Success.
     */
    200: GetTrustAccountReply;
};

export type GetTrustAccountResponse = GetTrustAccountResponses[keyof GetTrustAccountResponses];

export type UpdateTrustAccountData = {
    body: UpdateTrustAccountRequestWritable;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/trust-accounts/{id}';
};

export type UpdateTrustAccountResponses = {
    /**
     * Success.
     */
    200: ChangedTrustAccount;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type UpdateTrustAccountResponse = UpdateTrustAccountResponses[keyof UpdateTrustAccountResponses];

export type ListBankStatementsData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/trust-accounts/{id}/statements';
};

export type ListBankStatementsResponses = {
    /**
     * Success.
     */
    200: ListBankStatementsReply;
};

export type ListBankStatementsResponse = ListBankStatementsResponses[keyof ListBankStatementsResponses];

export type UploadBankStatementData = {
    /**
     * application/xml: camt.053. text/plain: MT940. text/csv: date,amount,reference,description,balance, oldest entry first, amounts in SLE with decimals. UTF-8, at most 64 MiB and 200,000 entries.
     */
    body: string;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/trust-accounts/{id}/statements';
};

export type UploadBankStatementResponses = {
    /**
     * Success.
     */
    200: UploadedBankStatement;
    /**
     * Created.
     */
    201: UploadedBankStatement;
};

export type UploadBankStatementResponse = UploadBankStatementResponses[keyof UploadBankStatementResponses];

export type GetBankStatementData = {
    body?: never;
    path: {
        id: string;
        statement_id: string;
    };
    query?: never;
    url: '/api/v1/admin/trust-accounts/{id}/statements/{statement_id}';
};

export type GetBankStatementResponses = {
    /**
     * Success.
     */
    200: GetBankStatementReply;
};

export type GetBankStatementResponse = GetBankStatementResponses[keyof GetBankStatementResponses];

export type DownloadBankStatementData = {
    body?: never;
    path: {
        id: string;
        statement_id: string;
    };
    query?: never;
    url: '/api/v1/admin/trust-accounts/{id}/statements/{statement_id}/file';
};

export type DownloadBankStatementResponses = {
    /**
     * The file as it was uploaded.
     */
    200: Blob | File;
};

export type DownloadBankStatementResponse = DownloadBankStatementResponses[keyof DownloadBankStatementResponses];

export type ListBankEntriesData = {
    body?: never;
    path: {
        id: string;
        statement_id: string;
    };
    query?: {
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/trust-accounts/{id}/statements/{statement_id}/entries';
};

export type ListBankEntriesResponses = {
    /**
     * Success.
     */
    200: ListBankEntriesReply;
};

export type ListBankEntriesResponse = ListBankEntriesResponses[keyof ListBankEntriesResponses];

export type ListReconciliationItemsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * unmatched, or suggested by a run, until it is matched or written off.
         */
        status?: 'matched' | 'suggested' | 'unmatched' | 'written_off';
        /**
         * bank: a statement's entry. books: a transaction of the ledger.
         */
        side?: 'bank' | 'books';
        /**
         * Only items more than this many days old.
         */
        older_than_days?: number | string;
        /**
         * me: only the caller's items. none: only items without an owner.
         */
        owner?: 'me' | 'none';
        /**
         * Only the entries of this bank statement.
         */
        statement_id?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/reconciliation';
};

export type ListReconciliationItemsResponses = {
    /**
     * Success.
     */
    200: ListReconciliationItemsReply;
};

export type ListReconciliationItemsResponse = ListReconciliationItemsResponses[keyof ListReconciliationItemsResponses];

export type ListMatchesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * A match or write-off can be undone once, which is final.
         */
        status?: 'matched' | 'written_off' | 'undone';
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/reconciliation/matches';
};

export type ListMatchesResponses = {
    /**
     * Success.
     */
    200: ListMatchesReply;
};

export type ListMatchesResponse = ListMatchesResponses[keyof ListMatchesResponses];

export type CreateMatchData = {
    body: CreateMatchRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/reconciliation/matches';
};

export type CreateMatchResponses = {
    /**
     * Created.
     */
    201: ChangedMatch;
};

export type CreateMatchResponse = CreateMatchResponses[keyof CreateMatchResponses];

export type UndoMatchData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/reconciliation/matches/{id}';
};

export type UndoMatchResponses = {
    /**
     * Success.
     */
    200: ChangedMatch;
};

export type UndoMatchResponse = UndoMatchResponses[keyof UndoMatchResponses];

export type GetMatchData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/reconciliation/matches/{id}';
};

export type GetMatchResponses = {
    /**
     * Success.
     */
    200: GetMatchReply;
};

export type GetMatchResponse = GetMatchResponses[keyof GetMatchResponses];

export type ListSuggestionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/reconciliation/suggestions';
};

export type ListSuggestionsResponses = {
    /**
     * Success.
     */
    200: ListSuggestionsReply;
};

export type ListSuggestionsResponse = ListSuggestionsResponses[keyof ListSuggestionsResponses];

export type AssignReconciliationItemsData = {
    body: AssignReconciliationItemsRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/reconciliation/assign';
};

export type AssignReconciliationItemsResponses = {
    /**
     * Success.
     */
    200: AssignReconciliationItemsReply;
};

export type AssignReconciliationItemsResponse = AssignReconciliationItemsResponses[keyof AssignReconciliationItemsResponses];

export type ReleaseReconciliationItemsData = {
    body: ReleaseReconciliationItemsRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/reconciliation/release';
};

export type ReleaseReconciliationItemsResponses = {
    /**
     * Success.
     */
    200: ReleaseReconciliationItemsReply;
};

export type ReleaseReconciliationItemsResponse = ReleaseReconciliationItemsResponses[keyof ReleaseReconciliationItemsResponses];

export type RunReconciliationData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/admin/reconciliation/run';
};

export type RunReconciliationResponses = {
    /**
     * Success.
     */
    200: RunReconciliationReply;
};

export type RunReconciliationResponse = RunReconciliationResponses[keyof RunReconciliationResponses];

export type AcceptSuggestionData = {
    body?: AcceptSuggestionRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/admin/reconciliation/suggestions/{id}/accept';
};

export type AcceptSuggestionResponses = {
    /**
     * Created.
     */
    201: ChangedMatch;
};

export type AcceptSuggestionResponse = AcceptSuggestionResponses[keyof AcceptSuggestionResponses];

export type WriteOffData = {
    body: WriteOffRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/reconciliation/write-offs';
};

export type WriteOffResponses = {
    /**
     * Created.
     */
    201: ChangedMatch;
    /**
     * A policy applies: nothing was executed, and another user must approve the request.
     */
    202: PendingApproval;
};

export type WriteOffResponse = WriteOffResponses[keyof WriteOffResponses];

export type ListClosesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The first day. YYYY-MM-DD, UTC.
         */
        from?: string;
        /**
         * The last day. YYYY-MM-DD, UTC.
         */
        to?: string;
        /**
         * Maximum number of records: 50 by default, at most 100.
         */
        limit?: number | string;
        /**
         * Number of records to skip.
         */
        offset?: number | string;
    };
    url: '/api/v1/admin/closes';
};

export type ListClosesResponses = {
    /**
     * Success.
     */
    200: ListClosesReply;
};

export type ListClosesResponse = ListClosesResponses[keyof ListClosesResponses];

export type CreateCloseData = {
    body: CreateCloseRequest;
    path?: never;
    query?: never;
    url: '/api/v1/admin/closes';
};

export type CreateCloseResponses = {
    /**
     * Created.
     */
    201: CreateCloseReply;
};

export type CreateCloseResponse = CreateCloseResponses[keyof CreateCloseResponses];

export type GetCloseFiguresData = {
    body?: never;
    path: {
        /**
         * The day. YYYY-MM-DD, UTC.
         */
        date: string;
    };
    query?: never;
    url: '/api/v1/admin/closes/{date}/figures';
};

export type GetCloseFiguresResponses = {
    /**
     * Success.
     */
    200: GetCloseFiguresReply;
};

export type GetCloseFiguresResponse = GetCloseFiguresResponses[keyof GetCloseFiguresResponses];

export type GetClosePdfData = {
    body?: never;
    path: {
        /**
         * The day, or a close's id: a day that was corrected has several.
         */
        date: string;
    };
    query?: never;
    url: '/api/v1/admin/closes/{date}.pdf';
};

export type GetClosePdfResponses = {
    /**
     * A PDF file: the day's figures. `npm run close:verify` verifies its signature.
     */
    200: Blob | File;
};

export type GetClosePdfResponse = GetClosePdfResponses[keyof GetClosePdfResponses];

export type GetCloseData = {
    body?: never;
    path: {
        /**
         * The day, or a close's id: a day that was corrected has several.
         */
        date: string;
    };
    query?: never;
    url: '/api/v1/admin/closes/{date}';
};

export type GetCloseResponses = {
    /**
     * Success.
     */
    200: GetCloseReply;
};

export type GetCloseResponse = GetCloseResponses[keyof GetCloseResponses];

export type GetPublicKeysData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/.well-known/kissi-keys.json';
};

export type GetPublicKeysResponses = {
    /**
     * Success.
     */
    200: GetPublicKeysReply;
};

export type GetPublicKeysResponse = GetPublicKeysResponses[keyof GetPublicKeysResponses];

export type OpenReceiptData = {
    body?: never;
    path: {
        /**
         * The last part of receipt_url.
         */
        token: string;
    };
    query?: {
        /**
         * The language of the page: en or kri.
         */
        lang?: string;
    };
    url: '/r/{token}';
};

export type OpenReceiptResponses = {
    /**
     * The receipt, or a page for browsers (`Accept: text/html`).
     */
    200: SignedReceipt;
};

export type OpenReceiptResponse = OpenReceiptResponses[keyof OpenReceiptResponses];

export type OpenPaymentPageData = {
    body?: never;
    path: {
        /**
         * The last part of the payment request's url.
         */
        token: string;
    };
    query?: {
        /**
         * The language of the page: en or kri.
         */
        lang?: string;
    };
    url: '/pay/{token}';
};

export type OpenPaymentPageResponses = {
    /**
     * The payment request, or a page for browsers (`Accept: text/html`).
     */
    200: OpenPaymentPageReply;
};

export type OpenPaymentPageResponse = OpenPaymentPageResponses[keyof OpenPaymentPageResponses];

export type NotifyPayerData = {
    body: NotifyPayerRequest;
    path: {
        /**
         * The last part of the payment request's url.
         */
        token: string;
    };
    query?: {
        /**
         * The language of the page: en or kri.
         */
        lang?: string;
    };
    url: '/pay/{token}/notify';
};

export type NotifyPayerResponses = {
    /**
     * Accepted.
     */
    202: NotifyPayerReply;
};

export type NotifyPayerResponse = NotifyPayerResponses[keyof NotifyPayerResponses];

export type GetReceiptData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/transactions/{id}/receipt';
};

export type GetReceiptResponses = {
    /**
     * Success.
     */
    200: SignedReceipt;
};

export type GetReceiptResponse = GetReceiptResponses[keyof GetReceiptResponses];

export type RevokeReceiptData = {
    body: RevokeReceiptRequest;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v1/transactions/{id}/receipt/revoke';
};

export type RevokeReceiptResponses = {
    /**
     * Success.
     */
    200: RevokeReceiptReply;
};

export type RevokeReceiptResponse = RevokeReceiptResponses[keyof RevokeReceiptResponses];

export type GetAccountStatusData = {
    body: GetAccountStatusRequest;
    path?: never;
    query?: never;
    url: '/api/v1/partner/account-status';
};

export type GetAccountStatusResponses = {
    /**
     * Success.
     */
    200: GetAccountStatusReply;
};

export type GetAccountStatusResponse = GetAccountStatusResponses[keyof GetAccountStatusResponses];

export type PartnerCashInData = {
    body: PartnerCashInRequest;
    path?: never;
    query?: never;
    url: '/api/v1/partner/cashin';
};

export type PartnerCashInResponses = {
    /**
     * Success.
     */
    200: PartnerCashInReply;
};

export type PartnerCashInResponse = PartnerCashInResponses[keyof PartnerCashInResponses];

export type ListPartnerTransactionsData = {
    body?: ListPartnerTransactionsRequest;
    path?: never;
    query?: never;
    url: '/api/v1/partner/transaction-history';
};

export type ListPartnerTransactionsResponses = {
    /**
     * Success.
     */
    200: ListPartnerTransactionsReply;
};

export type ListPartnerTransactionsResponse = ListPartnerTransactionsResponses[keyof ListPartnerTransactionsResponses];

export type ReceivePartnerCashInData = {
    body: ReceivePartnerCashInRequest;
    path?: never;
    query?: never;
    url: '/webhooks/partner/cashin';
};

export type ReceivePartnerCashInResponses = {
    /**
     * Success.
     */
    200: ReceivePartnerCashInReply;
};

export type ReceivePartnerCashInResponse = ReceivePartnerCashInResponses[keyof ReceivePartnerCashInResponses];

export type AnswerAfricasTalkingData = {
    body: UssdCallback;
    path: {
        /**
         * One of USSD_SECRET.
         */
        secret: string;
    };
    query?: never;
    url: '/ussd/africastalking/{secret}';
};

export type AnswerAfricasTalkingResponses = {
    /**
     * `CON ` and a page that is answered, or `END ` and the last page.
     */
    200: string;
};

export type AnswerAfricasTalkingResponse = AnswerAfricasTalkingResponses[keyof AnswerAfricasTalkingResponses];

export type EndAfricasTalkingSessionData = {
    body: UssdSessionEnd;
    path: {
        /**
         * One of USSD_SECRET.
         */
        secret: string;
    };
    query?: never;
    url: '/ussd/africastalking/{secret}/ended';
};

export type EndAfricasTalkingSessionResponses = {
    /**
     * Nothing.
     */
    200: string;
};

export type EndAfricasTalkingSessionResponse = EndAfricasTalkingSessionResponses[keyof EndAfricasTalkingSessionResponses];

export type AnswerUssdStepData = {
    body: UssdStep;
    path: {
        /**
         * One of USSD_SECRET.
         */
        secret: string;
    };
    query?: never;
    url: '/ussd/json/{secret}';
};

export type AnswerUssdStepResponses = {
    /**
     * Success.
     */
    200: UssdPage;
};

export type AnswerUssdStepResponse = AnswerUssdStepResponses[keyof AnswerUssdStepResponses];

export type SimulateMessageData = {
    body: SimulateMessageRequest;
    path?: never;
    query?: never;
    url: '/api/v1/external/messaging';
};

export type SimulateMessageResponses = {
    /**
     * Success.
     */
    200: SimulateMessageReply;
};

export type SimulateMessageResponse = SimulateMessageResponses[keyof SimulateMessageResponses];

export type VerifyMessagingWebhookData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * subscribe
         */
        'hub.mode'?: string;
        /**
         * The verify token configured on the platform.
         */
        'hub.verify_token'?: string;
        /**
         * Returned if the token is correct.
         */
        'hub.challenge'?: string;
    };
    url: '/api/v1/webhooks/messaging';
};

export type VerifyMessagingWebhookResponses = {
    /**
     * hub.challenge, as sent.
     */
    200: string;
};

export type VerifyMessagingWebhookResponse = VerifyMessagingWebhookResponses[keyof VerifyMessagingWebhookResponses];

export type ReceiveMessagesData = {
    body: ReceiveMessagesRequest;
    path?: never;
    query?: never;
    url: '/api/v1/webhooks/messaging';
};

export type ReceiveMessagesResponses = {
    /**
     * Success.
     */
    200: MessagingAcknowledgement;
};

export type ReceiveMessagesResponse = ReceiveMessagesResponses[keyof ReceiveMessagesResponses];

export type SimulateMessageAtRootData = {
    body: SimulateMessageRequest;
    path?: never;
    query?: never;
    url: '/external/messaging';
};

export type SimulateMessageAtRootResponses = {
    /**
     * Success.
     */
    200: SimulateMessageReply;
};

export type SimulateMessageAtRootResponse = SimulateMessageAtRootResponses[keyof SimulateMessageAtRootResponses];

export type VerifyMessagingWebhookAtRootData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * subscribe
         */
        'hub.mode'?: string;
        /**
         * The verify token configured on the platform.
         */
        'hub.verify_token'?: string;
        /**
         * Returned if the token is correct.
         */
        'hub.challenge'?: string;
    };
    url: '/webhooks/messaging';
};

export type VerifyMessagingWebhookAtRootResponses = {
    /**
     * hub.challenge, as sent.
     */
    200: string;
};

export type VerifyMessagingWebhookAtRootResponse = VerifyMessagingWebhookAtRootResponses[keyof VerifyMessagingWebhookAtRootResponses];

export type ReceiveMessagesAtRootData = {
    body: ReceiveMessagesRequest;
    path?: never;
    query?: never;
    url: '/webhooks/messaging';
};

export type ReceiveMessagesAtRootResponses = {
    /**
     * Success.
     */
    200: MessagingAcknowledgement;
};

export type ReceiveMessagesAtRootResponse = ReceiveMessagesAtRootResponses[keyof ReceiveMessagesAtRootResponses];

export type OnCreditCompletedWebhookPayload = CreditCompletedEvent;

export type OnCreditCompletedWebhookRequest = {
    body: OnCreditCompletedWebhookPayload;
    key: 'credit.completed';
    path?: never;
    query?: never;
};

export type OnCreditFailedWebhookPayload = CreditFailedEvent;

export type OnCreditFailedWebhookRequest = {
    body: OnCreditFailedWebhookPayload;
    key: 'credit.failed';
    path?: never;
    query?: never;
};

export type OnCreditReversedWebhookPayload = CreditReversedEvent;

export type OnCreditReversedWebhookRequest = {
    body: OnCreditReversedWebhookPayload;
    key: 'credit.reversed';
    path?: never;
    query?: never;
};

export type OnPaymentCompletedWebhookPayload = PaymentCompletedEvent;

export type OnPaymentCompletedWebhookRequest = {
    body: OnPaymentCompletedWebhookPayload;
    key: 'payment.completed';
    path?: never;
    query?: never;
};

export type OnPaymentAuthorizedWebhookPayload = PaymentAuthorizedEvent;

export type OnPaymentAuthorizedWebhookRequest = {
    body: OnPaymentAuthorizedWebhookPayload;
    key: 'payment.authorized';
    path?: never;
    query?: never;
};

export type OnPaymentCapturedWebhookPayload = PaymentCapturedEvent;

export type OnPaymentCapturedWebhookRequest = {
    body: OnPaymentCapturedWebhookPayload;
    key: 'payment.captured';
    path?: never;
    query?: never;
};

export type OnPaymentVoidedWebhookPayload = PaymentVoidedEvent;

export type OnPaymentVoidedWebhookRequest = {
    body: OnPaymentVoidedWebhookPayload;
    key: 'payment.voided';
    path?: never;
    query?: never;
};

export type OnPaymentExpiredWebhookPayload = PaymentExpiredEvent;

export type OnPaymentExpiredWebhookRequest = {
    body: OnPaymentExpiredWebhookPayload;
    key: 'payment.expired';
    path?: never;
    query?: never;
};

export type OnPaymentRefundedWebhookPayload = PaymentRefundedEvent;

export type OnPaymentRefundedWebhookRequest = {
    body: OnPaymentRefundedWebhookPayload;
    key: 'payment.refunded';
    path?: never;
    query?: never;
};

export type OnPaymentRequestPaidWebhookPayload = PaymentRequestPaidEvent;

export type OnPaymentRequestPaidWebhookRequest = {
    body: OnPaymentRequestPaidWebhookPayload;
    key: 'payment_request.paid';
    path?: never;
    query?: never;
};

export type OnPaymentRequestDeclinedWebhookPayload = PaymentRequestDeclinedEvent;

export type OnPaymentRequestDeclinedWebhookRequest = {
    body: OnPaymentRequestDeclinedWebhookPayload;
    key: 'payment_request.declined';
    path?: never;
    query?: never;
};

export type OnPaymentRequestExpiredWebhookPayload = PaymentRequestExpiredEvent;

export type OnPaymentRequestExpiredWebhookRequest = {
    body: OnPaymentRequestExpiredWebhookPayload;
    key: 'payment_request.expired';
    path?: never;
    query?: never;
};

export type OnPaymentRequestCancelledWebhookPayload = PaymentRequestCancelledEvent;

export type OnPaymentRequestCancelledWebhookRequest = {
    body: OnPaymentRequestCancelledWebhookPayload;
    key: 'payment_request.cancelled';
    path?: never;
    query?: never;
};

export type OnPayoutSentWebhookPayload = PayoutSentEvent;

export type OnPayoutSentWebhookRequest = {
    body: OnPayoutSentWebhookPayload;
    key: 'payout.sent';
    path?: never;
    query?: never;
};

export type OnPayoutReturnedWebhookPayload = PayoutReturnedEvent;

export type OnPayoutReturnedWebhookRequest = {
    body: OnPayoutReturnedWebhookPayload;
    key: 'payout.returned';
    path?: never;
    query?: never;
};

export type OnBulkPaymentCheckedWebhookPayload = BulkPaymentCheckedEvent;

export type OnBulkPaymentCheckedWebhookRequest = {
    body: OnBulkPaymentCheckedWebhookPayload;
    key: 'bulk_payment.checked';
    path?: never;
    query?: never;
};

export type OnBulkPaymentCompletedWebhookPayload = BulkPaymentCompletedEvent;

export type OnBulkPaymentCompletedWebhookRequest = {
    body: OnBulkPaymentCompletedWebhookPayload;
    key: 'bulk_payment.completed';
    path?: never;
    query?: never;
};
