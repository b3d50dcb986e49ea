// Generated from docs/openapi.json by npm run docs. Do not edit.

import type { Client, ClientMeta, Options as Options2, RequestResult, TDataShape } from '../low-level.ts';

import type { AcceptFloatRequestData, AcceptFloatRequestResponses, AcceptRecallData, AcceptRecallResponses, AcceptSuggestionData, AcceptSuggestionResponses, ActivateSubscriberData, ActivateSubscriberResponses, AddBankAccountData, AddBankAccountResponses, AddCaseClocksData, AddCaseClocksResponses, AddCaseNoteData, AddCaseNoteResponses, AddSubscriberNoteData, AddSubscriberNoteResponses, AnswerAfricasTalkingData, AnswerAfricasTalkingResponses, AnswerUssdStepData, AnswerUssdStepResponses, ApproveBulkPaymentData, ApproveBulkPaymentResponses, ApprovePaymentRequestData, ApprovePaymentRequestResponses, ApproveRequestData, ApproveRequestResponses, AskForFloatData, AskForFloatResponses, AssignAlertData, AssignAlertResponses, AssignCaseData, AssignCaseResponses, AssignReconciliationItemsData, AssignReconciliationItemsResponses, BeginTotpEnrolmentData, BeginTotpEnrolmentResponses, BlockCardData, BlockCardResponses, BlockOwnCardData, BlockOwnCardResponses, BlockPayeeData, BlockPayeeResponses, BlockSubscriberData, BlockSubscriberResponses, CancelBulkPaymentData, CancelBulkPaymentResponses, CancelCashOutCodeData, CancelCashOutCodeResponses, CancelFloatRequestData, CancelFloatRequestResponses, CancelOwnPaymentRequestData, CancelOwnPaymentRequestResponses, CancelPaymentRequestData, CancelPaymentRequestResponses, CaptureAtTerminalData, CaptureAtTerminalResponses, CaptureInAppData, CaptureInAppResponses, CashInData, CashInResponses, ChangeAgentPinData, ChangeAgentPinResponses, ChangeCaseStateData, ChangeCaseStateResponses, ChangeOwnPinData, ChangeOwnPinResponses, ChangePasswordData, ChangePasswordResponses, ChangeSubscriberPinData, ChangeSubscriberPinResponses, CheckPaymentData, CheckPaymentResponses, CollectSecretsData, CollectSecretsResponses, ConfirmGoingLiveItemData, ConfirmGoingLiveItemResponses, ConfirmLabPaymentRequestData, ConfirmLabPaymentRequestResponses, ConfirmOwnRecallData, ConfirmOwnRecallResponses, ConfirmTotpData, ConfirmTotpResponses, ContestRecallData, ContestRecallResponses, CreateApiKeyData, CreateApiKeyResponses, CreateCashOutCodeData, CreateCashOutCodeResponses, CreateCloseData, CreateCloseResponses, CreateLabPaymentRequestData, CreateLabPaymentRequestResponses, CreateMatchData, CreateMatchResponses, CreateOwnKeyData, CreateOwnKeyResponses, CreateOwnPaymentRequestData, CreateOwnPaymentRequestResponses, CreateOwnTransferData, CreateOwnTransferResponses, CreatePartnerData, CreatePartnerResponses, CreatePaymentRequestData, CreatePaymentRequestResponses, CreateProcessorData, CreateProcessorLoginData, CreateProcessorLoginResponses, CreateProcessorResponses, CreateQuoteData, CreateQuoteResponses, CreateRuleData, CreateRuleResponses, CreateSavedViewData, CreateSavedViewResponses, CreateTrustAccountData, CreateTrustAccountResponses, CreateUserData, CreateUserResponses, CreateWebhookEndpointData, CreateWebhookEndpointResponses, CreditWalletData, CreditWalletResponses, CustomerDeviceLoginData, CustomerDeviceLoginResponses, DecideRecallData, DecideRecallResponses, DeclineFloatRequestData, DeclineFloatRequestResponses, DeclineLabPaymentRequestData, DeclineLabPaymentRequestResponses, DeclinePaymentRequestData, DeclinePaymentRequestResponses, DeleteFeeSettingData, DeleteFeeSettingResponses, DeleteSavedViewData, DeleteSavedViewResponses, DeleteWebhookEndpointData, DeleteWebhookEndpointResponses, DownloadBankStatementData, DownloadBankStatementResponses, EnableTransactionTypesData, EnableTransactionTypesResponses, EndAfricasTalkingSessionData, EndAfricasTalkingSessionResponses, EndConsoleSessionData, EndConsoleSessionResponses, EndCustomerSessionData, EndCustomerSessionResponses, EndOwnDeviceData, EndOwnDeviceResponses, EnquireNameData, EnquireNameResponses, ErasePersonalDataData, ErasePersonalDataResponses, ExportPersonalDataData, ExportPersonalDataResponses, ExtendRecallHoldData, ExtendRecallHoldResponses, FinishCertificationData, FinishCertificationResponses, FinishConsoleLoginData, FinishConsoleLoginResponses, FinishCustomerLoginData, FinishCustomerLoginResponses, FinishLoginData, FinishLoginResponses, ForgotPasswordData, ForgotPasswordResponses, FundAgentData, FundAgentResponses, FundFromPartnerData, FundFromPartnerResponses, GetAccountRulesData, GetAccountRulesResponses, GetAccountStatementData, GetAccountStatementResponses, GetAccountStatusData, GetAccountStatusResponses, GetAgentBalanceData, GetAgentBalanceResponses, GetAgentData, GetAgentResponses, GetAlertData, GetAlertResponses, GetApiKeyData, GetApiKeyResponses, GetApprovalData, GetApprovalResponses, GetBalanceData, GetBalanceResponses, GetBalanceWithPinData, GetBalanceWithPinResponses, GetBankStatementData, GetBankStatementResponses, GetBulkPaymentData, GetBulkPaymentReportData, GetBulkPaymentReportPdfData, GetBulkPaymentReportPdfResponses, GetBulkPaymentReportResponses, GetBulkPaymentResponses, GetBulkRowLimitData, GetBulkRowLimitResponses, GetBusinessNotificationsData, GetBusinessNotificationsResponses, GetCardData, GetCardResponses, GetCaseData, GetCaseFileData, GetCaseFileResponses, GetCaseResponses, GetCashOutPriceData, GetCashOutPriceResponses, GetCertificationData, GetCertificationResponses, GetCloseData, GetCloseFiguresData, GetCloseFiguresResponses, GetClosePdfData, GetClosePdfResponses, GetCloseResponses, GetCommissionTiersData, GetCommissionTiersResponses, GetCountsData, GetCountsResponses, GetCreditData, GetCreditResponses, GetCurrentUserData, GetCurrentUserResponses, GetFeeQuoteData, GetFeeQuoteResponses, GetFeeSettingData, GetFeeSettingResponses, GetHealthData, GetHealthResponses, GetHoldData, GetHoldResponses, GetInboundCreditData, GetInboundCreditResponses, GetLabPhoneData, GetLabPhoneResponses, GetLivenessData, GetLivenessResponses, GetMatchData, GetMatchResponses, GetMeData, GetMeResponses, GetMetricsData, GetMetricsResponses, GetOverviewData, GetOverviewResponses, GetOwnBalanceData, GetOwnBalanceResponses, GetOwnCaseData, GetOwnCaseResponses, GetOwnNotificationsData, GetOwnNotificationsResponses, GetOwnPaymentRequestData, GetOwnPaymentRequestResponses, GetOwnRequestData, GetOwnRequestResponses, GetOwnStatementData, GetOwnStatementResponses, GetOwnTransactionData, GetOwnTransactionResponses, GetOwnWebhookDeliveryData, GetOwnWebhookDeliveryResponses, GetPartnerData, GetPartnerResponses, GetPasskeyOptionsData, GetPasskeyOptionsResponses, GetPaymentNetworkData, GetPaymentNetworkResponses, GetPaymentRequestData, GetPaymentRequestResponses, GetPayoutAtBankData, GetPayoutAtBankResponses, GetProcessorData, GetProcessorQrData, GetProcessorQrResponses, GetProcessorResponses, GetProcessorTakingsData, GetProcessorTakingsResponses, GetProductionHealthData, GetProductionHealthResponses, GetPublicKeysData, GetPublicKeysResponses, GetReadinessData, GetReadinessResponses, GetReceiptData, GetReceiptResponses, GetRequestData, GetRequestResponses, GetReturnHostsData, GetReturnHostsResponses, GetRolesData, GetRolesResponses, GetRuleData, GetRuleResponses, GetSecondFactorsData, GetSecondFactorsResponses, GetSeriesData, GetSeriesResponses, GetStatusData, GetStatusResponses, GetSubscriberData, GetSubscriberDocumentData, GetSubscriberDocumentResponses, GetSubscriberLimitsData, GetSubscriberLimitsResponses, GetSubscriberResponses, GetTransactionData, GetTransactionEvidenceData, GetTransactionEvidenceResponses, GetTransactionResponses, GetTransactionSumsData, GetTransactionSumsResponses, GetTrialBalanceData, GetTrialBalanceResponses, GetTrustAccountData, GetTrustAccountResponses, GetUserData, GetUserResponses, GetWebhookDeliveryData, GetWebhookDeliveryResponses, GetWebhookEndpointData, GetWebhookEndpointResponses, LinkCardData, LinkCardResponses, LinkChildCardData, LinkChildCardResponses, ListAccountRulesData, ListAccountRulesResponses, ListAgentCommissionsData, ListAgentCommissionsResponses, ListAgentFloatsData, ListAgentFloatsResponses, ListAgentRefusalsData, ListAgentRefusalsResponses, ListAgentsData, ListAgentsResponses, ListAgentTransactionsData, ListAgentTransactionsResponses, ListAlertsData, ListAlertsResponses, ListAllPayoutsData, ListAllPayoutsResponses, ListApiKeyRequestsData, ListApiKeyRequestsResponses, ListApiKeysData, ListApiKeysResponses, ListApprovalPoliciesData, ListApprovalPoliciesResponses, ListApprovalsData, ListApprovalsResponses, ListAuditLogsData, ListAuditLogsResponses, ListBankAccountsData, ListBankAccountsResponses, ListBankEntriesData, ListBankEntriesResponses, ListBankStatementsData, ListBankStatementsResponses, ListBlockedPayeesData, ListBlockedPayeesResponses, ListBulkPaymentRowsData, ListBulkPaymentRowsResponses, ListBulkPaymentsData, ListBulkPaymentsResponses, ListCardsData, ListCardsResponses, ListCaseClocksData, ListCaseClocksResponses, ListCasesData, ListCasesResponses, ListCashOutCodesData, ListCashOutCodesResponses, ListCertificationsData, ListCertificationsResponses, ListClosesData, ListClosesResponses, ListFeeSettingsData, ListFeeSettingsResponses, ListFloatRequestsData, ListFloatRequestsResponses, ListGoingLiveItemsData, ListGoingLiveItemsResponses, ListHoldsData, ListHoldsResponses, ListInboundCreditsData, ListInboundCreditsResponses, ListIncomingRequestsData, ListIncomingRequestsResponses, ListLedgerAccountsData, ListLedgerAccountsResponses, ListMatchesData, ListMatchesResponses, ListMessagesData, ListMessagesResponses, ListOwnCardsData, ListOwnCardsResponses, ListOwnCasesData, ListOwnCasesResponses, ListOwnDevicesData, ListOwnDevicesResponses, ListOwnRefusalsData, ListOwnRefusalsResponses, ListOwnRequestsData, ListOwnRequestsResponses, ListOwnTransactionsData, ListOwnTransactionsResponses, ListOwnWebhookDeliveriesData, ListOwnWebhookDeliveriesResponses, ListPartnersData, ListPartnersResponses, ListPartnerTransactionsData, ListPartnerTransactionsResponses, ListPaymentRequestsData, ListPaymentRequestsResponses, ListPayoutsData, ListPayoutsResponses, ListProcessorRefusalsData, ListProcessorRefusalsResponses, ListProcessorsData, ListProcessorsResponses, ListProcessorTransactionsData, ListProcessorTransactionsResponses, ListReconciliationItemsData, ListReconciliationItemsResponses, ListRulesData, ListRulesResponses, ListSavedViewsData, ListSavedViewsResponses, ListSentRequestsData, ListSentRequestsResponses, ListSubscriberDocumentsData, ListSubscriberDocumentsResponses, ListSubscriberNotesData, ListSubscriberNotesResponses, ListSubscriberRefusalsData, ListSubscriberRefusalsResponses, ListSubscribersData, ListSubscribersResponses, ListSuggestionsData, ListSuggestionsResponses, ListSuspenseItemsData, ListSuspenseItemsResponses, ListTerminalKeysData, ListTerminalKeysResponses, ListTransactionsData, ListTransactionsResponses, ListTrustAccountsData, ListTrustAccountsResponses, ListUsersData, ListUsersResponses, ListWebhookDeliveriesData, ListWebhookDeliveriesResponses, ListWebhookEndpointsData, ListWebhookEndpointsResponses, LoginData, LoginResponses, LogoutData, LogoutResponses, LookUpCardAtTerminalData, LookUpCardAtTerminalResponses, LookUpCardInAppData, LookUpCardInAppResponses, MarkCaseComplexData, MarkCaseComplexResponses, NotifyPayerData, NotifyPayerResponses, OpenCaseData, OpenCaseResponses, OpenOwnCaseData, OpenOwnCaseResponses, OpenPaymentPageData, OpenPaymentPageResponses, OpenPaymentRequestData, OpenPaymentRequestResponses, OpenReceiptData, OpenReceiptResponses, PartnerCashInData, PartnerCashInResponses, PayAtTerminalData, PayAtTerminalResponses, PayInAppData, PayInAppResponses, PayMerchantData, PayMerchantResponses, PayOutData, PayOutResponses, PlayLabUssdData, PlayLabUssdResponses, PutFeeSettingData, PutFeeSettingResponses, RaiseAlertData, RaiseAlertResponses, ReactivateAgentData, ReactivateAgentResponses, ReactivateProcessorData, ReactivateProcessorResponses, ReceiveMessagesAtRootData, ReceiveMessagesAtRootResponses, ReceiveMessagesData, ReceiveMessagesResponses, ReceivePartnerCashInData, ReceivePartnerCashInResponses, RecoverPasswordData, RecoverPasswordResponses, RedeemCashOutCodeData, RedeemCashOutCodeResponses, RefreshConsoleSessionData, RefreshConsoleSessionResponses, RefreshCustomerTokensData, RefreshCustomerTokensResponses, RefreshTokensData, RefreshTokensResponses, RefundAtTerminalData, RefundAtTerminalResponses, RefundFromProcessorData, RefundFromProcessorResponses, RefundInAppData, RefundInAppResponses, RegisterAgentData, RegisterAgentResponses, RegisterPasskeyData, RegisterPasskeyResponses, RegisterPublicSubscriberData, RegisterPublicSubscriberResponses, RegisterSubscriberData, RegisterSubscriberResponses, RejectRequestData, RejectRequestResponses, ReleaseAlertData, ReleaseAlertResponses, ReleaseReconciliationItemsData, ReleaseReconciliationItemsResponses, RemoveBankAccountData, RemoveBankAccountResponses, RemovePasskeyData, RemovePasskeyResponses, RemoveTotpData, RemoveTotpResponses, ReplaceRecoveryCodesData, ReplaceRecoveryCodesResponses, ReplayOwnWebhookDeliveryData, ReplayOwnWebhookDeliveryResponses, ReplayWebhookDeliveryData, ReplayWebhookDeliveryResponses, RequestSubscriberLevelData, RequestSubscriberLevelResponses, ResendVerificationCodeData, ResendVerificationCodeResponses, ResetAgentPinData, ResetAgentPinResponses, ResetPasswordData, ResetPasswordResponses, ResetSecondFactorData, ResetSecondFactorResponses, ResetSubscriberPinData, ResetSubscriberPinResponses, ResolveAlertData, ResolveAlertResponses, ResolveSuspenseItemData, ResolveSuspenseItemResponses, RetryBulkPaymentData, RetryBulkPaymentResponses, ReturnAgentFloatData, ReturnAgentFloatResponses, ReturnByLegalOrderData, ReturnByLegalOrderResponses, ReturnPayoutData, ReturnPayoutResponses, ReverseInboundCreditData, ReverseInboundCreditResponses, RevokeApiKeyData, RevokeApiKeyResponses, RevokeOwnKeyData, RevokeOwnKeyResponses, RevokeReceiptData, RevokeReceiptResponses, RotateApiKeyData, RotateApiKeyResponses, RotateWebhookEndpointSecretData, RotateWebhookEndpointSecretResponses, RotateWebhookSecretData, RotateWebhookSecretResponses, RunReconciliationData, RunReconciliationResponses, SearchData, SearchResponses, SendCaseMessageData, SendCaseMessageResponses, SendOwnCaseMessageData, SendOwnCaseMessageResponses, SendPepCodeData, SendPepCodeResponses, SetNewPinData, SetNewPinResponses, SetReturnHostsData, SetReturnHostsResponses, SettlePartnerData, SettlePartnerResponses, SimulateMessageAtRootData, SimulateMessageAtRootResponses, SimulateMessageData, SimulateMessageResponses, StartCertificationData, StartCertificationResponses, StartConsoleSessionData, StartConsoleSessionResponses, StartCustomerLoginData, StartCustomerLoginResponses, StopBulkPaymentData, StopBulkPaymentResponses, SuspendAgentData, SuspendAgentResponses, SuspendProcessorData, SuspendProcessorResponses, TerminateAgentData, TerminateAgentResponses, TestWebhookEndpointData, TestWebhookEndpointResponses, TransferAgentFloatData, TransferAgentFloatResponses, TransferByCardData, TransferByCardResponses, TransferData, TransferFromProcessorData, TransferFromProcessorResponses, TransferResponses, UnblockCardData, UnblockCardResponses, UnblockOwnCardData, UnblockOwnCardResponses, UnblockPayeeData, UnblockPayeeResponses, UnblockSubscriberData, UnblockSubscriberResponses, UndoMatchData, UndoMatchResponses, UnlinkCardData, UnlinkCardResponses, UnlockSubscriberPinData, UnlockSubscriberPinResponses, UpdateAgentData, UpdateAgentResponses, UpdateAlertData, UpdateAlertResponses, UpdateApiKeyData, UpdateApiKeyResponses, UpdateApprovalPolicyData, UpdateApprovalPolicyResponses, UpdateBulkRowLimitData, UpdateBulkRowLimitResponses, UpdateBusinessNotificationsData, UpdateBusinessNotificationsResponses, UpdateCardData, UpdateCardResponses, UpdateCommissionTiersData, UpdateCommissionTiersResponses, UpdateOwnNotificationsData, UpdateOwnNotificationsResponses, UpdatePartnerData, UpdatePartnerResponses, UpdateProcessorData, UpdateProcessorResponses, UpdateRuleData, UpdateRuleResponses, UpdateSubscriberData, UpdateSubscriberResponses, UpdateTrustAccountData, UpdateTrustAccountResponses, UpdateUserData, UpdateUserResponses, UpdateWebhookEndpointData, UpdateWebhookEndpointResponses, UploadBankStatementData, UploadBankStatementResponses, UploadBulkPaymentData, UploadBulkPaymentResponses, UploadCardsData, UploadCardsResponses, UploadCaseFileData, UploadCaseFileResponses, UploadSubscriberDocumentData, UploadSubscriberDocumentResponses, VerifyAccountAtTerminalData, VerifyAccountAtTerminalResponses, VerifyAccountInAppData, VerifyAccountInAppResponses, VerifyAuditLogData, VerifyAuditLogResponses, VerifyCardAtTerminalData, VerifyCardAtTerminalResponses, VerifyCardInAppData, VerifyCardInAppResponses, VerifyMessagingWebhookAtRootData, VerifyMessagingWebhookAtRootResponses, VerifyMessagingWebhookData, VerifyMessagingWebhookResponses, VerifyPepCodeData, VerifyPepCodeResponses, VerifyPublicSubscriberData, VerifyPublicSubscriberResponses, VerifySubscriberPinData, VerifySubscriberPinResponses, VoidAtTerminalData, VoidAtTerminalResponses, VoidInAppData, VoidInAppResponses, WhatIfFeesData, WhatIfFeesResponses, WhatIfNewRuleData, WhatIfNewRuleResponses, WhatIfRuleData, WhatIfRuleResponses, WithdrawData, WithdrawGoingLiveItemData, WithdrawGoingLiveItemResponses, WithdrawRequestData, WithdrawRequestResponses, WithdrawResponses, WriteOffData, WriteOffResponses } from './types.gen.ts';

export type Options<TData extends TDataShape = TDataShape, ThrowOnError extends boolean = boolean, TResponse = unknown> = Options2<TData, ThrowOnError, TResponse> & {
    /**
     * You can provide a client instance returned by `createClient()` instead of
     * individual options. This might be also useful if you want to implement a
     * custom client.
     */
    client: Client;
    /**
     * You can pass arbitrary values through the `meta` object. This can be
     * used to access values that aren't defined as part of the SDK function.
     */
    meta?: keyof ClientMeta extends never ? Record<string, unknown> : ClientMeta;
};

/**
 * Health of each component
 *
 * Needs no role or scope.
 */
export const getHealth = <ThrowOnError extends boolean = false>(options: Options<GetHealthData, ThrowOnError>): RequestResult<GetHealthResponses, unknown, ThrowOnError> => options.client.get<GetHealthResponses, unknown, ThrowOnError>({ url: '/health', ...options });

/**
 * Readiness: 503 while the service cannot process requests
 *
 * Needs no role or scope.
 */
export const getReadiness = <ThrowOnError extends boolean = false>(options: Options<GetReadinessData, ThrowOnError>): RequestResult<GetReadinessResponses, unknown, ThrowOnError> => options.client.get<GetReadinessResponses, unknown, ThrowOnError>({ url: '/health/ready', ...options });

/**
 * Liveness: the process is running
 *
 * Needs no role or scope.
 */
export const getLiveness = <ThrowOnError extends boolean = false>(options: Options<GetLivenessData, ThrowOnError>): RequestResult<GetLivenessResponses, unknown, ThrowOnError> => options.client.get<GetLivenessResponses, unknown, ThrowOnError>({ url: '/health/live', ...options });

/**
 * Get the state of payments and deliveries, and announced maintenance
 *
 * For partners and merchants: an outage here explains refused payments and missing webhooks. It is 200 in every state, and checked every 10 seconds at most.
 *
 * Needs no role or scope.
 */
export const getStatus = <ThrowOnError extends boolean = false>(options: Options<GetStatusData, ThrowOnError>): RequestResult<GetStatusResponses, unknown, ThrowOnError> => options.client.get<GetStatusResponses, unknown, ThrowOnError>({ url: '/api/v1/status', ...options });

/**
 * What production still needs: each check with its level and what to do
 *
 * The same as `npm run doctor`, of the gateway that answers. It never names a secret.
 *
 * Roles: system_admin. Not for API keys.
 */
export const getProductionHealth = <ThrowOnError extends boolean = false>(options: Options<GetProductionHealthData, ThrowOnError>): RequestResult<GetProductionHealthResponses, unknown, ThrowOnError> => options.client.get<GetProductionHealthResponses, unknown, ThrowOnError>({ url: '/health/production', ...options });

/**
 * Metrics for Prometheus, from the local machine or with METRICS_TOKEN
 *
 * Needs no role or scope.
 */
export const getMetrics = <ThrowOnError extends boolean = false>(options: Options<GetMetricsData, ThrowOnError>): RequestResult<GetMetricsResponses, unknown, ThrowOnError> => options.client.get<GetMetricsResponses, unknown, ThrowOnError>({ url: '/metrics', ...options });

/**
 * Log in
 *
 * Five wrong passwords within 15 minutes lead to 429 `TOO_MANY_ATTEMPTS`. A user with a second factor gets 401 `SECOND_FACTOR_REQUIRED` with a `challenge` for POST /admin/login/second-factor.
 *
 * Needs no role or scope.
 */
export const login = <ThrowOnError extends boolean = false>(options: Options<LoginData, ThrowOnError>): RequestResult<LoginResponses, unknown, ThrowOnError> => options.client.post<LoginResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/login',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Finish a login: answer its challenge with a code or a passkey
 *
 * Send `code` (from the app, or a recovery code) or `assertion` (from a passkey), not both.
 *
 * Needs no role or scope.
 */
export const finishLogin = <ThrowOnError extends boolean = false>(options: Options<FinishLoginData, ThrowOnError>): RequestResult<FinishLoginResponses, unknown, ThrowOnError> => options.client.post<FinishLoginResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/login/second-factor',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Exchange a refresh token for a new pair of tokens; each works once
 *
 * A token that is used a second time ends the session: it may have been stolen.
 *
 * Needs no role or scope.
 */
export const refreshTokens = <ThrowOnError extends boolean = false>(options: Options<RefreshTokensData, ThrowOnError>): RequestResult<RefreshTokensResponses, unknown, ThrowOnError> => options.client.post<RefreshTokensResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/refresh',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Log out: revoke the session and all its refresh tokens, or every session of the user
 *
 * The access token stays valid until it expires, for 15 minutes at most. `everywhere: true` ends it too. If the refresh token is no longer valid, `everywhere` ends nothing and replies 401 when other sessions are open.
 *
 * Needs no role or scope.
 */
export const logout = <ThrowOnError extends boolean = false>(options: Options<LogoutData, ThrowOnError>): RequestResult<LogoutResponses, unknown, ThrowOnError> => options.client.post<LogoutResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/logout',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Ask for a code to replace a forgotten password
 *
 * The code goes to the user's phone by message. The reply is the same for unknown names, users without a phone number, and beyond five codes per name and day.
 *
 * Needs no role or scope.
 */
export const forgotPassword = <ThrowOnError extends boolean = false>(options: Options<ForgotPasswordData, ThrowOnError>): RequestResult<ForgotPasswordResponses, unknown, ThrowOnError> => options.client.post<ForgotPasswordResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/forgot-password',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Replace a forgotten password with the code
 *
 * Replaces the password only: a second factor is still required at the login. The user's sessions end, no browser stays known, and the user cannot approve anything for 24 hours.
 *
 * Needs no role or scope.
 */
export const recoverPassword = <ThrowOnError extends boolean = false>(options: Options<RecoverPasswordData, ThrowOnError>): RequestResult<RecoverPasswordResponses, unknown, ThrowOnError> => options.client.post<RecoverPasswordResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/recover-password',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get the current user with their permissions and the service they are logged in to
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Not for API keys.
 */
export const getCurrentUser = <ThrowOnError extends boolean = false>(options: Options<GetCurrentUserData, ThrowOnError>): RequestResult<GetCurrentUserResponses, unknown, ThrowOnError> => options.client.get<GetCurrentUserResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/me', ...options });

/**
 * Change the current user's password; ends every session and access token
 *
 * The user's other sessions end as well.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Not for API keys.
 */
export const changePassword = <ThrowOnError extends boolean = false>(options: Options<ChangePasswordData, ThrowOnError>): RequestResult<ChangePasswordResponses, unknown, ThrowOnError> => options.client.post<ChangePasswordResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/change-password',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get the current user's second factors
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Not for API keys.
 */
export const getSecondFactors = <ThrowOnError extends boolean = false>(options: Options<GetSecondFactorsData, ThrowOnError>): RequestResult<GetSecondFactorsResponses, unknown, ThrowOnError> => options.client.get<GetSecondFactorsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/second-factor', ...options });

/**
 * Begin the enrolment of an authenticator app; it takes effect when confirmed with a code
 *
 * Show the secret as a QR code. Nothing changes until it is confirmed.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Not for API keys.
 */
export const beginTotpEnrolment = <ThrowOnError extends boolean = false>(options: Options<BeginTotpEnrolmentData, ThrowOnError>): RequestResult<BeginTotpEnrolmentResponses, unknown, ThrowOnError> => options.client.post<BeginTotpEnrolmentResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/second-factor/totp',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Confirm the authenticator app with a code; the first factor ends every session and access token
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Not for API keys.
 */
export const confirmTotp = <ThrowOnError extends boolean = false>(options: Options<ConfirmTotpData, ThrowOnError>): RequestResult<ConfirmTotpResponses, unknown, ThrowOnError> => options.client.post<ConfirmTotpResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/second-factor/totp/confirm',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove the authenticator app
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Not for API keys.
 */
export const removeTotp = <ThrowOnError extends boolean = false>(options: Options<RemoveTotpData, ThrowOnError>): RequestResult<RemoveTotpResponses, unknown, ThrowOnError> => options.client.post<RemoveTotpResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/second-factor/totp/remove',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get the options to create a passkey in the browser; they are valid once, for 5 minutes
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Not for API keys.
 */
export const getPasskeyOptions = <ThrowOnError extends boolean = false>(options: Options<GetPasskeyOptionsData, ThrowOnError>): RequestResult<GetPasskeyOptionsResponses, unknown, ThrowOnError> => options.client.post<GetPasskeyOptionsResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/second-factor/passkeys/options',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Register a passkey; the first factor ends every session and access token
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Not for API keys.
 */
export const registerPasskey = <ThrowOnError extends boolean = false>(options: Options<RegisterPasskeyData, ThrowOnError>): RequestResult<RegisterPasskeyResponses, unknown, ThrowOnError> => options.client.post<RegisterPasskeyResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/second-factor/passkeys',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove a passkey
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Not for API keys.
 */
export const removePasskey = <ThrowOnError extends boolean = false>(options: Options<RemovePasskeyData, ThrowOnError>): RequestResult<RemovePasskeyResponses, unknown, ThrowOnError> => options.client.post<RemovePasskeyResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/second-factor/passkeys/{id}/remove',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Replace the recovery codes; the new ones are shown once
 *
 * Each code works once, instead of the app.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Not for API keys.
 */
export const replaceRecoveryCodes = <ThrowOnError extends boolean = false>(options: Options<ReplaceRecoveryCodesData, ThrowOnError>): RequestResult<ReplaceRecoveryCodesResponses, unknown, ThrowOnError> => options.client.post<ReplaceRecoveryCodesResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/second-factor/recovery-codes',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove a user's second factors after a loss; ends every session of the user
 *
 * Only another system_admin can do this. The user can then log in with the password and enrol again.
 *
 * Roles: system_admin. Not for API keys.
 */
export const resetSecondFactor = <ThrowOnError extends boolean = false>(options: Options<ResetSecondFactorData, ThrowOnError>): RequestResult<ResetSecondFactorResponses, unknown, ThrowOnError> => options.client.post<ResetSecondFactorResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/users/{id}/reset-second-factor', ...options });

/**
 * Send a one-time code for PEP accounts to the user's own phone
 *
 * The code has six digits and is valid for 5 minutes and three attempts.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Only users with pep_access_authorized. Not for API keys.
 */
export const sendPepCode = <ThrowOnError extends boolean = false>(options: Options<SendPepCodeData, ThrowOnError>): RequestResult<SendPepCodeResponses, unknown, ThrowOnError> => options.client.post<SendPepCodeResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/pep/otp', ...options });

/**
 * Open access to PEP accounts for 15 minutes with the code
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Only users with pep_access_authorized. Not for API keys.
 */
export const verifyPepCode = <ThrowOnError extends boolean = false>(options: Options<VerifyPepCodeData, ThrowOnError>): RequestResult<VerifyPepCodeResponses, unknown, ThrowOnError> => options.client.post<VerifyPepCodeResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/pep/verify',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List users, newest first
 *
 * Roles: system_admin. Not for API keys.
 */
export const listUsers = <ThrowOnError extends boolean = false>(options: Options<ListUsersData, ThrowOnError>): RequestResult<ListUsersResponses, unknown, ThrowOnError> => options.client.get<ListUsersResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/users', ...options });

/**
 * Create a user
 *
 * A processor's user is created with the processor, not here.
 *
 * Roles: system_admin. Not for API keys.
 */
export const createUser = <ThrowOnError extends boolean = false>(options: Options<CreateUserData, ThrowOnError>): RequestResult<CreateUserResponses, unknown, ThrowOnError> => options.client.post<CreateUserResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/users',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get a user
 *
 * Roles: system_admin. Not for API keys.
 */
export const getUser = <ThrowOnError extends boolean = false>(options: Options<GetUserData, ThrowOnError>): RequestResult<GetUserResponses, unknown, ThrowOnError> => options.client.get<GetUserResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/users/{id}', ...options });

/**
 * Update a user; omitted fields keep their values
 *
 * A suspended user is logged out at once.
 *
 * Roles: system_admin. Not for API keys.
 */
export const updateUser = <ThrowOnError extends boolean = false>(options: Options<UpdateUserData, ThrowOnError>): RequestResult<UpdateUserResponses, unknown, ThrowOnError> => options.client.put<UpdateUserResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/users/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Replace a forgotten password with a temporary one, shown once; ends every session of the user
 *
 * Except in development, the user must change it at the next login.
 *
 * Roles: system_admin. Not for API keys.
 */
export const resetPassword = <ThrowOnError extends boolean = false>(options: Options<ResetPasswordData, ThrowOnError>): RequestResult<ResetPasswordResponses, unknown, ThrowOnError> => options.client.post<ResetPasswordResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/users/{id}/reset-password', ...options });

/**
 * Get all roles and permissions, and which role and scope has which permission
 *
 * Roles: system_admin, audit_user. Not for API keys.
 */
export const getRoles = <ThrowOnError extends boolean = false>(options: Options<GetRolesData, ThrowOnError>): RequestResult<GetRolesResponses, unknown, ThrowOnError> => options.client.get<GetRolesResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/roles', ...options });

/**
 * List API keys, newest first
 *
 * Roles: system_admin. Not for API keys.
 */
export const listApiKeys = <ThrowOnError extends boolean = false>(options: Options<ListApiKeysData, ThrowOnError>): RequestResult<ListApiKeysResponses, unknown, ThrowOnError> => options.client.get<ListApiKeysResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/api-keys', ...options });

/**
 * Create an API key; its key and secret are shown once
 *
 * Keys of a partner or processor act for that owner only, and get a bearer value only with `"bearer": true`. An approval policy may apply (202).
 *
 * Roles: system_admin. Not for API keys.
 */
export const createApiKey = <ThrowOnError extends boolean = false>(options: Options<CreateApiKeyData, ThrowOnError>): RequestResult<CreateApiKeyResponses, unknown, ThrowOnError> => options.client.post<CreateApiKeyResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/api-keys',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Revoke an API key
 *
 * The key is refused from the next request on.
 *
 * Roles: system_admin. Not for API keys.
 */
export const revokeApiKey = <ThrowOnError extends boolean = false>(options: Options<RevokeApiKeyData, ThrowOnError>): RequestResult<RevokeApiKeyResponses, unknown, ThrowOnError> => options.client.delete<RevokeApiKeyResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/api-keys/{id}', ...options });

/**
 * Get an API key
 *
 * Roles: system_admin. Not for API keys.
 */
export const getApiKey = <ThrowOnError extends boolean = false>(options: Options<GetApiKeyData, ThrowOnError>): RequestResult<GetApiKeyResponses, unknown, ThrowOnError> => options.client.get<GetApiKeyResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/api-keys/{id}', ...options });

/**
 * Rename an API key, remove scopes from it, reduce its daily limit, or let it expire earlier
 *
 * Scopes can only be removed. Create a new key if you need more.
 *
 * Roles: system_admin. Not for API keys.
 */
export const updateApiKey = <ThrowOnError extends boolean = false>(options: Options<UpdateApiKeyData, ThrowOnError>): RequestResult<UpdateApiKeyResponses, unknown, ThrowOnError> => options.client.put<UpdateApiKeyResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/api-keys/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Rotate an API key: issue a new key and secret; the previous ones remain valid for an overlap
 *
 * Replace the credentials everywhere within the overlap; then the previous ones stop working.
 *
 * Roles: system_admin. Not for API keys.
 */
export const rotateApiKey = <ThrowOnError extends boolean = false>(options: Options<RotateApiKeyData, ThrowOnError>): RequestResult<RotateApiKeyResponses, unknown, ThrowOnError> => options.client.post<RotateApiKeyResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/api-keys/{id}/rotate', ...options });

/**
 * Query the audit log, newest first
 *
 * Roles: system_admin, compliance_user, audit_user. API keys: scope audit:read.
 */
export const listAuditLogs = <ThrowOnError extends boolean = false>(options: Options<ListAuditLogsData, ThrowOnError>): RequestResult<ListAuditLogsResponses, unknown, ThrowOnError> => options.client.get<ListAuditLogsResponses, unknown, ThrowOnError>({ url: '/api/v1/audit/logs', ...options });

/**
 * Verify the hash chain of the audit log
 *
 * Reads the whole chain, which takes a while on a long log.
 *
 * Roles: system_admin, compliance_user, audit_user. API keys: scope audit:read.
 */
export const verifyAuditLog = <ThrowOnError extends boolean = false>(options: Options<VerifyAuditLogData, ThrowOnError>): RequestResult<VerifyAuditLogResponses, unknown, ThrowOnError> => options.client.get<VerifyAuditLogResponses, unknown, ThrowOnError>({ url: '/api/v1/audit/verify', ...options });

/**
 * List the messages of the local outbox, newest first; not available in production
 *
 * It contains codes and temporary passwords, so that a developer needs no phone.
 *
 * Roles: system_admin. Not for API keys.
 */
export const listMessages = <ThrowOnError extends boolean = false>(options: Options<ListMessagesData, ThrowOnError>): RequestResult<ListMessagesResponses, unknown, ThrowOnError> => options.client.get<ListMessagesResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/messages', ...options });

/**
 * List the requests an API key made in the last 24 hours, newest first; bodies are redacted
 *
 * Roles: system_admin, support_user. Not for API keys.
 */
export const listApiKeyRequests = <ThrowOnError extends boolean = false>(options: Options<ListApiKeyRequestsData, ThrowOnError>): RequestResult<ListApiKeyRequestsResponses, unknown, ThrowOnError> => options.client.get<ListApiKeyRequestsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/api-keys/{id}/requests', ...options });

/**
 * List your saved views and those shared by staff with the same role, newest first
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Not for API keys.
 */
export const listSavedViews = <ThrowOnError extends boolean = false>(options: Options<ListSavedViewsData, ThrowOnError>): RequestResult<ListSavedViewsResponses, unknown, ThrowOnError> => options.client.get<ListSavedViewsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/saved-views', ...options });

/**
 * Save a view of a console screen
 *
 * A user can save 100 views. Staff can share a view with everyone who has the same role; only its owner can delete it. The query string is stored as it is: do not share one that contains personal data.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Not for API keys.
 */
export const createSavedView = <ThrowOnError extends boolean = false>(options: Options<CreateSavedViewData, ThrowOnError>): RequestResult<CreateSavedViewResponses, unknown, ThrowOnError> => options.client.post<CreateSavedViewResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/saved-views',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete one of your saved views
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Not for API keys.
 */
export const deleteSavedView = <ThrowOnError extends boolean = false>(options: Options<DeleteSavedViewData, ThrowOnError>): RequestResult<DeleteSavedViewResponses, unknown, ThrowOnError> => options.client.delete<DeleteSavedViewResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/saved-views/{id}', ...options });

/**
 * What administrators confirm before going live, and who confirmed it
 *
 * What the service cannot check itself. GET /health/production has what it can.
 *
 * Roles: system_admin. Not for API keys.
 */
export const listGoingLiveItems = <ThrowOnError extends boolean = false>(options: Options<ListGoingLiveItemsData, ThrowOnError>): RequestResult<ListGoingLiveItemsResponses, unknown, ThrowOnError> => options.client.get<ListGoingLiveItemsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/going-live', ...options });

/**
 * Confirm an item with a note; replaces an earlier confirmation
 *
 * Roles: system_admin. Not for API keys.
 */
export const confirmGoingLiveItem = <ThrowOnError extends boolean = false>(options: Options<ConfirmGoingLiveItemData, ThrowOnError>): RequestResult<ConfirmGoingLiveItemResponses, unknown, ThrowOnError> => options.client.post<ConfirmGoingLiveItemResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/going-live/{item}/confirm',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Withdraw the confirmation of an item
 *
 * Roles: system_admin. Not for API keys.
 */
export const withdrawGoingLiveItem = <ThrowOnError extends boolean = false>(options: Options<WithdrawGoingLiveItemData, ThrowOnError>): RequestResult<WithdrawGoingLiveItemResponses, unknown, ThrowOnError> => options.client.post<WithdrawGoingLiveItemResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/going-live/{item}/withdraw', ...options });

/**
 * List certification runs, newest first; not available in production
 *
 * Roles: system_admin, support_user. Not for API keys.
 */
export const listCertifications = <ThrowOnError extends boolean = false>(options: Options<ListCertificationsData, ThrowOnError>): RequestResult<ListCertificationsResponses, unknown, ThrowOnError> => options.client.get<ListCertificationsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/lab/certifications', ...options });

/**
 * Start a certification run with a partner's key and webhook endpoint; not available in production
 *
 * Roles: system_admin, support_user. Not for API keys.
 */
export const startCertification = <ThrowOnError extends boolean = false>(options: Options<StartCertificationData, ThrowOnError>): RequestResult<StartCertificationResponses, unknown, ThrowOnError> => options.client.post<StartCertificationResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/lab/certifications',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get a certification run: the state of its steps and, at the end, the signed report
 *
 * Roles: system_admin, support_user. Not for API keys.
 */
export const getCertification = <ThrowOnError extends boolean = false>(options: Options<GetCertificationData, ThrowOnError>): RequestResult<GetCertificationResponses, unknown, ThrowOnError> => options.client.get<GetCertificationResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/lab/certifications/{id}', ...options });

/**
 * Finish a certification run now; it fails if a step is still waiting
 *
 * Roles: system_admin, support_user. Not for API keys.
 */
export const finishCertification = <ThrowOnError extends boolean = false>(options: Options<FinishCertificationData, ThrowOnError>): RequestResult<FinishCertificationResponses, unknown, ThrowOnError> => options.client.post<FinishCertificationResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/lab/certifications/{id}/finish', ...options });

/**
 * Get what the phone of a number received: SMS and chat messages; not available in production
 *
 * Messages that a provider takes are not kept, and so not shown.
 *
 * Roles: system_admin, support_user. Not for API keys.
 */
export const getLabPhone = <ThrowOnError extends boolean = false>(options: Options<GetLabPhoneData, ThrowOnError>): RequestResult<GetLabPhoneResponses, unknown, ThrowOnError> => options.client.get<GetLabPhoneResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/lab/phone', ...options });

/**
 * Dial the USSD menus as a number, or answer a page; not available in production
 *
 * A PIN counts only as the answer to a page with `asks_pin`, and is neither stored nor logged. The session is this user's.
 *
 * Roles: system_admin, support_user. Not for API keys.
 */
export const playLabUssd = <ThrowOnError extends boolean = false>(options: Options<PlayLabUssdData, ThrowOnError>): RequestResult<PlayLabUssdResponses, unknown, ThrowOnError> => options.client.post<PlayLabUssdResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/lab/ussd',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Ask for a payment as a customer; not available in production
 *
 * Roles: system_admin, support_user. Not for API keys.
 */
export const createLabPaymentRequest = <ThrowOnError extends boolean = false>(options: Options<CreateLabPaymentRequestData, ThrowOnError>): RequestResult<CreateLabPaymentRequestResponses, unknown, ThrowOnError> => options.client.post<CreateLabPaymentRequestResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/lab/payment-requests',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Pay a payment request as a customer, with the PIN; not available in production
 *
 * Roles: system_admin, support_user. Not for API keys.
 */
export const confirmLabPaymentRequest = <ThrowOnError extends boolean = false>(options: Options<ConfirmLabPaymentRequestData, ThrowOnError>): RequestResult<ConfirmLabPaymentRequestResponses, unknown, ThrowOnError> => options.client.post<ConfirmLabPaymentRequestResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/lab/payment-requests/{id}/confirm',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Decline a payment request as a customer; not available in production
 *
 * Roles: system_admin, support_user. Not for API keys.
 */
export const declineLabPaymentRequest = <ThrowOnError extends boolean = false>(options: Options<DeclineLabPaymentRequestData, ThrowOnError>): RequestResult<DeclineLabPaymentRequestResponses, unknown, ThrowOnError> => options.client.post<DeclineLabPaymentRequestResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/lab/payment-requests/{id}/decline',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Log in to the console; the refresh token is set as a cookie
 *
 * Needs no role or scope.
 */
export const startConsoleSession = <ThrowOnError extends boolean = false>(options: Options<StartConsoleSessionData, ThrowOnError>): RequestResult<StartConsoleSessionResponses, unknown, ThrowOnError> => options.client.post<StartConsoleSessionResponses, unknown, ThrowOnError>({
    url: '/console/session',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Finish a login to the console: answer its challenge with a code or a passkey
 *
 * Needs no role or scope.
 */
export const finishConsoleLogin = <ThrowOnError extends boolean = false>(options: Options<FinishConsoleLoginData, ThrowOnError>): RequestResult<FinishConsoleLoginResponses, unknown, ThrowOnError> => options.client.post<FinishConsoleLoginResponses, unknown, ThrowOnError>({
    url: '/console/session/second-factor',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get a new access token for the session of the cookie
 *
 * A request whose reply was lost can be repeated for a minute.
 *
 * Needs no role or scope.
 */
export const refreshConsoleSession = <ThrowOnError extends boolean = false>(options: Options<RefreshConsoleSessionData, ThrowOnError>): RequestResult<RefreshConsoleSessionResponses, unknown, ThrowOnError> => options.client.post<RefreshConsoleSessionResponses, unknown, ThrowOnError>({ url: '/console/session/refresh', ...options });

/**
 * Log out of the console: revoke the session, or every session of the user, and delete the cookie
 *
 * Needs no role or scope.
 */
export const endConsoleSession = <ThrowOnError extends boolean = false>(options: Options<EndConsoleSessionData, ThrowOnError>): RequestResult<EndConsoleSessionResponses, unknown, ThrowOnError> => options.client.post<EndConsoleSessionResponses, unknown, ThrowOnError>({
    url: '/console/session/logout',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the approval policies of all actions
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user. Not for API keys.
 */
export const listApprovalPolicies = <ThrowOnError extends boolean = false>(options: Options<ListApprovalPoliciesData, ThrowOnError>): RequestResult<ListApprovalPoliciesResponses, unknown, ThrowOnError> => options.client.get<ListApprovalPoliciesResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/approval-policies', ...options });

/**
 * Change an action's approval policy; needs a second system_admin once there are two, or with APPROVALS=recommended
 *
 * A threshold is a sum per requester and UTC day: requests below it are executed at once. Once there are two system_admins, changing a policy needs the approval of the second.
 *
 * Roles: system_admin. Not for API keys.
 */
export const updateApprovalPolicy = <ThrowOnError extends boolean = false>(options: Options<UpdateApprovalPolicyData, ThrowOnError>): RequestResult<UpdateApprovalPolicyResponses, unknown, ThrowOnError> => options.client.put<UpdateApprovalPolicyResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/approval-policies',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List approvals that the user may decide on or has requested, newest first
 *
 * Approvals expire after 7 days.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, processor. Not for API keys.
 */
export const listApprovals = <ThrowOnError extends boolean = false>(options: Options<ListApprovalsData, ThrowOnError>): RequestResult<ListApprovalsResponses, unknown, ThrowOnError> => options.client.get<ListApprovalsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/approvals', ...options });

/**
 * Get an approval
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, processor. Not for API keys.
 */
export const getApproval = <ThrowOnError extends boolean = false>(options: Options<GetApprovalData, ThrowOnError>): RequestResult<GetApprovalResponses, unknown, ThrowOnError> => options.client.get<GetApprovalResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/approvals/{id}', ...options });

/**
 * Approve another user's request: it is checked again and executed now
 *
 * Needs a user other than the requester, with the permission for the action. If the request is refused when it is checked again, the approval is marked as failed and nothing happens.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, processor. Not for API keys.
 */
export const approveRequest = <ThrowOnError extends boolean = false>(options: Options<ApproveRequestData, ThrowOnError>): RequestResult<ApproveRequestResponses, unknown, ThrowOnError> => options.client.post<ApproveRequestResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/approvals/{id}/approve', ...options });

/**
 * Reject another user's request
 *
 * The requester sees the reason.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, processor. Not for API keys.
 */
export const rejectRequest = <ThrowOnError extends boolean = false>(options: Options<RejectRequestData, ThrowOnError>): RequestResult<RejectRequestResponses, unknown, ThrowOnError> => options.client.post<RejectRequestResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/approvals/{id}/reject',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Withdraw your own request
 *
 * Only the requester can, and only while it is pending.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, processor. Not for API keys.
 */
export const withdrawRequest = <ThrowOnError extends boolean = false>(options: Options<WithdrawRequestData, ThrowOnError>): RequestResult<WithdrawRequestResponses, unknown, ThrowOnError> => options.client.post<WithdrawRequestResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/approvals/{id}/withdraw', ...options });

/**
 * Collect, once and as the requester, an executed request's secrets, such as a new API key's
 *
 * The approver never sees them.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, processor. Not for API keys.
 */
export const collectSecrets = <ThrowOnError extends boolean = false>(options: Options<CollectSecretsData, ThrowOnError>): RequestResult<CollectSecretsResponses, unknown, ThrowOnError> => options.client.post<CollectSecretsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/approvals/{id}/collect-secrets', ...options });

/**
 * Count what is waiting for the caller
 *
 * For the navigation of a console: cheap enough to be read every few seconds. Each gateway reads the counts at most every 5 seconds, and finance's (`unmatched`, `suspense`) at most every 30.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Not for API keys.
 */
export const getCounts = <ThrowOnError extends boolean = false>(options: Options<GetCountsData, ThrowOnError>): RequestResult<GetCountsResponses, unknown, ThrowOnError> => options.client.get<GetCountsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/counts', ...options });

/**
 * Get today and the last 24 hours compared with a week before, balances, alerts and deliveries
 *
 * One request for the first page of a console. Parts that the role may not see are absent. Each gateway reads figures and courses at most every 5 seconds.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user. Not for API keys.
 */
export const getOverview = <ThrowOnError extends boolean = false>(options: Options<GetOverviewData, ThrowOnError>): RequestResult<GetOverviewResponses, unknown, ThrowOnError> => options.client.get<GetOverviewResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/overview', ...options });

/**
 * A metric by hour, day or week, exact and without gaps; as CSV one row per type and step
 *
 * Sums come from roll-ups that `ledger:verify` proves against the movements, so long periods are fast.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user. Not for API keys.
 */
export const getSeries = <ThrowOnError extends boolean = false>(options: Options<GetSeriesData, ThrowOnError>): RequestResult<GetSeriesResponses, unknown, ThrowOnError> => options.client.get<GetSeriesResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/series', ...options });

/**
 * List the ledger's accounts by id
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const listLedgerAccounts = <ThrowOnError extends boolean = false>(options: Options<ListLedgerAccountsData, ThrowOnError>): RequestResult<ListLedgerAccountsResponses, unknown, ThrowOnError> => options.client.get<ListLedgerAccountsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/ledger/accounts', ...options });

/**
 * Balances by kind of account, now or at an earlier instant
 *
 * The balances of all accounts add up to zero. `at` shows an earlier instant; without PEP access, the start of a day (UTC).
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const getTrialBalance = <ThrowOnError extends boolean = false>(options: Options<GetTrialBalanceData, ThrowOnError>): RequestResult<GetTrialBalanceResponses, unknown, ThrowOnError> => options.client.get<GetTrialBalanceResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/ledger/trial-balance', ...options });

/**
 * List agents' floats with the hours they are estimated to last, most urgent first
 *
 * The hours are estimated from the last day and the last week, whichever used more. For a tree, list `type=super_agent` and then `parent_agent_id` of each; `network_balance` is the sum over an agent and its sub-agents.
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const listAgentFloats = <ThrowOnError extends boolean = false>(options: Options<ListAgentFloatsData, ThrowOnError>): RequestResult<ListAgentFloatsResponses, unknown, ThrowOnError> => options.client.get<ListAgentFloatsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/agents/float', ...options });

/**
 * Begin a customer's login: a code is sent to the number
 *
 * The reply is the same for every number. Three messages are sent to one number in an hour; then the customer gets a code by USSD, as when an address asks for too many.
 *
 * Needs no role or scope.
 */
export const startCustomerLogin = <ThrowOnError extends boolean = false>(options: Options<StartCustomerLoginData, ThrowOnError>): RequestResult<StartCustomerLoginResponses, unknown, ThrowOnError> => options.client.post<StartCustomerLoginResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/login',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Finish a customer's login on a new device, with the code and the PIN
 *
 * A challenge takes three answers in 10 minutes. For 24 hours a new device cannot change the PIN, devices, number or notices, and pays at most a tenth of the daily limit. Of more than three devices, one that is new too ends first, then the one that was not used for the longest time.
 *
 * Needs no role or scope.
 */
export const finishCustomerLogin = <ThrowOnError extends boolean = false>(options: Options<FinishCustomerLoginData, ThrowOnError>): RequestResult<FinishCustomerLoginResponses, unknown, ThrowOnError> => options.client.post<FinishCustomerLoginResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/login/verify',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Log a customer in on a known device, with the device's token and the PIN
 *
 * Each login gives the device its next token. If the reply is lost, the last token works again for 24 hours; any older one ends the device.
 *
 * Needs no role or scope.
 */
export const customerDeviceLogin = <ThrowOnError extends boolean = false>(options: Options<CustomerDeviceLoginData, ThrowOnError>): RequestResult<CustomerDeviceLoginResponses, unknown, ThrowOnError> => options.client.post<CustomerDeviceLoginResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/login/device',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Exchange a customer's refresh token for a new pair of tokens; each works once
 *
 * If the reply is lost, the last token works again for 10 minutes; any older one ends the session: it may have been stolen.
 *
 * Needs no role or scope.
 */
export const refreshCustomerTokens = <ThrowOnError extends boolean = false>(options: Options<RefreshCustomerTokensData, ThrowOnError>): RequestResult<RefreshCustomerTokensResponses, unknown, ThrowOnError> => options.client.post<RefreshCustomerTokensResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/refresh',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * End a customer's session; the device stays known
 *
 * Needs no role or scope.
 */
export const endCustomerSession = <ThrowOnError extends boolean = false>(options: Options<EndCustomerSessionData, ThrowOnError>): RequestResult<EndCustomerSessionResponses, unknown, ThrowOnError> => options.client.post<EndCustomerSessionResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/logout',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * See whom you would pay and at what price, before you enter the PIN
 *
 * Names the payee by exactly one field that fits the type: `phone_number` or `account_number`; `merchant_number` or `qr`; `payment_request_id`, `code` or `qr`. At most 20 different payees in an hour whom you do not pay, and 10 that do not exist.
 *
 * Roles: subscriber. Not for API keys.
 */
export const createQuote = <ThrowOnError extends boolean = false>(options: Options<CreateQuoteData, ThrowOnError>): RequestResult<CreateQuoteResponses, unknown, ThrowOnError> => options.client.post<CreateQuoteResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/quote',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Transfer as quoted, with your PIN
 *
 * If the fee has changed, the refusal QUOTE_CHANGED has the new quote.
 *
 * Roles: subscriber. Not for API keys.
 */
export const createOwnTransfer = <ThrowOnError extends boolean = false>(options: Options<CreateOwnTransferData, ThrowOnError>): RequestResult<CreateOwnTransferResponses, unknown, ThrowOnError> => options.client.post<CreateOwnTransferResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/transfers',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Pay a merchant as quoted, with your PIN
 *
 * For quotes of the type merchant. If the fee has changed, the refusal QUOTE_CHANGED has the new quote.
 *
 * Roles: subscriber. Not for API keys.
 */
export const payMerchant = <ThrowOnError extends boolean = false>(options: Options<PayMerchantData, ThrowOnError>): RequestResult<PayMerchantResponses, unknown, ThrowOnError> => options.client.post<PayMerchantResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/payments',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List your cash-out codes of the last 90 days, newest first, without their digits
 *
 * Roles: subscriber. Not for API keys.
 */
export const listCashOutCodes = <ThrowOnError extends boolean = false>(options: Options<ListCashOutCodesData, ThrowOnError>): RequestResult<ListCashOutCodesResponses, unknown, ThrowOnError> => options.client.get<ListCashOutCodesResponses, unknown, ThrowOnError>({ url: '/api/v1/me/cash-out-codes', ...options });

/**
 * Get a code with which any agent pays you out, within 30 minutes
 *
 * Amount and fee are held until an agent redeems the code, you cancel it, or it expires. A repeated request shows the same code while it lives. A block, a PIN reset, a new number or three wrong codes end it.
 *
 * Roles: subscriber. Not for API keys.
 */
export const createCashOutCode = <ThrowOnError extends boolean = false>(options: Options<CreateCashOutCodeData, ThrowOnError>): RequestResult<CreateCashOutCodeResponses, unknown, ThrowOnError> => options.client.post<CreateCashOutCodeResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/cash-out-codes',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * See what a cash-out code would cost, before you enter the PIN
 *
 * Roles: subscriber. Not for API keys.
 */
export const getCashOutPrice = <ThrowOnError extends boolean = false>(options: Options<GetCashOutPriceData, ThrowOnError>): RequestResult<GetCashOutPriceResponses, unknown, ThrowOnError> => options.client.get<GetCashOutPriceResponses, unknown, ThrowOnError>({ url: '/api/v1/me/cash-out-codes/price', ...options });

/**
 * Cancel a cash-out code: its money is available again
 *
 * A code that is cancelled already is returned as it is, so that a retry is safe.
 *
 * Roles: subscriber. Not for API keys.
 */
export const cancelCashOutCode = <ThrowOnError extends boolean = false>(options: Options<CancelCashOutCodeData, ThrowOnError>): RequestResult<CancelCashOutCodeResponses, unknown, ThrowOnError> => options.client.post<CancelCashOutCodeResponses, unknown, ThrowOnError>({ url: '/api/v1/me/cash-out-codes/{id}/cancel', ...options });

/**
 * List the open payment requests that you were told about, newest first
 *
 * Roles: subscriber. Not for API keys.
 */
export const listIncomingRequests = <ThrowOnError extends boolean = false>(options: Options<ListIncomingRequestsData, ThrowOnError>): RequestResult<ListIncomingRequestsResponses, unknown, ThrowOnError> => options.client.get<ListIncomingRequestsResponses, unknown, ThrowOnError>({ url: '/api/v1/me/payment-requests/incoming', ...options });

/**
 * Open a payment request by its code, or by the token at the end of its link
 *
 * Counts as a look-up, as a quote does.
 *
 * Roles: subscriber. Not for API keys.
 */
export const openPaymentRequest = <ThrowOnError extends boolean = false>(options: Options<OpenPaymentRequestData, ThrowOnError>): RequestResult<OpenPaymentRequestResponses, unknown, ThrowOnError> => options.client.get<OpenPaymentRequestResponses, unknown, ThrowOnError>({ url: '/api/v1/payment-requests/by-code/{code}', ...options });

/**
 * Pay a payment request as quoted, with your PIN
 *
 * Roles: subscriber. Not for API keys.
 */
export const approvePaymentRequest = <ThrowOnError extends boolean = false>(options: Options<ApprovePaymentRequestData, ThrowOnError>): RequestResult<ApprovePaymentRequestResponses, unknown, ThrowOnError> => options.client.post<ApprovePaymentRequestResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/payment-requests/{id}/approve',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Decline a payment request; after two declines its payee can no longer send you notices
 *
 * Roles: subscriber. Not for API keys.
 */
export const declinePaymentRequest = <ThrowOnError extends boolean = false>(options: Options<DeclinePaymentRequestData, ThrowOnError>): RequestResult<DeclinePaymentRequestResponses, unknown, ThrowOnError> => options.client.post<DeclinePaymentRequestResponses, unknown, ThrowOnError>({ url: '/api/v1/me/payment-requests/{id}/decline', ...options });

/**
 * List the payment requests that you made, newest first
 *
 * Roles: subscriber. Not for API keys.
 */
export const listSentRequests = <ThrowOnError extends boolean = false>(options: Options<ListSentRequestsData, ThrowOnError>): RequestResult<ListSentRequestsResponses, unknown, ThrowOnError> => options.client.get<ListSentRequestsResponses, unknown, ThrowOnError>({ url: '/api/v1/me/payment-requests', ...options });

/**
 * Ask somebody for a payment: ten requests a day
 *
 * Roles: subscriber. Not for API keys.
 */
export const createOwnPaymentRequest = <ThrowOnError extends boolean = false>(options: Options<CreateOwnPaymentRequestData, ThrowOnError>): RequestResult<CreateOwnPaymentRequestResponses, unknown, ThrowOnError> => options.client.post<CreateOwnPaymentRequestResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/payment-requests',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get a payment request that you made, were told about, or answered
 *
 * Roles: subscriber. Not for API keys.
 */
export const getOwnPaymentRequest = <ThrowOnError extends boolean = false>(options: Options<GetOwnPaymentRequestData, ThrowOnError>): RequestResult<GetOwnPaymentRequestResponses, unknown, ThrowOnError> => options.client.get<GetOwnPaymentRequestResponses, unknown, ThrowOnError>({ url: '/api/v1/me/payment-requests/{id}', ...options });

/**
 * Cancel a payment request that you made
 *
 * Roles: subscriber. Not for API keys.
 */
export const cancelOwnPaymentRequest = <ThrowOnError extends boolean = false>(options: Options<CancelOwnPaymentRequestData, ThrowOnError>): RequestResult<CancelOwnPaymentRequestResponses, unknown, ThrowOnError> => options.client.post<CancelOwnPaymentRequestResponses, unknown, ThrowOnError>({ url: '/api/v1/me/payment-requests/{id}/cancel', ...options });

/**
 * Hear no more of the payee of a payment request
 *
 * Roles: subscriber. Not for API keys.
 */
export const blockPayee = <ThrowOnError extends boolean = false>(options: Options<BlockPayeeData, ThrowOnError>): RequestResult<BlockPayeeResponses, unknown, ThrowOnError> => options.client.post<BlockPayeeResponses, unknown, ThrowOnError>({ url: '/api/v1/me/payment-requests/{id}/block-payee', ...options });

/**
 * Hear of the payee of a payment request again
 *
 * Roles: subscriber. Not for API keys.
 */
export const unblockPayee = <ThrowOnError extends boolean = false>(options: Options<UnblockPayeeData, ThrowOnError>): RequestResult<UnblockPayeeResponses, unknown, ThrowOnError> => options.client.post<UnblockPayeeResponses, unknown, ThrowOnError>({ url: '/api/v1/me/payment-requests/{id}/unblock-payee', ...options });

/**
 * List the payees whom you blocked
 *
 * Roles: subscriber. Not for API keys.
 */
export const listBlockedPayees = <ThrowOnError extends boolean = false>(options: Options<ListBlockedPayeesData, ThrowOnError>): RequestResult<ListBlockedPayeesResponses, unknown, ThrowOnError> => options.client.get<ListBlockedPayeesResponses, unknown, ThrowOnError>({ url: '/api/v1/me/blocked-payees', ...options });

/**
 * Redeem a customer's cash-out code: the agent pays out the amount in cash
 *
 * The amount moves from the wallet to the agent's float, as for a withdrawal. Only the agent's PIN is entered. Three wrong codes end the codes of a number. A code that a bulk payment sent to a number without a wallet needs the identity document of whoever presents it, and pays at most the daily limit of a new wallet per number and day.
 *
 * Roles: system_admin, super_agent, sub_agent. API keys: scope payments:write.
 */
export const redeemCashOutCode = <ThrowOnError extends boolean = false>(options: Options<RedeemCashOutCodeData, ThrowOnError>): RequestResult<RedeemCashOutCodeResponses, unknown, ThrowOnError> => options.client.post<RedeemCashOutCodeResponses, unknown, ThrowOnError>({
    url: '/api/v1/agents/cashout-code',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get your profile, your level, what is left of your limits, and devices that are new
 *
 * Roles: subscriber. Not for API keys.
 */
export const getMe = <ThrowOnError extends boolean = false>(options: Options<GetMeData, ThrowOnError>): RequestResult<GetMeResponses, unknown, ThrowOnError> => options.client.get<GetMeResponses, unknown, ThrowOnError>({ url: '/api/v1/me', ...options });

/**
 * Get your balance, and what authorised payments hold of it
 *
 * Roles: subscriber. Not for API keys.
 */
export const getOwnBalance = <ThrowOnError extends boolean = false>(options: Options<GetOwnBalanceData, ThrowOnError>): RequestResult<GetOwnBalanceResponses, unknown, ThrowOnError> => options.client.get<GetOwnBalanceResponses, unknown, ThrowOnError>({ url: '/api/v1/me/balance', ...options });

/**
 * List your transactions, newest first
 *
 * Roles: subscriber. Not for API keys.
 */
export const listOwnTransactions = <ThrowOnError extends boolean = false>(options: Options<ListOwnTransactionsData, ThrowOnError>): RequestResult<ListOwnTransactionsResponses, unknown, ThrowOnError> => options.client.get<ListOwnTransactionsResponses, unknown, ThrowOnError>({ url: '/api/v1/me/transactions', ...options });

/**
 * Get one of your transactions, with the link of its receipt
 *
 * Roles: subscriber. Not for API keys.
 */
export const getOwnTransaction = <ThrowOnError extends boolean = false>(options: Options<GetOwnTransactionData, ThrowOnError>): RequestResult<GetOwnTransactionResponses, unknown, ThrowOnError> => options.client.get<GetOwnTransactionResponses, unknown, ThrowOnError>({ url: '/api/v1/me/transactions/{id}', ...options });

/**
 * Get your statement for a period of at most 366 days, as JSON, CSV or PDF
 *
 * Roles: subscriber. Not for API keys.
 */
export const getOwnStatement = <ThrowOnError extends boolean = false>(options: Options<GetOwnStatementData, ThrowOnError>): RequestResult<GetOwnStatementResponses, unknown, ThrowOnError> => options.client.get<GetOwnStatementResponses, unknown, ThrowOnError>({ url: '/api/v1/me/statement', ...options });

/**
 * List your cards
 *
 * Roles: subscriber. Not for API keys.
 */
export const listOwnCards = <ThrowOnError extends boolean = false>(options: Options<ListOwnCardsData, ThrowOnError>): RequestResult<ListOwnCardsResponses, unknown, ThrowOnError> => options.client.get<ListOwnCardsResponses, unknown, ThrowOnError>({ url: '/api/v1/me/cards', ...options });

/**
 * Block one of your cards
 *
 * Roles: subscriber. Not for API keys.
 */
export const blockOwnCard = <ThrowOnError extends boolean = false>(options: Options<BlockOwnCardData, ThrowOnError>): RequestResult<BlockOwnCardResponses, unknown, ThrowOnError> => options.client.post<BlockOwnCardResponses, unknown, ThrowOnError>({ url: '/api/v1/me/cards/{serial}/block', ...options });

/**
 * Unblock a card that you blocked, with your PIN
 *
 * Support unblocks a card that somebody else blocked.
 *
 * Roles: subscriber. Not for API keys.
 */
export const unblockOwnCard = <ThrowOnError extends boolean = false>(options: Options<UnblockOwnCardData, ThrowOnError>): RequestResult<UnblockOwnCardResponses, unknown, ThrowOnError> => options.client.post<UnblockOwnCardResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/cards/{serial}/unblock',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Change your PIN; your other devices end
 *
 * Roles: subscriber. Not for API keys.
 */
export const changeOwnPin = <ThrowOnError extends boolean = false>(options: Options<ChangeOwnPinData, ThrowOnError>): RequestResult<ChangeOwnPinResponses, unknown, ThrowOnError> => options.client.post<ChangeOwnPinResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/change-pin',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the devices that can log in without a code, the one used last first
 *
 * Roles: subscriber. Not for API keys.
 */
export const listOwnDevices = <ThrowOnError extends boolean = false>(options: Options<ListOwnDevicesData, ThrowOnError>): RequestResult<ListOwnDevicesResponses, unknown, ThrowOnError> => options.client.get<ListOwnDevicesResponses, unknown, ThrowOnError>({ url: '/api/v1/me/devices', ...options });

/**
 * End one of your devices and its session; it can log in again with a code
 *
 * Roles: subscriber. Not for API keys.
 */
export const endOwnDevice = <ThrowOnError extends boolean = false>(options: Options<EndOwnDeviceData, ThrowOnError>): RequestResult<EndOwnDeviceResponses, unknown, ThrowOnError> => options.client.delete<EndOwnDeviceResponses, unknown, ThrowOnError>({ url: '/api/v1/me/devices/{id}', ...options });

/**
 * List your refused payments, newest first, with the reasons
 *
 * Attempts by others at your wallet are listed too, such as wrong PINs in a shop. They are kept for 90 days, and appear within a few seconds.
 *
 * Roles: subscriber. Not for API keys.
 */
export const listOwnRefusals = <ThrowOnError extends boolean = false>(options: Options<ListOwnRefusalsData, ThrowOnError>): RequestResult<ListOwnRefusalsResponses, unknown, ThrowOnError> => options.client.get<ListOwnRefusalsResponses, unknown, ThrowOnError>({ url: '/api/v1/me/refusals', ...options });

/**
 * List your cases, and those that ask you to return a transfer, newest first
 *
 * Roles: subscriber. Not for API keys.
 */
export const listOwnCases = <ThrowOnError extends boolean = false>(options: Options<ListOwnCasesData, ThrowOnError>): RequestResult<ListOwnCasesResponses, unknown, ThrowOnError> => options.client.get<ListOwnCasesResponses, unknown, ThrowOnError>({ url: '/api/v1/me/cases', ...options });

/**
 * Report a problem; with your PIN, ask for a transfer to the wrong person back
 *
 * A wrong transfer with `pin` is recalled: what is left of it is held in the wallet of the recipient, who is asked to return it. That is for a first transfer to somebody, addressed by phone or account number, within 24 hours, one at a time and two in 30 days. Outside these rules staff decide first: `recall.state` is `staff_decides`.
 *
 * Roles: subscriber. Not for API keys.
 */
export const openOwnCase = <ThrowOnError extends boolean = false>(options: Options<OpenOwnCaseData, ThrowOnError>): RequestResult<OpenOwnCaseResponses, unknown, ThrowOnError> => options.client.post<OpenOwnCaseResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/cases',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get one of your cases with its timeline
 *
 * Roles: subscriber. Not for API keys.
 */
export const getOwnCase = <ThrowOnError extends boolean = false>(options: Options<GetOwnCaseData, ThrowOnError>): RequestResult<GetOwnCaseResponses, unknown, ThrowOnError> => options.client.get<GetOwnCaseResponses, unknown, ThrowOnError>({ url: '/api/v1/me/cases/{id}', ...options });

/**
 * Add something to your case
 *
 * Roles: subscriber. Not for API keys.
 */
export const sendOwnCaseMessage = <ThrowOnError extends boolean = false>(options: Options<SendOwnCaseMessageData, ThrowOnError>): RequestResult<SendOwnCaseMessageResponses, unknown, ThrowOnError> => options.client.post<SendOwnCaseMessageResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/cases/{id}/messages',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Confirm with your PIN that you want a transfer back, in a case that was opened without it
 *
 * Roles: subscriber. Not for API keys.
 */
export const confirmOwnRecall = <ThrowOnError extends boolean = false>(options: Options<ConfirmOwnRecallData, ThrowOnError>): RequestResult<ConfirmOwnRecallResponses, unknown, ThrowOnError> => options.client.post<ConfirmOwnRecallResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/cases/{id}/confirm',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Return a transfer that reached you by mistake, with your PIN
 *
 * Returns what is held, once, without a fee. Neither the daily limit nor the maximum balance applies.
 *
 * Roles: subscriber. Not for API keys.
 */
export const acceptRecall = <ThrowOnError extends boolean = false>(options: Options<AcceptRecallData, ThrowOnError>): RequestResult<AcceptRecallResponses, unknown, ThrowOnError> => options.client.post<AcceptRecallResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/cases/{id}/accept',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Say that a transfer is yours: what is held of it is available again
 *
 * Staff may have extended the hold for suspected fraud: then it stays until they decide.
 *
 * Roles: subscriber. Not for API keys.
 */
export const contestRecall = <ThrowOnError extends boolean = false>(options: Options<ContestRecallData, ThrowOnError>): RequestResult<ContestRecallResponses, unknown, ThrowOnError> => options.client.post<ContestRecallResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/cases/{id}/contest',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List cases, by default the newest first; as CSV it is the register
 *
 * Without those of politically exposed persons, unless access to their records is open.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user. Not for API keys.
 */
export const listCases = <ThrowOnError extends boolean = false>(options: Options<ListCasesData, ThrowOnError>): RequestResult<ListCasesResponses, unknown, ThrowOnError> => options.client.get<ListCasesResponses, unknown, ThrowOnError>({ url: '/api/v1/cases', ...options });

/**
 * Open a case for a customer
 *
 * For support and compliance. A wrong transfer is recalled only after the customer confirmed it with the PIN on their own channel: /me/cases/{id}/confirm.
 *
 * Roles: system_admin, compliance_user, support_user. Not for API keys.
 */
export const openCase = <ThrowOnError extends boolean = false>(options: Options<OpenCaseData, ThrowOnError>): RequestResult<OpenCaseResponses, unknown, ThrowOnError> => options.client.post<OpenCaseResponses, unknown, ThrowOnError>({
    url: '/api/v1/cases',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get a case with its recall, timeline and files
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user. Not for API keys.
 */
export const getCase = <ThrowOnError extends boolean = false>(options: Options<GetCaseData, ThrowOnError>): RequestResult<GetCaseResponses, unknown, ThrowOnError> => options.client.get<GetCaseResponses, unknown, ThrowOnError>({ url: '/api/v1/cases/{id}', ...options });

/**
 * Assign a case to a user, or to nobody
 *
 * Roles: system_admin, compliance_user, support_user. Not for API keys.
 */
export const assignCase = <ThrowOnError extends boolean = false>(options: Options<AssignCaseData, ThrowOnError>): RequestResult<AssignCaseResponses, unknown, ThrowOnError> => options.client.post<AssignCaseResponses, unknown, ThrowOnError>({
    url: '/api/v1/cases/{id}/assign',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Add a note for staff; notes cannot be changed or deleted
 *
 * Roles: system_admin, compliance_user, support_user. Not for API keys.
 */
export const addCaseNote = <ThrowOnError extends boolean = false>(options: Options<AddCaseNoteData, ThrowOnError>): RequestResult<AddCaseNoteResponses, unknown, ThrowOnError> => options.client.post<AddCaseNoteResponses, unknown, ThrowOnError>({
    url: '/api/v1/cases/{id}/notes',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Write something into the case that its customer sees
 *
 * Roles: system_admin, compliance_user, support_user. Not for API keys.
 */
export const sendCaseMessage = <ThrowOnError extends boolean = false>(options: Options<SendCaseMessageData, ThrowOnError>): RequestResult<SendCaseMessageResponses, unknown, ThrowOnError> => options.client.post<SendCaseMessageResponses, unknown, ThrowOnError>({
    url: '/api/v1/cases/{id}/messages',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Change the state of a case, with the reason; the customer is told
 *
 * Resolved and rejected are final. A case whose recall waits for its recipient cannot be closed.
 *
 * Roles: system_admin, compliance_user, support_user. Not for API keys.
 */
export const changeCaseState = <ThrowOnError extends boolean = false>(options: Options<ChangeCaseStateData, ThrowOnError>): RequestResult<ChangeCaseStateResponses, unknown, ThrowOnError> => options.client.post<ChangeCaseStateResponses, unknown, ThrowOnError>({
    url: '/api/v1/cases/{id}/state',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Mark a case as complex, which gives it more time, once; the customer is told
 *
 * Roles: system_admin, compliance_user, support_user. Not for API keys.
 */
export const markCaseComplex = <ThrowOnError extends boolean = false>(options: Options<MarkCaseComplexData, ThrowOnError>): RequestResult<MarkCaseComplexResponses, unknown, ThrowOnError> => options.client.post<MarkCaseComplexResponses, unknown, ThrowOnError>({
    url: '/api/v1/cases/{id}/complex',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Recall a transfer outside the rules: hold what is left of it, and ask the recipient
 *
 * Only after the sender confirmed it with the PIN, and only for transfers between customers.
 *
 * Roles: system_admin, compliance_user. Not for API keys.
 */
export const decideRecall = <ThrowOnError extends boolean = false>(options: Options<DecideRecallData, ThrowOnError>): RequestResult<DecideRecallResponses, unknown, ThrowOnError> => options.client.post<DecideRecallResponses, unknown, ThrowOnError>({
    url: '/api/v1/cases/{id}/recall',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Ask for a second user's approval to extend the hold of a recall for suspected fraud
 *
 * Until then a contest ends the hold. Always needs a second, independent user.
 *
 * Roles: system_admin, compliance_user. Not for API keys.
 */
export const extendRecallHold = <ThrowOnError extends boolean = false>(options: Options<ExtendRecallHoldData, ThrowOnError>): RequestResult<ExtendRecallHoldResponses, unknown, ThrowOnError> => options.client.post<ExtendRecallHoldResponses, unknown, ThrowOnError>({
    url: '/api/v1/cases/{id}/extend-hold',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Ask for a second user's approval to return a transfer without the recipient's consent, on a legal order
 *
 * Always needs a second, independent user. At most what is left of the transfer.
 *
 * Roles: system_admin, compliance_user. Not for API keys.
 */
export const returnByLegalOrder = <ThrowOnError extends boolean = false>(options: Options<ReturnByLegalOrderData, ThrowOnError>): RequestResult<ReturnByLegalOrderResponses, unknown, ThrowOnError> => options.client.post<ReturnByLegalOrderResponses, unknown, ThrowOnError>({
    url: '/api/v1/cases/{id}/legal-order',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Upload a file to a case: JPEG, PNG or PDF of at most 1 MiB, stored encrypted
 *
 * Roles: system_admin, compliance_user, support_user. Not for API keys.
 */
export const uploadCaseFile = <ThrowOnError extends boolean = false>(options: Options<UploadCaseFileData, ThrowOnError>): RequestResult<UploadCaseFileResponses, unknown, ThrowOnError> => options.client.post<UploadCaseFileResponses, unknown, ThrowOnError>({
    url: '/api/v1/cases/{id}/files',
    ...options,
    headers: {
        'Content-Type': 'image/jpeg',
        ...options.headers
    }
});

/**
 * Download a file of a case
 *
 * Roles: system_admin, compliance_user, support_user. Not for API keys.
 */
export const getCaseFile = <ThrowOnError extends boolean = false>(options: Options<GetCaseFileData, ThrowOnError>): RequestResult<GetCaseFileResponses, unknown, ThrowOnError> => options.client.get<GetCaseFileResponses, unknown, ThrowOnError>({ url: '/api/v1/cases/{id}/files/{fileId}', ...options });

/**
 * List the clocks of cases with their sources, the newest first
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user. Not for API keys.
 */
export const listCaseClocks = <ThrowOnError extends boolean = false>(options: Options<ListCaseClocksData, ThrowOnError>): RequestResult<ListCaseClocksResponses, unknown, ThrowOnError> => options.client.get<ListCaseClocksResponses, unknown, ThrowOnError>({ url: '/api/v1/case-clocks', ...options });

/**
 * Set the clocks of the cases that are opened from a day on
 *
 * Open cases keep theirs. Clocks are never changed: later ones replace them from their day on.
 *
 * Roles: system_admin, compliance_user. Not for API keys.
 */
export const addCaseClocks = <ThrowOnError extends boolean = false>(options: Options<AddCaseClocksData, ThrowOnError>): RequestResult<AddCaseClocksResponses, unknown, ThrowOnError> => options.client.post<AddCaseClocksResponses, unknown, ThrowOnError>({
    url: '/api/v1/case-clocks',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get the outcome of one of your payments by its request_id, without the PIN
 *
 * For a payment whose reply did not arrive. `unknown` means that nothing is recorded so far: the request never arrived, was refused, or is still being executed. A quote that has expired is no longer paid, so a minute later `unknown` is final. Until then the same request can be sent again, and moves the money at most once.
 *
 * Roles: subscriber. Not for API keys.
 */
export const getOwnRequest = <ThrowOnError extends boolean = false>(options: Options<GetOwnRequestData, ThrowOnError>): RequestResult<GetOwnRequestResponses, unknown, ThrowOnError> => options.client.get<GetOwnRequestResponses, unknown, ThrowOnError>({ url: '/api/v1/me/requests/{request_id}', ...options });

/**
 * Get the language and channels of your notices, and whether payments are told
 *
 * Roles: subscriber. Not for API keys.
 */
export const getOwnNotifications = <ThrowOnError extends boolean = false>(options: Options<GetOwnNotificationsData, ThrowOnError>): RequestResult<GetOwnNotificationsResponses, unknown, ThrowOnError> => options.client.get<GetOwnNotificationsResponses, unknown, ThrowOnError>({ url: '/api/v1/me/notifications', ...options });

/**
 * Change the language and channels of your notices, and whether payments are told; omitted fields stay
 *
 * Notices about security cannot be switched off. A new device cannot change them for 24 hours.
 *
 * Roles: subscriber. Not for API keys.
 */
export const updateOwnNotifications = <ThrowOnError extends boolean = false>(options: Options<UpdateOwnNotificationsData, ThrowOnError>): RequestResult<UpdateOwnNotificationsResponses, unknown, ThrowOnError> => options.client.put<UpdateOwnNotificationsResponses, unknown, ThrowOnError>({
    url: '/api/v1/me/notifications',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get how your agent or merchant is told of payments; off unless it was switched on
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Not for API keys.
 */
export const getBusinessNotifications = <ThrowOnError extends boolean = false>(options: Options<GetBusinessNotificationsData, ThrowOnError>): RequestResult<GetBusinessNotificationsResponses, unknown, ThrowOnError> => options.client.get<GetBusinessNotificationsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/notifications', ...options });

/**
 * Change how your agent or merchant is told of payments; omitted fields stay
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent, processor. Not for API keys.
 */
export const updateBusinessNotifications = <ThrowOnError extends boolean = false>(options: Options<UpdateBusinessNotificationsData, ThrowOnError>): RequestResult<UpdateBusinessNotificationsResponses, unknown, ThrowOnError> => options.client.put<UpdateBusinessNotificationsResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/notifications',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Register as a subscriber, without credentials
 *
 * For an app or a web page, without credentials; limited per IP address. With PHONE_VERIFICATION=required the subscriber stays PENDING until the phone number is verified; a later registration of the number replaces it, and it ends after 24 hours.
 *
 * Needs no role or scope.
 */
export const registerPublicSubscriber = <ThrowOnError extends boolean = false>(options: Options<RegisterPublicSubscriberData, ThrowOnError>): RequestResult<RegisterPublicSubscriberResponses, unknown, ThrowOnError> => options.client.post<RegisterPublicSubscriberResponses, unknown, ThrowOnError>({
    url: '/api/v1/public/subscribers',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Verify the phone number of a registration, or a changed one, with the code that was sent to it
 *
 * Needed only with PHONE_VERIFICATION=required, for every registration and every changed number. A code is valid for 15 minutes; at most nine codes of a number are compared in a day.
 *
 * Needs no role or scope.
 */
export const verifyPublicSubscriber = <ThrowOnError extends boolean = false>(options: Options<VerifyPublicSubscriberData, ThrowOnError>): RequestResult<VerifyPublicSubscriberResponses, unknown, ThrowOnError> => options.client.post<VerifyPublicSubscriberResponses, unknown, ThrowOnError>({
    url: '/api/v1/public/subscribers/{id}/verify',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Send a new code to a phone number that is not verified; the previous one becomes invalid
 *
 * The previous code becomes invalid.
 *
 * Needs no role or scope.
 */
export const resendVerificationCode = <ThrowOnError extends boolean = false>(options: Options<ResendVerificationCodeData, ThrowOnError>): RequestResult<ResendVerificationCodeResponses, unknown, ThrowOnError> => options.client.post<ResendVerificationCodeResponses, unknown, ThrowOnError>({ url: '/api/v1/public/subscribers/{id}/resend-code', ...options });

/**
 * Get a subscriber
 *
 * What the record contains depends on the caller: agents see less, and reasons and documents are for the roles that decide on them.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent. API keys: scope subscribers:read. Internal services may call it too.
 */
export const getSubscriber = <ThrowOnError extends boolean = false>(options: Options<GetSubscriberData, ThrowOnError>): RequestResult<GetSubscriberResponses, unknown, ThrowOnError> => options.client.get<GetSubscriberResponses, unknown, ThrowOnError>({ url: '/api/v1/subscribers/{id}', ...options });

/**
 * Update a subscriber; omitted fields keep their values, empty text clears an optional one
 *
 * To raise `kyc_level`, the documents that level requires must be on file; only compliance_user and system_admin may do it. At levels 2 and 3 the same applies to changing the name, date of birth, id and documents.
 *
 * Roles: system_admin, compliance_user, support_user, sales_user, super_agent, sub_agent. API keys: scope subscribers:write.
 */
export const updateSubscriber = <ThrowOnError extends boolean = false>(options: Options<UpdateSubscriberData, ThrowOnError>): RequestResult<UpdateSubscriberResponses, unknown, ThrowOnError> => options.client.put<UpdateSubscriberResponses, unknown, ThrowOnError>({
    url: '/api/v1/subscribers/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List subscribers, by default newest first
 *
 * Agents' users must filter by an exact phone number, card serial or account number. `is_pep` is for users with PEP access.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent. API keys: scope subscribers:read.
 */
export const listSubscribers = <ThrowOnError extends boolean = false>(options: Options<ListSubscribersData, ThrowOnError>): RequestResult<ListSubscribersResponses, unknown, ThrowOnError> => options.client.get<ListSubscribersResponses, unknown, ThrowOnError>({ url: '/api/v1/subscribers', ...options });

/**
 * Register a subscriber
 *
 * Creates the wallet at KYC level 1. A phone number belongs to one subscriber. `"status": "PENDING"` (staff only) creates one that cannot move money until it is activated. With PHONE_VERIFICATION=required every new subscriber is PENDING until the phone number is verified. A repeated `request_id` of the same agent, user or key gets the first subscriber again.
 *
 * Roles: system_admin, support_user, sales_user, super_agent, sub_agent. API keys: scope subscribers:write.
 */
export const registerSubscriber = <ThrowOnError extends boolean = false>(options: Options<RegisterSubscriberData, ThrowOnError>): RequestResult<RegisterSubscriberResponses, unknown, ThrowOnError> => options.client.post<RegisterSubscriberResponses, unknown, ThrowOnError>({
    url: '/api/v1/subscribers',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Block a subscriber and their cards, or some of their transaction types
 *
 * Without `transaction_types` the subscriber and all linked cards are blocked. With them only those types are disabled, and the status stays.
 *
 * Roles: system_admin, compliance_user, support_user. API keys: scope subscribers:write.
 */
export const blockSubscriber = <ThrowOnError extends boolean = false>(options: Options<BlockSubscriberData, ThrowOnError>): RequestResult<BlockSubscriberResponses, unknown, ThrowOnError> => options.client.post<BlockSubscriberResponses, unknown, ThrowOnError>({
    url: '/api/v1/subscribers/{id}/block',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Unblock a subscriber: activates all cards, enables all transaction types and resets PIN failures
 *
 * A card that was lost or stolen should be retired first: unblocking activates every linked card.
 *
 * Roles: system_admin, compliance_user. Not for API keys.
 */
export const unblockSubscriber = <ThrowOnError extends boolean = false>(options: Options<UnblockSubscriberData, ThrowOnError>): RequestResult<UnblockSubscriberResponses, unknown, ThrowOnError> => options.client.post<UnblockSubscriberResponses, unknown, ThrowOnError>({
    url: '/api/v1/subscribers/{id}/unblock',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Enable single transaction types of a subscriber again
 *
 * For types that were disabled by a block with `transaction_types`.
 *
 * Roles: system_admin, compliance_user. Not for API keys.
 */
export const enableTransactionTypes = <ThrowOnError extends boolean = false>(options: Options<EnableTransactionTypesData, ThrowOnError>): RequestResult<EnableTransactionTypesResponses, unknown, ThrowOnError> => options.client.post<EnableTransactionTypesResponses, unknown, ThrowOnError>({
    url: '/api/v1/subscribers/{id}/enable-types',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Activate a subscriber that was registered as PENDING
 *
 * Only for a subscriber that staff registered as PENDING. It does not replace the code that verifies the phone number.
 *
 * Roles: system_admin, compliance_user, support_user, sales_user. Not for API keys.
 */
export const activateSubscriber = <ThrowOnError extends boolean = false>(options: Options<ActivateSubscriberData, ThrowOnError>): RequestResult<ActivateSubscriberResponses, unknown, ThrowOnError> => options.client.post<ActivateSubscriberResponses, unknown, ThrowOnError>({ url: '/api/v1/subscribers/{id}/activate', ...options });

/**
 * Verify a PIN
 *
 * Three wrong PINs, counted across all routes, lock the account for 30 minutes; a correct PIN resets the count.
 *
 * Roles: system_admin, support_user, sales_user, super_agent, sub_agent. API keys: scope subscribers:write.
 */
export const verifySubscriberPin = <ThrowOnError extends boolean = false>(options: Options<VerifySubscriberPinData, ThrowOnError>): RequestResult<VerifySubscriberPinResponses, unknown, ThrowOnError> => options.client.post<VerifySubscriberPinResponses, unknown, ThrowOnError>({
    url: '/api/v1/subscribers/{id}/verify-pin',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Change a PIN
 *
 * Needs the current PIN. In production very common PINs are refused.
 *
 * Roles: system_admin, support_user, sales_user, super_agent, sub_agent. API keys: scope subscribers:write.
 */
export const changeSubscriberPin = <ThrowOnError extends boolean = false>(options: Options<ChangeSubscriberPinData, ThrowOnError>): RequestResult<ChangeSubscriberPinResponses, unknown, ThrowOnError> => options.client.post<ChangeSubscriberPinResponses, unknown, ThrowOnError>({
    url: '/api/v1/subscribers/{id}/change-pin',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List a subscriber's uploaded documents, newest first
 *
 * Roles: system_admin, compliance_user. Not for API keys.
 */
export const listSubscriberDocuments = <ThrowOnError extends boolean = false>(options: Options<ListSubscriberDocumentsData, ThrowOnError>): RequestResult<ListSubscriberDocumentsResponses, unknown, ThrowOnError> => options.client.get<ListSubscriberDocumentsResponses, unknown, ThrowOnError>({ url: '/api/v1/subscribers/{id}/documents', ...options });

/**
 * Upload a subscriber's identity document or a photo of their face, stored encrypted
 *
 * JPEG or PNG of at most 40 megapixels, which is stored without metadata and at most 2,400 pixels long, or PDF (identity only). Agents upload for customers they registered, until the level is raised, and cannot read back. The same file again is the same document.
 *
 * Roles: system_admin, compliance_user, support_user, sales_user, super_agent, sub_agent. API keys: scope subscribers:write.
 */
export const uploadSubscriberDocument = <ThrowOnError extends boolean = false>(options: Options<UploadSubscriberDocumentData, ThrowOnError>): RequestResult<UploadSubscriberDocumentResponses, unknown, ThrowOnError> => options.client.post<UploadSubscriberDocumentResponses, unknown, ThrowOnError>({
    url: '/api/v1/subscribers/{id}/documents',
    ...options,
    headers: {
        'Content-Type': 'image/jpeg',
        ...options.headers
    }
});

/**
 * Download one of a subscriber's documents; each download is audited
 *
 * Roles: system_admin, compliance_user. Not for API keys.
 */
export const getSubscriberDocument = <ThrowOnError extends boolean = false>(options: Options<GetSubscriberDocumentData, ThrowOnError>): RequestResult<GetSubscriberDocumentResponses, unknown, ThrowOnError> => options.client.get<GetSubscriberDocumentResponses, unknown, ThrowOnError>({ url: '/api/v1/subscribers/{id}/documents/{documentId}', ...options });

/**
 * Ask for KYC level 2 for a customer that you registered
 *
 * For agents. Always needs compliance's approval (action kyc.raise), whatever the policy is: 202. Both documents must have been uploaded. Whether another subscriber has the same document is checked at the approval.
 *
 * Roles: system_admin, super_agent, sub_agent. Not for API keys.
 */
export const requestSubscriberLevel = <ThrowOnError extends boolean = false>(options: Options<RequestSubscriberLevelData, ThrowOnError>): RequestResult<RequestSubscriberLevelResponses, unknown, ThrowOnError> => options.client.post<RequestSubscriberLevelResponses, unknown, ThrowOnError>({
    url: '/api/v1/subscribers/{id}/request-level',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List staff notes about a subscriber, newest first
 *
 * Roles: system_admin, compliance_user, support_user. Not for API keys.
 */
export const listSubscriberNotes = <ThrowOnError extends boolean = false>(options: Options<ListSubscriberNotesData, ThrowOnError>): RequestResult<ListSubscriberNotesResponses, unknown, ThrowOnError> => options.client.get<ListSubscriberNotesResponses, unknown, ThrowOnError>({ url: '/api/v1/subscribers/{id}/notes', ...options });

/**
 * Add a note about a subscriber; notes cannot be changed or deleted
 *
 * For support and compliance. A note records its author and time, and has at most 2,000 characters. The audit log contains the note's digest, not its text. To correct a note, add another.
 *
 * Roles: system_admin, compliance_user, support_user. Not for API keys.
 */
export const addSubscriberNote = <ThrowOnError extends boolean = false>(options: Options<AddSubscriberNoteData, ThrowOnError>): RequestResult<AddSubscriberNoteResponses, unknown, ThrowOnError> => options.client.post<AddSubscriberNoteResponses, unknown, ThrowOnError>({
    url: '/api/v1/subscribers/{id}/notes',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Set a new PIN with the code that staff sent to the subscriber's or agent's phone number
 *
 * Finishes a reset that staff began. The code is valid for 15 minutes and three attempts. For 24 hours afterwards outgoing payments are limited to a tenth of the daily limit.
 *
 * Needs no role or scope.
 */
export const setNewPin = <ThrowOnError extends boolean = false>(options: Options<SetNewPinData, ThrowOnError>): RequestResult<SetNewPinResponses, unknown, ThrowOnError> => options.client.post<SetNewPinResponses, unknown, ThrowOnError>({
    url: '/api/v1/public/pin-reset',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Send a code to the subscriber's phone for setting a new PIN
 *
 * Staff never see the PIN: the subscriber sets it with POST /public/pin-reset and the code, within 15 minutes.
 *
 * Roles: system_admin, support_user. Not for API keys.
 */
export const resetSubscriberPin = <ThrowOnError extends boolean = false>(options: Options<ResetSubscriberPinData, ThrowOnError>): RequestResult<ResetSubscriberPinResponses, unknown, ThrowOnError> => options.client.post<ResetSubscriberPinResponses, unknown, ThrowOnError>({
    url: '/api/v1/subscribers/{id}/reset-pin',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Send a code to the agent's phone for setting a new PIN
 *
 * Staff never see the PIN: the agent sets it with POST /public/pin-reset and the code, within 15 minutes.
 *
 * Roles: system_admin, support_user. Not for API keys.
 */
export const resetAgentPin = <ThrowOnError extends boolean = false>(options: Options<ResetAgentPinData, ThrowOnError>): RequestResult<ResetAgentPinResponses, unknown, ThrowOnError> => options.client.post<ResetAgentPinResponses, unknown, ThrowOnError>({
    url: '/api/v1/agents/{id}/reset-pin',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Unlock a subscriber's account after wrong PINs
 *
 * The holder can pay again at once. The count of wrong PINs starts at zero.
 *
 * Roles: system_admin, compliance_user. Not for API keys.
 */
export const unlockSubscriberPin = <ThrowOnError extends boolean = false>(options: Options<UnlockSubscriberPinData, ThrowOnError>): RequestResult<UnlockSubscriberPinResponses, unknown, ThrowOnError> => options.client.post<UnlockSubscriberPinResponses, unknown, ThrowOnError>({
    url: '/api/v1/subscribers/{id}/unlock',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List a customer's refused payments, newest first, with the reasons
 *
 * Payments on all channels in which the customer pays, or a deposit or bank transfer to the customer. They are kept for 90 days, and appear within a few seconds.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user. API keys: scope payments:read.
 */
export const listSubscriberRefusals = <ThrowOnError extends boolean = false>(options: Options<ListSubscriberRefusalsData, ThrowOnError>): RequestResult<ListSubscriberRefusalsResponses, unknown, ThrowOnError> => options.client.get<ListSubscriberRefusalsResponses, unknown, ThrowOnError>({ url: '/api/v1/subscribers/{id}/refusals', ...options });

/**
 * Export a customer's personal data as a file; the audit log records the export
 *
 * For a customer who asks what is stored about them: record, cards, devices, cases, requests and all payments. Notes of staff, alerts and other customers' names are left out. A politically exposed person's data needs access to the record.
 *
 * Roles: system_admin, compliance_user. Not for API keys.
 */
export const exportPersonalData = <ThrowOnError extends boolean = false>(options: Options<ExportPersonalDataData, ThrowOnError>): RequestResult<ExportPersonalDataResponses, unknown, ThrowOnError> => options.client.get<ExportPersonalDataResponses, unknown, ThrowOnError>({ url: '/api/v1/subscribers/{id}/personal-data', ...options });

/**
 * Request that a customer's personal data is erased for good; always needs a second user
 *
 * Identity, PIN, cards, devices and what staff wrote are erased, the phone number is free again, and the wallet is never used again. Payments, balances and seals stay. Refused while the wallet has a balance or a hold, a case, an alert or another request is open, a bulk payment that names the customer has not ended, or RETENTION_YEARS have not passed since the last payment, case or alert. The checks are repeated at the approval.
 *
 * Roles: system_admin, compliance_user. Not for API keys.
 */
export const erasePersonalData = <ThrowOnError extends boolean = false>(options: Options<ErasePersonalDataData, ThrowOnError>): RequestResult<ErasePersonalDataResponses, unknown, ThrowOnError> => options.client.post<ErasePersonalDataResponses, unknown, ThrowOnError>({
    url: '/api/v1/subscribers/{id}/erase',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Link a card to a subscriber
 *
 * An unknown serial is taken into stock and linked, unless CARDS_REQUIRE_STOCK is set.
 *
 * Roles: system_admin, support_user, sales_user. API keys: scope cards:write.
 */
export const linkCard = <ThrowOnError extends boolean = false>(options: Options<LinkCardData, ThrowOnError>): RequestResult<LinkCardResponses, unknown, ThrowOnError> => options.client.post<LinkCardResponses, unknown, ThrowOnError>({
    url: '/api/v1/cards/link',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Link a child card to a parent card's subscriber
 *
 * A child card pays from its parent's wallet, within its own daily limit. It cannot pay while the parent is blocked.
 *
 * Roles: system_admin, support_user, sales_user. API keys: scope cards:write.
 */
export const linkChildCard = <ThrowOnError extends boolean = false>(options: Options<LinkChildCardData, ThrowOnError>): RequestResult<LinkChildCardResponses, unknown, ThrowOnError> => options.client.post<LinkChildCardResponses, unknown, ThrowOnError>({
    url: '/api/v1/cards/child',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get a card
 *
 * Roles: system_admin, compliance_user, support_user, sales_user, audit_user. API keys: scope cards:read.
 */
export const getCard = <ThrowOnError extends boolean = false>(options: Options<GetCardData, ThrowOnError>): RequestResult<GetCardResponses, unknown, ThrowOnError> => options.client.get<GetCardResponses, unknown, ThrowOnError>({ url: '/api/v1/cards/{serial}', ...options });

/**
 * Change a card's label or daily limit; omitted fields keep their values
 *
 * Only the label and the daily limit can change.
 *
 * Roles: system_admin, support_user, sales_user. API keys: scope cards:write.
 */
export const updateCard = <ThrowOnError extends boolean = false>(options: Options<UpdateCardData, ThrowOnError>): RequestResult<UpdateCardResponses, unknown, ThrowOnError> => options.client.put<UpdateCardResponses, unknown, ThrowOnError>({
    url: '/api/v1/cards/{serial}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List cards, newest first
 *
 * Roles: system_admin, compliance_user, support_user, sales_user, audit_user. API keys: scope cards:read.
 */
export const listCards = <ThrowOnError extends boolean = false>(options: Options<ListCardsData, ThrowOnError>): RequestResult<ListCardsResponses, unknown, ThrowOnError> => options.client.get<ListCardsResponses, unknown, ThrowOnError>({ url: '/api/v1/cards', ...options });

/**
 * Unlink a card from its subscriber; it returns to stock and can be linked again
 *
 * The card goes back to stock and can be linked to another subscriber.
 *
 * Roles: system_admin, support_user, sales_user. API keys: scope cards:write.
 */
export const unlinkCard = <ThrowOnError extends boolean = false>(options: Options<UnlinkCardData, ThrowOnError>): RequestResult<UnlinkCardResponses, unknown, ThrowOnError> => options.client.post<UnlinkCardResponses, unknown, ThrowOnError>({
    url: '/api/v1/cards/{serial}/unlink',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Block a card, or retire it for good
 *
 * `permanent: true` retires a lost or stolen card: it is unlinked and can never be activated or linked again.
 *
 * Roles: system_admin, support_user, sales_user. API keys: scope cards:write.
 */
export const blockCard = <ThrowOnError extends boolean = false>(options: Options<BlockCardData, ThrowOnError>): RequestResult<BlockCardResponses, unknown, ThrowOnError> => options.client.post<BlockCardResponses, unknown, ThrowOnError>({
    url: '/api/v1/cards/{serial}/block',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Unblock a card
 *
 * Not possible for a retired card.
 *
 * Roles: system_admin, support_user, sales_user. API keys: scope cards:write.
 */
export const unblockCard = <ThrowOnError extends boolean = false>(options: Options<UnblockCardData, ThrowOnError>): RequestResult<UnblockCardResponses, unknown, ThrowOnError> => options.client.post<UnblockCardResponses, unknown, ThrowOnError>({ url: '/api/v1/cards/{serial}/unblock', ...options });

/**
 * Add cards to stock from a CSV file
 *
 * A line that is wrong is reported with its number and does not stop the others. 100,000 lines in one file are possible.
 *
 * Roles: system_admin, support_user, sales_user. API keys: scope cards:write.
 */
export const uploadCards = <ThrowOnError extends boolean = false>(options: Options<UploadCardsData, ThrowOnError>): RequestResult<UploadCardsResponses, unknown, ThrowOnError> => options.client.post<UploadCardsResponses, unknown, ThrowOnError>({
    bodySerializer: null,
    url: '/api/v1/cards/upload-csv',
    ...options,
    headers: {
        'Content-Type': 'text/csv',
        ...options.headers
    }
});

/**
 * Get a wallet's balance with the holder's PIN
 *
 * For terminals and menus, where the holder enters the PIN. Wrong PINs count: three lock the account for 30 minutes.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user. API keys: scope balance:read.
 */
export const getBalanceWithPin = <ThrowOnError extends boolean = false>(options: Options<GetBalanceWithPinData, ThrowOnError>): RequestResult<GetBalanceWithPinResponses, unknown, ThrowOnError> => options.client.post<GetBalanceWithPinResponses, unknown, ThrowOnError>({
    url: '/api/v1/wallet/balance/{subscriber_id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get a wallet's balance
 *
 * For staff and keys with `balance:read`. It needs no PIN.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user. API keys: scope balance:read.
 */
export const getBalance = <ThrowOnError extends boolean = false>(options: Options<GetBalanceData, ThrowOnError>): RequestResult<GetBalanceResponses, unknown, ThrowOnError> => options.client.get<GetBalanceResponses, unknown, ThrowOnError>({ url: '/api/v1/balance/{user_id}', ...options });

/**
 * Transfer to another wallet by the recipient's id or phone number
 *
 * The recipient is an id or a phone number. The sender's PIN is verified, then limits and compliance rules, then the balance. The fee is paid by the sender in addition to the amount.
 *
 * Roles: system_admin. API keys: scope payments:write.
 */
export const transfer = <ThrowOnError extends boolean = false>(options: Options<TransferData, ThrowOnError>): RequestResult<TransferResponses, unknown, ThrowOnError> => options.client.post<TransferResponses, unknown, ThrowOnError>({
    url: '/api/v1/wallet/transfer',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Transfer to another wallet by the recipient's card serial
 *
 * The recipient is named by a card serial. Otherwise it is the same as a transfer by id or phone number.
 *
 * Roles: system_admin. API keys: scope payments:write.
 */
export const transferByCard = <ThrowOnError extends boolean = false>(options: Options<TransferByCardData, ThrowOnError>): RequestResult<TransferByCardResponses, unknown, ThrowOnError> => options.client.post<TransferByCardResponses, unknown, ThrowOnError>({
    url: '/api/v1/wallet/transfer-p2p',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Fund a wallet from a partner's clearing account
 *
 * The partner owes the amount until it settles. A partner's key may fund from that partner only; other keys need the scope `treasury:write` and a `request_id`.
 *
 * Roles: system_admin, finance_user. API keys: scope treasury:write; partner keys with scope payments:write.
 */
export const fundFromPartner = <ThrowOnError extends boolean = false>(options: Options<FundFromPartnerData, ThrowOnError>): RequestResult<FundFromPartnerResponses, unknown, ThrowOnError> => options.client.post<FundFromPartnerResponses, unknown, ThrowOnError>({
    url: '/api/v1/wallet/fund-from-partner',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Withdraw cash at an agent; an agent's users call it for their own agent
 *
 * The customer gets cash from the agent: the amount moves from the wallet to the agent's float. The customer's PIN is verified.
 *
 * Roles: system_admin, super_agent, sub_agent. API keys: scope payments:write.
 */
export const withdraw = <ThrowOnError extends boolean = false>(options: Options<WithdrawData, ThrowOnError>): RequestResult<WithdrawResponses, unknown, ThrowOnError> => options.client.post<WithdrawResponses, unknown, ThrowOnError>({
    url: '/api/v1/wallet/withdraw',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get a subscriber's limits and how much of them is used today
 *
 * The counters that the ledger checks each payment against. They reset at midnight UTC (`resets_at`). A payment of `remaining` can still be refused for another reason, such as a compliance rule.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user. API keys: scope balance:read.
 */
export const getSubscriberLimits = <ThrowOnError extends boolean = false>(options: Options<GetSubscriberLimitsData, ThrowOnError>): RequestResult<GetSubscriberLimitsResponses, unknown, ThrowOnError> => options.client.get<GetSubscriberLimitsResponses, unknown, ThrowOnError>({ url: '/api/v1/subscribers/{id}/limits', ...options });

/**
 * List transactions, newest first, of one account or of all accounts
 *
 * Without an account it lists all movements that the caller may see. `cursor` continues a list that grows while it is read; `offset` is for jumping to a page.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, super_agent, sub_agent, processor. API keys: scope payments:read; partner keys with scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const listTransactions = <ThrowOnError extends boolean = false>(options: Options<ListTransactionsData, ThrowOnError>): RequestResult<ListTransactionsResponses, unknown, ThrowOnError> => options.client.get<ListTransactionsResponses, unknown, ThrowOnError>({ url: '/api/v1/transactions', ...options });

/**
 * Add up the transactions that the list with the same filters shows
 *
 * Needs `from` and `to`, at most 31 days apart, or an account.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, super_agent, sub_agent, processor. API keys: scope payments:read; partner keys with scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const getTransactionSums = <ThrowOnError extends boolean = false>(options: Options<GetTransactionSumsData, ThrowOnError>): RequestResult<GetTransactionSumsResponses, unknown, ThrowOnError> => options.client.get<GetTransactionSumsResponses, unknown, ThrowOnError>({ url: '/api/v1/transactions/sums', ...options });

/**
 * Get a transaction with its postings, parties, fees, related movements and seal
 *
 * Party names and amounts are shown if the caller may see them.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, super_agent, sub_agent, processor. API keys: scope payments:read; partner keys with scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const getTransaction = <ThrowOnError extends boolean = false>(options: Options<GetTransactionData, ThrowOnError>): RequestResult<GetTransactionResponses, unknown, ThrowOnError> => options.client.get<GetTransactionResponses, unknown, ThrowOnError>({ url: '/api/v1/transactions/{id}', ...options });

/**
 * Get the evidence of a transaction as a PDF, with its seal; the audit log records that it was produced
 *
 * A PDF for a dispute or a court: parties, postings, times, and the seal that proves that the record was not changed.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, super_agent, sub_agent, processor. API keys: scope payments:read; partner keys with scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const getTransactionEvidence = <ThrowOnError extends boolean = false>(options: Options<GetTransactionEvidenceData, ThrowOnError>): RequestResult<GetTransactionEvidenceResponses, unknown, ThrowOnError> => options.client.get<GetTransactionEvidenceResponses, unknown, ThrowOnError>({ url: '/api/v1/transactions/{id}/evidence', ...options });

/**
 * List holds, newest first, of one party or of all; total_count stops at 100,000
 *
 * A hold reserves part of a balance until it is captured, released or expires. Parties and their keys see their own.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, super_agent, sub_agent, processor. API keys: scope payments:read; partner keys with scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const listHolds = <ThrowOnError extends boolean = false>(options: Options<ListHoldsData, ThrowOnError>): RequestResult<ListHoldsResponses, unknown, ThrowOnError> => options.client.get<ListHoldsResponses, unknown, ThrowOnError>({ url: '/api/v1/holds', ...options });

/**
 * Get a hold: its state, and the payment that captured it
 *
 * Its id is the transaction_id of the authorised payment.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, super_agent, sub_agent, processor. API keys: scope payments:read; partner keys with scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const getHold = <ThrowOnError extends boolean = false>(options: Options<GetHoldData, ThrowOnError>): RequestResult<GetHoldResponses, unknown, ThrowOnError> => options.client.get<GetHoldResponses, unknown, ThrowOnError>({ url: '/api/v1/holds/{id}', ...options });

/**
 * Get a request's outcome by its request_id
 *
 * For a payment whose reply did not arrive. Request ids belong to the party the request acts for. An agent's, processor's or partner's keys and logins ask for their own party's requests; other callers send `party_id`. A request that another credential sent is shown without balances. `unknown` means that nothing is recorded so far: the request never arrived, was refused without a record, or is still being executed. In each case the same request with the same `request_id` can be sent again, and moves the money at most once. Requests are found for 90 days, or as long as the operator keeps them; an older payment is found in the history.
 *
 * Roles: system_admin, finance_user, super_agent, sub_agent, processor. API keys: scope payments:read or payments:write or treasury:write or payouts:write; partner keys with scope payments:read; partner keys with scope payments:write; processor keys with scope payments:read; processor keys with scope payments:write; processor keys with scope payouts:write. Keys may sign the request instead of sending a bearer value.
 */
export const getRequest = <ThrowOnError extends boolean = false>(options: Options<GetRequestData, ThrowOnError>): RequestResult<GetRequestResponses, unknown, ThrowOnError> => options.client.get<GetRequestResponses, unknown, ThrowOnError>({ url: '/api/v1/requests/{request_id}', ...options });

/**
 * Get a wallet's statement for a period of at most 366 days, as JSON, CSV or PDF
 *
 * The opening balance plus all entries is the closing balance. `format` is json, csv or pdf.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user. API keys: scope payments:read.
 */
export const getAccountStatement = <ThrowOnError extends boolean = false>(options: Options<GetAccountStatementData, ThrowOnError>): RequestResult<GetAccountStatementResponses, unknown, ThrowOnError> => options.client.post<GetAccountStatementResponses, unknown, ThrowOnError>({
    url: '/api/v1/wallet/account-statement',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Search subscribers, cards, transactions, inbound credits, agents, processors and partners
 *
 * Matches phone, name, account number, card serial, transaction id, reference, request id, authorization code, agent, processor and partner. Agents' users find subscribers by exact phone, card or account number only.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent. API keys: scope subscribers:read or cards:read or payments:read.
 */
export const search = <ThrowOnError extends boolean = false>(options: Options<SearchData, ThrowOnError>): RequestResult<SearchResponses, unknown, ThrowOnError> => options.client.get<SearchResponses, unknown, ThrowOnError>({ url: '/api/v1/search', ...options });

/**
 * List agents, by default newest first
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent. API keys: scope payments:read.
 */
export const listAgents = <ThrowOnError extends boolean = false>(options: Options<ListAgentsData, ThrowOnError>): RequestResult<ListAgentsResponses, unknown, ThrowOnError> => options.client.get<ListAgentsResponses, unknown, ThrowOnError>({ url: '/api/v1/agents', ...options });

/**
 * Register an agent; its login, password and PIN are sent to its phone
 *
 * A super_agent registers sub-agents in its own network. The temporary password and the PIN are sent to the phone number; no reply contains them.
 *
 * Roles: system_admin, super_agent. API keys: scope agents:write.
 */
export const registerAgent = <ThrowOnError extends boolean = false>(options: Options<RegisterAgentData, ThrowOnError>): RequestResult<RegisterAgentResponses, unknown, ThrowOnError> => options.client.post<RegisterAgentResponses, unknown, ThrowOnError>({
    url: '/api/v1/agents',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get an agent
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent. API keys: scope payments:read.
 */
export const getAgent = <ThrowOnError extends boolean = false>(options: Options<GetAgentData, ThrowOnError>): RequestResult<GetAgentResponses, unknown, ThrowOnError> => options.client.get<GetAgentResponses, unknown, ThrowOnError>({ url: '/api/v1/agents/{id}', ...options });

/**
 * Update an agent; omitted fields keep their values
 *
 * `commission_tier`, `commission_percent` and `settlement_mode` decide what the agent earns and when it is paid.
 *
 * Roles: system_admin, super_agent. API keys: scope agents:write.
 */
export const updateAgent = <ThrowOnError extends boolean = false>(options: Options<UpdateAgentData, ThrowOnError>): RequestResult<UpdateAgentResponses, unknown, ThrowOnError> => options.client.put<UpdateAgentResponses, unknown, ThrowOnError>({
    url: '/api/v1/agents/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get an agent's float balance
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent. API keys: scope payments:read.
 */
export const getAgentBalance = <ThrowOnError extends boolean = false>(options: Options<GetAgentBalanceData, ThrowOnError>): RequestResult<GetAgentBalanceResponses, unknown, ThrowOnError> => options.client.get<GetAgentBalanceResponses, unknown, ThrowOnError>({ url: '/api/v1/agents/{id}/balance', ...options });

/**
 * List an agent's transactions, newest first, with totals
 *
 * The totals cover every matching record, not just the page.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, super_agent, sub_agent. API keys: scope payments:read.
 */
export const listAgentTransactions = <ThrowOnError extends boolean = false>(options: Options<ListAgentTransactionsData, ThrowOnError>): RequestResult<ListAgentTransactionsResponses, unknown, ThrowOnError> => options.client.get<ListAgentTransactionsResponses, unknown, ThrowOnError>({ url: '/api/v1/agents/{id}/transactions', ...options });

/**
 * Suspend an agent: its float is frozen and its user cannot log in
 *
 * The agent keeps its float, which can be returned to the treasury during the suspension.
 *
 * Roles: system_admin, super_agent. API keys: scope agents:write.
 */
export const suspendAgent = <ThrowOnError extends boolean = false>(options: Options<SuspendAgentData, ThrowOnError>): RequestResult<SuspendAgentResponses, unknown, ThrowOnError> => options.client.post<SuspendAgentResponses, unknown, ThrowOnError>({
    url: '/api/v1/agents/{id}/suspend',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Reactivate a suspended agent
 *
 * Roles: system_admin, super_agent. API keys: scope agents:write.
 */
export const reactivateAgent = <ThrowOnError extends boolean = false>(options: Options<ReactivateAgentData, ThrowOnError>): RequestResult<ReactivateAgentResponses, unknown, ThrowOnError> => options.client.post<ReactivateAgentResponses, unknown, ThrowOnError>({ url: '/api/v1/agents/{id}/reactivate', ...options });

/**
 * Terminate an agent permanently; its float must be 0
 *
 * Accrued commission is settled first. 409 `FLOAT_NOT_EMPTY` until the float is returned.
 *
 * Roles: system_admin, super_agent. API keys: scope agents:write.
 */
export const terminateAgent = <ThrowOnError extends boolean = false>(options: Options<TerminateAgentData, ThrowOnError>): RequestResult<TerminateAgentResponses, unknown, ThrowOnError> => options.client.post<TerminateAgentResponses, unknown, ThrowOnError>({
    url: '/api/v1/agents/{id}/terminate',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Change an agent's PIN
 *
 * Roles: system_admin, super_agent, sub_agent. Not for API keys.
 */
export const changeAgentPin = <ThrowOnError extends boolean = false>(options: Options<ChangeAgentPinData, ThrowOnError>): RequestResult<ChangeAgentPinResponses, unknown, ThrowOnError> => options.client.post<ChangeAgentPinResponses, unknown, ThrowOnError>({
    url: '/api/v1/agents/{id}/change-pin',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Fund an agent's float from the treasury
 *
 * Issues e-money: the treasury account is debited. TREASURY_DAILY_LIMIT caps the sum per UTC day. An approval policy may apply (202).
 *
 * Roles: system_admin, finance_user. API keys: scope treasury:write.
 */
export const fundAgent = <ThrowOnError extends boolean = false>(options: Options<FundAgentData, ThrowOnError>): RequestResult<FundAgentResponses, unknown, ThrowOnError> => options.client.post<FundAgentResponses, unknown, ThrowOnError>({
    url: '/api/v1/agents/{id}/fund',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Return float from an agent, active or suspended, to the treasury
 *
 * Takes e-money out of circulation. An approval policy may apply (202).
 *
 * Roles: system_admin, finance_user. API keys: scope treasury:write.
 */
export const returnAgentFloat = <ThrowOnError extends boolean = false>(options: Options<ReturnAgentFloatData, ThrowOnError>): RequestResult<ReturnAgentFloatResponses, unknown, ThrowOnError> => options.client.post<ReturnAgentFloatResponses, unknown, ThrowOnError>({
    url: '/api/v1/agents/{id}/return-float',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Cash in: pay from an agent's float into a wallet
 *
 * The customer gives cash to the agent: the amount moves from the agent's float to the wallet. The agent's PIN is verified.
 *
 * Roles: system_admin, super_agent, sub_agent. API keys: scope payments:write.
 */
export const cashIn = <ThrowOnError extends boolean = false>(options: Options<CashInData, ThrowOnError>): RequestResult<CashInResponses, unknown, ThrowOnError> => options.client.post<CashInResponses, unknown, ThrowOnError>({
    url: '/api/v1/agents/cashin',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Transfer float from a super-agent to one of its sub-agents
 *
 * The super-agent's PIN is verified. The sub-agent must be in the same network.
 *
 * Roles: system_admin, super_agent. API keys: scope payments:write.
 */
export const transferAgentFloat = <ThrowOnError extends boolean = false>(options: Options<TransferAgentFloatData, ThrowOnError>): RequestResult<TransferAgentFloatResponses, unknown, ThrowOnError> => options.client.post<TransferAgentFloatResponses, unknown, ThrowOnError>({
    url: '/api/v1/agents/transfer',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List an agent's float requests, made and received, newest first
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent. API keys: scope payments:read.
 */
export const listFloatRequests = <ThrowOnError extends boolean = false>(options: Options<ListFloatRequestsData, ThrowOnError>): RequestResult<ListFloatRequestsResponses, unknown, ThrowOnError> => options.client.get<ListFloatRequestsResponses, unknown, ThrowOnError>({ url: '/api/v1/agents/{id}/float-requests', ...options });

/**
 * Ask the super-agent for float
 *
 * For sub-agents. No money moves until the super-agent accepts. One request is open at a time, for 48 hours.
 *
 * Roles: system_admin, sub_agent. Not for API keys.
 */
export const askForFloat = <ThrowOnError extends boolean = false>(options: Options<AskForFloatData, ThrowOnError>): RequestResult<AskForFloatResponses, unknown, ThrowOnError> => options.client.post<AskForFloatResponses, unknown, ThrowOnError>({
    url: '/api/v1/agents/{id}/float-requests',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Accept a float request: the float is transferred once, however often this is sent
 *
 * The super-agent's PIN is verified. The transfer has the request's id as its request_id.
 *
 * Roles: system_admin, super_agent. API keys: scope payments:write.
 */
export const acceptFloatRequest = <ThrowOnError extends boolean = false>(options: Options<AcceptFloatRequestData, ThrowOnError>): RequestResult<AcceptFloatRequestResponses, unknown, ThrowOnError> => options.client.post<AcceptFloatRequestResponses, unknown, ThrowOnError>({
    url: '/api/v1/agents/float-requests/{id}/accept',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Decline a float request; the sub-agent reads the reason
 *
 * Roles: system_admin, super_agent. API keys: scope payments:write.
 */
export const declineFloatRequest = <ThrowOnError extends boolean = false>(options: Options<DeclineFloatRequestData, ThrowOnError>): RequestResult<DeclineFloatRequestResponses, unknown, ThrowOnError> => options.client.post<DeclineFloatRequestResponses, unknown, ThrowOnError>({
    url: '/api/v1/agents/float-requests/{id}/decline',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Withdraw a float request that is still open
 *
 * Roles: system_admin, sub_agent. Not for API keys.
 */
export const cancelFloatRequest = <ThrowOnError extends boolean = false>(options: Options<CancelFloatRequestData, ThrowOnError>): RequestResult<CancelFloatRequestResponses, unknown, ThrowOnError> => options.client.post<CancelFloatRequestResponses, unknown, ThrowOnError>({ url: '/api/v1/agents/float-requests/{id}/cancel', ...options });

/**
 * List an agent's refused payments, newest first, with the reasons
 *
 * They are kept for 90 days, and appear within a few seconds.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, super_agent, sub_agent. API keys: scope payments:read.
 */
export const listAgentRefusals = <ThrowOnError extends boolean = false>(options: Options<ListAgentRefusalsData, ThrowOnError>): RequestResult<ListAgentRefusalsResponses, unknown, ThrowOnError> => options.client.get<ListAgentRefusalsResponses, unknown, ThrowOnError>({ url: '/api/v1/agents/{id}/refusals', ...options });

/**
 * List alerts, newest first
 *
 * Roles: system_admin, compliance_user, audit_user. API keys: scope compliance:read.
 */
export const listAlerts = <ThrowOnError extends boolean = false>(options: Options<ListAlertsData, ThrowOnError>): RequestResult<ListAlertsResponses, unknown, ThrowOnError> => options.client.get<ListAlertsResponses, unknown, ThrowOnError>({ url: '/api/v1/compliance/alerts', ...options });

/**
 * Raise an alert; open to internal services
 *
 * For anything no rule detects, such as a customer's call. Internal services use it too.
 *
 * Roles: system_admin, compliance_user. API keys: scope compliance:write. Internal services may call it too.
 */
export const raiseAlert = <ThrowOnError extends boolean = false>(options: Options<RaiseAlertData, ThrowOnError>): RequestResult<RaiseAlertResponses, unknown, ThrowOnError> => options.client.post<RaiseAlertResponses, unknown, ThrowOnError>({
    url: '/api/v1/compliance/alerts',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get the counterparties of a subscriber, agent or processor, and the payments among them
 *
 * For the diagram in a case. Sums exclude fees, and archived payments are not read. If the subject is a politically exposed person, the caller needs open PEP access.
 *
 * Roles: system_admin, compliance_user, audit_user. API keys: scope compliance:read.
 */
export const getPaymentNetwork = <ThrowOnError extends boolean = false>(options: Options<GetPaymentNetworkData, ThrowOnError>): RequestResult<GetPaymentNetworkResponses, unknown, ThrowOnError> => options.client.get<GetPaymentNetworkResponses, unknown, ThrowOnError>({ url: '/api/v1/compliance/network/{id}', ...options });

/**
 * Check a hypothetical payment against the rules; raises an alert if it is flagged or blocked
 *
 * Runs the same rules as a payment of this subscriber, type and amount, and moves no money. Keys get the outcome and the ids of the rules, not thresholds.
 *
 * Roles: system_admin, compliance_user. API keys: scope payments:write.
 */
export const checkPayment = <ThrowOnError extends boolean = false>(options: Options<CheckPaymentData, ThrowOnError>): RequestResult<CheckPaymentResponses, unknown, ThrowOnError> => options.client.post<CheckPaymentResponses, unknown, ThrowOnError>({
    url: '/api/v1/compliance/check',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get an alert
 *
 * Roles: system_admin, compliance_user, audit_user. API keys: scope compliance:read.
 */
export const getAlert = <ThrowOnError extends boolean = false>(options: Options<GetAlertData, ThrowOnError>): RequestResult<GetAlertResponses, unknown, ThrowOnError> => options.client.get<GetAlertResponses, unknown, ThrowOnError>({ url: '/api/v1/compliance/alerts/{id}', ...options });

/**
 * Update the status or notes of an alert; a resolved or dismissed alert is final
 *
 * `in_review` tells others that someone works on it.
 *
 * Roles: system_admin, compliance_user. API keys: scope compliance:write.
 */
export const updateAlert = <ThrowOnError extends boolean = false>(options: Options<UpdateAlertData, ThrowOnError>): RequestResult<UpdateAlertResponses, unknown, ThrowOnError> => options.client.put<UpdateAlertResponses, unknown, ThrowOnError>({
    url: '/api/v1/compliance/alerts/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Resolve an alert; not allowed for users of the agent or processor it concerns
 *
 * Final: 409 `ALREADY_RESOLVED` afterwards. The resolution and its outcome are part of the audit log.
 *
 * Roles: system_admin, compliance_user. API keys: scope compliance:write.
 */
export const resolveAlert = <ThrowOnError extends boolean = false>(options: Options<ResolveAlertData, ThrowOnError>): RequestResult<ResolveAlertResponses, unknown, ThrowOnError> => options.client.post<ResolveAlertResponses, unknown, ThrowOnError>({
    url: '/api/v1/compliance/alerts/{id}/resolve',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Take an alert to review it, even one assigned to someone else
 *
 * Roles: system_admin, compliance_user. API keys: scope compliance:write.
 */
export const assignAlert = <ThrowOnError extends boolean = false>(options: Options<AssignAlertData, ThrowOnError>): RequestResult<AssignAlertResponses, unknown, ThrowOnError> => options.client.post<AssignAlertResponses, unknown, ThrowOnError>({ url: '/api/v1/compliance/alerts/{id}/assign', ...options });

/**
 * Release an alert: it has no assignee afterwards
 *
 * Roles: system_admin, compliance_user. API keys: scope compliance:write.
 */
export const releaseAlert = <ThrowOnError extends boolean = false>(options: Options<ReleaseAlertData, ThrowOnError>): RequestResult<ReleaseAlertResponses, unknown, ThrowOnError> => options.client.post<ReleaseAlertResponses, unknown, ThrowOnError>({ url: '/api/v1/compliance/alerts/{id}/release', ...options });

/**
 * List monitoring rules, oldest first
 *
 * Roles: system_admin, compliance_user, audit_user. API keys: scope compliance:read.
 */
export const listRules = <ThrowOnError extends boolean = false>(options: Options<ListRulesData, ThrowOnError>): RequestResult<ListRulesResponses, unknown, ThrowOnError> => options.client.get<ListRulesResponses, unknown, ThrowOnError>({ url: '/api/v1/compliance/rules', ...options });

/**
 * Create a monitoring rule; it applies from the next payment
 *
 * `outcome` is flag (raises an alert) or block (refuses the payment as well). An approval policy may apply (202).
 *
 * Roles: system_admin, compliance_user. API keys: scope compliance:write.
 */
export const createRule = <ThrowOnError extends boolean = false>(options: Options<CreateRuleData, ThrowOnError>): RequestResult<CreateRuleResponses, unknown, ThrowOnError> => options.client.post<CreateRuleResponses, unknown, ThrowOnError>({
    url: '/api/v1/compliance/rules',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get a monitoring rule
 *
 * Roles: system_admin, compliance_user, audit_user. API keys: scope compliance:read.
 */
export const getRule = <ThrowOnError extends boolean = false>(options: Options<GetRuleData, ThrowOnError>): RequestResult<GetRuleResponses, unknown, ThrowOnError> => options.client.get<GetRuleResponses, unknown, ThrowOnError>({ url: '/api/v1/compliance/rules/{id}', ...options });

/**
 * Update or disable a monitoring rule; omitted fields keep their values
 *
 * It applies from the next payment. An approval policy may apply (202).
 *
 * Roles: system_admin, compliance_user. API keys: scope compliance:write.
 */
export const updateRule = <ThrowOnError extends boolean = false>(options: Options<UpdateRuleData, ThrowOnError>): RequestResult<UpdateRuleResponses, unknown, ThrowOnError> => options.client.put<UpdateRuleResponses, unknown, ThrowOnError>({
    url: '/api/v1/compliance/rules/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Evaluate a new rule over the last 30 days; nothing is changed
 *
 * Replays the last 30 days of payments with the same evaluation as a payment, as if the rule had been enabled, and changes nothing. A payment that the rule blocks does not count towards the windows of later payments. If there are too many payments, `period` is the part that was evaluated. One what-if runs at a time; a second gets 429 `RATE_LIMITED`.
 *
 * Roles: system_admin, compliance_user. API keys: scope compliance:write.
 */
export const whatIfNewRule = <ThrowOnError extends boolean = false>(options: Options<WhatIfNewRuleData, ThrowOnError>): RequestResult<WhatIfNewRuleResponses, unknown, ThrowOnError> => options.client.post<WhatIfNewRuleResponses, unknown, ThrowOnError>({
    url: '/api/v1/compliance/rules/what-if',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Evaluate a rule change over the last 30 days, against the rule as it is
 *
 * Like POST /compliance/rules/what-if, for changes to a rule; an empty body evaluates the rule as it is, enabled. `current` has the same figures for the rule without the changes. Refused payments are not in the history; `current.refused` counts those this rule refused.
 *
 * Roles: system_admin, compliance_user. API keys: scope compliance:write.
 */
export const whatIfRule = <ThrowOnError extends boolean = false>(options: Options<WhatIfRuleData, ThrowOnError>): RequestResult<WhatIfRuleResponses, unknown, ThrowOnError> => options.client.post<WhatIfRuleResponses, unknown, ThrowOnError>({
    url: '/api/v1/compliance/rules/{id}/what-if',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the limits of all KYC levels
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent. API keys: scope subscribers:read or compliance:read.
 */
export const listAccountRules = <ThrowOnError extends boolean = false>(options: Options<ListAccountRulesData, ThrowOnError>): RequestResult<ListAccountRulesResponses, unknown, ThrowOnError> => options.client.get<ListAccountRulesResponses, unknown, ThrowOnError>({ url: '/api/v1/compliance/account-rules', ...options });

/**
 * Get the limits of a KYC level
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, super_agent, sub_agent. API keys: scope subscribers:read or compliance:read.
 */
export const getAccountRules = <ThrowOnError extends boolean = false>(options: Options<GetAccountRulesData, ThrowOnError>): RequestResult<GetAccountRulesResponses, unknown, ThrowOnError> => options.client.get<GetAccountRulesResponses, unknown, ThrowOnError>({ url: '/api/v1/account-rules/{kyc_level}', ...options });

/**
 * Get what a payment would cost, without making it
 *
 * Computed by the same code as the payment, with the current settings. It neither guarantees that the payment will be accepted nor reserves anything. The caller needs the permission for the payment; agents and merchants name their own agent or processor.
 *
 * Roles: system_admin, finance_user, super_agent, sub_agent, processor. API keys: scope payments:write or treasury:write or payouts:write; partner keys with scope payments:write; processor keys with scope payouts:write.
 */
export const getFeeQuote = <ThrowOnError extends boolean = false>(options: Options<GetFeeQuoteData, ThrowOnError>): RequestResult<GetFeeQuoteResponses, unknown, ThrowOnError> => options.client.get<GetFeeQuoteResponses, unknown, ThrowOnError>({ url: '/api/v1/fee-quote', ...options });

/**
 * List fee settings: custom settings, otherwise the built-in defaults
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const listFeeSettings = <ThrowOnError extends boolean = false>(options: Options<ListFeeSettingsData, ThrowOnError>): RequestResult<ListFeeSettingsResponses, unknown, ThrowOnError> => options.client.get<ListFeeSettingsResponses, unknown, ThrowOnError>({ url: '/api/v1/fee-settings', ...options });

/**
 * Create or replace a fee setting; it applies from the next payment
 *
 * `debit_enabled`: the party pays the fee. `credit_enabled`: the party earns it as commission. An approval policy may apply (202).
 *
 * Roles: system_admin. Not for API keys.
 */
export const putFeeSetting = <ThrowOnError extends boolean = false>(options: Options<PutFeeSettingData, ThrowOnError>): RequestResult<PutFeeSettingResponses, unknown, ThrowOnError> => options.client.put<PutFeeSettingResponses, unknown, ThrowOnError>({
    url: '/api/v1/fee-settings',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete a custom fee setting; the built-in default applies again
 *
 * An approval policy may apply (202).
 *
 * Roles: system_admin. Not for API keys.
 */
export const deleteFeeSetting = <ThrowOnError extends boolean = false>(options: Options<DeleteFeeSettingData, ThrowOnError>): RequestResult<DeleteFeeSettingResponses, unknown, ThrowOnError> => options.client.delete<DeleteFeeSettingResponses, unknown, ThrowOnError>({ url: '/api/v1/fee-settings/{type}/{party}', ...options });

/**
 * Get the fee setting for a transaction type and a party
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const getFeeSetting = <ThrowOnError extends boolean = false>(options: Options<GetFeeSettingData, ThrowOnError>): RequestResult<GetFeeSettingResponses, unknown, ThrowOnError> => options.client.get<GetFeeSettingResponses, unknown, ThrowOnError>({ url: '/api/v1/fee-settings/{type}/{party}', ...options });

/**
 * Price the last 30 days' payments with proposed settings; nothing is changed
 *
 * Prices the last 30 days of payments again, with the current settings and with the proposed ones, as payments are priced, with the commission percentages that agents have now. Refunds are not included. One what-if runs at a time; a second gets 429 `RATE_LIMITED`.
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const whatIfFees = <ThrowOnError extends boolean = false>(options: Options<WhatIfFeesData, ThrowOnError>): RequestResult<WhatIfFeesResponses, unknown, ThrowOnError> => options.client.post<WhatIfFeesResponses, unknown, ThrowOnError>({
    url: '/api/v1/fee-settings/what-if',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get the percentages of the commission tiers
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const getCommissionTiers = <ThrowOnError extends boolean = false>(options: Options<GetCommissionTiersData, ThrowOnError>): RequestResult<GetCommissionTiersResponses, unknown, ThrowOnError> => options.client.get<GetCommissionTiersResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/commission-tiers', ...options });

/**
 * Change the percentages of the commission tiers; they apply from the next payment on
 *
 * A percentage of what the fee setting gives to agents. An approval policy may apply (202).
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const updateCommissionTiers = <ThrowOnError extends boolean = false>(options: Options<UpdateCommissionTiersData, ThrowOnError>): RequestResult<UpdateCommissionTiersResponses, unknown, ThrowOnError> => options.client.put<UpdateCommissionTiersResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/commission-tiers',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List an agent's commission settlements, newest first, with what has accrued since
 *
 * Daily and weekly commission is paid into the float after the end of the UTC day or ISO week.
 *
 * Roles: system_admin, finance_user, audit_user, super_agent, sub_agent. Not for API keys.
 */
export const listAgentCommissions = <ThrowOnError extends boolean = false>(options: Options<ListAgentCommissionsData, ThrowOnError>): RequestResult<ListAgentCommissionsResponses, unknown, ThrowOnError> => options.client.get<ListAgentCommissionsResponses, unknown, ThrowOnError>({ url: '/api/v1/agents/{id}/commissions', ...options });

/**
 * List partners, newest first
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const listPartners = <ThrowOnError extends boolean = false>(options: Options<ListPartnersData, ThrowOnError>): RequestResult<ListPartnersResponses, unknown, ThrowOnError> => options.client.get<ListPartnersResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/partners', ...options });

/**
 * Create a partner; its webhook secret is shown once
 *
 * Webhooks are signed with the secret in the reply, which is shown once.
 *
 * Roles: system_admin. Not for API keys.
 */
export const createPartner = <ThrowOnError extends boolean = false>(options: Options<CreatePartnerData, ThrowOnError>): RequestResult<CreatePartnerResponses, unknown, ThrowOnError> => options.client.post<CreatePartnerResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/partners',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get a partner and what it owes
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const getPartner = <ThrowOnError extends boolean = false>(options: Options<GetPartnerData, ThrowOnError>): RequestResult<GetPartnerResponses, unknown, ThrowOnError> => options.client.get<GetPartnerResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/partners/{id}', ...options });

/**
 * Update a partner; omitted fields keep their values
 *
 * `status: suspended` refuses its requests and keys at once. An approval policy may apply (202).
 *
 * Roles: system_admin. Not for API keys.
 */
export const updatePartner = <ThrowOnError extends boolean = false>(options: Options<UpdatePartnerData, ThrowOnError>): RequestResult<UpdatePartnerResponses, unknown, ThrowOnError> => options.client.put<UpdatePartnerResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/partners/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Rotate a partner's webhook secret, at once or at a later time; the old signature is sent for another 24 hours
 *
 * From `activate_at` on the new secret signs `X-Hook-Signature`; for 24 hours `X-Hook-Signature-Previous` has the signature with the old one.
 *
 * Roles: system_admin. Not for API keys.
 */
export const rotateWebhookSecret = <ThrowOnError extends boolean = false>(options: Options<RotateWebhookSecretData, ThrowOnError>): RequestResult<RotateWebhookSecretResponses, unknown, ThrowOnError> => options.client.post<RotateWebhookSecretResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/partners/{id}/rotate-webhook-secret',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Record a settlement: a partner's payment that reduces what it owes
 *
 * Record what the partner transferred to a trust account. An approval policy may apply (202).
 *
 * Roles: system_admin. Not for API keys.
 */
export const settlePartner = <ThrowOnError extends boolean = false>(options: Options<SettlePartnerData, ThrowOnError>): RequestResult<SettlePartnerResponses, unknown, ThrowOnError> => options.client.post<SettlePartnerResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/partners/{id}/settle',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get a processor and its balance
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, processor. API keys: scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const getProcessor = <ThrowOnError extends boolean = false>(options: Options<GetProcessorData, ThrowOnError>): RequestResult<GetProcessorResponses, unknown, ThrowOnError> => options.client.get<GetProcessorResponses, unknown, ThrowOnError>({ url: '/api/v1/processors/{id}', ...options });

/**
 * Update a processor; omitted fields keep their values
 *
 * Roles: system_admin, sales_user. API keys: scope processors:write.
 */
export const updateProcessor = <ThrowOnError extends boolean = false>(options: Options<UpdateProcessorData, ThrowOnError>): RequestResult<UpdateProcessorResponses, unknown, ThrowOnError> => options.client.put<UpdateProcessorResponses, unknown, ThrowOnError>({
    url: '/api/v1/processors/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get a processor's static QR code as SVG or PNG, or as a poster for the counter
 *
 * Customers scan it, or type the merchant number, and enter the amount. It stays the same while the processor exists; payments to a suspended processor are refused.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, processor. API keys: scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const getProcessorQr = <ThrowOnError extends boolean = false>(options: Options<GetProcessorQrData, ThrowOnError>): RequestResult<GetProcessorQrResponses, unknown, ThrowOnError> => options.client.get<GetProcessorQrResponses, unknown, ThrowOnError>({ url: '/api/v1/processors/{id}/qr', ...options });

/**
 * List processors, by default newest first
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, processor. API keys: scope payments:read; processor keys with scope payments:read.
 */
export const listProcessors = <ThrowOnError extends boolean = false>(options: Options<ListProcessorsData, ThrowOnError>): RequestResult<ListProcessorsResponses, unknown, ThrowOnError> => options.client.get<ListProcessorsResponses, unknown, ThrowOnError>({ url: '/api/v1/processors', ...options });

/**
 * Create a processor; its login is sent to its phone number
 *
 * The merchant gets a login by message. `merchant_id` must be sent with its payments.
 *
 * Roles: system_admin, sales_user. API keys: scope processors:write.
 */
export const createProcessor = <ThrowOnError extends boolean = false>(options: Options<CreateProcessorData, ThrowOnError>): RequestResult<CreateProcessorResponses, unknown, ThrowOnError> => options.client.post<CreateProcessorResponses, unknown, ThrowOnError>({
    url: '/api/v1/processors',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Suspend a processor: it can neither receive nor send money
 *
 * Payments to it are refused with 403 `PROCESSOR_SUSPENDED`, and its keys and users can change nothing.
 *
 * Roles: system_admin, sales_user. API keys: scope processors:write.
 */
export const suspendProcessor = <ThrowOnError extends boolean = false>(options: Options<SuspendProcessorData, ThrowOnError>): RequestResult<SuspendProcessorResponses, unknown, ThrowOnError> => options.client.post<SuspendProcessorResponses, unknown, ThrowOnError>({
    url: '/api/v1/processors/{id}/suspend',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Reactivate a suspended processor
 *
 * Roles: system_admin, sales_user. API keys: scope processors:write.
 */
export const reactivateProcessor = <ThrowOnError extends boolean = false>(options: Options<ReactivateProcessorData, ThrowOnError>): RequestResult<ReactivateProcessorResponses, unknown, ThrowOnError> => options.client.post<ReactivateProcessorResponses, unknown, ThrowOnError>({ url: '/api/v1/processors/{id}/reactivate', ...options });

/**
 * Transfer from a processor to another processor or to a wallet
 *
 * To another processor or to a wallet. Keys need the scope `payouts:write` and a `request_id`.
 *
 * Roles: system_admin, finance_user, processor. API keys: scope payouts:write; processor keys with scope payouts:write.
 */
export const transferFromProcessor = <ThrowOnError extends boolean = false>(options: Options<TransferFromProcessorData, ThrowOnError>): RequestResult<TransferFromProcessorResponses, unknown, ThrowOnError> => options.client.post<TransferFromProcessorResponses, unknown, ThrowOnError>({
    url: '/api/v1/processors/{id}/transfer',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the bank accounts for a processor's pay-outs, newest first
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, processor. API keys: scope payments:read; processor keys with scope payments:read.
 */
export const listBankAccounts = <ThrowOnError extends boolean = false>(options: Options<ListBankAccountsData, ThrowOnError>): RequestResult<ListBankAccountsResponses, unknown, ThrowOnError> => options.client.get<ListBankAccountsResponses, unknown, ThrowOnError>({ url: '/api/v1/processors/{id}/bank-accounts', ...options });

/**
 * Add a bank account for a processor's pay-outs
 *
 * Roles: system_admin, finance_user, processor. Not for API keys.
 */
export const addBankAccount = <ThrowOnError extends boolean = false>(options: Options<AddBankAccountData, ThrowOnError>): RequestResult<AddBankAccountResponses, unknown, ThrowOnError> => options.client.post<AddBankAccountResponses, unknown, ThrowOnError>({
    url: '/api/v1/processors/{id}/bank-accounts',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove a processor's bank account; earlier pay-outs keep its number
 *
 * Roles: system_admin, finance_user, processor. Not for API keys.
 */
export const removeBankAccount = <ThrowOnError extends boolean = false>(options: Options<RemoveBankAccountData, ThrowOnError>): RequestResult<RemoveBankAccountResponses, unknown, ThrowOnError> => options.client.delete<RemoveBankAccountResponses, unknown, ThrowOnError>({ url: '/api/v1/processors/{id}/bank-accounts/{account_id}', ...options });

/**
 * Pay out from a processor to a bank account; the amount is in transit until the bank has executed it
 *
 * The amount leaves the balance now and is in transit until a bank statement shows the debit. An approval policy may apply (202).
 *
 * Roles: system_admin, finance_user, processor. API keys: scope payouts:write; processor keys with scope payouts:write.
 */
export const payOut = <ThrowOnError extends boolean = false>(options: Options<PayOutData, ThrowOnError>): RequestResult<PayOutResponses, unknown, ThrowOnError> => options.client.post<PayOutResponses, unknown, ThrowOnError>({
    url: '/api/v1/processors/{id}/payout',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List a processor's pay-outs, newest first
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, processor. API keys: scope payments:read; processor keys with scope payments:read.
 */
export const listPayouts = <ThrowOnError extends boolean = false>(options: Options<ListPayoutsData, ThrowOnError>): RequestResult<ListPayoutsResponses, unknown, ThrowOnError> => options.client.get<ListPayoutsResponses, unknown, ThrowOnError>({ url: '/api/v1/processors/{id}/payouts', ...options });

/**
 * List the pay-outs of all processors, newest first; total_count stops at 100,000
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const listAllPayouts = <ThrowOnError extends boolean = false>(options: Options<ListAllPayoutsData, ThrowOnError>): RequestResult<ListAllPayoutsResponses, unknown, ThrowOnError> => options.client.get<ListAllPayoutsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/payouts', ...options });

/**
 * Get the bank entries for a pay-out, and the credits that a return can use
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const getPayoutAtBank = <ThrowOnError extends boolean = false>(options: Options<GetPayoutAtBankData, ThrowOnError>): RequestResult<GetPayoutAtBankResponses, unknown, ThrowOnError> => options.client.get<GetPayoutAtBankResponses, unknown, ThrowOnError>({ url: '/api/v1/processors/{id}/payouts/{transaction_id}/bank-entries', ...options });

/**
 * Return a pay-out that the bank sent back to the processor
 *
 * For a transfer that the bank rejected. The amount goes back to the processor's balance. If the bank has executed the pay-out, or seems to have, the return needs the bank's credit (PAYOUT_CLEARED). That is so if a bank entry is matched with the pay-out, or was matched before and has not since been matched with something else by another user; or if a debit has the pay-out's reference, even truncated to 10 characters or more. Under the pay-out policy, the user who uploaded the credit may neither request nor approve the return (NOT_INDEPENDENT).
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const returnPayout = <ThrowOnError extends boolean = false>(options: Options<ReturnPayoutData, ThrowOnError>): RequestResult<ReturnPayoutResponses, unknown, ThrowOnError> => options.client.post<ReturnPayoutResponses, unknown, ThrowOnError>({
    url: '/api/v1/processors/{id}/payouts/{transaction_id}/return',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the API keys of a processor's terminals and apps, newest first, without secrets
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, processor. API keys: scope payments:read; processor keys with scope payments:read.
 */
export const listTerminalKeys = <ThrowOnError extends boolean = false>(options: Options<ListTerminalKeysData, ThrowOnError>): RequestResult<ListTerminalKeysResponses, unknown, ThrowOnError> => options.client.get<ListTerminalKeysResponses, unknown, ThrowOnError>({ url: '/api/v1/processors/{id}/keys', ...options });

/**
 * As a login of the processor: create an API key that takes payments; its secret is shown once
 *
 * Roles: system_admin, processor. Not for API keys.
 */
export const createOwnKey = <ThrowOnError extends boolean = false>(options: Options<CreateOwnKeyData, ThrowOnError>): RequestResult<CreateOwnKeyResponses, unknown, ThrowOnError> => options.client.post<CreateOwnKeyResponses, unknown, ThrowOnError>({
    url: '/api/v1/processors/{id}/keys',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * As a login of the processor: revoke an API key that takes payments
 *
 * Roles: system_admin, processor. Not for API keys.
 */
export const revokeOwnKey = <ThrowOnError extends boolean = false>(options: Options<RevokeOwnKeyData, ThrowOnError>): RequestResult<RevokeOwnKeyResponses, unknown, ThrowOnError> => options.client.delete<RevokeOwnKeyResponses, unknown, ThrowOnError>({ url: '/api/v1/processors/{id}/keys/{key_id}', ...options });

/**
 * Give a processor another login; its temporary password is sent to its phone number
 *
 * Roles: system_admin. Not for API keys.
 */
export const createProcessorLogin = <ThrowOnError extends boolean = false>(options: Options<CreateProcessorLoginData, ThrowOnError>): RequestResult<CreateProcessorLoginResponses, unknown, ThrowOnError> => options.client.post<CreateProcessorLoginResponses, unknown, ThrowOnError>({
    url: '/api/v1/processors/{id}/users',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List a processor's transactions, newest first, with totals
 *
 * The totals cover every matching record, not just the page.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, processor. API keys: scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const listProcessorTransactions = <ThrowOnError extends boolean = false>(options: Options<ListProcessorTransactionsData, ThrowOnError>): RequestResult<ListProcessorTransactionsResponses, unknown, ThrowOnError> => options.client.get<ListProcessorTransactionsResponses, unknown, ThrowOnError>({ url: '/api/v1/processors/{id}/transactions', ...options });

/**
 * A processor's takings by hour or day, exact and without gaps
 *
 * For a chart: one entry per hour or UTC day, the latest last. By default the last 30 days or 24 hours.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, processor. API keys: scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const getProcessorTakings = <ThrowOnError extends boolean = false>(options: Options<GetProcessorTakingsData, ThrowOnError>): RequestResult<GetProcessorTakingsResponses, unknown, ThrowOnError> => options.client.get<GetProcessorTakingsResponses, unknown, ThrowOnError>({ url: '/api/v1/processors/{id}/takings', ...options });

/**
 * List a merchant's refused payments, newest first
 *
 * Card payments, refunds, transfers and pay-outs. What customers refuse or cannot pay on their own phones is not the merchant's to see. They are kept for 90 days, and appear within a few seconds.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, processor. API keys: scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const listProcessorRefusals = <ThrowOnError extends boolean = false>(options: Options<ListProcessorRefusalsData, ThrowOnError>): RequestResult<ListProcessorRefusalsResponses, unknown, ThrowOnError> => options.client.get<ListProcessorRefusalsResponses, unknown, ThrowOnError>({ url: '/api/v1/processors/{id}/refusals', ...options });

/**
 * Refund a card payment to a processor in full, in part, or for the remaining amount
 *
 * For a merchant's login and for finance; terminals and apps use POST /pos/refund. Without `amount` it refunds whatever remains. Several partial refunds are possible; together they never exceed the payment. If no reply arrives, send the same request again with the same `request_id`.
 *
 * Roles: system_admin, finance_user, processor. Not for API keys.
 */
export const refundFromProcessor = <ThrowOnError extends boolean = false>(options: Options<RefundFromProcessorData, ThrowOnError>): RequestResult<RefundFromProcessorResponses, unknown, ThrowOnError> => options.client.post<RefundFromProcessorResponses, unknown, ThrowOnError>({
    url: '/api/v1/processors/{id}/refunds',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List payment requests, newest first; total_count stops at 100,000
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, processor. API keys: scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const listPaymentRequests = <ThrowOnError extends boolean = false>(options: Options<ListPaymentRequestsData, ThrowOnError>): RequestResult<ListPaymentRequestsResponses, unknown, ThrowOnError> => options.client.get<ListPaymentRequestsResponses, unknown, ThrowOnError>({ url: '/api/v1/payment-requests', ...options });

/**
 * Ask for a payment: the reply has a code, a link and a USSD string for the payer
 *
 * `description` is required; the payer reads it. The payer confirms on their own phone, with their PIN, never at the merchant. A request for one payment is paid at most once. With `payer_phone` a registered payer gets a message; the reply is the same for any other number.
 *
 * Roles: system_admin, support_user, finance_user, processor. API keys: scope payments:write; processor keys with scope payments:write. Keys may sign the request instead of sending a bearer value.
 */
export const createPaymentRequest = <ThrowOnError extends boolean = false>(options: Options<CreatePaymentRequestData, ThrowOnError>): RequestResult<CreatePaymentRequestResponses, unknown, ThrowOnError> => options.client.post<CreatePaymentRequestResponses, unknown, ThrowOnError>({
    url: '/api/v1/payment-requests',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get a payment request and what became of it
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, processor. API keys: scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const getPaymentRequest = <ThrowOnError extends boolean = false>(options: Options<GetPaymentRequestData, ThrowOnError>): RequestResult<GetPaymentRequestResponses, unknown, ThrowOnError> => options.client.get<GetPaymentRequestResponses, unknown, ThrowOnError>({ url: '/api/v1/payment-requests/{id}', ...options });

/**
 * Cancel a payment request: from then on nobody can pay it
 *
 * A request that is cancelled already is returned as it is, so that a retry is safe.
 *
 * Roles: system_admin, support_user, finance_user, processor. API keys: scope payments:write; processor keys with scope payments:write. Keys may sign the request instead of sending a bearer value.
 */
export const cancelPaymentRequest = <ThrowOnError extends boolean = false>(options: Options<CancelPaymentRequestData, ThrowOnError>): RequestResult<CancelPaymentRequestResponses, unknown, ThrowOnError> => options.client.post<CancelPaymentRequestResponses, unknown, ThrowOnError>({ url: '/api/v1/payment-requests/{id}/cancel', ...options });

/**
 * List the caller's bulk payments, newest first
 *
 * Staff see those of all payers.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, processor. API keys: partner keys with scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const listBulkPayments = <ThrowOnError extends boolean = false>(options: Options<ListBulkPaymentsData, ThrowOnError>): RequestResult<ListBulkPaymentsResponses, unknown, ThrowOnError> => options.client.get<ListBulkPaymentsResponses, unknown, ThrowOnError>({ url: '/api/v1/bulk-payments', ...options });

/**
 * Upload a file of payments; it is checked, and paid only after an approval
 *
 * Checking moves no money and says for each row whether the number has an active wallet, whether the name is its holder's, and what it costs. A file that is wrong anywhere is refused with its line and column, and nothing is stored. The same file again is 409. A key signs the request without its body and sends `file_sha256`.
 *
 * Roles: system_admin, finance_user, processor. API keys: partner keys with scope payments:write; processor keys with scope payments:write. Keys may sign the request instead of sending a bearer value.
 */
export const uploadBulkPayment = <ThrowOnError extends boolean = false>(options: Options<UploadBulkPaymentData, ThrowOnError>): RequestResult<UploadBulkPaymentResponses, unknown, ThrowOnError> => options.client.post<UploadBulkPaymentResponses, unknown, ThrowOnError>({
    url: '/api/v1/bulk-payments',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get a bulk payment with its counts, sums and progress
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, processor. API keys: partner keys with scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const getBulkPayment = <ThrowOnError extends boolean = false>(options: Options<GetBulkPaymentData, ThrowOnError>): RequestResult<GetBulkPaymentResponses, unknown, ThrowOnError> => options.client.get<GetBulkPaymentResponses, unknown, ThrowOnError>({ url: '/api/v1/bulk-payments/{id}', ...options });

/**
 * List a bulk payment's rows in the order of the file
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, processor. API keys: partner keys with scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const listBulkPaymentRows = <ThrowOnError extends boolean = false>(options: Options<ListBulkPaymentRowsData, ThrowOnError>): RequestResult<ListBulkPaymentRowsResponses, unknown, ThrowOnError> => options.client.get<ListBulkPaymentRowsResponses, unknown, ThrowOnError>({ url: '/api/v1/bulk-payments/{id}/rows', ...options });

/**
 * Get all rows with their outcomes as a CSV file; the audit log records that it was produced
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, processor. API keys: partner keys with scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const getBulkPaymentReport = <ThrowOnError extends boolean = false>(options: Options<GetBulkPaymentReportData, ThrowOnError>): RequestResult<GetBulkPaymentReportResponses, unknown, ThrowOnError> => options.client.get<GetBulkPaymentReportResponses, unknown, ThrowOnError>({ url: '/api/v1/bulk-payments/{id}/report.csv', ...options });

/**
 * Get the report as a PDF: totals, decisions, and the rows that are not paid; the audit log records it
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, processor. API keys: partner keys with scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const getBulkPaymentReportPdf = <ThrowOnError extends boolean = false>(options: Options<GetBulkPaymentReportPdfData, ThrowOnError>): RequestResult<GetBulkPaymentReportPdfResponses, unknown, ThrowOnError> => options.client.get<GetBulkPaymentReportPdfResponses, unknown, ThrowOnError>({ url: '/api/v1/bulk-payments/{id}/report.pdf', ...options });

/**
 * Cancel a bulk payment that is not approved; its references and its file can be used again
 *
 * Roles: system_admin, finance_user, processor. API keys: partner keys with scope payments:write; processor keys with scope payments:write. Keys may sign the request instead of sending a bearer value.
 */
export const cancelBulkPayment = <ThrowOnError extends boolean = false>(options: Options<CancelBulkPaymentData, ThrowOnError>): RequestResult<CancelBulkPaymentResponses, unknown, ThrowOnError> => options.client.post<CancelBulkPaymentResponses, unknown, ThrowOnError>({ url: '/api/v1/bulk-payments/{id}/cancel', ...options });

/**
 * Get how many rows a payer may have checked without paying them
 *
 * Roles: system_admin, compliance_user. Not for API keys.
 */
export const getBulkRowLimit = <ThrowOnError extends boolean = false>(options: Options<GetBulkRowLimitData, ThrowOnError>): RequestResult<GetBulkRowLimitResponses, unknown, ThrowOnError> => options.client.get<GetBulkRowLimitResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/bulk-payment-limits/{payer_id}', ...options });

/**
 * Set how many rows a payer may have checked without paying them
 *
 * Checking tells which numbers have wallets: raise it for a payer whose first files are large.
 *
 * Roles: system_admin, compliance_user. Not for API keys.
 */
export const updateBulkRowLimit = <ThrowOnError extends boolean = false>(options: Options<UpdateBulkRowLimitData, ThrowOnError>): RequestResult<UpdateBulkRowLimitResponses, unknown, ThrowOnError> => options.client.put<UpdateBulkRowLimitResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/bulk-payment-limits/{payer_id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Approve a checked bulk payment: total and fees are held, and the rows are paid
 *
 * By another login of the merchant, or by finance for partners and the treasury; never by whoever uploaded it or could use the uploading key. The hash binds the approval to the file. Each row is paid exactly once, with the checks and limits of any payment; what is not paid returns to the payer's balance.
 *
 * Roles: system_admin, finance_user, processor. Not for API keys.
 */
export const approveBulkPayment = <ThrowOnError extends boolean = false>(options: Options<ApproveBulkPaymentData, ThrowOnError>): RequestResult<ApproveBulkPaymentResponses, unknown, ThrowOnError> => options.client.post<ApproveBulkPaymentResponses, unknown, ThrowOnError>({
    url: '/api/v1/bulk-payments/{id}/approve',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Stop a bulk payment: what was paid stays paid, and nothing more is
 *
 * Rows that are being paid at this moment may still be paid. The rest of the money is available again.
 *
 * Roles: system_admin, finance_user, processor. API keys: partner keys with scope payments:write; processor keys with scope payments:write. Keys may sign the request instead of sending a bearer value.
 */
export const stopBulkPayment = <ThrowOnError extends boolean = false>(options: Options<StopBulkPaymentData, ThrowOnError>): RequestResult<StopBulkPaymentResponses, unknown, ThrowOnError> => options.client.post<StopBulkPaymentResponses, unknown, ThrowOnError>({ url: '/api/v1/bulk-payments/{id}/stop', ...options });

/**
 * Make a new bulk payment of the rows that failed, linked with the first
 *
 * It is checked and approved like an upload. Its file_sha256 is that of the first.
 *
 * Roles: system_admin, finance_user, processor. API keys: partner keys with scope payments:write; processor keys with scope payments:write. Keys may sign the request instead of sending a bearer value.
 */
export const retryBulkPayment = <ThrowOnError extends boolean = false>(options: Options<RetryBulkPaymentData, ThrowOnError>): RequestResult<RetryBulkPaymentResponses, unknown, ThrowOnError> => options.client.post<RetryBulkPaymentResponses, unknown, ThrowOnError>({ url: '/api/v1/bulk-payments/{id}/retry-failed', ...options });

/**
 * Get the hosts to which a processor's payment requests may return the payer
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, sales_user, audit_user, processor. API keys: scope payments:read; processor keys with scope payments:read.
 */
export const getReturnHosts = <ThrowOnError extends boolean = false>(options: Options<GetReturnHostsData, ThrowOnError>): RequestResult<GetReturnHostsResponses, unknown, ThrowOnError> => options.client.get<GetReturnHostsResponses, unknown, ThrowOnError>({ url: '/api/v1/processors/{id}/return-hosts', ...options });

/**
 * Replace the hosts to which a processor's payment requests may return the payer
 *
 * Roles: system_admin, sales_user, processor. Not for API keys.
 */
export const setReturnHosts = <ThrowOnError extends boolean = false>(options: Options<SetReturnHostsData, ThrowOnError>): RequestResult<SetReturnHostsResponses, unknown, ThrowOnError> => options.client.post<SetReturnHostsResponses, unknown, ThrowOnError>({
    url: '/api/v1/processors/{id}/return-hosts',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the requests one of your API keys made in the last 24 hours, newest first; bodies are redacted
 *
 * Shows why an integration does not work: refusals with their reasons, including requests whose signature was not accepted. Use `newer_than` to follow the log. Nothing is kept if the operator has turned the log off.
 *
 * Roles: system_admin, processor. API keys: partner keys with scope payments:read; partner keys with scope inbound:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const listOwnRequests = <ThrowOnError extends boolean = false>(options: Options<ListOwnRequestsData, ThrowOnError>): RequestResult<ListOwnRequestsResponses, unknown, ThrowOnError> => options.client.get<ListOwnRequestsResponses, unknown, ThrowOnError>({ url: '/api/v1/request-log', ...options });

/**
 * List the caller's webhook endpoints, newest first
 *
 * Staff see those of all merchants and partners.
 *
 * Roles: system_admin, processor. API keys: partner keys with scope payments:read; partner keys with scope inbound:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const listWebhookEndpoints = <ThrowOnError extends boolean = false>(options: Options<ListWebhookEndpointsData, ThrowOnError>): RequestResult<ListWebhookEndpointsResponses, unknown, ThrowOnError> => options.client.get<ListWebhookEndpointsResponses, unknown, ThrowOnError>({ url: '/api/v1/webhook-endpoints', ...options });

/**
 * Create a webhook endpoint; its secret is shown once
 *
 * A merchant or partner has up to 5. Each gets the events that it chose, signed with its own secret by the X-Hook headers and by Standard Webhooks.
 *
 * Roles: system_admin, processor. API keys: partner keys with scope payments:write; partner keys with scope inbound:write; processor keys with scope payments:write. Keys may sign the request instead of sending a bearer value.
 */
export const createWebhookEndpoint = <ThrowOnError extends boolean = false>(options: Options<CreateWebhookEndpointData, ThrowOnError>): RequestResult<CreateWebhookEndpointResponses, unknown, ThrowOnError> => options.client.post<CreateWebhookEndpointResponses, unknown, ThrowOnError>({
    url: '/api/v1/webhook-endpoints',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete a webhook endpoint; what waits for delivery to it is not sent
 *
 * Roles: system_admin, processor. API keys: partner keys with scope payments:write; partner keys with scope inbound:write; processor keys with scope payments:write. Keys may sign the request instead of sending a bearer value.
 */
export const deleteWebhookEndpoint = <ThrowOnError extends boolean = false>(options: Options<DeleteWebhookEndpointData, ThrowOnError>): RequestResult<DeleteWebhookEndpointResponses, unknown, ThrowOnError> => options.client.delete<DeleteWebhookEndpointResponses, unknown, ThrowOnError>({ url: '/api/v1/webhook-endpoints/{id}', ...options });

/**
 * Get a webhook endpoint
 *
 * Roles: system_admin, processor. API keys: partner keys with scope payments:read; partner keys with scope inbound:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const getWebhookEndpoint = <ThrowOnError extends boolean = false>(options: Options<GetWebhookEndpointData, ThrowOnError>): RequestResult<GetWebhookEndpointResponses, unknown, ThrowOnError> => options.client.get<GetWebhookEndpointResponses, unknown, ThrowOnError>({ url: '/api/v1/webhook-endpoints/{id}', ...options });

/**
 * Change a webhook endpoint's address or events; omitted fields keep their values
 *
 * Events that wait for delivery go to the new address.
 *
 * Roles: system_admin, processor. API keys: partner keys with scope payments:write; partner keys with scope inbound:write; processor keys with scope payments:write. Keys may sign the request instead of sending a bearer value.
 */
export const updateWebhookEndpoint = <ThrowOnError extends boolean = false>(options: Options<UpdateWebhookEndpointData, ThrowOnError>): RequestResult<UpdateWebhookEndpointResponses, unknown, ThrowOnError> => options.client.put<UpdateWebhookEndpointResponses, unknown, ThrowOnError>({
    url: '/api/v1/webhook-endpoints/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Rotate a webhook endpoint's secret; the old one signs too for another day
 *
 * During the overlap Webhook-Signature has two signatures, and X-Hook-Signature-Previous the old secret's.
 *
 * Roles: system_admin, processor. API keys: partner keys with scope payments:write; partner keys with scope inbound:write; processor keys with scope payments:write. Keys may sign the request instead of sending a bearer value.
 */
export const rotateWebhookEndpointSecret = <ThrowOnError extends boolean = false>(options: Options<RotateWebhookEndpointSecretData, ThrowOnError>): RequestResult<RotateWebhookEndpointSecretResponses, unknown, ThrowOnError> => options.client.post<RotateWebhookEndpointSecretResponses, unknown, ThrowOnError>({
    url: '/api/v1/webhook-endpoints/{id}/rotate-secret',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Send a test event to a webhook endpoint
 *
 * `endpoint.test`, or outside production an example of any event, whether the endpoint chose it or not.
 *
 * Roles: system_admin, processor. API keys: partner keys with scope payments:write; partner keys with scope inbound:write; processor keys with scope payments:write. Keys may sign the request instead of sending a bearer value.
 */
export const testWebhookEndpoint = <ThrowOnError extends boolean = false>(options: Options<TestWebhookEndpointData, ThrowOnError>): RequestResult<TestWebhookEndpointResponses, unknown, ThrowOnError> => options.client.post<TestWebhookEndpointResponses, unknown, ThrowOnError>({
    url: '/api/v1/webhook-endpoints/{id}/test',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the webhook deliveries to the caller's own endpoints with their attempts, newest first
 *
 * To the webhook endpoints, and to a partner's webhook_url.
 *
 * Roles: system_admin, processor. API keys: partner keys with scope payments:read; partner keys with scope inbound:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const listOwnWebhookDeliveries = <ThrowOnError extends boolean = false>(options: Options<ListOwnWebhookDeliveriesData, ThrowOnError>): RequestResult<ListOwnWebhookDeliveriesResponses, unknown, ThrowOnError> => options.client.get<ListOwnWebhookDeliveriesResponses, unknown, ThrowOnError>({ url: '/api/v1/webhook-deliveries', ...options });

/**
 * Get a webhook delivery to the caller's own endpoint with what each attempt sent and received
 *
 * Why an attempt failed, what the endpoint replied, and whether the signature is valid with a current secret.
 *
 * Roles: system_admin, processor. API keys: partner keys with scope payments:read; partner keys with scope inbound:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const getOwnWebhookDelivery = <ThrowOnError extends boolean = false>(options: Options<GetOwnWebhookDeliveryData, ThrowOnError>): RequestResult<GetOwnWebhookDeliveryResponses, unknown, ThrowOnError> => options.client.get<GetOwnWebhookDeliveryResponses, unknown, ThrowOnError>({ url: '/api/v1/webhook-deliveries/{id}', ...options });

/**
 * Replay an event of your own under the same event id, with a new retry schedule
 *
 * It starts now. The receiver sees the same event id and must ignore what it has already processed.
 *
 * Roles: system_admin, processor. API keys: partner keys with scope payments:write; partner keys with scope inbound:write; processor keys with scope payments:write. Keys may sign the request instead of sending a bearer value.
 */
export const replayOwnWebhookDelivery = <ThrowOnError extends boolean = false>(options: Options<ReplayOwnWebhookDeliveryData, ThrowOnError>): RequestResult<ReplayOwnWebhookDeliveryResponses, unknown, ThrowOnError> => options.client.post<ReplayOwnWebhookDeliveryResponses, unknown, ThrowOnError>({ url: '/api/v1/webhook-deliveries/{id}/replay', ...options });

/**
 * Pay by card at a terminal
 *
 * Debits the card's wallet and credits the processor, less its fee. The PIN is sent as `encrypted_pin`; a plain `pin` is accepted with test keys only. If no reply arrives, send the same request again: the same `request_id` returns the first reply and moves no money.
 *
 * API keys: scope payments:write; processor keys with scope payments:write.
 */
export const payAtTerminal = <ThrowOnError extends boolean = false>(options: Options<PayAtTerminalData, ThrowOnError>): RequestResult<PayAtTerminalResponses, unknown, ThrowOnError> => options.client.post<PayAtTerminalResponses, unknown, ThrowOnError>({
    url: '/api/v1/pos/payment',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Pay by card in an app; metadata is echoed in the reply
 *
 * Like a payment at a terminal, without `terminal_id`. `metadata` is any JSON value and is returned unchanged; null and absent differ.
 *
 * API keys: scope payments:write; processor keys with scope payments:write.
 */
export const payInApp = <ThrowOnError extends boolean = false>(options: Options<PayInAppData, ThrowOnError>): RequestResult<PayInAppResponses, unknown, ThrowOnError> => options.client.post<PayInAppResponses, unknown, ThrowOnError>({
    url: '/api/v1/payment',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Refund a payment at a terminal in full, in part, or for the remaining amount
 *
 * Pays the payment back from the processor's balance. Without `amount` it refunds whatever remains. Several partial refunds are possible; together they never exceed the payment. The payer's fee is not returned.
 *
 * API keys: scope payments:write; processor keys with scope payments:write.
 */
export const refundAtTerminal = <ThrowOnError extends boolean = false>(options: Options<RefundAtTerminalData, ThrowOnError>): RequestResult<RefundAtTerminalResponses, unknown, ThrowOnError> => options.client.post<RefundAtTerminalResponses, unknown, ThrowOnError>({
    url: '/api/v1/pos/refund',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Capture a payment authorised at a terminal, in full or in part
 *
 * Pays at most what was authorised with `capture: false`, once, at the price of that moment. What is not captured becomes available to the customer in the same commit.
 *
 * API keys: scope payments:write; processor keys with scope payments:write.
 */
export const captureAtTerminal = <ThrowOnError extends boolean = false>(options: Options<CaptureAtTerminalData, ThrowOnError>): RequestResult<CaptureAtTerminalResponses, unknown, ThrowOnError> => options.client.post<CaptureAtTerminalResponses, unknown, ThrowOnError>({
    url: '/api/v1/pos/payment/{transaction_id}/capture',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Void a payment authorised at a terminal
 *
 * Nothing is paid, and what was reserved becomes available to the customer.
 *
 * API keys: scope payments:write; processor keys with scope payments:write.
 */
export const voidAtTerminal = <ThrowOnError extends boolean = false>(options: Options<VoidAtTerminalData, ThrowOnError>): RequestResult<VoidAtTerminalResponses, unknown, ThrowOnError> => options.client.post<VoidAtTerminalResponses, unknown, ThrowOnError>({
    url: '/api/v1/pos/payment/{transaction_id}/void',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Check at a terminal whether a card can pay, with its holder and balance
 *
 * Shows before a payment whether the card would be accepted. It reserves nothing.
 *
 * API keys: scope payments:write; processor keys with scope payments:write.
 */
export const verifyCardAtTerminal = <ThrowOnError extends boolean = false>(options: Options<VerifyCardAtTerminalData, ThrowOnError>): RequestResult<VerifyCardAtTerminalResponses, unknown, ThrowOnError> => options.client.post<VerifyCardAtTerminalResponses, unknown, ThrowOnError>({
    url: '/api/v1/pos/verify-card',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Check at a terminal whether an account exists, with its holder
 *
 * Takes an account number or a phone number. The holder's name is masked.
 *
 * API keys: scope payments:write; processor keys with scope payments:write.
 */
export const verifyAccountAtTerminal = <ThrowOnError extends boolean = false>(options: Options<VerifyAccountAtTerminalData, ThrowOnError>): RequestResult<VerifyAccountAtTerminalResponses, unknown, ThrowOnError> => options.client.post<VerifyAccountAtTerminalResponses, unknown, ThrowOnError>({
    url: '/api/v1/pos/verify-account',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Look up a card at a terminal, with its holder and recent payments
 *
 * For helping a cardholder at the counter or in an app. The holder is masked.
 *
 * API keys: scope cards:read; processor keys with scope cards:read.
 */
export const lookUpCardAtTerminal = <ThrowOnError extends boolean = false>(options: Options<LookUpCardAtTerminalData, ThrowOnError>): RequestResult<LookUpCardAtTerminalResponses, unknown, ThrowOnError> => options.client.post<LookUpCardAtTerminalResponses, unknown, ThrowOnError>({
    url: '/api/v1/pos/lookup-card',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Refund a payment in an app in full, in part, or for the remaining amount
 *
 * Pays the payment back from the processor's balance. Without `amount` it refunds whatever remains. Several partial refunds are possible; together they never exceed the payment. The payer's fee is not returned.
 *
 * API keys: scope payments:write; processor keys with scope payments:write.
 */
export const refundInApp = <ThrowOnError extends boolean = false>(options: Options<RefundInAppData, ThrowOnError>): RequestResult<RefundInAppResponses, unknown, ThrowOnError> => options.client.post<RefundInAppResponses, unknown, ThrowOnError>({
    url: '/api/v1/payment/refund',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Capture a payment authorised in an app, in full or in part
 *
 * Pays at most what was authorised with `capture: false`, once, at the price of that moment. What is not captured becomes available to the customer in the same commit.
 *
 * API keys: scope payments:write; processor keys with scope payments:write.
 */
export const captureInApp = <ThrowOnError extends boolean = false>(options: Options<CaptureInAppData, ThrowOnError>): RequestResult<CaptureInAppResponses, unknown, ThrowOnError> => options.client.post<CaptureInAppResponses, unknown, ThrowOnError>({
    url: '/api/v1/payment/{transaction_id}/capture',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Void a payment authorised in an app
 *
 * Nothing is paid, and what was reserved becomes available to the customer.
 *
 * API keys: scope payments:write; processor keys with scope payments:write.
 */
export const voidInApp = <ThrowOnError extends boolean = false>(options: Options<VoidInAppData, ThrowOnError>): RequestResult<VoidInAppResponses, unknown, ThrowOnError> => options.client.post<VoidInAppResponses, unknown, ThrowOnError>({
    url: '/api/v1/payment/{transaction_id}/void',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Check in an app whether a card can pay, with its holder and balance
 *
 * Shows before a payment whether the card would be accepted. It reserves nothing.
 *
 * API keys: scope payments:write; processor keys with scope payments:write.
 */
export const verifyCardInApp = <ThrowOnError extends boolean = false>(options: Options<VerifyCardInAppData, ThrowOnError>): RequestResult<VerifyCardInAppResponses, unknown, ThrowOnError> => options.client.post<VerifyCardInAppResponses, unknown, ThrowOnError>({
    url: '/api/v1/payment/verify-card',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Check in an app whether an account exists, with its holder
 *
 * Takes an account number or a phone number. The holder's name is masked.
 *
 * API keys: scope payments:write; processor keys with scope payments:write.
 */
export const verifyAccountInApp = <ThrowOnError extends boolean = false>(options: Options<VerifyAccountInAppData, ThrowOnError>): RequestResult<VerifyAccountInAppResponses, unknown, ThrowOnError> => options.client.post<VerifyAccountInAppResponses, unknown, ThrowOnError>({
    url: '/api/v1/payment/verify-account',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Look up a card in an app, with its holder and recent payments
 *
 * For helping a cardholder at the counter or in an app. The holder is masked.
 *
 * API keys: scope cards:read; processor keys with scope cards:read.
 */
export const lookUpCardInApp = <ThrowOnError extends boolean = false>(options: Options<LookUpCardInAppData, ThrowOnError>): RequestResult<LookUpCardInAppResponses, unknown, ThrowOnError> => options.client.post<LookUpCardInAppResponses, unknown, ThrowOnError>({
    url: '/api/v1/payment/lookup-card',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List webhook deliveries with their attempts, newest first
 *
 * Roles: system_admin. Not for API keys.
 */
export const listWebhookDeliveries = <ThrowOnError extends boolean = false>(options: Options<ListWebhookDeliveriesData, ThrowOnError>): RequestResult<ListWebhookDeliveriesResponses, unknown, ThrowOnError> => options.client.get<ListWebhookDeliveriesResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/webhook-deliveries', ...options });

/**
 * Get a webhook delivery with what each attempt sent and received
 *
 * For supporting a partner: why an attempt failed, what the endpoint replied, and whether the signature is valid. The secret is never shown.
 *
 * Roles: system_admin. Not for API keys.
 */
export const getWebhookDelivery = <ThrowOnError extends boolean = false>(options: Options<GetWebhookDeliveryData, ThrowOnError>): RequestResult<GetWebhookDeliveryResponses, unknown, ThrowOnError> => options.client.get<GetWebhookDeliveryResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/webhook-deliveries/{id}', ...options });

/**
 * Replay an event under the same event id, with a new retry schedule
 *
 * It starts now. The receiver sees the same event id and must ignore what it has already processed.
 *
 * Roles: system_admin. Not for API keys.
 */
export const replayWebhookDelivery = <ThrowOnError extends boolean = false>(options: Options<ReplayWebhookDeliveryData, ThrowOnError>): RequestResult<ReplayWebhookDeliveryResponses, unknown, ThrowOnError> => options.client.post<ReplayWebhookDeliveryResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/webhook-deliveries/{id}/replay', ...options });

/**
 * Look up a beneficiary and how much it can be credited; changes nothing
 *
 * Call it before a credit, and show the masked name to the payer. `can_credit: false` means that the customer must not be debited. `beneficiary_ref` can name the beneficiary of a credit for 15 minutes.
 *
 * API keys: partner keys with scope inbound:read.
 */
export const enquireName = <ThrowOnError extends boolean = false>(options: Options<EnquireNameData, ThrowOnError>): RequestResult<EnquireNameResponses, unknown, ThrowOnError> => options.client.post<EnquireNameResponses, unknown, ThrowOnError>({
    url: '/api/v1/inbound/name-enquiry',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Credit a wallet; the same reference with the same details never credits twice
 *
 * The outcome is stored under `reference`, even if the credit is refused: repeating the request returns it, and GET /inbound/transactions/{reference} shows it. The same reference with other details gets 409 `REFERENCE_CONFLICT`. If no reply arrives, repeat the request with the same reference and a new nonce, or ask for its status. A webhook announces the outcome.
 *
 * API keys: partner keys with scope inbound:write.
 */
export const creditWallet = <ThrowOnError extends boolean = false>(options: Options<CreditWalletData, ThrowOnError>): RequestResult<CreditWalletResponses, unknown, ThrowOnError> => options.client.post<CreditWalletResponses, unknown, ThrowOnError>({
    url: '/api/v1/inbound/credit',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get a credit's outcome by its reference
 *
 * For a credit whose reply did not arrive. 404 means that no such credit was recorded: it is safe to send it.
 *
 * API keys: partner keys with scope inbound:read.
 */
export const getCredit = <ThrowOnError extends boolean = false>(options: Options<GetCreditData, ThrowOnError>): RequestResult<GetCreditResponses, unknown, ThrowOnError> => options.client.get<GetCreditResponses, unknown, ThrowOnError>({ url: '/api/v1/inbound/transactions/{reference}', ...options });

/**
 * Reverse an inbound credit: debits the wallet and reduces what the partner owes
 *
 * For a credit that the partner sent by mistake. The wallet must hold the amount; the wallet of an erased customer is never debited. An approval policy may apply (202).
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const reverseInboundCredit = <ThrowOnError extends boolean = false>(options: Options<ReverseInboundCreditData, ThrowOnError>): RequestResult<ReverseInboundCreditResponses, unknown, ThrowOnError> => options.client.post<ReverseInboundCreditResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/inbound/{inbound_id}/reverse',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List inbound credits, newest first
 *
 * Partner banks' credits with their outcome, including refused ones. The payer is masked, except for compliance.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user. Not for API keys.
 */
export const listInboundCredits = <ThrowOnError extends boolean = false>(options: Options<ListInboundCreditsData, ThrowOnError>): RequestResult<ListInboundCreditsResponses, unknown, ThrowOnError> => options.client.get<ListInboundCreditsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/inbound', ...options });

/**
 * Get an inbound credit with its payer and its reversal
 *
 * The payer is masked, except for compliance.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user. Not for API keys.
 */
export const getInboundCredit = <ThrowOnError extends boolean = false>(options: Options<GetInboundCreditData, ThrowOnError>): RequestResult<GetInboundCreditResponses, unknown, ThrowOnError> => options.client.get<GetInboundCreditResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/inbound/{inbound_id}', ...options });

/**
 * List the open items of the suspense account, oldest first
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const listSuspenseItems = <ThrowOnError extends boolean = false>(options: Options<ListSuspenseItemsData, ThrowOnError>): RequestResult<ListSuspenseItemsResponses, unknown, ThrowOnError> => options.client.get<ListSuspenseItemsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/suspense', ...options });

/**
 * Resolve an item of the suspense account: a partner owes it, or the wallet pays it back
 *
 * With `partner_id` the partner owes the amount; with `refund: true` the wallet pays it back. An approval policy may apply (202).
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const resolveSuspenseItem = <ThrowOnError extends boolean = false>(options: Options<ResolveSuspenseItemData, ThrowOnError>): RequestResult<ResolveSuspenseItemResponses, unknown, ThrowOnError> => options.client.post<ResolveSuspenseItemResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/suspense/{transaction_id}/resolve',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List trust accounts with their last balances, newest first
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const listTrustAccounts = <ThrowOnError extends boolean = false>(options: Options<ListTrustAccountsData, ThrowOnError>): RequestResult<ListTrustAccountsResponses, unknown, ThrowOnError> => options.client.get<ListTrustAccountsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/trust-accounts', ...options });

/**
 * Register a trust account at a bank
 *
 * An account at a bank that holds the money behind the e-money. An approval policy may apply (202).
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const createTrustAccount = <ThrowOnError extends boolean = false>(options: Options<CreateTrustAccountData, ThrowOnError>): RequestResult<CreateTrustAccountResponses, unknown, ThrowOnError> => options.client.post<CreateTrustAccountResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/trust-accounts',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get a trust account and its last balance
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const getTrustAccount = <ThrowOnError extends boolean = false>(options: Options<GetTrustAccountData, ThrowOnError>): RequestResult<GetTrustAccountResponses, unknown, ThrowOnError> => options.client.get<GetTrustAccountResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/trust-accounts/{id}', ...options });

/**
 * Update a trust account; omitted fields keep their values
 *
 * An approval policy may apply (202).
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const updateTrustAccount = <ThrowOnError extends boolean = false>(options: Options<UpdateTrustAccountData, ThrowOnError>): RequestResult<UpdateTrustAccountResponses, unknown, ThrowOnError> => options.client.put<UpdateTrustAccountResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/trust-accounts/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List a trust account's statements, newest first
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const listBankStatements = <ThrowOnError extends boolean = false>(options: Options<ListBankStatementsData, ThrowOnError>): RequestResult<ListBankStatementsResponses, unknown, ThrowOnError> => options.client.get<ListBankStatementsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/trust-accounts/{id}/statements', ...options });

/**
 * Upload a bank statement; uploading the same file again returns its record
 *
 * camt.053 (`application/xml`), MT940 (`text/plain`) or CSV (`text/csv`). The file is stored as is, or not at all: its sums must add up, and it must continue the previous statement; otherwise 422 `STATEMENT_INVALID` says where it fails. `warnings` lists days that no statement covers.
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const uploadBankStatement = <ThrowOnError extends boolean = false>(options: Options<UploadBankStatementData, ThrowOnError>): RequestResult<UploadBankStatementResponses, unknown, ThrowOnError> => options.client.post<UploadBankStatementResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/trust-accounts/{id}/statements',
    ...options,
    headers: {
        'Content-Type': 'application/xml',
        ...options.headers
    }
});

/**
 * Get a trust account statement
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const getBankStatement = <ThrowOnError extends boolean = false>(options: Options<GetBankStatementData, ThrowOnError>): RequestResult<GetBankStatementResponses, unknown, ThrowOnError> => options.client.get<GetBankStatementResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/trust-accounts/{id}/statements/{statement_id}', ...options });

/**
 * Download a statement's file as it was uploaded
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const downloadBankStatement = <ThrowOnError extends boolean = false>(options: Options<DownloadBankStatementData, ThrowOnError>): RequestResult<DownloadBankStatementResponses, unknown, ThrowOnError> => options.client.get<DownloadBankStatementResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/trust-accounts/{id}/statements/{statement_id}/file', ...options });

/**
 * List a statement's entries in file order
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const listBankEntries = <ThrowOnError extends boolean = false>(options: Options<ListBankEntriesData, ThrowOnError>): RequestResult<ListBankEntriesResponses, unknown, ThrowOnError> => options.client.get<ListBankEntriesResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/trust-accounts/{id}/statements/{statement_id}/entries', ...options });

/**
 * List bank entries and transactions with their matches, oldest first; total_count stops at 100,000
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const listReconciliationItems = <ThrowOnError extends boolean = false>(options: Options<ListReconciliationItemsData, ThrowOnError>): RequestResult<ListReconciliationItemsResponses, unknown, ThrowOnError> => options.client.get<ListReconciliationItemsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/reconciliation', ...options });

/**
 * List matches and write-offs, including undone ones, newest first; total_count stops at 100,000
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const listMatches = <ThrowOnError extends boolean = false>(options: Options<ListMatchesData, ThrowOnError>): RequestResult<ListMatchesResponses, unknown, ThrowOnError> => options.client.get<ListMatchesResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/reconciliation/matches', ...options });

/**
 * Match bank entries with transactions that add up to the same sum
 *
 * The sums must be equal: 422 `MATCH_DOES_NOT_BALANCE`. An item can be in one match only.
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const createMatch = <ThrowOnError extends boolean = false>(options: Options<CreateMatchData, ThrowOnError>): RequestResult<CreateMatchResponses, unknown, ThrowOnError> => options.client.post<CreateMatchResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/reconciliation/matches',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Undo a match or a write-off; it stays in the history
 *
 * A pay-out that the match cleared is in transit again.
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const undoMatch = <ThrowOnError extends boolean = false>(options: Options<UndoMatchData, ThrowOnError>): RequestResult<UndoMatchResponses, unknown, ThrowOnError> => options.client.delete<UndoMatchResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/reconciliation/matches/{id}', ...options });

/**
 * Get a match or a write-off with its items
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const getMatch = <ThrowOnError extends boolean = false>(options: Options<GetMatchData, ThrowOnError>): RequestResult<GetMatchResponses, unknown, ThrowOnError> => options.client.get<GetMatchResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/reconciliation/matches/{id}', ...options });

/**
 * List the suggestions of the last run
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const listSuggestions = <ThrowOnError extends boolean = false>(options: Options<ListSuggestionsData, ThrowOnError>): RequestResult<ListSuggestionsResponses, unknown, ThrowOnError> => options.client.get<ListSuggestionsResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/reconciliation/suggestions', ...options });

/**
 * Take open items to work on, even ones assigned to someone else
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const assignReconciliationItems = <ThrowOnError extends boolean = false>(options: Options<AssignReconciliationItemsData, ThrowOnError>): RequestResult<AssignReconciliationItemsResponses, unknown, ThrowOnError> => options.client.post<AssignReconciliationItemsResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/reconciliation/assign',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Release open items: they have no owner afterwards
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const releaseReconciliationItems = <ThrowOnError extends boolean = false>(options: Options<ReleaseReconciliationItemsData, ThrowOnError>): RequestResult<ReleaseReconciliationItemsResponses, unknown, ThrowOnError> => options.client.post<ReleaseReconciliationItemsResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/reconciliation/release',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Match all open items: certain matches are made, others are suggested
 *
 * Matches by reference; by amount, counterparty and a window of 3 days; and the movements of a day with one entry. It can be repeated: what is matched stays.
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const runReconciliation = <ThrowOnError extends boolean = false>(options: Options<RunReconciliationData, ThrowOnError>): RequestResult<RunReconciliationResponses, unknown, ThrowOnError> => options.client.post<RunReconciliationResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/reconciliation/run', ...options });

/**
 * Accept a suggestion: makes the match
 *
 * The same as matching its items by hand.
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const acceptSuggestion = <ThrowOnError extends boolean = false>(options: Options<AcceptSuggestionData, ThrowOnError>): RequestResult<AcceptSuggestionResponses, unknown, ThrowOnError> => options.client.post<AcceptSuggestionResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/reconciliation/suggestions/{id}/accept',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Write off items that will never be matched; moves no money
 *
 * For a bank charge, for example. An approval policy may apply (202).
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const writeOff = <ThrowOnError extends boolean = false>(options: Options<WriteOffData, ThrowOnError>): RequestResult<WriteOffResponses, unknown, ThrowOnError> => options.client.post<WriteOffResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/reconciliation/write-offs',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List daily closes and their corrections, newest first
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const listCloses = <ThrowOnError extends boolean = false>(options: Options<ListClosesData, ThrowOnError>): RequestResult<ListClosesResponses, unknown, ThrowOnError> => options.client.get<ListClosesResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/closes', ...options });

/**
 * Close a day, or correct its close with a new one
 *
 * A gateway closes each day ten minutes after UTC midnight. A close is never changed: a new close for the same day corrects it and names it.
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const createClose = <ThrowOnError extends boolean = false>(options: Options<CreateCloseData, ThrowOnError>): RequestResult<CreateCloseResponses, unknown, ThrowOnError> => options.client.post<CreateCloseResponses, unknown, ThrowOnError>({
    url: '/api/v1/admin/closes',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * The figures and open items that a close of the day would sign now
 *
 * Nothing is signed. The day must be over.
 *
 * Roles: system_admin, finance_user. Not for API keys.
 */
export const getCloseFigures = <ThrowOnError extends boolean = false>(options: Options<GetCloseFiguresData, ThrowOnError>): RequestResult<GetCloseFiguresResponses, unknown, ThrowOnError> => options.client.get<GetCloseFiguresResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/closes/{date}/figures', ...options });

/**
 * Get the close of a day as a signed PDF
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const getClosePdf = <ThrowOnError extends boolean = false>(options: Options<GetClosePdfData, ThrowOnError>): RequestResult<GetClosePdfResponses, unknown, ThrowOnError> => options.client.get<GetClosePdfResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/closes/{date}.pdf', ...options });

/**
 * Get the close of a day: the exact signed text and its signature
 *
 * Verify it with `npm run close:verify` and the public keys, without access to the service.
 *
 * Roles: system_admin, finance_user, audit_user. Not for API keys.
 */
export const getClose = <ThrowOnError extends boolean = false>(options: Options<GetCloseData, ThrowOnError>): RequestResult<GetCloseResponses, unknown, ThrowOnError> => options.client.get<GetCloseResponses, unknown, ThrowOnError>({ url: '/api/v1/admin/closes/{date}', ...options });

/**
 * The public keys that verify daily closes and receipts (JWKS)
 *
 * Keys that are no longer used stay listed, so that old closes can be verified.
 *
 * Needs no role or scope.
 */
export const getPublicKeys = <ThrowOnError extends boolean = false>(options: Options<GetPublicKeysData, ThrowOnError>): RequestResult<GetPublicKeysResponses, unknown, ThrowOnError> => options.client.get<GetPublicKeysResponses, unknown, ThrowOnError>({ url: '/.well-known/kissi-keys.json', ...options });

/**
 * Open a receipt by its link
 *
 * For everybody who has the link: amount, masked parties, time and the status now, signed. Browsers get a page in English or Krio. A link that is wrong, withdrawn, older than 13 months or about a politically exposed person is answered alike: 404.
 *
 * Needs no role or scope.
 */
export const openReceipt = <ThrowOnError extends boolean = false>(options: Options<OpenReceiptData, ThrowOnError>): RequestResult<OpenReceiptResponses, unknown, ThrowOnError> => options.client.get<OpenReceiptResponses, unknown, ThrowOnError>({ url: '/r/{token}', ...options });

/**
 * Open the page of a payment request by its link
 *
 * Who asks, how much and what for, and the ways to pay; once it has ended, what became of it. It never asks for a PIN. Browsers get a page in English or Krio.
 *
 * Needs no role or scope.
 */
export const openPaymentPage = <ThrowOnError extends boolean = false>(options: Options<OpenPaymentPageData, ThrowOnError>): RequestResult<OpenPaymentPageResponses, unknown, ThrowOnError> => options.client.get<OpenPaymentPageResponses, unknown, ThrowOnError>({ url: '/pay/{token}', ...options });

/**
 * Send a payment request to the number that a visitor of its page entered
 *
 * Only a registered number gets a message; the reply is the same for every number. The form of the page sends `application/x-www-form-urlencoded` and is sent back to the page.
 *
 * Needs no role or scope.
 */
export const notifyPayer = <ThrowOnError extends boolean = false>(options: Options<NotifyPayerData, ThrowOnError>): RequestResult<NotifyPayerResponses, unknown, ThrowOnError> => options.client.post<NotifyPayerResponses, unknown, ThrowOnError>({
    url: '/pay/{token}/notify',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Get a transaction's receipt, signed
 *
 * For callers who can read the transaction. A party opens the receipt here whatever became of its public link.
 *
 * Roles: system_admin, compliance_user, support_user, finance_user, audit_user, super_agent, sub_agent, processor. API keys: scope payments:read; partner keys with scope payments:read; processor keys with scope payments:read. Keys may sign the request instead of sending a bearer value.
 */
export const getReceipt = <ThrowOnError extends boolean = false>(options: Options<GetReceiptData, ThrowOnError>): RequestResult<GetReceiptResponses, unknown, ThrowOnError> => options.client.get<GetReceiptResponses, unknown, ThrowOnError>({ url: '/api/v1/transactions/{id}/receipt', ...options });

/**
 * Withdraw the public link of a receipt for good
 *
 * For a link that reached the wrong people. Its parties still read the receipt through the API.
 *
 * Roles: system_admin, compliance_user, support_user. Not for API keys.
 */
export const revokeReceipt = <ThrowOnError extends boolean = false>(options: Options<RevokeReceiptData, ThrowOnError>): RequestResult<RevokeReceiptResponses, unknown, ThrowOnError> => options.client.post<RevokeReceiptResponses, unknown, ThrowOnError>({
    url: '/api/v1/transactions/{id}/receipt/revoke',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Check whether a subscriber's account exists and can be credited
 *
 * Takes a phone number. Use it before a cash-in, to tell the customer if the account cannot be credited.
 *
 * API keys: partner keys with scope payments:read.
 */
export const getAccountStatus = <ThrowOnError extends boolean = false>(options: Options<GetAccountStatusData, ThrowOnError>): RequestResult<GetAccountStatusResponses, unknown, ThrowOnError> => options.client.post<GetAccountStatusResponses, unknown, ThrowOnError>({
    url: '/api/v1/partner/account-status',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Credit a wallet for cash received by the partner; once per reference
 *
 * The beneficiary is named by phone number, card serial or account number. `reference` is the idempotency key: a repeated request returns the first reply. It increases what the partner owes, up to its `outstanding_limit`.
 *
 * API keys: partner keys with scope payments:write.
 */
export const partnerCashIn = <ThrowOnError extends boolean = false>(options: Options<PartnerCashInData, ThrowOnError>): RequestResult<PartnerCashInResponses, unknown, ThrowOnError> => options.client.post<PartnerCashInResponses, unknown, ThrowOnError>({
    url: '/api/v1/partner/cashin',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the partner's own transactions, newest first
 *
 * The body has the period and the page: `from`, `to`, `limit`, `offset`.
 *
 * API keys: partner keys with scope payments:read.
 */
export const listPartnerTransactions = <ThrowOnError extends boolean = false>(options: Options<ListPartnerTransactionsData, ThrowOnError>): RequestResult<ListPartnerTransactionsResponses, unknown, ThrowOnError> => options.client.post<ListPartnerTransactionsResponses, unknown, ThrowOnError>({
    url: '/api/v1/partner/transaction-history',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Receive a cash-in notification and credit the cardholder
 *
 * A partner that cannot sign requests with a key sends this notification. With `reference` it is executed once. Without it, the same bytes within PARTNER_CASHIN_REPLAY_SECONDS (300 by default) get the first reply. The partner is not identified: the amount is owed by the suspense account until finance resolves it.
 *
 * Needs no role or scope.
 */
export const receivePartnerCashIn = <ThrowOnError extends boolean = false>(options: Options<ReceivePartnerCashInData, ThrowOnError>): RequestResult<ReceivePartnerCashInResponses, unknown, ThrowOnError> => options.client.post<ReceivePartnerCashInResponses, unknown, ThrowOnError>({
    url: '/webhooks/partner/cashin',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Answer a callback of Africa's Talking with a page of the USSD menus
 *
 * Sent as `application/x-www-form-urlencoded`, when the code is dialled and after each input. Repeated and late callbacks of a step get the same page.
 *
 * Needs no role or scope.
 */
export const answerAfricasTalking = <ThrowOnError extends boolean = false>(options: Options<AnswerAfricasTalkingData, ThrowOnError>): RequestResult<AnswerAfricasTalkingResponses, unknown, ThrowOnError> => options.client.post<AnswerAfricasTalkingResponses, unknown, ThrowOnError>({
    url: '/ussd/africastalking/{secret}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Note that a USSD session has ended, as Africa's Talking says
 *
 * Only the session id is read. The inputs that it lists are neither stored nor logged.
 *
 * Needs no role or scope.
 */
export const endAfricasTalkingSession = <ThrowOnError extends boolean = false>(options: Options<EndAfricasTalkingSessionData, ThrowOnError>): RequestResult<EndAfricasTalkingSessionResponses, unknown, ThrowOnError> => options.client.post<EndAfricasTalkingSessionResponses, unknown, ThrowOnError>({
    url: '/ussd/africastalking/{secret}/ended',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Answer a step of a USSD session as plain JSON, for the lab; not available in production
 *
 * Needs no role or scope.
 */
export const answerUssdStep = <ThrowOnError extends boolean = false>(options: Options<AnswerUssdStepData, ThrowOnError>): RequestResult<AnswerUssdStepResponses, unknown, ThrowOnError> => options.client.post<AnswerUssdStepResponses, unknown, ThrowOnError>({
    url: '/ussd/json/{secret}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Send a message as a user of the messaging platform would, to test the conversation
 *
 * The reply has the answer the messaging platform would send. Nothing is sent to a phone. In production it needs a bearer token or a service signature, because the answer reveals whether a number is registered.
 *
 * Needs no role or scope.
 */
export const simulateMessage = <ThrowOnError extends boolean = false>(options: Options<SimulateMessageData, ThrowOnError>): RequestResult<SimulateMessageResponses, unknown, ThrowOnError> => options.client.post<SimulateMessageResponses, unknown, ThrowOnError>({
    url: '/api/v1/external/messaging',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Verify the webhook for the messaging platform
 *
 * The platform calls it once, when the operator registers the webhook's address.
 *
 * Needs no role or scope.
 */
export const verifyMessagingWebhook = <ThrowOnError extends boolean = false>(options: Options<VerifyMessagingWebhookData, ThrowOnError>): RequestResult<VerifyMessagingWebhookResponses, unknown, ThrowOnError> => options.client.get<VerifyMessagingWebhookResponses, unknown, ThrowOnError>({ url: '/api/v1/webhooks/messaging', ...options });

/**
 * Receive up to 100 messages from the messaging platform; each is answered once, on the platform
 *
 * Answers go back to the sender on the platform, not in this reply.
 *
 * Needs no role or scope.
 */
export const receiveMessages = <ThrowOnError extends boolean = false>(options: Options<ReceiveMessagesData, ThrowOnError>): RequestResult<ReceiveMessagesResponses, unknown, ThrowOnError> => options.client.post<ReceiveMessagesResponses, unknown, ThrowOnError>({
    url: '/api/v1/webhooks/messaging',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Send a message as a user of the messaging platform would, to test the conversation (outside /api/v1)
 *
 * The reply has the answer the messaging platform would send. Nothing is sent to a phone. In production it needs a bearer token or a service signature, because the answer reveals whether a number is registered.
 *
 * Needs no role or scope.
 */
export const simulateMessageAtRoot = <ThrowOnError extends boolean = false>(options: Options<SimulateMessageAtRootData, ThrowOnError>): RequestResult<SimulateMessageAtRootResponses, unknown, ThrowOnError> => options.client.post<SimulateMessageAtRootResponses, unknown, ThrowOnError>({
    url: '/external/messaging',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Verify the webhook for the messaging platform (outside /api/v1)
 *
 * The platform calls it once, when the operator registers the webhook's address.
 *
 * Needs no role or scope.
 */
export const verifyMessagingWebhookAtRoot = <ThrowOnError extends boolean = false>(options: Options<VerifyMessagingWebhookAtRootData, ThrowOnError>): RequestResult<VerifyMessagingWebhookAtRootResponses, unknown, ThrowOnError> => options.client.get<VerifyMessagingWebhookAtRootResponses, unknown, ThrowOnError>({ url: '/webhooks/messaging', ...options });

/**
 * Receive up to 100 messages from the messaging platform; each is answered once, on the platform (outside /api/v1)
 *
 * Answers go back to the sender on the platform, not in this reply.
 *
 * Needs no role or scope.
 */
export const receiveMessagesAtRoot = <ThrowOnError extends boolean = false>(options: Options<ReceiveMessagesAtRootData, ThrowOnError>): RequestResult<ReceiveMessagesAtRootResponses, unknown, ThrowOnError> => options.client.post<ReceiveMessagesAtRootResponses, unknown, ThrowOnError>({
    url: '/webhooks/messaging',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
