// Generated from docs/openapi.json by npm run docs. Do not edit.
import type { Body, ListResult, Query, Result } from '../methods.ts';
import type { CallOptions, Reply, UploadBody, UploadOptions } from '../low-level.ts';
import {
  acceptFloatRequest,
  acceptRecall,
  acceptSuggestion,
  activateSubscriber,
  addBankAccount,
  addCaseClocks,
  addCaseNote,
  addSubscriberNote,
  answerAfricasTalking,
  answerUssdStep,
  approveBulkPayment,
  approvePaymentRequest,
  approveRequest,
  askForFloat,
  assignAlert,
  assignCase,
  assignReconciliationItems,
  beginTotpEnrolment,
  blockCard,
  blockOwnCard,
  blockPayee,
  blockSubscriber,
  cancelBulkPayment,
  cancelCashOutCode,
  cancelFloatRequest,
  cancelOwnPaymentRequest,
  cancelPaymentRequest,
  captureAtTerminal,
  captureInApp,
  cashIn,
  changeAgentPin,
  changeCaseState,
  changeOwnPin,
  changePassword,
  changeSubscriberPin,
  checkPayment,
  collectSecrets,
  confirmGoingLiveItem,
  confirmLabPaymentRequest,
  confirmOwnRecall,
  confirmTotp,
  contestRecall,
  createApiKey,
  createCashOutCode,
  createClose,
  createLabPaymentRequest,
  createMatch,
  createOwnKey,
  createOwnPaymentRequest,
  createOwnTransfer,
  createPartner,
  createPaymentRequest,
  createProcessor,
  createProcessorLogin,
  createQuote,
  createRule,
  createSavedView,
  createTrustAccount,
  createUser,
  createWebhookEndpoint,
  creditWallet,
  customerDeviceLogin,
  decideRecall,
  declineFloatRequest,
  declineLabPaymentRequest,
  declinePaymentRequest,
  deleteFeeSetting,
  deleteSavedView,
  deleteWebhookEndpoint,
  downloadBankStatement,
  enableTransactionTypes,
  endAfricasTalkingSession,
  endConsoleSession,
  endCustomerSession,
  endOwnDevice,
  enquireName,
  erasePersonalData,
  exportPersonalData,
  extendRecallHold,
  finishCertification,
  finishConsoleLogin,
  finishCustomerLogin,
  finishLogin,
  forgotPassword,
  fundAgent,
  fundFromPartner,
  getAccountRules,
  getAccountStatement,
  getAccountStatus,
  getAgent,
  getAgentBalance,
  getAlert,
  getApiKey,
  getApproval,
  getBalance,
  getBalanceWithPin,
  getBankStatement,
  getBulkPayment,
  getBulkPaymentReport,
  getBulkPaymentReportPdf,
  getBulkRowLimit,
  getBusinessNotifications,
  getCard,
  getCase,
  getCaseFile,
  getCashOutPrice,
  getCertification,
  getClose,
  getCloseFigures,
  getClosePdf,
  getCommissionTiers,
  getCounts,
  getCredit,
  getCurrentUser,
  getFeeQuote,
  getFeeSetting,
  getHealth,
  getHold,
  getInboundCredit,
  getLabPhone,
  getLiveness,
  getMatch,
  getMe,
  getMetrics,
  getOverview,
  getOwnBalance,
  getOwnCase,
  getOwnNotifications,
  getOwnPaymentRequest,
  getOwnRequest,
  getOwnStatement,
  getOwnTransaction,
  getOwnWebhookDelivery,
  getPartner,
  getPasskeyOptions,
  getPaymentNetwork,
  getPaymentRequest,
  getPayoutAtBank,
  getProcessor,
  getProcessorQr,
  getProcessorTakings,
  getProductionHealth,
  getPublicKeys,
  getReadiness,
  getReceipt,
  getRequest,
  getReturnHosts,
  getRoles,
  getRule,
  getSecondFactors,
  getSeries,
  getStatus,
  getSubscriber,
  getSubscriberDocument,
  getSubscriberLimits,
  getTransaction,
  getTransactionEvidence,
  getTransactionSums,
  getTrialBalance,
  getTrustAccount,
  getUser,
  getWebhookDelivery,
  getWebhookEndpoint,
  linkCard,
  linkChildCard,
  listAccountRules,
  listAgentCommissions,
  listAgentFloats,
  listAgentRefusals,
  listAgentTransactions,
  listAgents,
  listAlerts,
  listAllPayouts,
  listApiKeyRequests,
  listApiKeys,
  listApprovalPolicies,
  listApprovals,
  listAuditLogs,
  listBankAccounts,
  listBankEntries,
  listBankStatements,
  listBlockedPayees,
  listBulkPaymentRows,
  listBulkPayments,
  listCards,
  listCaseClocks,
  listCases,
  listCashOutCodes,
  listCertifications,
  listCloses,
  listFeeSettings,
  listFloatRequests,
  listGoingLiveItems,
  listHolds,
  listInboundCredits,
  listIncomingRequests,
  listLedgerAccounts,
  listMatches,
  listMessages,
  listOwnCards,
  listOwnCases,
  listOwnDevices,
  listOwnRefusals,
  listOwnRequests,
  listOwnTransactions,
  listOwnWebhookDeliveries,
  listPartnerTransactions,
  listPartners,
  listPaymentRequests,
  listPayouts,
  listProcessorRefusals,
  listProcessorTransactions,
  listProcessors,
  listReconciliationItems,
  listRules,
  listSavedViews,
  listSentRequests,
  listSubscriberDocuments,
  listSubscriberNotes,
  listSubscriberRefusals,
  listSubscribers,
  listSuggestions,
  listSuspenseItems,
  listTerminalKeys,
  listTransactions,
  listTrustAccounts,
  listUsers,
  listWebhookDeliveries,
  listWebhookEndpoints,
  login,
  logout,
  lookUpCardAtTerminal,
  lookUpCardInApp,
  markCaseComplex,
  notifyPayer,
  openCase,
  openOwnCase,
  openPaymentPage,
  openPaymentRequest,
  openReceipt,
  partnerCashIn,
  payAtTerminal,
  payInApp,
  payMerchant,
  payOut,
  playLabUssd,
  putFeeSetting,
  raiseAlert,
  reactivateAgent,
  reactivateProcessor,
  receiveMessages,
  receiveMessagesAtRoot,
  receivePartnerCashIn,
  recoverPassword,
  redeemCashOutCode,
  refreshConsoleSession,
  refreshCustomerTokens,
  refreshTokens,
  refundAtTerminal,
  refundFromProcessor,
  refundInApp,
  registerAgent,
  registerPasskey,
  registerPublicSubscriber,
  registerSubscriber,
  rejectRequest,
  releaseAlert,
  releaseReconciliationItems,
  removeBankAccount,
  removePasskey,
  removeTotp,
  replaceRecoveryCodes,
  replayOwnWebhookDelivery,
  replayWebhookDelivery,
  requestSubscriberLevel,
  resendVerificationCode,
  resetAgentPin,
  resetPassword,
  resetSecondFactor,
  resetSubscriberPin,
  resolveAlert,
  resolveSuspenseItem,
  retryBulkPayment,
  returnAgentFloat,
  returnByLegalOrder,
  returnPayout,
  reverseInboundCredit,
  revokeApiKey,
  revokeOwnKey,
  revokeReceipt,
  rotateApiKey,
  rotateWebhookEndpointSecret,
  rotateWebhookSecret,
  runReconciliation,
  search,
  sendCaseMessage,
  sendOwnCaseMessage,
  sendPepCode,
  setNewPin,
  setReturnHosts,
  settlePartner,
  simulateMessage,
  simulateMessageAtRoot,
  startCertification,
  startConsoleSession,
  startCustomerLogin,
  stopBulkPayment,
  suspendAgent,
  suspendProcessor,
  terminateAgent,
  testWebhookEndpoint,
  transfer,
  transferAgentFloat,
  transferByCard,
  transferFromProcessor,
  unblockCard,
  unblockOwnCard,
  unblockPayee,
  unblockSubscriber,
  undoMatch,
  unlinkCard,
  unlockSubscriberPin,
  updateAgent,
  updateAlert,
  updateApiKey,
  updateApprovalPolicy,
  updateBulkRowLimit,
  updateBusinessNotifications,
  updateCard,
  updateCommissionTiers,
  updateOwnNotifications,
  updatePartner,
  updateProcessor,
  updateRule,
  updateSubscriber,
  updateTrustAccount,
  updateUser,
  updateWebhookEndpoint,
  uploadBankStatement,
  uploadBulkPayment,
  uploadCards,
  uploadCaseFile,
  uploadSubscriberDocument,
  verifyAccountAtTerminal,
  verifyAccountInApp,
  verifyAuditLog,
  verifyCardAtTerminal,
  verifyCardInApp,
  verifyMessagingWebhook,
  verifyMessagingWebhookAtRoot,
  verifyPepCode,
  verifyPublicSubscriber,
  verifySubscriberPin,
  voidAtTerminal,
  voidInApp,
  whatIfFees,
  whatIfNewRule,
  whatIfRule,
  withdraw,
  withdrawGoingLiveItem,
  withdrawRequest,
  writeOff,
} from './sdk.gen.ts';
import type {
  AcceptFloatRequestData,
  AcceptFloatRequestResponses,
  AcceptRecallData,
  AcceptRecallResponses,
  AcceptSuggestionData,
  AcceptSuggestionResponses,
  ActivateSubscriberResponses,
  AddBankAccountData,
  AddBankAccountResponses,
  AddCaseClocksData,
  AddCaseClocksResponses,
  AddCaseNoteData,
  AddCaseNoteResponses,
  AddSubscriberNoteData,
  AddSubscriberNoteResponses,
  AnswerAfricasTalkingData,
  AnswerUssdStepData,
  AnswerUssdStepResponses,
  ApproveBulkPaymentData,
  ApproveBulkPaymentResponses,
  ApprovePaymentRequestData,
  ApprovePaymentRequestResponses,
  ApproveRequestResponses,
  AskForFloatData,
  AskForFloatResponses,
  AssignAlertResponses,
  AssignCaseData,
  AssignCaseResponses,
  AssignReconciliationItemsData,
  AssignReconciliationItemsResponses,
  BeginTotpEnrolmentData,
  BeginTotpEnrolmentResponses,
  BlockCardData,
  BlockCardResponses,
  BlockOwnCardResponses,
  BlockPayeeResponses,
  BlockSubscriberData,
  BlockSubscriberResponses,
  CancelBulkPaymentResponses,
  CancelCashOutCodeResponses,
  CancelFloatRequestResponses,
  CancelOwnPaymentRequestResponses,
  CancelPaymentRequestResponses,
  CaptureAtTerminalData,
  CaptureAtTerminalResponses,
  CaptureInAppData,
  CaptureInAppResponses,
  CashInData,
  CashInResponses,
  ChangeAgentPinData,
  ChangeAgentPinResponses,
  ChangeCaseStateData,
  ChangeCaseStateResponses,
  ChangeOwnPinData,
  ChangeOwnPinResponses,
  ChangePasswordData,
  ChangePasswordResponses,
  ChangeSubscriberPinData,
  ChangeSubscriberPinResponses,
  CheckPaymentData,
  CheckPaymentResponses,
  CollectSecretsResponses,
  ConfirmGoingLiveItemData,
  ConfirmGoingLiveItemResponses,
  ConfirmLabPaymentRequestData,
  ConfirmLabPaymentRequestResponses,
  ConfirmOwnRecallData,
  ConfirmOwnRecallResponses,
  ConfirmTotpData,
  ConfirmTotpResponses,
  ContestRecallData,
  ContestRecallResponses,
  CreateApiKeyData,
  CreateApiKeyResponses,
  CreateCashOutCodeData,
  CreateCashOutCodeResponses,
  CreateCloseData,
  CreateCloseResponses,
  CreateLabPaymentRequestData,
  CreateLabPaymentRequestResponses,
  CreateMatchData,
  CreateMatchResponses,
  CreateOwnKeyData,
  CreateOwnKeyResponses,
  CreateOwnPaymentRequestData,
  CreateOwnPaymentRequestResponses,
  CreateOwnTransferData,
  CreateOwnTransferResponses,
  CreatePartnerData,
  CreatePartnerResponses,
  CreatePaymentRequestData,
  CreatePaymentRequestResponses,
  CreateProcessorData,
  CreateProcessorLoginData,
  CreateProcessorLoginResponses,
  CreateProcessorResponses,
  CreateQuoteData,
  CreateQuoteResponses,
  CreateRuleData,
  CreateRuleResponses,
  CreateSavedViewData,
  CreateSavedViewResponses,
  CreateTrustAccountData,
  CreateTrustAccountResponses,
  CreateUserData,
  CreateUserResponses,
  CreateWebhookEndpointData,
  CreateWebhookEndpointResponses,
  CreditWalletData,
  CreditWalletResponses,
  CustomerDeviceLoginData,
  CustomerDeviceLoginResponses,
  DecideRecallData,
  DecideRecallResponses,
  DeclineFloatRequestData,
  DeclineFloatRequestResponses,
  DeclineLabPaymentRequestData,
  DeclineLabPaymentRequestResponses,
  DeclinePaymentRequestResponses,
  DeleteFeeSettingResponses,
  DeleteSavedViewResponses,
  DeleteWebhookEndpointResponses,
  EnableTransactionTypesData,
  EnableTransactionTypesResponses,
  EndAfricasTalkingSessionData,
  EndConsoleSessionData,
  EndConsoleSessionResponses,
  EndCustomerSessionData,
  EndCustomerSessionResponses,
  EndOwnDeviceResponses,
  EnquireNameData,
  EnquireNameResponses,
  ErasePersonalDataData,
  ErasePersonalDataResponses,
  ExportPersonalDataResponses,
  ExtendRecallHoldData,
  ExtendRecallHoldResponses,
  FinishCertificationResponses,
  FinishConsoleLoginData,
  FinishConsoleLoginResponses,
  FinishCustomerLoginData,
  FinishCustomerLoginResponses,
  FinishLoginData,
  FinishLoginResponses,
  ForgotPasswordData,
  ForgotPasswordResponses,
  FundAgentData,
  FundAgentResponses,
  FundFromPartnerData,
  FundFromPartnerResponses,
  GetAccountRulesResponses,
  GetAccountStatementData,
  GetAccountStatementResponses,
  GetAccountStatusData,
  GetAccountStatusResponses,
  GetAgentBalanceResponses,
  GetAgentResponses,
  GetAlertResponses,
  GetApiKeyResponses,
  GetApprovalResponses,
  GetBalanceResponses,
  GetBalanceWithPinData,
  GetBalanceWithPinResponses,
  GetBankStatementResponses,
  GetBulkPaymentResponses,
  GetBulkRowLimitResponses,
  GetBusinessNotificationsResponses,
  GetCardResponses,
  GetCaseResponses,
  GetCashOutPriceData,
  GetCashOutPriceResponses,
  GetCertificationResponses,
  GetCloseFiguresResponses,
  GetCloseResponses,
  GetCommissionTiersResponses,
  GetCountsData,
  GetCountsResponses,
  GetCreditResponses,
  GetCurrentUserResponses,
  GetFeeQuoteData,
  GetFeeQuoteResponses,
  GetFeeSettingResponses,
  GetHealthResponses,
  GetHoldResponses,
  GetInboundCreditResponses,
  GetLabPhoneData,
  GetLabPhoneResponses,
  GetLivenessResponses,
  GetMatchResponses,
  GetMeResponses,
  GetOverviewData,
  GetOverviewResponses,
  GetOwnBalanceResponses,
  GetOwnCaseResponses,
  GetOwnNotificationsResponses,
  GetOwnPaymentRequestResponses,
  GetOwnRequestResponses,
  GetOwnStatementData,
  GetOwnStatementResponses,
  GetOwnTransactionResponses,
  GetOwnWebhookDeliveryResponses,
  GetPartnerResponses,
  GetPasskeyOptionsData,
  GetPasskeyOptionsResponses,
  GetPaymentNetworkData,
  GetPaymentNetworkResponses,
  GetPaymentRequestResponses,
  GetPayoutAtBankResponses,
  GetProcessorQrData,
  GetProcessorResponses,
  GetProcessorTakingsData,
  GetProcessorTakingsResponses,
  GetProductionHealthResponses,
  GetPublicKeysResponses,
  GetReadinessResponses,
  GetReceiptResponses,
  GetRequestData,
  GetRequestResponses,
  GetReturnHostsResponses,
  GetRolesResponses,
  GetRuleResponses,
  GetSecondFactorsResponses,
  GetSeriesData,
  GetSeriesResponses,
  GetStatusResponses,
  GetSubscriberLimitsResponses,
  GetSubscriberResponses,
  GetTransactionResponses,
  GetTransactionSumsData,
  GetTransactionSumsResponses,
  GetTrialBalanceData,
  GetTrialBalanceResponses,
  GetTrustAccountResponses,
  GetUserResponses,
  GetWebhookDeliveryResponses,
  GetWebhookEndpointResponses,
  LinkCardData,
  LinkCardResponses,
  LinkChildCardData,
  LinkChildCardResponses,
  ListAccountRulesData,
  ListAccountRulesResponses,
  ListAgentCommissionsData,
  ListAgentCommissionsResponses,
  ListAgentFloatsData,
  ListAgentFloatsResponses,
  ListAgentRefusalsData,
  ListAgentRefusalsResponses,
  ListAgentTransactionsData,
  ListAgentTransactionsResponses,
  ListAgentsData,
  ListAgentsResponses,
  ListAlertsData,
  ListAlertsResponses,
  ListAllPayoutsData,
  ListAllPayoutsResponses,
  ListApiKeyRequestsData,
  ListApiKeyRequestsResponses,
  ListApiKeysData,
  ListApiKeysResponses,
  ListApprovalPoliciesResponses,
  ListApprovalsData,
  ListApprovalsResponses,
  ListAuditLogsData,
  ListAuditLogsResponses,
  ListBankAccountsResponses,
  ListBankEntriesData,
  ListBankEntriesResponses,
  ListBankStatementsData,
  ListBankStatementsResponses,
  ListBlockedPayeesResponses,
  ListBulkPaymentRowsData,
  ListBulkPaymentRowsResponses,
  ListBulkPaymentsData,
  ListBulkPaymentsResponses,
  ListCardsData,
  ListCardsResponses,
  ListCaseClocksData,
  ListCaseClocksResponses,
  ListCasesData,
  ListCasesResponses,
  ListCashOutCodesData,
  ListCashOutCodesResponses,
  ListCertificationsData,
  ListCertificationsResponses,
  ListClosesData,
  ListClosesResponses,
  ListFeeSettingsData,
  ListFeeSettingsResponses,
  ListFloatRequestsData,
  ListFloatRequestsResponses,
  ListGoingLiveItemsResponses,
  ListHoldsData,
  ListHoldsResponses,
  ListInboundCreditsData,
  ListInboundCreditsResponses,
  ListIncomingRequestsData,
  ListIncomingRequestsResponses,
  ListLedgerAccountsData,
  ListLedgerAccountsResponses,
  ListMatchesData,
  ListMatchesResponses,
  ListMessagesData,
  ListMessagesResponses,
  ListOwnCardsData,
  ListOwnCardsResponses,
  ListOwnCasesData,
  ListOwnCasesResponses,
  ListOwnDevicesResponses,
  ListOwnRefusalsData,
  ListOwnRefusalsResponses,
  ListOwnRequestsData,
  ListOwnRequestsResponses,
  ListOwnTransactionsData,
  ListOwnTransactionsResponses,
  ListOwnWebhookDeliveriesData,
  ListOwnWebhookDeliveriesResponses,
  ListPartnerTransactionsData,
  ListPartnerTransactionsResponses,
  ListPartnersData,
  ListPartnersResponses,
  ListPaymentRequestsData,
  ListPaymentRequestsResponses,
  ListPayoutsData,
  ListPayoutsResponses,
  ListProcessorRefusalsData,
  ListProcessorRefusalsResponses,
  ListProcessorTransactionsData,
  ListProcessorTransactionsResponses,
  ListProcessorsData,
  ListProcessorsResponses,
  ListReconciliationItemsData,
  ListReconciliationItemsResponses,
  ListRulesData,
  ListRulesResponses,
  ListSavedViewsData,
  ListSavedViewsResponses,
  ListSentRequestsData,
  ListSentRequestsResponses,
  ListSubscriberDocumentsResponses,
  ListSubscriberNotesData,
  ListSubscriberNotesResponses,
  ListSubscriberRefusalsData,
  ListSubscriberRefusalsResponses,
  ListSubscribersData,
  ListSubscribersResponses,
  ListSuggestionsData,
  ListSuggestionsResponses,
  ListSuspenseItemsData,
  ListSuspenseItemsResponses,
  ListTerminalKeysData,
  ListTerminalKeysResponses,
  ListTransactionsData,
  ListTransactionsResponses,
  ListTrustAccountsData,
  ListTrustAccountsResponses,
  ListUsersData,
  ListUsersResponses,
  ListWebhookDeliveriesData,
  ListWebhookDeliveriesResponses,
  ListWebhookEndpointsData,
  ListWebhookEndpointsResponses,
  LoginData,
  LoginResponses,
  LogoutData,
  LogoutResponses,
  LookUpCardAtTerminalData,
  LookUpCardAtTerminalResponses,
  LookUpCardInAppData,
  LookUpCardInAppResponses,
  MarkCaseComplexData,
  MarkCaseComplexResponses,
  NotifyPayerData,
  NotifyPayerResponses,
  OpenCaseData,
  OpenCaseResponses,
  OpenOwnCaseData,
  OpenOwnCaseResponses,
  OpenPaymentPageData,
  OpenPaymentPageResponses,
  OpenPaymentRequestResponses,
  OpenReceiptData,
  OpenReceiptResponses,
  PartnerCashInData,
  PartnerCashInResponses,
  PayAtTerminalData,
  PayAtTerminalResponses,
  PayInAppData,
  PayInAppResponses,
  PayMerchantData,
  PayMerchantResponses,
  PayOutData,
  PayOutResponses,
  PlayLabUssdData,
  PlayLabUssdResponses,
  PutFeeSettingData,
  PutFeeSettingResponses,
  RaiseAlertData,
  RaiseAlertResponses,
  ReactivateAgentResponses,
  ReactivateProcessorResponses,
  ReceiveMessagesAtRootData,
  ReceiveMessagesAtRootResponses,
  ReceiveMessagesData,
  ReceiveMessagesResponses,
  ReceivePartnerCashInData,
  ReceivePartnerCashInResponses,
  RecoverPasswordData,
  RecoverPasswordResponses,
  RedeemCashOutCodeData,
  RedeemCashOutCodeResponses,
  RefreshConsoleSessionResponses,
  RefreshCustomerTokensData,
  RefreshCustomerTokensResponses,
  RefreshTokensData,
  RefreshTokensResponses,
  RefundAtTerminalData,
  RefundAtTerminalResponses,
  RefundFromProcessorData,
  RefundFromProcessorResponses,
  RefundInAppData,
  RefundInAppResponses,
  RegisterAgentData,
  RegisterAgentResponses,
  RegisterPasskeyData,
  RegisterPasskeyResponses,
  RegisterPublicSubscriberData,
  RegisterPublicSubscriberResponses,
  RegisterSubscriberData,
  RegisterSubscriberResponses,
  RejectRequestData,
  RejectRequestResponses,
  ReleaseAlertResponses,
  ReleaseReconciliationItemsData,
  ReleaseReconciliationItemsResponses,
  RemoveBankAccountResponses,
  RemovePasskeyData,
  RemovePasskeyResponses,
  RemoveTotpData,
  RemoveTotpResponses,
  ReplaceRecoveryCodesData,
  ReplaceRecoveryCodesResponses,
  ReplayOwnWebhookDeliveryResponses,
  ReplayWebhookDeliveryResponses,
  RequestSubscriberLevelData,
  RequestSubscriberLevelResponses,
  ResendVerificationCodeResponses,
  ResetAgentPinData,
  ResetAgentPinResponses,
  ResetPasswordResponses,
  ResetSecondFactorResponses,
  ResetSubscriberPinData,
  ResetSubscriberPinResponses,
  ResolveAlertData,
  ResolveAlertResponses,
  ResolveSuspenseItemData,
  ResolveSuspenseItemResponses,
  RetryBulkPaymentResponses,
  ReturnAgentFloatData,
  ReturnAgentFloatResponses,
  ReturnByLegalOrderData,
  ReturnByLegalOrderResponses,
  ReturnPayoutData,
  ReturnPayoutResponses,
  ReverseInboundCreditData,
  ReverseInboundCreditResponses,
  RevokeApiKeyResponses,
  RevokeOwnKeyResponses,
  RevokeReceiptData,
  RevokeReceiptResponses,
  RotateApiKeyData,
  RotateApiKeyResponses,
  RotateWebhookEndpointSecretData,
  RotateWebhookEndpointSecretResponses,
  RotateWebhookSecretData,
  RotateWebhookSecretResponses,
  RunReconciliationResponses,
  SearchData,
  SearchResponses,
  SendCaseMessageData,
  SendCaseMessageResponses,
  SendOwnCaseMessageData,
  SendOwnCaseMessageResponses,
  SendPepCodeResponses,
  SetNewPinData,
  SetNewPinResponses,
  SetReturnHostsData,
  SetReturnHostsResponses,
  SettlePartnerData,
  SettlePartnerResponses,
  SimulateMessageAtRootData,
  SimulateMessageAtRootResponses,
  SimulateMessageData,
  SimulateMessageResponses,
  StartCertificationData,
  StartCertificationResponses,
  StartConsoleSessionData,
  StartConsoleSessionResponses,
  StartCustomerLoginData,
  StartCustomerLoginResponses,
  StopBulkPaymentResponses,
  SuspendAgentData,
  SuspendAgentResponses,
  SuspendProcessorData,
  SuspendProcessorResponses,
  TerminateAgentData,
  TerminateAgentResponses,
  TestWebhookEndpointData,
  TestWebhookEndpointResponses,
  TransferAgentFloatData,
  TransferAgentFloatResponses,
  TransferByCardData,
  TransferByCardResponses,
  TransferData,
  TransferFromProcessorData,
  TransferFromProcessorResponses,
  TransferResponses,
  UnblockCardResponses,
  UnblockOwnCardData,
  UnblockOwnCardResponses,
  UnblockPayeeResponses,
  UnblockSubscriberData,
  UnblockSubscriberResponses,
  UndoMatchResponses,
  UnlinkCardData,
  UnlinkCardResponses,
  UnlockSubscriberPinData,
  UnlockSubscriberPinResponses,
  UpdateAgentData,
  UpdateAgentResponses,
  UpdateAlertData,
  UpdateAlertResponses,
  UpdateApiKeyData,
  UpdateApiKeyResponses,
  UpdateApprovalPolicyData,
  UpdateApprovalPolicyResponses,
  UpdateBulkRowLimitData,
  UpdateBulkRowLimitResponses,
  UpdateBusinessNotificationsData,
  UpdateBusinessNotificationsResponses,
  UpdateCardData,
  UpdateCardResponses,
  UpdateCommissionTiersData,
  UpdateCommissionTiersResponses,
  UpdateOwnNotificationsData,
  UpdateOwnNotificationsResponses,
  UpdatePartnerData,
  UpdatePartnerResponses,
  UpdateProcessorData,
  UpdateProcessorResponses,
  UpdateRuleData,
  UpdateRuleResponses,
  UpdateSubscriberData,
  UpdateSubscriberResponses,
  UpdateTrustAccountData,
  UpdateTrustAccountResponses,
  UpdateUserData,
  UpdateUserResponses,
  UpdateWebhookEndpointData,
  UpdateWebhookEndpointResponses,
  UploadBankStatementResponses,
  UploadBulkPaymentData,
  UploadBulkPaymentResponses,
  UploadCardsResponses,
  UploadCaseFileData,
  UploadCaseFileResponses,
  UploadSubscriberDocumentData,
  UploadSubscriberDocumentResponses,
  VerifyAccountAtTerminalData,
  VerifyAccountAtTerminalResponses,
  VerifyAccountInAppData,
  VerifyAccountInAppResponses,
  VerifyAuditLogResponses,
  VerifyCardAtTerminalData,
  VerifyCardAtTerminalResponses,
  VerifyCardInAppData,
  VerifyCardInAppResponses,
  VerifyMessagingWebhookAtRootData,
  VerifyMessagingWebhookData,
  VerifyPepCodeData,
  VerifyPepCodeResponses,
  VerifyPublicSubscriberData,
  VerifyPublicSubscriberResponses,
  VerifySubscriberPinData,
  VerifySubscriberPinResponses,
  VoidAtTerminalData,
  VoidAtTerminalResponses,
  VoidInAppData,
  VoidInAppResponses,
  WhatIfFeesData,
  WhatIfFeesResponses,
  WhatIfNewRuleData,
  WhatIfNewRuleResponses,
  WhatIfRuleData,
  WhatIfRuleResponses,
  WithdrawData,
  WithdrawGoingLiveItemResponses,
  WithdrawRequestResponses,
  WithdrawResponses,
  WriteOffData,
  WriteOffResponses,
} from './types.gen.ts';

/** One property per family of operations. */
export interface Families {
  readonly health: HealthMethods;
  readonly session: SessionMethods;
  readonly secondFactor: SecondFactorMethods;
  readonly users: UsersMethods;
  readonly apiKeys: ApiKeysMethods;
  readonly audit: AuditMethods;
  readonly messages: MessagesMethods;
  readonly savedViews: SavedViewsMethods;
  readonly goingLive: GoingLiveMethods;
  readonly lab: LabMethods;
  readonly consoleSession: ConsoleSessionMethods;
  readonly approvals: ApprovalsMethods;
  readonly reports: ReportsMethods;
  readonly me: MeMethods;
  readonly agents: AgentsMethods;
  readonly cases: CasesMethods;
  readonly notifications: NotificationsMethods;
  readonly registration: RegistrationMethods;
  readonly subscribers: SubscribersMethods;
  readonly privacy: PrivacyMethods;
  readonly cards: CardsMethods;
  readonly wallet: WalletMethods;
  readonly transactions: TransactionsMethods;
  readonly holds: HoldsMethods;
  readonly search: SearchMethods;
  readonly floatRequests: FloatRequestsMethods;
  readonly alerts: AlertsMethods;
  readonly compliance: ComplianceMethods;
  readonly rules: RulesMethods;
  readonly fees: FeesMethods;
  readonly commissionTiers: CommissionTiersMethods;
  readonly partners: PartnersMethods;
  readonly processors: ProcessorsMethods;
  readonly paymentRequests: PaymentRequestsMethods;
  readonly bulkPayments: BulkPaymentsMethods;
  readonly integration: IntegrationMethods;
  readonly webhookEndpoints: WebhookEndpointsMethods;
  readonly terminal: TerminalMethods;
  readonly inApp: InAppMethods;
  readonly webhookDeliveries: WebhookDeliveriesMethods;
  readonly inbound: InboundMethods;
  readonly credits: CreditsMethods;
  readonly suspense: SuspenseMethods;
  readonly trustAccounts: TrustAccountsMethods;
  readonly reconciliation: ReconciliationMethods;
  readonly closes: ClosesMethods;
  readonly receipts: ReceiptsMethods;
  readonly paymentPages: PaymentPagesMethods;
  readonly partner: PartnerMethods;
  readonly ussd: UssdMethods;
  readonly messaging: MessagingMethods;
}

export interface HealthMethods {
  /** Health of each component. GET /health. */
  get(options?: CallOptions): Result<GetHealthResponses>;
  /** Readiness: 503 while the service cannot process requests. GET /health/ready. */
  ready(options?: CallOptions): Result<GetReadinessResponses>;
  /** Liveness: the process is running. GET /health/live. */
  live(options?: CallOptions): Result<GetLivenessResponses>;
  /** Get the state of payments and deliveries, and announced maintenance. GET /api/v1/status. */
  status(options?: CallOptions): Result<GetStatusResponses>;
  /** What production still needs: each check with its level and what to do. GET /health/production. */
  production(options?: CallOptions): Result<GetProductionHealthResponses>;
  /** Metrics for Prometheus, from the local machine or with METRICS_TOKEN. GET /metrics. */
  metrics(options?: CallOptions): Promise<string>;
}

export interface SessionMethods {
  /** Log in. POST /api/v1/admin/login. */
  login(params: Body<LoginData>, options?: CallOptions): Result<LoginResponses>;
  /** Finish a login: answer its challenge with a code or a passkey. POST /api/v1/admin/login/second-factor. */
  finishLogin(params: Body<FinishLoginData>, options?: CallOptions): Result<FinishLoginResponses>;
  /** Exchange a refresh token for a new pair of tokens; each works once. POST /api/v1/admin/refresh. */
  refresh(params: Body<RefreshTokensData>, options?: CallOptions): Result<RefreshTokensResponses>;
  /** Log out: revoke the session and all its refresh tokens, or every session of the user. POST /api/v1/admin/logout. */
  logout(params: Body<LogoutData>, options?: CallOptions): Result<LogoutResponses>;
  /** Ask for a code to replace a forgotten password. POST /api/v1/admin/forgot-password. */
  forgotPassword(params: Body<ForgotPasswordData>, options?: CallOptions): Result<ForgotPasswordResponses>;
  /** Replace a forgotten password with the code. POST /api/v1/admin/recover-password. */
  recoverPassword(params: Body<RecoverPasswordData>, options?: CallOptions): Result<RecoverPasswordResponses>;
  /** Get the current user with their permissions and the service they are logged in to. GET /api/v1/admin/me. */
  currentUser(options?: CallOptions): Result<GetCurrentUserResponses>;
  /** Change the current user's password; ends every session and access token. POST /api/v1/admin/change-password. */
  changePassword(params: Body<ChangePasswordData>, options?: CallOptions): Result<ChangePasswordResponses>;
  /** Send a one-time code for PEP accounts to the user's own phone. POST /api/v1/admin/pep/otp. */
  sendPepCode(options?: CallOptions): Result<SendPepCodeResponses>;
  /** Open access to PEP accounts for 15 minutes with the code. POST /api/v1/admin/pep/verify. */
  verifyPepCode(params: Body<VerifyPepCodeData>, options?: CallOptions): Result<VerifyPepCodeResponses>;
}

export interface SecondFactorMethods {
  /** Get the current user's second factors. GET /api/v1/admin/second-factor. */
  get(options?: CallOptions): Result<GetSecondFactorsResponses>;
  /** Begin the enrolment of an authenticator app; it takes effect when confirmed with a code. POST /api/v1/admin/second-factor/totp. */
  beginTotp(params: Body<BeginTotpEnrolmentData>, options?: CallOptions): Result<BeginTotpEnrolmentResponses>;
  /** Confirm the authenticator app with a code; the first factor ends every session and access token. POST /api/v1/admin/second-factor/totp/confirm. */
  confirmTotp(params: Body<ConfirmTotpData>, options?: CallOptions): Result<ConfirmTotpResponses>;
  /** Remove the authenticator app. POST /api/v1/admin/second-factor/totp/remove. */
  removeTotp(params: Body<RemoveTotpData>, options?: CallOptions): Result<RemoveTotpResponses>;
  /** Get the options to create a passkey in the browser; they are valid once, for 5 minutes. POST /api/v1/admin/second-factor/passkeys/options. */
  passkeyOptions(params: Body<GetPasskeyOptionsData>, options?: CallOptions): Result<GetPasskeyOptionsResponses>;
  /** Register a passkey; the first factor ends every session and access token. POST /api/v1/admin/second-factor/passkeys. */
  registerPasskey(params: Body<RegisterPasskeyData>, options?: CallOptions): Result<RegisterPasskeyResponses>;
  /** Remove a passkey. POST /api/v1/admin/second-factor/passkeys/{id}/remove. */
  removePasskey(id: string, params: Body<RemovePasskeyData>, options?: CallOptions): Result<RemovePasskeyResponses>;
  /** Replace the recovery codes; the new ones are shown once. POST /api/v1/admin/second-factor/recovery-codes. */
  replaceRecoveryCodes(params: Body<ReplaceRecoveryCodesData>, options?: CallOptions): Result<ReplaceRecoveryCodesResponses>;
}

export interface UsersMethods {
  /** Remove a user's second factors after a loss; ends every session of the user. POST /api/v1/admin/users/{id}/reset-second-factor. */
  resetSecondFactor(id: string, options?: CallOptions): Result<ResetSecondFactorResponses>;
  /** Create a user. POST /api/v1/admin/users. */
  create(params: Body<CreateUserData>, options?: CallOptions): Result<CreateUserResponses>;
  /** List users, newest first. GET /api/v1/admin/users. */
  list(params?: Query<ListUsersData>, options?: CallOptions): ListResult<ListUsersResponses, 'users'>;
  /** Get a user. GET /api/v1/admin/users/{id}. */
  get(id: string, options?: CallOptions): Result<GetUserResponses>;
  /** Update a user; omitted fields keep their values. PUT /api/v1/admin/users/{id}. */
  update(id: string, params: Body<UpdateUserData>, options?: CallOptions): Result<UpdateUserResponses>;
  /** Replace a forgotten password with a temporary one, shown once; ends every session of the user. POST /api/v1/admin/users/{id}/reset-password. */
  resetPassword(id: string, options?: CallOptions): Result<ResetPasswordResponses>;
  /** Get all roles and permissions, and which role and scope has which permission. GET /api/v1/admin/roles. */
  roles(options?: CallOptions): Result<GetRolesResponses>;
}

export interface ApiKeysMethods {
  /** Create an API key; its key and secret are shown once. POST /api/v1/admin/api-keys. */
  create(params: Body<CreateApiKeyData>, options?: CallOptions): Result<CreateApiKeyResponses>;
  /** List API keys, newest first. GET /api/v1/admin/api-keys. */
  list(params?: Query<ListApiKeysData>, options?: CallOptions): ListResult<ListApiKeysResponses, 'api_keys'>;
  /** Get an API key. GET /api/v1/admin/api-keys/{id}. */
  get(id: string, options?: CallOptions): Result<GetApiKeyResponses>;
  /** Rename an API key, remove scopes from it, reduce its daily limit, or let it expire earlier. PUT /api/v1/admin/api-keys/{id}. */
  update(id: string, params: Body<UpdateApiKeyData>, options?: CallOptions): Result<UpdateApiKeyResponses>;
  /** Revoke an API key. DELETE /api/v1/admin/api-keys/{id}. */
  revoke(id: string, options?: CallOptions): Result<RevokeApiKeyResponses>;
  /** Rotate an API key: issue a new key and secret; the previous ones remain valid for an overlap. POST /api/v1/admin/api-keys/{id}/rotate. */
  rotate(id: string, params?: Query<RotateApiKeyData>, options?: CallOptions): Result<RotateApiKeyResponses>;
  /** List the requests an API key made in the last 24 hours, newest first; bodies are redacted. GET /api/v1/admin/api-keys/{id}/requests. */
  requests(id: string, params?: Query<ListApiKeyRequestsData>, options?: CallOptions): ListResult<ListApiKeyRequestsResponses, 'requests'>;
}

export interface AuditMethods {
  /** Query the audit log, newest first. GET /api/v1/audit/logs. */
  list(params?: Query<ListAuditLogsData>, options?: CallOptions): ListResult<ListAuditLogsResponses, 'logs'>;
  /** Verify the hash chain of the audit log. GET /api/v1/audit/verify. */
  verify(options?: CallOptions): Result<VerifyAuditLogResponses>;
}

export interface MessagesMethods {
  /** List the messages of the local outbox, newest first; not available in production. GET /api/v1/admin/messages. */
  list(params?: Query<ListMessagesData>, options?: CallOptions): ListResult<ListMessagesResponses, 'messages'>;
}

export interface SavedViewsMethods {
  /** List your saved views and those shared by staff with the same role, newest first. GET /api/v1/admin/saved-views. */
  list(params?: Query<ListSavedViewsData>, options?: CallOptions): ListResult<ListSavedViewsResponses, 'views'>;
  /** Save a view of a console screen. POST /api/v1/admin/saved-views. */
  create(params: Body<CreateSavedViewData>, options?: CallOptions): Result<CreateSavedViewResponses>;
  /** Delete one of your saved views. DELETE /api/v1/admin/saved-views/{id}. */
  delete(id: string, options?: CallOptions): Result<DeleteSavedViewResponses>;
}

export interface GoingLiveMethods {
  /** What administrators confirm before going live, and who confirmed it. GET /api/v1/admin/going-live. */
  list(options?: CallOptions): Result<ListGoingLiveItemsResponses>;
  /** Confirm an item with a note; replaces an earlier confirmation. POST /api/v1/admin/going-live/{item}/confirm. */
  confirm(item: string, params: Body<ConfirmGoingLiveItemData>, options?: CallOptions): Result<ConfirmGoingLiveItemResponses>;
  /** Withdraw the confirmation of an item. POST /api/v1/admin/going-live/{item}/withdraw. */
  withdraw(item: string, options?: CallOptions): Result<WithdrawGoingLiveItemResponses>;
}

export interface LabMethods {
  /** Start a certification run with a partner's key and webhook endpoint; not available in production. POST /api/v1/admin/lab/certifications. */
  start(params: Body<StartCertificationData>, options?: CallOptions): Result<StartCertificationResponses>;
  /** List certification runs, newest first; not available in production. GET /api/v1/admin/lab/certifications. */
  list(params?: Query<ListCertificationsData>, options?: CallOptions): ListResult<ListCertificationsResponses, 'certifications'>;
  /** Get a certification run: the state of its steps and, at the end, the signed report. GET /api/v1/admin/lab/certifications/{id}. */
  get(id: string, options?: CallOptions): Result<GetCertificationResponses>;
  /** Finish a certification run now; it fails if a step is still waiting. POST /api/v1/admin/lab/certifications/{id}/finish. */
  finish(id: string, options?: CallOptions): Result<FinishCertificationResponses>;
  /** Get what the phone of a number received: SMS and chat messages; not available in production. GET /api/v1/admin/lab/phone. */
  phone(params?: Query<GetLabPhoneData>, options?: CallOptions): Result<GetLabPhoneResponses>;
  /** Dial the USSD menus as a number, or answer a page; not available in production. POST /api/v1/admin/lab/ussd. */
  ussd(params: Body<PlayLabUssdData>, options?: CallOptions): Result<PlayLabUssdResponses>;
  /** Ask for a payment as a customer; not available in production. POST /api/v1/admin/lab/payment-requests. Retries send the same `request_id`, which is made when absent. */
  createPaymentRequest(params: Body<CreateLabPaymentRequestData>, options?: CallOptions): Result<CreateLabPaymentRequestResponses>;
  /** Pay a payment request as a customer, with the PIN; not available in production. POST /api/v1/admin/lab/payment-requests/{id}/confirm. Retries send the same `request_id`, which is made when absent. */
  confirmPaymentRequest(id: string, params: Body<ConfirmLabPaymentRequestData>, options?: CallOptions): Result<ConfirmLabPaymentRequestResponses>;
  /** Decline a payment request as a customer; not available in production. POST /api/v1/admin/lab/payment-requests/{id}/decline. */
  declinePaymentRequest(id: string, params: Body<DeclineLabPaymentRequestData>, options?: CallOptions): Result<DeclineLabPaymentRequestResponses>;
}

export interface ConsoleSessionMethods {
  /** Log in to the console; the refresh token is set as a cookie. POST /console/session. */
  start(params: Body<StartConsoleSessionData>, options?: CallOptions): Result<StartConsoleSessionResponses>;
  /** Finish a login to the console: answer its challenge with a code or a passkey. POST /console/session/second-factor. */
  finishLogin(params: Body<FinishConsoleLoginData>, options?: CallOptions): Result<FinishConsoleLoginResponses>;
  /** Get a new access token for the session of the cookie. POST /console/session/refresh. */
  refresh(options?: CallOptions): Result<RefreshConsoleSessionResponses>;
  /** Log out of the console: revoke the session, or every session of the user, and delete the cookie. POST /console/session/logout. */
  end(params?: Body<EndConsoleSessionData>, options?: CallOptions): Result<EndConsoleSessionResponses>;
}

export interface ApprovalsMethods {
  /** List the approval policies of all actions. GET /api/v1/admin/approval-policies. */
  policies(options?: CallOptions): Result<ListApprovalPoliciesResponses>;
  /** Change an action's approval policy; needs a second system_admin once there are two, or with APPROVALS=recommended. PUT /api/v1/admin/approval-policies. */
  updatePolicy(params: Body<UpdateApprovalPolicyData>, options?: CallOptions): Result<UpdateApprovalPolicyResponses>;
  /** List approvals that the user may decide on or has requested, newest first. GET /api/v1/admin/approvals. */
  list(params?: Query<ListApprovalsData>, options?: CallOptions): ListResult<ListApprovalsResponses, 'approvals'>;
  /** Get an approval. GET /api/v1/admin/approvals/{id}. */
  get(id: string, options?: CallOptions): Result<GetApprovalResponses>;
  /** Approve another user's request: it is checked again and executed now. POST /api/v1/admin/approvals/{id}/approve. */
  approve(id: string, options?: CallOptions): Result<ApproveRequestResponses>;
  /** Reject another user's request. POST /api/v1/admin/approvals/{id}/reject. */
  reject(id: string, params: Body<RejectRequestData>, options?: CallOptions): Result<RejectRequestResponses>;
  /** Withdraw your own request. POST /api/v1/admin/approvals/{id}/withdraw. */
  withdraw(id: string, options?: CallOptions): Result<WithdrawRequestResponses>;
  /** Collect, once and as the requester, an executed request's secrets, such as a new API key's. POST /api/v1/admin/approvals/{id}/collect-secrets. */
  collectSecrets(id: string, options?: CallOptions): Result<CollectSecretsResponses>;
}

export interface ReportsMethods {
  /** Count what is waiting for the caller. GET /api/v1/admin/counts. */
  counts(params?: Query<GetCountsData>, options?: CallOptions): Result<GetCountsResponses>;
  /** Get today and the last 24 hours compared with a week before, balances, alerts and deliveries. GET /api/v1/admin/overview. */
  overview(params?: Query<GetOverviewData>, options?: CallOptions): Result<GetOverviewResponses>;
  /** A metric by hour, day or week, exact and without gaps; as CSV one row per type and step. GET /api/v1/admin/series. */
  series(params?: Query<GetSeriesData>, options?: CallOptions): Result<GetSeriesResponses>;
  /** List the ledger's accounts by id. GET /api/v1/admin/ledger/accounts. */
  ledgerAccounts(params?: Query<ListLedgerAccountsData>, options?: CallOptions): ListResult<ListLedgerAccountsResponses, 'accounts'>;
  /** Balances by kind of account, now or at an earlier instant. GET /api/v1/admin/ledger/trial-balance. */
  trialBalance(params?: Query<GetTrialBalanceData>, options?: CallOptions): Result<GetTrialBalanceResponses>;
  /** List agents' floats with the hours they are estimated to last, most urgent first. GET /api/v1/admin/agents/float. */
  agentFloats(params?: Query<ListAgentFloatsData>, options?: CallOptions): ListResult<ListAgentFloatsResponses, 'floats'>;
}

export interface MeMethods {
  /** Begin a customer's login: a code is sent to the number. POST /api/v1/me/login. */
  login(params: Body<StartCustomerLoginData>, options?: CallOptions): Result<StartCustomerLoginResponses>;
  /** Finish a customer's login on a new device, with the code and the PIN. POST /api/v1/me/login/verify. */
  verify(params: Body<FinishCustomerLoginData>, options?: CallOptions): Result<FinishCustomerLoginResponses>;
  /** Log a customer in on a known device, with the device's token and the PIN. POST /api/v1/me/login/device. */
  loginDevice(params: Body<CustomerDeviceLoginData>, options?: CallOptions): Result<CustomerDeviceLoginResponses>;
  /** Exchange a customer's refresh token for a new pair of tokens; each works once. POST /api/v1/me/refresh. */
  refresh(params: Body<RefreshCustomerTokensData>, options?: CallOptions): Result<RefreshCustomerTokensResponses>;
  /** End a customer's session; the device stays known. POST /api/v1/me/logout. */
  logout(params: Body<EndCustomerSessionData>, options?: CallOptions): Result<EndCustomerSessionResponses>;
  /** See whom you would pay and at what price, before you enter the PIN. POST /api/v1/me/quote. */
  quote(params: Body<CreateQuoteData>, options?: CallOptions): Result<CreateQuoteResponses>;
  /** Transfer as quoted, with your PIN. POST /api/v1/me/transfers. Retries send the same `request_id`, which is made when absent. */
  transfer(params: Body<CreateOwnTransferData, 'request_id'>, options?: CallOptions): Result<CreateOwnTransferResponses>;
  /** Pay a merchant as quoted, with your PIN. POST /api/v1/me/payments. Retries send the same `request_id`, which is made when absent. */
  payMerchant(params: Body<PayMerchantData, 'request_id'>, options?: CallOptions): Result<PayMerchantResponses>;
  /** Get a code with which any agent pays you out, within 30 minutes. POST /api/v1/me/cash-out-codes. Retries send the same `request_id`, which is made when absent. */
  createCashOutCode(params: Body<CreateCashOutCodeData, 'request_id'>, options?: CallOptions): Result<CreateCashOutCodeResponses>;
  /** List your cash-out codes of the last 90 days, newest first, without their digits. GET /api/v1/me/cash-out-codes. */
  cashOutCodes(params?: Query<ListCashOutCodesData>, options?: CallOptions): ListResult<ListCashOutCodesResponses, 'cash_out_codes'>;
  /** See what a cash-out code would cost, before you enter the PIN. GET /api/v1/me/cash-out-codes/price. */
  cashOutPrice(params?: Query<GetCashOutPriceData>, options?: CallOptions): Result<GetCashOutPriceResponses>;
  /** Cancel a cash-out code: its money is available again. POST /api/v1/me/cash-out-codes/{id}/cancel. */
  cancelCashOutCode(id: string, options?: CallOptions): Result<CancelCashOutCodeResponses>;
  /** List the open payment requests that you were told about, newest first. GET /api/v1/me/payment-requests/incoming. */
  incomingRequests(params?: Query<ListIncomingRequestsData>, options?: CallOptions): ListResult<ListIncomingRequestsResponses, 'payment_requests'>;
  /** Open a payment request by its code, or by the token at the end of its link. GET /api/v1/payment-requests/by-code/{code}. */
  openRequest(code: string, options?: CallOptions): Result<OpenPaymentRequestResponses>;
  /** Pay a payment request as quoted, with your PIN. POST /api/v1/me/payment-requests/{id}/approve. Retries send the same `request_id`, which is made when absent. */
  approveRequest(id: string, params: Body<ApprovePaymentRequestData, 'request_id'>, options?: CallOptions): Result<ApprovePaymentRequestResponses>;
  /** Decline a payment request; after two declines its payee can no longer send you notices. POST /api/v1/me/payment-requests/{id}/decline. */
  declineRequest(id: string, options?: CallOptions): Result<DeclinePaymentRequestResponses>;
  /** Ask somebody for a payment: ten requests a day. POST /api/v1/me/payment-requests. Retries send the same `request_id`, which is made when absent. */
  createRequest(params: Body<CreateOwnPaymentRequestData, 'request_id'>, options?: CallOptions): Result<CreateOwnPaymentRequestResponses>;
  /** List the payment requests that you made, newest first. GET /api/v1/me/payment-requests. */
  sentRequests(params?: Query<ListSentRequestsData>, options?: CallOptions): ListResult<ListSentRequestsResponses, 'payment_requests'>;
  /** Get a payment request that you made, were told about, or answered. GET /api/v1/me/payment-requests/{id}. */
  request(id: string, options?: CallOptions): Result<GetOwnPaymentRequestResponses>;
  /** Cancel a payment request that you made. POST /api/v1/me/payment-requests/{id}/cancel. */
  cancelRequest(id: string, options?: CallOptions): Result<CancelOwnPaymentRequestResponses>;
  /** Hear no more of the payee of a payment request. POST /api/v1/me/payment-requests/{id}/block-payee. */
  blockPayee(id: string, options?: CallOptions): Result<BlockPayeeResponses>;
  /** Hear of the payee of a payment request again. POST /api/v1/me/payment-requests/{id}/unblock-payee. */
  unblockPayee(id: string, options?: CallOptions): Result<UnblockPayeeResponses>;
  /** List the payees whom you blocked. GET /api/v1/me/blocked-payees. */
  blockedPayees(options?: CallOptions): Result<ListBlockedPayeesResponses>;
  /** Get your profile, your level, what is left of your limits, and devices that are new. GET /api/v1/me. */
  get(options?: CallOptions): Result<GetMeResponses>;
  /** Get your balance, and what authorised payments hold of it. GET /api/v1/me/balance. */
  balance(options?: CallOptions): Result<GetOwnBalanceResponses>;
  /** List your transactions, newest first. GET /api/v1/me/transactions. */
  transactions(params?: Query<ListOwnTransactionsData>, options?: CallOptions): ListResult<ListOwnTransactionsResponses, 'transactions'>;
  /** Get one of your transactions, with the link of its receipt. GET /api/v1/me/transactions/{id}. */
  transaction(id: string, options?: CallOptions): Result<GetOwnTransactionResponses>;
  /** Get your statement for a period of at most 366 days, as JSON, CSV or PDF. GET /api/v1/me/statement. */
  statement(params?: Query<GetOwnStatementData>, options?: CallOptions): Promise<Reply<GetOwnStatementResponses[keyof GetOwnStatementResponses]> | Blob>;
  /** List your cards. GET /api/v1/me/cards. */
  cards(params?: Query<ListOwnCardsData>, options?: CallOptions): ListResult<ListOwnCardsResponses, 'cards'>;
  /** Block one of your cards. POST /api/v1/me/cards/{serial}/block. */
  blockCard(serial: string, options?: CallOptions): Result<BlockOwnCardResponses>;
  /** Unblock a card that you blocked, with your PIN. POST /api/v1/me/cards/{serial}/unblock. */
  unblockCard(serial: string, params: Body<UnblockOwnCardData>, options?: CallOptions): Result<UnblockOwnCardResponses>;
  /** Change your PIN; your other devices end. POST /api/v1/me/change-pin. */
  changePin(params: Body<ChangeOwnPinData>, options?: CallOptions): Result<ChangeOwnPinResponses>;
  /** List the devices that can log in without a code, the one used last first. GET /api/v1/me/devices. */
  devices(options?: CallOptions): Result<ListOwnDevicesResponses>;
  /** End one of your devices and its session; it can log in again with a code. DELETE /api/v1/me/devices/{id}. */
  endDevice(id: string, options?: CallOptions): Result<EndOwnDeviceResponses>;
  /** List your refused payments, newest first, with the reasons. GET /api/v1/me/refusals. */
  refusals(params?: Query<ListOwnRefusalsData>, options?: CallOptions): ListResult<ListOwnRefusalsResponses, 'refusals'>;
  /** Report a problem; with your PIN, ask for a transfer to the wrong person back. POST /api/v1/me/cases. */
  openCase(params: Body<OpenOwnCaseData>, options?: CallOptions): Result<OpenOwnCaseResponses>;
  /** List your cases, and those that ask you to return a transfer, newest first. GET /api/v1/me/cases. */
  cases(params?: Query<ListOwnCasesData>, options?: CallOptions): ListResult<ListOwnCasesResponses, 'cases'>;
  /** Get one of your cases with its timeline. GET /api/v1/me/cases/{id}. */
  case(id: string, options?: CallOptions): Result<GetOwnCaseResponses>;
  /** Add something to your case. POST /api/v1/me/cases/{id}/messages. */
  sendCaseMessage(id: string, params: Body<SendOwnCaseMessageData>, options?: CallOptions): Result<SendOwnCaseMessageResponses>;
  /** Confirm with your PIN that you want a transfer back, in a case that was opened without it. POST /api/v1/me/cases/{id}/confirm. */
  confirmRecall(id: string, params: Body<ConfirmOwnRecallData>, options?: CallOptions): Result<ConfirmOwnRecallResponses>;
  /** Return a transfer that reached you by mistake, with your PIN. POST /api/v1/me/cases/{id}/accept. Retries send the same `request_id`, which is made when absent. */
  acceptRecall(id: string, params: Body<AcceptRecallData, 'request_id'>, options?: CallOptions): Result<AcceptRecallResponses>;
  /** Say that a transfer is yours: what is held of it is available again. POST /api/v1/me/cases/{id}/contest. */
  contestRecall(id: string, params?: Body<ContestRecallData>, options?: CallOptions): Result<ContestRecallResponses>;
  /** Get the outcome of one of your payments by its request_id, without the PIN. GET /api/v1/me/requests/{request_id}. */
  outcomeOfRequest(requestId: string, options?: CallOptions): Result<GetOwnRequestResponses>;
  /** Get the language and channels of your notices, and whether payments are told. GET /api/v1/me/notifications. */
  notifications(options?: CallOptions): Result<GetOwnNotificationsResponses>;
  /** Change the language and channels of your notices, and whether payments are told; omitted fields stay. PUT /api/v1/me/notifications. */
  updateNotifications(params: Body<UpdateOwnNotificationsData>, options?: CallOptions): Result<UpdateOwnNotificationsResponses>;
}

export interface AgentsMethods {
  /** Redeem a customer's cash-out code: the agent pays out the amount in cash. POST /api/v1/agents/cashout-code. Retries send the same `request_id`, which is made when absent. */
  redeemCode(params: Body<RedeemCashOutCodeData, 'request_id'>, options?: CallOptions): Result<RedeemCashOutCodeResponses>;
  /** Send a code to the agent's phone for setting a new PIN. POST /api/v1/agents/{id}/reset-pin. */
  resetPin(id: string, params?: Body<ResetAgentPinData>, options?: CallOptions): Result<ResetAgentPinResponses>;
  /** Register an agent; its login, password and PIN are sent to its phone. POST /api/v1/agents. */
  register(params: Body<RegisterAgentData>, options?: CallOptions): Result<RegisterAgentResponses>;
  /** List agents, by default newest first. GET /api/v1/agents. */
  list(params?: Query<ListAgentsData>, options?: CallOptions): ListResult<ListAgentsResponses, 'agents'>;
  /** Get an agent. GET /api/v1/agents/{id}. */
  get(id: string, options?: CallOptions): Result<GetAgentResponses>;
  /** Update an agent; omitted fields keep their values. PUT /api/v1/agents/{id}. */
  update(id: string, params: Body<UpdateAgentData>, options?: CallOptions): Result<UpdateAgentResponses>;
  /** Get an agent's float balance. GET /api/v1/agents/{id}/balance. */
  balance(id: string, options?: CallOptions): Result<GetAgentBalanceResponses>;
  /** List an agent's transactions, newest first, with totals. GET /api/v1/agents/{id}/transactions. */
  transactions(id: string, params?: Query<ListAgentTransactionsData>, options?: CallOptions): ListResult<ListAgentTransactionsResponses, 'transactions'>;
  /** Suspend an agent: its float is frozen and its user cannot log in. POST /api/v1/agents/{id}/suspend. */
  suspend(id: string, params: Body<SuspendAgentData>, options?: CallOptions): Result<SuspendAgentResponses>;
  /** Reactivate a suspended agent. POST /api/v1/agents/{id}/reactivate. */
  reactivate(id: string, options?: CallOptions): Result<ReactivateAgentResponses>;
  /** Terminate an agent permanently; its float must be 0. POST /api/v1/agents/{id}/terminate. */
  terminate(id: string, params?: Body<TerminateAgentData>, options?: CallOptions): Result<TerminateAgentResponses>;
  /** Change an agent's PIN. POST /api/v1/agents/{id}/change-pin. */
  changePin(id: string, params: Body<ChangeAgentPinData>, options?: CallOptions): Result<ChangeAgentPinResponses>;
  /** Fund an agent's float from the treasury. POST /api/v1/agents/{id}/fund. Retries send the same `request_id`, which is made when absent. */
  fund(id: string, params: Body<FundAgentData>, options?: CallOptions): Result<FundAgentResponses>;
  /** Return float from an agent, active or suspended, to the treasury. POST /api/v1/agents/{id}/return-float. Retries send the same `request_id`, which is made when absent. */
  returnFloat(id: string, params: Body<ReturnAgentFloatData>, options?: CallOptions): Result<ReturnAgentFloatResponses>;
  /** Cash in: pay from an agent's float into a wallet. POST /api/v1/agents/cashin. Retries send the same `request_id`, which is made when absent. */
  cashIn(params: Body<CashInData>, options?: CallOptions): Result<CashInResponses>;
  /** Transfer float from a super-agent to one of its sub-agents. POST /api/v1/agents/transfer. Retries send the same `request_id`, which is made when absent. */
  transferFloat(params: Body<TransferAgentFloatData>, options?: CallOptions): Result<TransferAgentFloatResponses>;
  /** List an agent's refused payments, newest first, with the reasons. GET /api/v1/agents/{id}/refusals. */
  refusals(id: string, params?: Query<ListAgentRefusalsData>, options?: CallOptions): ListResult<ListAgentRefusalsResponses, 'refusals'>;
  /** List an agent's commission settlements, newest first, with what has accrued since. GET /api/v1/agents/{id}/commissions. */
  commissions(id: string, params?: Query<ListAgentCommissionsData>, options?: CallOptions): Result<ListAgentCommissionsResponses>;
}

export interface CasesMethods {
  /** Open a case for a customer. POST /api/v1/cases. */
  open(params: Body<OpenCaseData>, options?: CallOptions): Result<OpenCaseResponses>;
  /** List cases, by default the newest first; as CSV it is the register. GET /api/v1/cases. */
  list(params?: Query<ListCasesData>, options?: CallOptions): ListResult<ListCasesResponses, 'cases'>;
  /** Get a case with its recall, timeline and files. GET /api/v1/cases/{id}. */
  get(id: string, options?: CallOptions): Result<GetCaseResponses>;
  /** Assign a case to a user, or to nobody. POST /api/v1/cases/{id}/assign. */
  assign(id: string, params: Body<AssignCaseData>, options?: CallOptions): Result<AssignCaseResponses>;
  /** Add a note for staff; notes cannot be changed or deleted. POST /api/v1/cases/{id}/notes. */
  addNote(id: string, params: Body<AddCaseNoteData>, options?: CallOptions): Result<AddCaseNoteResponses>;
  /** Write something into the case that its customer sees. POST /api/v1/cases/{id}/messages. */
  sendMessage(id: string, params: Body<SendCaseMessageData>, options?: CallOptions): Result<SendCaseMessageResponses>;
  /** Change the state of a case, with the reason; the customer is told. POST /api/v1/cases/{id}/state. */
  changeState(id: string, params: Body<ChangeCaseStateData>, options?: CallOptions): Result<ChangeCaseStateResponses>;
  /** Mark a case as complex, which gives it more time, once; the customer is told. POST /api/v1/cases/{id}/complex. */
  markComplex(id: string, params: Body<MarkCaseComplexData>, options?: CallOptions): Result<MarkCaseComplexResponses>;
  /** Recall a transfer outside the rules: hold what is left of it, and ask the recipient. POST /api/v1/cases/{id}/recall. */
  recall(id: string, params: Body<DecideRecallData>, options?: CallOptions): Result<DecideRecallResponses>;
  /** Ask for a second user's approval to extend the hold of a recall for suspected fraud. POST /api/v1/cases/{id}/extend-hold. */
  extendHold(id: string, params: Body<ExtendRecallHoldData>, options?: CallOptions): Result<ExtendRecallHoldResponses>;
  /** Ask for a second user's approval to return a transfer without the recipient's consent, on a legal order. POST /api/v1/cases/{id}/legal-order. Retries send the same `request_id`, which is made when absent. */
  legalOrder(id: string, params: Body<ReturnByLegalOrderData>, options?: CallOptions): Result<ReturnByLegalOrderResponses>;
  /** Upload a file to a case: JPEG, PNG or PDF of at most 1 MiB, stored encrypted. POST /api/v1/cases/{id}/files. */
  uploadFile(id: string, file: UploadBody, options?: UploadOptions & { query?: Query<UploadCaseFileData> }): Result<UploadCaseFileResponses>;
  /** Download a file of a case. GET /api/v1/cases/{id}/files/{fileId}. */
  file(id: string, fileId: string, options?: CallOptions): Promise<Blob>;
  /** List the clocks of cases with their sources, the newest first. GET /api/v1/case-clocks. */
  clocks(params?: Query<ListCaseClocksData>, options?: CallOptions): ListResult<ListCaseClocksResponses, 'clocks'>;
  /** Set the clocks of the cases that are opened from a day on. POST /api/v1/case-clocks. */
  addClocks(params: Body<AddCaseClocksData>, options?: CallOptions): Result<AddCaseClocksResponses>;
}

export interface NotificationsMethods {
  /** Get how your agent or merchant is told of payments; off unless it was switched on. GET /api/v1/admin/notifications. */
  get(options?: CallOptions): Result<GetBusinessNotificationsResponses>;
  /** Change how your agent or merchant is told of payments; omitted fields stay. PUT /api/v1/admin/notifications. */
  update(params: Body<UpdateBusinessNotificationsData>, options?: CallOptions): Result<UpdateBusinessNotificationsResponses>;
}

export interface RegistrationMethods {
  /** Register as a subscriber, without credentials. POST /api/v1/public/subscribers. Retries send the same `request_id`, which is made when absent. */
  register(params: Body<RegisterPublicSubscriberData>, options?: CallOptions): Result<RegisterPublicSubscriberResponses>;
  /** Verify the phone number of a registration, or a changed one, with the code that was sent to it. POST /api/v1/public/subscribers/{id}/verify. */
  verify(id: string, params: Body<VerifyPublicSubscriberData>, options?: CallOptions): Result<VerifyPublicSubscriberResponses>;
  /** Send a new code to a phone number that is not verified; the previous one becomes invalid. POST /api/v1/public/subscribers/{id}/resend-code. */
  resendCode(id: string, options?: CallOptions): Result<ResendVerificationCodeResponses>;
  /** Set a new PIN with the code that staff sent to the subscriber's or agent's phone number. POST /api/v1/public/pin-reset. */
  setNewPin(params: Body<SetNewPinData>, options?: CallOptions): Result<SetNewPinResponses>;
}

export interface SubscribersMethods {
  /** Get a subscriber. GET /api/v1/subscribers/{id}. */
  get(id: string, options?: CallOptions): Result<GetSubscriberResponses>;
  /** Update a subscriber; omitted fields keep their values, empty text clears an optional one. PUT /api/v1/subscribers/{id}. */
  update(id: string, params: Body<UpdateSubscriberData>, options?: CallOptions): Result<UpdateSubscriberResponses>;
  /** Register a subscriber. POST /api/v1/subscribers. Retries send the same `request_id`, which is made when absent. */
  register(params: Body<RegisterSubscriberData>, options?: CallOptions): Result<RegisterSubscriberResponses>;
  /** List subscribers, by default newest first. GET /api/v1/subscribers. */
  list(params?: Query<ListSubscribersData>, options?: CallOptions): ListResult<ListSubscribersResponses, 'subscribers'>;
  /** Block a subscriber and their cards, or some of their transaction types. POST /api/v1/subscribers/{id}/block. */
  block(id: string, params: Body<BlockSubscriberData>, options?: CallOptions): Result<BlockSubscriberResponses>;
  /** Unblock a subscriber: activates all cards, enables all transaction types and resets PIN failures. POST /api/v1/subscribers/{id}/unblock. */
  unblock(id: string, params?: Body<UnblockSubscriberData>, options?: CallOptions): Result<UnblockSubscriberResponses>;
  /** Enable single transaction types of a subscriber again. POST /api/v1/subscribers/{id}/enable-types. */
  enableTypes(id: string, params: Body<EnableTransactionTypesData>, options?: CallOptions): Result<EnableTransactionTypesResponses>;
  /** Activate a subscriber that was registered as PENDING. POST /api/v1/subscribers/{id}/activate. */
  activate(id: string, options?: CallOptions): Result<ActivateSubscriberResponses>;
  /** Verify a PIN. POST /api/v1/subscribers/{id}/verify-pin. */
  verifyPin(id: string, params: Body<VerifySubscriberPinData>, options?: CallOptions): Result<VerifySubscriberPinResponses>;
  /** Change a PIN. POST /api/v1/subscribers/{id}/change-pin. */
  changePin(id: string, params: Body<ChangeSubscriberPinData>, options?: CallOptions): Result<ChangeSubscriberPinResponses>;
  /** Upload a subscriber's identity document or a photo of their face, stored encrypted. POST /api/v1/subscribers/{id}/documents. */
  uploadDocument(id: string, file: UploadBody, options?: UploadOptions & { query?: Query<UploadSubscriberDocumentData> }): Result<UploadSubscriberDocumentResponses>;
  /** List a subscriber's uploaded documents, newest first. GET /api/v1/subscribers/{id}/documents. */
  documents(id: string, options?: CallOptions): Result<ListSubscriberDocumentsResponses>;
  /** Download one of a subscriber's documents; each download is audited. GET /api/v1/subscribers/{id}/documents/{documentId}. */
  document(id: string, documentId: string, options?: CallOptions): Promise<Blob>;
  /** Ask for KYC level 2 for a customer that you registered. POST /api/v1/subscribers/{id}/request-level. Retries send the same `request_id`, which is made when absent. */
  requestLevel(id: string, params: Body<RequestSubscriberLevelData>, options?: CallOptions): Result<RequestSubscriberLevelResponses>;
  /** List staff notes about a subscriber, newest first. GET /api/v1/subscribers/{id}/notes. */
  notes(id: string, params?: Query<ListSubscriberNotesData>, options?: CallOptions): ListResult<ListSubscriberNotesResponses, 'notes'>;
  /** Add a note about a subscriber; notes cannot be changed or deleted. POST /api/v1/subscribers/{id}/notes. */
  addNote(id: string, params: Body<AddSubscriberNoteData>, options?: CallOptions): Result<AddSubscriberNoteResponses>;
  /** Send a code to the subscriber's phone for setting a new PIN. POST /api/v1/subscribers/{id}/reset-pin. */
  resetPin(id: string, params?: Body<ResetSubscriberPinData>, options?: CallOptions): Result<ResetSubscriberPinResponses>;
  /** Unlock a subscriber's account after wrong PINs. POST /api/v1/subscribers/{id}/unlock. */
  unlockPin(id: string, params?: Body<UnlockSubscriberPinData>, options?: CallOptions): Result<UnlockSubscriberPinResponses>;
  /** List a customer's refused payments, newest first, with the reasons. GET /api/v1/subscribers/{id}/refusals. */
  refusals(id: string, params?: Query<ListSubscriberRefusalsData>, options?: CallOptions): ListResult<ListSubscriberRefusalsResponses, 'refusals'>;
  /** Get a subscriber's limits and how much of them is used today. GET /api/v1/subscribers/{id}/limits. */
  limits(id: string, options?: CallOptions): Result<GetSubscriberLimitsResponses>;
}

export interface PrivacyMethods {
  /** Export a customer's personal data as a file; the audit log records the export. GET /api/v1/subscribers/{id}/personal-data. */
  export(id: string, options?: CallOptions): Result<ExportPersonalDataResponses>;
  /** Request that a customer's personal data is erased for good; always needs a second user. POST /api/v1/subscribers/{id}/erase. */
  erase(id: string, params: Body<ErasePersonalDataData>, options?: CallOptions): Result<ErasePersonalDataResponses>;
}

export interface CardsMethods {
  /** Link a card to a subscriber. POST /api/v1/cards/link. */
  link(params: Body<LinkCardData>, options?: CallOptions): Result<LinkCardResponses>;
  /** Link a child card to a parent card's subscriber. POST /api/v1/cards/child. */
  linkChild(params: Body<LinkChildCardData>, options?: CallOptions): Result<LinkChildCardResponses>;
  /** Get a card. GET /api/v1/cards/{serial}. */
  get(serial: string, options?: CallOptions): Result<GetCardResponses>;
  /** Change a card's label or daily limit; omitted fields keep their values. PUT /api/v1/cards/{serial}. */
  update(serial: string, params: Body<UpdateCardData>, options?: CallOptions): Result<UpdateCardResponses>;
  /** List cards, newest first. GET /api/v1/cards. */
  list(params?: Query<ListCardsData>, options?: CallOptions): ListResult<ListCardsResponses, 'cards'>;
  /** Unlink a card from its subscriber; it returns to stock and can be linked again. POST /api/v1/cards/{serial}/unlink. */
  unlink(serial: string, params?: Body<UnlinkCardData>, options?: CallOptions): Result<UnlinkCardResponses>;
  /** Block a card, or retire it for good. POST /api/v1/cards/{serial}/block. */
  block(serial: string, params?: Body<BlockCardData>, options?: CallOptions): Result<BlockCardResponses>;
  /** Unblock a card. POST /api/v1/cards/{serial}/unblock. */
  unblock(serial: string, options?: CallOptions): Result<UnblockCardResponses>;
  /** Add cards to stock from a CSV file. POST /api/v1/cards/upload-csv. */
  upload(file: UploadBody, options?: UploadOptions): Result<UploadCardsResponses>;
}

export interface WalletMethods {
  /** Get a wallet's balance with the holder's PIN. POST /api/v1/wallet/balance/{subscriber_id}. */
  balanceWithPin(subscriberId: string, params: Body<GetBalanceWithPinData>, options?: CallOptions): Result<GetBalanceWithPinResponses>;
  /** Get a wallet's balance. GET /api/v1/balance/{user_id}. */
  balance(userId: string, options?: CallOptions): Result<GetBalanceResponses>;
  /** Transfer to another wallet by the recipient's id or phone number. POST /api/v1/wallet/transfer. Retries send the same `request_id`, which is made when absent. */
  transfer(params: Body<TransferData>, options?: CallOptions): Result<TransferResponses>;
  /** Transfer to another wallet by the recipient's card serial. POST /api/v1/wallet/transfer-p2p. Retries send the same `request_id`, which is made when absent. */
  transferByCard(params: Body<TransferByCardData>, options?: CallOptions): Result<TransferByCardResponses>;
  /** Fund a wallet from a partner's clearing account. POST /api/v1/wallet/fund-from-partner. Retries send the same `request_id`, which is made when absent. */
  fundFromPartner(params: Body<FundFromPartnerData>, options?: CallOptions): Result<FundFromPartnerResponses>;
  /** Withdraw cash at an agent; an agent's users call it for their own agent. POST /api/v1/wallet/withdraw. Retries send the same `request_id`, which is made when absent. */
  withdraw(params: Body<WithdrawData>, options?: CallOptions): Result<WithdrawResponses>;
  /** Get a wallet's statement for a period of at most 366 days, as JSON, CSV or PDF. POST /api/v1/wallet/account-statement. */
  statement(params: Body<GetAccountStatementData>, options?: CallOptions): Promise<Reply<GetAccountStatementResponses[keyof GetAccountStatementResponses]> | string | Blob>;
}

export interface TransactionsMethods {
  /** List transactions, newest first, of one account or of all accounts. GET /api/v1/transactions. */
  list(params?: Query<ListTransactionsData>, options?: CallOptions): ListResult<ListTransactionsResponses, 'transactions'>;
  /** Add up the transactions that the list with the same filters shows. GET /api/v1/transactions/sums. */
  sums(params?: Query<GetTransactionSumsData>, options?: CallOptions): Result<GetTransactionSumsResponses>;
  /** Get a transaction with its postings, parties, fees, related movements and seal. GET /api/v1/transactions/{id}. */
  get(id: string, options?: CallOptions): Result<GetTransactionResponses>;
  /** Get the evidence of a transaction as a PDF, with its seal; the audit log records that it was produced. GET /api/v1/transactions/{id}/evidence. */
  evidence(id: string, options?: CallOptions): Promise<Blob>;
  /** Get a request's outcome by its request_id. GET /api/v1/requests/{request_id}. */
  outcomeOfRequest(requestId: string, params?: Query<GetRequestData>, options?: CallOptions): Result<GetRequestResponses>;
  /** Get a transaction's receipt, signed. GET /api/v1/transactions/{id}/receipt. */
  receipt(id: string, options?: CallOptions): Result<GetReceiptResponses>;
  /** Withdraw the public link of a receipt for good. POST /api/v1/transactions/{id}/receipt/revoke. */
  revokeReceipt(id: string, params: Body<RevokeReceiptData>, options?: CallOptions): Result<RevokeReceiptResponses>;
}

export interface HoldsMethods {
  /** List holds, newest first, of one party or of all; total_count stops at 100,000. GET /api/v1/holds. */
  list(params?: Query<ListHoldsData>, options?: CallOptions): ListResult<ListHoldsResponses, 'holds'>;
  /** Get a hold: its state, and the payment that captured it. GET /api/v1/holds/{id}. */
  get(id: string, options?: CallOptions): Result<GetHoldResponses>;
}

export interface SearchMethods {
  /** Search subscribers, cards, transactions, inbound credits, agents, processors and partners. GET /api/v1/search. */
  query(params?: Query<SearchData>, options?: CallOptions): Result<SearchResponses>;
}

export interface FloatRequestsMethods {
  /** Ask the super-agent for float. POST /api/v1/agents/{id}/float-requests. Retries send the same `request_id`, which is made when absent. */
  ask(id: string, params: Body<AskForFloatData>, options?: CallOptions): Result<AskForFloatResponses>;
  /** List an agent's float requests, made and received, newest first. GET /api/v1/agents/{id}/float-requests. */
  list(id: string, params?: Query<ListFloatRequestsData>, options?: CallOptions): ListResult<ListFloatRequestsResponses, 'float_requests'>;
  /** Accept a float request: the float is transferred once, however often this is sent. POST /api/v1/agents/float-requests/{id}/accept. */
  accept(id: string, params: Body<AcceptFloatRequestData>, options?: CallOptions): Result<AcceptFloatRequestResponses>;
  /** Decline a float request; the sub-agent reads the reason. POST /api/v1/agents/float-requests/{id}/decline. */
  decline(id: string, params: Body<DeclineFloatRequestData>, options?: CallOptions): Result<DeclineFloatRequestResponses>;
  /** Withdraw a float request that is still open. POST /api/v1/agents/float-requests/{id}/cancel. */
  cancel(id: string, options?: CallOptions): Result<CancelFloatRequestResponses>;
}

export interface AlertsMethods {
  /** Raise an alert; open to internal services. POST /api/v1/compliance/alerts. */
  raise(params: Body<RaiseAlertData>, options?: CallOptions & { query?: Query<RaiseAlertData> }): Result<RaiseAlertResponses>;
  /** List alerts, newest first. GET /api/v1/compliance/alerts. */
  list(params?: Query<ListAlertsData>, options?: CallOptions): ListResult<ListAlertsResponses, 'alerts'>;
  /** Get an alert. GET /api/v1/compliance/alerts/{id}. */
  get(id: string, options?: CallOptions): Result<GetAlertResponses>;
  /** Update the status or notes of an alert; a resolved or dismissed alert is final. PUT /api/v1/compliance/alerts/{id}. */
  update(id: string, params: Body<UpdateAlertData>, options?: CallOptions): Result<UpdateAlertResponses>;
  /** Resolve an alert; not allowed for users of the agent or processor it concerns. POST /api/v1/compliance/alerts/{id}/resolve. */
  resolve(id: string, params: Body<ResolveAlertData>, options?: CallOptions): Result<ResolveAlertResponses>;
  /** Take an alert to review it, even one assigned to someone else. POST /api/v1/compliance/alerts/{id}/assign. */
  assign(id: string, options?: CallOptions): Result<AssignAlertResponses>;
  /** Release an alert: it has no assignee afterwards. POST /api/v1/compliance/alerts/{id}/release. */
  release(id: string, options?: CallOptions): Result<ReleaseAlertResponses>;
}

export interface ComplianceMethods {
  /** Get the counterparties of a subscriber, agent or processor, and the payments among them. GET /api/v1/compliance/network/{id}. */
  network(id: string, params?: Query<GetPaymentNetworkData>, options?: CallOptions): Result<GetPaymentNetworkResponses>;
  /** Check a hypothetical payment against the rules; raises an alert if it is flagged or blocked. POST /api/v1/compliance/check. Retries send the same `request_id`, which is made when absent. */
  check(params: Body<CheckPaymentData>, options?: CallOptions): Result<CheckPaymentResponses>;
  /** List the limits of all KYC levels. GET /api/v1/compliance/account-rules. */
  accountRules(params?: Query<ListAccountRulesData>, options?: CallOptions): ListResult<ListAccountRulesResponses, 'account_rules'>;
  /** Get the limits of a KYC level. GET /api/v1/account-rules/{kyc_level}. */
  accountRule(kycLevel: string, options?: CallOptions): Result<GetAccountRulesResponses>;
}

export interface RulesMethods {
  /** List monitoring rules, oldest first. GET /api/v1/compliance/rules. */
  list(params?: Query<ListRulesData>, options?: CallOptions): ListResult<ListRulesResponses, 'rules'>;
  /** Create a monitoring rule; it applies from the next payment. POST /api/v1/compliance/rules. */
  create(params: Body<CreateRuleData>, options?: CallOptions): Result<CreateRuleResponses>;
  /** Get a monitoring rule. GET /api/v1/compliance/rules/{id}. */
  get(id: string, options?: CallOptions): Result<GetRuleResponses>;
  /** Update or disable a monitoring rule; omitted fields keep their values. PUT /api/v1/compliance/rules/{id}. */
  update(id: string, params: Body<UpdateRuleData>, options?: CallOptions): Result<UpdateRuleResponses>;
  /** Evaluate a new rule over the last 30 days; nothing is changed. POST /api/v1/compliance/rules/what-if. */
  whatIfNew(params: Body<WhatIfNewRuleData>, options?: CallOptions): Result<WhatIfNewRuleResponses>;
  /** Evaluate a rule change over the last 30 days, against the rule as it is. POST /api/v1/compliance/rules/{id}/what-if. */
  whatIf(id: string, params: Body<WhatIfRuleData>, options?: CallOptions): Result<WhatIfRuleResponses>;
}

export interface FeesMethods {
  /** Get what a payment would cost, without making it. GET /api/v1/fee-quote. */
  quote(params?: Query<GetFeeQuoteData>, options?: CallOptions): Result<GetFeeQuoteResponses>;
  /** List fee settings: custom settings, otherwise the built-in defaults. GET /api/v1/fee-settings. */
  list(params?: Query<ListFeeSettingsData>, options?: CallOptions): Result<ListFeeSettingsResponses>;
  /** Create or replace a fee setting; it applies from the next payment. PUT /api/v1/fee-settings. */
  put(params: Body<PutFeeSettingData>, options?: CallOptions): Result<PutFeeSettingResponses>;
  /** Get the fee setting for a transaction type and a party. GET /api/v1/fee-settings/{type}/{party}. */
  get(type: string, party: string, options?: CallOptions): Result<GetFeeSettingResponses>;
  /** Delete a custom fee setting; the built-in default applies again. DELETE /api/v1/fee-settings/{type}/{party}. */
  delete(type: string, party: string, options?: CallOptions): Result<DeleteFeeSettingResponses>;
  /** Price the last 30 days' payments with proposed settings; nothing is changed. POST /api/v1/fee-settings/what-if. */
  whatIf(params: Body<WhatIfFeesData>, options?: CallOptions): Result<WhatIfFeesResponses>;
}

export interface CommissionTiersMethods {
  /** Get the percentages of the commission tiers. GET /api/v1/admin/commission-tiers. */
  get(options?: CallOptions): Result<GetCommissionTiersResponses>;
  /** Change the percentages of the commission tiers; they apply from the next payment on. PUT /api/v1/admin/commission-tiers. */
  update(params: Body<UpdateCommissionTiersData>, options?: CallOptions): Result<UpdateCommissionTiersResponses>;
}

export interface PartnersMethods {
  /** Create a partner; its webhook secret is shown once. POST /api/v1/admin/partners. */
  create(params: Body<CreatePartnerData>, options?: CallOptions): Result<CreatePartnerResponses>;
  /** List partners, newest first. GET /api/v1/admin/partners. */
  list(params?: Query<ListPartnersData>, options?: CallOptions): ListResult<ListPartnersResponses, 'partners'>;
  /** Get a partner and what it owes. GET /api/v1/admin/partners/{id}. */
  get(id: string, options?: CallOptions): Result<GetPartnerResponses>;
  /** Update a partner; omitted fields keep their values. PUT /api/v1/admin/partners/{id}. */
  update(id: string, params: Body<UpdatePartnerData>, options?: CallOptions): Result<UpdatePartnerResponses>;
  /** Rotate a partner's webhook secret, at once or at a later time; the old signature is sent for another 24 hours. POST /api/v1/admin/partners/{id}/rotate-webhook-secret. */
  rotateWebhookSecret(id: string, params?: Body<RotateWebhookSecretData>, options?: CallOptions & { query?: Query<RotateWebhookSecretData> }): Result<RotateWebhookSecretResponses>;
  /** Record a settlement: a partner's payment that reduces what it owes. POST /api/v1/admin/partners/{id}/settle. Retries send the same `request_id`, which is made when absent. */
  settle(id: string, params: Body<SettlePartnerData>, options?: CallOptions): Result<SettlePartnerResponses>;
}

export interface ProcessorsMethods {
  /** Get a processor and its balance. GET /api/v1/processors/{id}. */
  get(id: string, options?: CallOptions): Result<GetProcessorResponses>;
  /** Update a processor; omitted fields keep their values. PUT /api/v1/processors/{id}. */
  update(id: string, params: Body<UpdateProcessorData>, options?: CallOptions): Result<UpdateProcessorResponses>;
  /** Get a processor's static QR code as SVG or PNG, or as a poster for the counter. GET /api/v1/processors/{id}/qr. */
  qr(id: string, params?: Query<GetProcessorQrData>, options?: CallOptions): Promise<Blob>;
  /** Create a processor; its login is sent to its phone number. POST /api/v1/processors. */
  create(params: Body<CreateProcessorData>, options?: CallOptions): Result<CreateProcessorResponses>;
  /** List processors, by default newest first. GET /api/v1/processors. */
  list(params?: Query<ListProcessorsData>, options?: CallOptions): ListResult<ListProcessorsResponses, 'processors'>;
  /** Suspend a processor: it can neither receive nor send money. POST /api/v1/processors/{id}/suspend. */
  suspend(id: string, params: Body<SuspendProcessorData>, options?: CallOptions): Result<SuspendProcessorResponses>;
  /** Reactivate a suspended processor. POST /api/v1/processors/{id}/reactivate. */
  reactivate(id: string, options?: CallOptions): Result<ReactivateProcessorResponses>;
  /** Transfer from a processor to another processor or to a wallet. POST /api/v1/processors/{id}/transfer. Retries send the same `request_id`, which is made when absent. */
  transfer(id: string, params: Body<TransferFromProcessorData>, options?: CallOptions): Result<TransferFromProcessorResponses>;
  /** Add a bank account for a processor's pay-outs. POST /api/v1/processors/{id}/bank-accounts. */
  addBankAccount(id: string, params: Body<AddBankAccountData>, options?: CallOptions): Result<AddBankAccountResponses>;
  /** List the bank accounts for a processor's pay-outs, newest first. GET /api/v1/processors/{id}/bank-accounts. */
  bankAccounts(id: string, options?: CallOptions): Result<ListBankAccountsResponses>;
  /** Remove a processor's bank account; earlier pay-outs keep its number. DELETE /api/v1/processors/{id}/bank-accounts/{account_id}. */
  removeBankAccount(id: string, accountId: string, options?: CallOptions): Result<RemoveBankAccountResponses>;
  /** Pay out from a processor to a bank account; the amount is in transit until the bank has executed it. POST /api/v1/processors/{id}/payout. Retries send the same `request_id`, which is made when absent. */
  payOut(id: string, params: Body<PayOutData>, options?: CallOptions): Result<PayOutResponses>;
  /** List a processor's pay-outs, newest first. GET /api/v1/processors/{id}/payouts. */
  payouts(id: string, params?: Query<ListPayoutsData>, options?: CallOptions): ListResult<ListPayoutsResponses, 'payouts'>;
  /** List the pay-outs of all processors, newest first; total_count stops at 100,000. GET /api/v1/admin/payouts. */
  allPayouts(params?: Query<ListAllPayoutsData>, options?: CallOptions): ListResult<ListAllPayoutsResponses, 'payouts'>;
  /** Get the bank entries for a pay-out, and the credits that a return can use. GET /api/v1/processors/{id}/payouts/{transaction_id}/bank-entries. */
  payoutAtBank(id: string, transactionId: string, options?: CallOptions): Result<GetPayoutAtBankResponses>;
  /** Return a pay-out that the bank sent back to the processor. POST /api/v1/processors/{id}/payouts/{transaction_id}/return. Retries send the same `request_id`, which is made when absent. */
  returnPayout(id: string, transactionId: string, params: Body<ReturnPayoutData>, options?: CallOptions): Result<ReturnPayoutResponses>;
  /** As a login of the processor: create an API key that takes payments; its secret is shown once. POST /api/v1/processors/{id}/keys. */
  createKey(id: string, params: Body<CreateOwnKeyData>, options?: CallOptions): Result<CreateOwnKeyResponses>;
  /** List the API keys of a processor's terminals and apps, newest first, without secrets. GET /api/v1/processors/{id}/keys. */
  terminalKeys(id: string, params?: Query<ListTerminalKeysData>, options?: CallOptions): ListResult<ListTerminalKeysResponses, 'keys'>;
  /** As a login of the processor: revoke an API key that takes payments. DELETE /api/v1/processors/{id}/keys/{key_id}. */
  revokeKey(id: string, keyId: string, options?: CallOptions): Result<RevokeOwnKeyResponses>;
  /** Give a processor another login; its temporary password is sent to its phone number. POST /api/v1/processors/{id}/users. */
  createUser(id: string, params: Body<CreateProcessorLoginData>, options?: CallOptions): Result<CreateProcessorLoginResponses>;
  /** List a processor's transactions, newest first, with totals. GET /api/v1/processors/{id}/transactions. */
  transactions(id: string, params?: Query<ListProcessorTransactionsData>, options?: CallOptions): ListResult<ListProcessorTransactionsResponses, 'transactions'>;
  /** A processor's takings by hour or day, exact and without gaps. GET /api/v1/processors/{id}/takings. */
  takings(id: string, params?: Query<GetProcessorTakingsData>, options?: CallOptions): Result<GetProcessorTakingsResponses>;
  /** List a merchant's refused payments, newest first. GET /api/v1/processors/{id}/refusals. */
  refusals(id: string, params?: Query<ListProcessorRefusalsData>, options?: CallOptions): ListResult<ListProcessorRefusalsResponses, 'refusals'>;
  /** Refund a card payment to a processor in full, in part, or for the remaining amount. POST /api/v1/processors/{id}/refunds. Retries send the same `request_id`, which is made when absent. */
  refund(id: string, params: Body<RefundFromProcessorData>, options?: CallOptions): Result<RefundFromProcessorResponses>;
  /** Get the hosts to which a processor's payment requests may return the payer. GET /api/v1/processors/{id}/return-hosts. */
  returnHosts(id: string, options?: CallOptions): Result<GetReturnHostsResponses>;
  /** Replace the hosts to which a processor's payment requests may return the payer. POST /api/v1/processors/{id}/return-hosts. */
  setReturnHosts(id: string, params: Body<SetReturnHostsData>, options?: CallOptions): Result<SetReturnHostsResponses>;
}

export interface PaymentRequestsMethods {
  /** Ask for a payment: the reply has a code, a link and a USSD string for the payer. POST /api/v1/payment-requests. Retries send the same `request_id`, which is made when absent. */
  create(params: Body<CreatePaymentRequestData>, options?: CallOptions): Result<CreatePaymentRequestResponses>;
  /** List payment requests, newest first; total_count stops at 100,000. GET /api/v1/payment-requests. */
  list(params?: Query<ListPaymentRequestsData>, options?: CallOptions): ListResult<ListPaymentRequestsResponses, 'payment_requests'>;
  /** Get a payment request and what became of it. GET /api/v1/payment-requests/{id}. */
  get(id: string, options?: CallOptions): Result<GetPaymentRequestResponses>;
  /** Cancel a payment request: from then on nobody can pay it. POST /api/v1/payment-requests/{id}/cancel. */
  cancel(id: string, options?: CallOptions): Result<CancelPaymentRequestResponses>;
}

export interface BulkPaymentsMethods {
  /** Upload a file of payments; it is checked, and paid only after an approval. POST /api/v1/bulk-payments. */
  create(file: UploadBody, options?: UploadOptions & { query?: Query<UploadBulkPaymentData> }): Result<UploadBulkPaymentResponses>;
  /** List the caller's bulk payments, newest first. GET /api/v1/bulk-payments. */
  list(params?: Query<ListBulkPaymentsData>, options?: CallOptions): ListResult<ListBulkPaymentsResponses, 'bulk_payments'>;
  /** Get a bulk payment with its counts, sums and progress. GET /api/v1/bulk-payments/{id}. */
  get(id: string, options?: CallOptions): Result<GetBulkPaymentResponses>;
  /** List a bulk payment's rows in the order of the file. GET /api/v1/bulk-payments/{id}/rows. */
  rows(id: string, params?: Query<ListBulkPaymentRowsData>, options?: CallOptions): ListResult<ListBulkPaymentRowsResponses, 'rows'>;
  /** Get all rows with their outcomes as a CSV file; the audit log records that it was produced. GET /api/v1/bulk-payments/{id}/report.csv. */
  report(id: string, options?: CallOptions): Promise<string>;
  /** Get the report as a PDF: totals, decisions, and the rows that are not paid; the audit log records it. GET /api/v1/bulk-payments/{id}/report.pdf. */
  reportPdf(id: string, options?: CallOptions): Promise<Blob>;
  /** Cancel a bulk payment that is not approved; its references and its file can be used again. POST /api/v1/bulk-payments/{id}/cancel. */
  cancel(id: string, options?: CallOptions): Result<CancelBulkPaymentResponses>;
  /** Get how many rows a payer may have checked without paying them. GET /api/v1/admin/bulk-payment-limits/{payer_id}. */
  rowLimit(payerId: string, options?: CallOptions): Result<GetBulkRowLimitResponses>;
  /** Set how many rows a payer may have checked without paying them. PUT /api/v1/admin/bulk-payment-limits/{payer_id}. */
  updateRowLimit(payerId: string, params: Body<UpdateBulkRowLimitData>, options?: CallOptions): Result<UpdateBulkRowLimitResponses>;
  /** Approve a checked bulk payment: total and fees are held, and the rows are paid. POST /api/v1/bulk-payments/{id}/approve. */
  approve(id: string, params: Body<ApproveBulkPaymentData>, options?: CallOptions): Result<ApproveBulkPaymentResponses>;
  /** Stop a bulk payment: what was paid stays paid, and nothing more is. POST /api/v1/bulk-payments/{id}/stop. */
  stop(id: string, options?: CallOptions): Result<StopBulkPaymentResponses>;
  /** Make a new bulk payment of the rows that failed, linked with the first. POST /api/v1/bulk-payments/{id}/retry-failed. */
  retryFailed(id: string, options?: CallOptions): Result<RetryBulkPaymentResponses>;
}

export interface IntegrationMethods {
  /** List the requests one of your API keys made in the last 24 hours, newest first; bodies are redacted. GET /api/v1/request-log. */
  requests(params?: Query<ListOwnRequestsData>, options?: CallOptions): ListResult<ListOwnRequestsResponses, 'requests'>;
  /** List the webhook deliveries to the caller's own endpoints with their attempts, newest first. GET /api/v1/webhook-deliveries. */
  deliveries(params?: Query<ListOwnWebhookDeliveriesData>, options?: CallOptions): ListResult<ListOwnWebhookDeliveriesResponses, 'deliveries'>;
  /** Get a webhook delivery to the caller's own endpoint with what each attempt sent and received. GET /api/v1/webhook-deliveries/{id}. */
  delivery(id: string, options?: CallOptions): Result<GetOwnWebhookDeliveryResponses>;
  /** Replay an event of your own under the same event id, with a new retry schedule. POST /api/v1/webhook-deliveries/{id}/replay. */
  replayDelivery(id: string, options?: CallOptions): Result<ReplayOwnWebhookDeliveryResponses>;
}

export interface WebhookEndpointsMethods {
  /** List the caller's webhook endpoints, newest first. GET /api/v1/webhook-endpoints. */
  list(params?: Query<ListWebhookEndpointsData>, options?: CallOptions): ListResult<ListWebhookEndpointsResponses, 'webhook_endpoints'>;
  /** Create a webhook endpoint; its secret is shown once. POST /api/v1/webhook-endpoints. */
  create(params: Body<CreateWebhookEndpointData>, options?: CallOptions): Result<CreateWebhookEndpointResponses>;
  /** Get a webhook endpoint. GET /api/v1/webhook-endpoints/{id}. */
  get(id: string, options?: CallOptions): Result<GetWebhookEndpointResponses>;
  /** Change a webhook endpoint's address or events; omitted fields keep their values. PUT /api/v1/webhook-endpoints/{id}. */
  update(id: string, params: Body<UpdateWebhookEndpointData>, options?: CallOptions): Result<UpdateWebhookEndpointResponses>;
  /** Delete a webhook endpoint; what waits for delivery to it is not sent. DELETE /api/v1/webhook-endpoints/{id}. */
  delete(id: string, options?: CallOptions): Result<DeleteWebhookEndpointResponses>;
  /** Rotate a webhook endpoint's secret; the old one signs too for another day. POST /api/v1/webhook-endpoints/{id}/rotate-secret. */
  rotateSecret(id: string, params?: Body<RotateWebhookEndpointSecretData>, options?: CallOptions): Result<RotateWebhookEndpointSecretResponses>;
  /** Send a test event to a webhook endpoint. POST /api/v1/webhook-endpoints/{id}/test. */
  test(id: string, params?: Body<TestWebhookEndpointData>, options?: CallOptions): Result<TestWebhookEndpointResponses>;
}

export interface TerminalMethods {
  /** Pay by card at a terminal. POST /api/v1/pos/payment. Retries send the same `request_id`, which is made when absent. */
  pay(params: Body<PayAtTerminalData, 'request_id'>, options?: CallOptions): Result<PayAtTerminalResponses>;
  /** Refund a payment at a terminal in full, in part, or for the remaining amount. POST /api/v1/pos/refund. Retries send the same `request_id`, which is made when absent. */
  refund(params: Body<RefundAtTerminalData, 'request_id'>, options?: CallOptions): Result<RefundAtTerminalResponses>;
  /** Capture a payment authorised at a terminal, in full or in part. POST /api/v1/pos/payment/{transaction_id}/capture. Retries send the same `request_id`, which is made when absent. */
  capture(transactionId: string, params: Body<CaptureAtTerminalData, 'request_id'>, options?: CallOptions): Result<CaptureAtTerminalResponses>;
  /** Void a payment authorised at a terminal. POST /api/v1/pos/payment/{transaction_id}/void. Retries send the same `request_id`, which is made when absent. */
  void(transactionId: string, params: Body<VoidAtTerminalData, 'request_id'>, options?: CallOptions): Result<VoidAtTerminalResponses>;
  /** Check at a terminal whether a card can pay, with its holder and balance. POST /api/v1/pos/verify-card. */
  verifyCard(params: Body<VerifyCardAtTerminalData>, options?: CallOptions): Result<VerifyCardAtTerminalResponses>;
  /** Check at a terminal whether an account exists, with its holder. POST /api/v1/pos/verify-account. */
  verifyAccount(params: Body<VerifyAccountAtTerminalData>, options?: CallOptions): Result<VerifyAccountAtTerminalResponses>;
  /** Look up a card at a terminal, with its holder and recent payments. POST /api/v1/pos/lookup-card. */
  lookUpCard(params: Body<LookUpCardAtTerminalData>, options?: CallOptions): Result<LookUpCardAtTerminalResponses>;
}

export interface InAppMethods {
  /** Pay by card in an app; metadata is echoed in the reply. POST /api/v1/payment. Retries send the same `request_id`, which is made when absent. */
  pay(params: Body<PayInAppData, 'request_id'>, options?: CallOptions): Result<PayInAppResponses>;
  /** Refund a payment in an app in full, in part, or for the remaining amount. POST /api/v1/payment/refund. Retries send the same `request_id`, which is made when absent. */
  refund(params: Body<RefundInAppData, 'request_id'>, options?: CallOptions): Result<RefundInAppResponses>;
  /** Capture a payment authorised in an app, in full or in part. POST /api/v1/payment/{transaction_id}/capture. Retries send the same `request_id`, which is made when absent. */
  capture(transactionId: string, params: Body<CaptureInAppData, 'request_id'>, options?: CallOptions): Result<CaptureInAppResponses>;
  /** Void a payment authorised in an app. POST /api/v1/payment/{transaction_id}/void. Retries send the same `request_id`, which is made when absent. */
  void(transactionId: string, params: Body<VoidInAppData, 'request_id'>, options?: CallOptions): Result<VoidInAppResponses>;
  /** Check in an app whether a card can pay, with its holder and balance. POST /api/v1/payment/verify-card. */
  verifyCard(params: Body<VerifyCardInAppData>, options?: CallOptions): Result<VerifyCardInAppResponses>;
  /** Check in an app whether an account exists, with its holder. POST /api/v1/payment/verify-account. */
  verifyAccount(params: Body<VerifyAccountInAppData>, options?: CallOptions): Result<VerifyAccountInAppResponses>;
  /** Look up a card in an app, with its holder and recent payments. POST /api/v1/payment/lookup-card. */
  lookUpCard(params: Body<LookUpCardInAppData>, options?: CallOptions): Result<LookUpCardInAppResponses>;
}

export interface WebhookDeliveriesMethods {
  /** List webhook deliveries with their attempts, newest first. GET /api/v1/admin/webhook-deliveries. */
  list(params?: Query<ListWebhookDeliveriesData>, options?: CallOptions): ListResult<ListWebhookDeliveriesResponses, 'deliveries'>;
  /** Get a webhook delivery with what each attempt sent and received. GET /api/v1/admin/webhook-deliveries/{id}. */
  get(id: string, options?: CallOptions): Result<GetWebhookDeliveryResponses>;
  /** Replay an event under the same event id, with a new retry schedule. POST /api/v1/admin/webhook-deliveries/{id}/replay. */
  replay(id: string, options?: CallOptions): Result<ReplayWebhookDeliveryResponses>;
}

export interface InboundMethods {
  /** Look up a beneficiary and how much it can be credited; changes nothing. POST /api/v1/inbound/name-enquiry. */
  enquireName(params: Body<EnquireNameData>, options?: CallOptions): Result<EnquireNameResponses>;
  /** Credit a wallet; the same reference with the same details never credits twice. POST /api/v1/inbound/credit. Retries send the same `reference`, which is made when absent. */
  credit(params: Body<CreditWalletData, 'reference'>, options?: CallOptions): Result<CreditWalletResponses>;
  /** Get a credit's outcome by its reference. GET /api/v1/inbound/transactions/{reference}. */
  get(reference: string, options?: CallOptions): Result<GetCreditResponses>;
}

export interface CreditsMethods {
  /** Reverse an inbound credit: debits the wallet and reduces what the partner owes. POST /api/v1/admin/inbound/{inbound_id}/reverse. Retries send the same `request_id`, which is made when absent. */
  reverse(inboundId: string, params: Body<ReverseInboundCreditData>, options?: CallOptions): Result<ReverseInboundCreditResponses>;
  /** List inbound credits, newest first. GET /api/v1/admin/inbound. */
  list(params?: Query<ListInboundCreditsData>, options?: CallOptions): ListResult<ListInboundCreditsResponses, 'inbound'>;
  /** Get an inbound credit with its payer and its reversal. GET /api/v1/admin/inbound/{inbound_id}. */
  get(inboundId: string, options?: CallOptions): Result<GetInboundCreditResponses>;
}

export interface SuspenseMethods {
  /** List the open items of the suspense account, oldest first. GET /api/v1/admin/suspense. */
  list(params?: Query<ListSuspenseItemsData>, options?: CallOptions): ListResult<ListSuspenseItemsResponses, 'suspense'>;
  /** Resolve an item of the suspense account: a partner owes it, or the wallet pays it back. POST /api/v1/admin/suspense/{transaction_id}/resolve. Retries send the same `request_id`, which is made when absent. */
  resolve(transactionId: string, params: Body<ResolveSuspenseItemData>, options?: CallOptions): Result<ResolveSuspenseItemResponses>;
}

export interface TrustAccountsMethods {
  /** Register a trust account at a bank. POST /api/v1/admin/trust-accounts. */
  create(params: Body<CreateTrustAccountData>, options?: CallOptions): Result<CreateTrustAccountResponses>;
  /** List trust accounts with their last balances, newest first. GET /api/v1/admin/trust-accounts. */
  list(params?: Query<ListTrustAccountsData>, options?: CallOptions): ListResult<ListTrustAccountsResponses, 'trust_accounts'>;
  /** Get a trust account and its last balance. GET /api/v1/admin/trust-accounts/{id}. */
  get(id: string, options?: CallOptions): Result<GetTrustAccountResponses>;
  /** Update a trust account; omitted fields keep their values. PUT /api/v1/admin/trust-accounts/{id}. */
  update(id: string, params: Body<UpdateTrustAccountData>, options?: CallOptions): Result<UpdateTrustAccountResponses>;
  /** Upload a bank statement; uploading the same file again returns its record. POST /api/v1/admin/trust-accounts/{id}/statements. */
  uploadStatement(id: string, file: UploadBody, options?: UploadOptions): Result<UploadBankStatementResponses>;
  /** List a trust account's statements, newest first. GET /api/v1/admin/trust-accounts/{id}/statements. */
  statements(id: string, params?: Query<ListBankStatementsData>, options?: CallOptions): ListResult<ListBankStatementsResponses, 'statements'>;
  /** Get a trust account statement. GET /api/v1/admin/trust-accounts/{id}/statements/{statement_id}. */
  statement(id: string, statementId: string, options?: CallOptions): Result<GetBankStatementResponses>;
  /** Download a statement's file as it was uploaded. GET /api/v1/admin/trust-accounts/{id}/statements/{statement_id}/file. */
  downloadStatement(id: string, statementId: string, options?: CallOptions): Promise<string | Blob>;
  /** List a statement's entries in file order. GET /api/v1/admin/trust-accounts/{id}/statements/{statement_id}/entries. */
  entries(id: string, statementId: string, params?: Query<ListBankEntriesData>, options?: CallOptions): ListResult<ListBankEntriesResponses, 'entries'>;
}

export interface ReconciliationMethods {
  /** List bank entries and transactions with their matches, oldest first; total_count stops at 100,000. GET /api/v1/admin/reconciliation. */
  list(params?: Query<ListReconciliationItemsData>, options?: CallOptions): ListResult<ListReconciliationItemsResponses, 'items'>;
  /** List matches and write-offs, including undone ones, newest first; total_count stops at 100,000. GET /api/v1/admin/reconciliation/matches. */
  matches(params?: Query<ListMatchesData>, options?: CallOptions): ListResult<ListMatchesResponses, 'matches'>;
  /** Match bank entries with transactions that add up to the same sum. POST /api/v1/admin/reconciliation/matches. */
  match(params: Body<CreateMatchData>, options?: CallOptions): Result<CreateMatchResponses>;
  /** Get a match or a write-off with its items. GET /api/v1/admin/reconciliation/matches/{id}. */
  getMatch(id: string, options?: CallOptions): Result<GetMatchResponses>;
  /** Undo a match or a write-off; it stays in the history. DELETE /api/v1/admin/reconciliation/matches/{id}. */
  undoMatch(id: string, options?: CallOptions): Result<UndoMatchResponses>;
  /** List the suggestions of the last run. GET /api/v1/admin/reconciliation/suggestions. */
  suggestions(params?: Query<ListSuggestionsData>, options?: CallOptions): ListResult<ListSuggestionsResponses, 'suggestions'>;
  /** Take open items to work on, even ones assigned to someone else. POST /api/v1/admin/reconciliation/assign. */
  assign(params: Body<AssignReconciliationItemsData>, options?: CallOptions): Result<AssignReconciliationItemsResponses>;
  /** Release open items: they have no owner afterwards. POST /api/v1/admin/reconciliation/release. */
  release(params: Body<ReleaseReconciliationItemsData>, options?: CallOptions): Result<ReleaseReconciliationItemsResponses>;
  /** Match all open items: certain matches are made, others are suggested. POST /api/v1/admin/reconciliation/run. */
  run(options?: CallOptions): Result<RunReconciliationResponses>;
  /** Accept a suggestion: makes the match. POST /api/v1/admin/reconciliation/suggestions/{id}/accept. */
  acceptSuggestion(id: string, params?: Body<AcceptSuggestionData>, options?: CallOptions): Result<AcceptSuggestionResponses>;
  /** Write off items that will never be matched; moves no money. POST /api/v1/admin/reconciliation/write-offs. */
  writeOff(params: Body<WriteOffData>, options?: CallOptions): Result<WriteOffResponses>;
}

export interface ClosesMethods {
  /** Close a day, or correct its close with a new one. POST /api/v1/admin/closes. */
  create(params: Body<CreateCloseData>, options?: CallOptions): Result<CreateCloseResponses>;
  /** List daily closes and their corrections, newest first. GET /api/v1/admin/closes. */
  list(params?: Query<ListClosesData>, options?: CallOptions): ListResult<ListClosesResponses, 'closes'>;
  /** The figures and open items that a close of the day would sign now. GET /api/v1/admin/closes/{date}/figures. */
  figures(date: string, options?: CallOptions): Result<GetCloseFiguresResponses>;
  /** Get the close of a day as a signed PDF. GET /api/v1/admin/closes/{date}.pdf. */
  pdf(date: string, options?: CallOptions): Promise<Blob>;
  /** Get the close of a day: the exact signed text and its signature. GET /api/v1/admin/closes/{date}. */
  get(date: string, options?: CallOptions): Result<GetCloseResponses>;
  /** The public keys that verify daily closes and receipts (JWKS). GET /.well-known/kissi-keys.json. */
  publicKeys(options?: CallOptions): Result<GetPublicKeysResponses>;
}

export interface ReceiptsMethods {
  /** Open a receipt by its link. GET /r/{token}. */
  open(token: string, params?: Query<OpenReceiptData>, options?: CallOptions): Result<OpenReceiptResponses>;
}

export interface PaymentPagesMethods {
  /** Open the page of a payment request by its link. GET /pay/{token}. */
  open(token: string, params?: Query<OpenPaymentPageData>, options?: CallOptions): Result<OpenPaymentPageResponses>;
  /** Send a payment request to the number that a visitor of its page entered. POST /pay/{token}/notify. */
  notifyPayer(token: string, params: Body<NotifyPayerData>, options?: CallOptions & { query?: Query<NotifyPayerData> }): Result<NotifyPayerResponses>;
}

export interface PartnerMethods {
  /** Check whether a subscriber's account exists and can be credited. POST /api/v1/partner/account-status. */
  accountStatus(params: Body<GetAccountStatusData>, options?: CallOptions): Result<GetAccountStatusResponses>;
  /** Credit a wallet for cash received by the partner; once per reference. POST /api/v1/partner/cashin. Retries send the same `reference`, which is made when absent. */
  cashIn(params: Body<PartnerCashInData, 'reference'>, options?: CallOptions): Result<PartnerCashInResponses>;
  /** List the partner's own transactions, newest first. POST /api/v1/partner/transaction-history. */
  transactions(params?: Body<ListPartnerTransactionsData>, options?: CallOptions): ListResult<ListPartnerTransactionsResponses, 'transactions'>;
  /** Receive a cash-in notification and credit the cardholder. POST /webhooks/partner/cashin. Retries send the same `reference`, which is made when absent. */
  notifyCashIn(params: Body<ReceivePartnerCashInData>, options?: CallOptions): Result<ReceivePartnerCashInResponses>;
}

export interface UssdMethods {
  /** Answer a callback of Africa's Talking with a page of the USSD menus. POST /ussd/africastalking/{secret}. */
  answerAfricasTalking(secret: string, params: Body<AnswerAfricasTalkingData>, options?: CallOptions): Promise<string>;
  /** Note that a USSD session has ended, as Africa's Talking says. POST /ussd/africastalking/{secret}/ended. */
  endAfricasTalkingSession(secret: string, params: Body<EndAfricasTalkingSessionData>, options?: CallOptions): Promise<string>;
  /** Answer a step of a USSD session as plain JSON, for the lab; not available in production. POST /ussd/json/{secret}. */
  answer(secret: string, params: Body<AnswerUssdStepData>, options?: CallOptions): Result<AnswerUssdStepResponses>;
}

export interface MessagingMethods {
  /** Send a message as a user of the messaging platform would, to test the conversation. POST /api/v1/external/messaging. */
  simulate(params: Body<SimulateMessageData>, options?: CallOptions): Result<SimulateMessageResponses>;
  /** Verify the webhook for the messaging platform. GET /api/v1/webhooks/messaging. */
  verifyWebhook(params?: Query<VerifyMessagingWebhookData>, options?: CallOptions): Promise<string>;
  /** Receive up to 100 messages from the messaging platform; each is answered once, on the platform. POST /api/v1/webhooks/messaging. */
  receive(params: Body<ReceiveMessagesData>, options?: CallOptions): Result<ReceiveMessagesResponses>;
  /** Send a message as a user of the messaging platform would, to test the conversation (outside /api/v1). POST /external/messaging. */
  simulateAtRoot(params: Body<SimulateMessageAtRootData>, options?: CallOptions): Result<SimulateMessageAtRootResponses>;
  /** Verify the webhook for the messaging platform (outside /api/v1). GET /webhooks/messaging. */
  verifyWebhookAtRoot(params?: Query<VerifyMessagingWebhookAtRootData>, options?: CallOptions): Promise<string>;
  /** Receive up to 100 messages from the messaging platform; each is answered once, on the platform (outside /api/v1). POST /webhooks/messaging. */
  receiveAtRoot(params: Body<ReceiveMessagesAtRootData>, options?: CallOptions): Result<ReceiveMessagesAtRootResponses>;
}

/** The operation behind each method. */
export const FAMILIES = {
  health: {
    get: { call: getHealth },
    ready: { call: getReadiness },
    live: { call: getLiveness },
    status: { call: getStatus },
    production: { call: getProductionHealth },
    metrics: { call: getMetrics },
  },
  session: {
    login: { call: login, params: 'body' as const },
    finishLogin: { call: finishLogin, params: 'body' as const },
    refresh: { call: refreshTokens, params: 'body' as const },
    logout: { call: logout, params: 'body' as const },
    forgotPassword: { call: forgotPassword, params: 'body' as const },
    recoverPassword: { call: recoverPassword, params: 'body' as const },
    currentUser: { call: getCurrentUser },
    changePassword: { call: changePassword, params: 'body' as const },
    sendPepCode: { call: sendPepCode },
    verifyPepCode: { call: verifyPepCode, params: 'body' as const },
  },
  secondFactor: {
    get: { call: getSecondFactors },
    beginTotp: { call: beginTotpEnrolment, params: 'body' as const },
    confirmTotp: { call: confirmTotp, params: 'body' as const },
    removeTotp: { call: removeTotp, params: 'body' as const },
    passkeyOptions: { call: getPasskeyOptions, params: 'body' as const },
    registerPasskey: { call: registerPasskey, params: 'body' as const },
    removePasskey: { call: removePasskey, path: ['id'], params: 'body' as const },
    replaceRecoveryCodes: { call: replaceRecoveryCodes, params: 'body' as const },
  },
  users: {
    resetSecondFactor: { call: resetSecondFactor, path: ['id'] },
    create: { call: createUser, params: 'body' as const },
    list: { call: listUsers, params: 'query' as const, items: 'users' },
    get: { call: getUser, path: ['id'] },
    update: { call: updateUser, path: ['id'], params: 'body' as const },
    resetPassword: { call: resetPassword, path: ['id'] },
    roles: { call: getRoles },
  },
  apiKeys: {
    create: { call: createApiKey, params: 'body' as const },
    list: { call: listApiKeys, params: 'query' as const, items: 'api_keys' },
    get: { call: getApiKey, path: ['id'] },
    update: { call: updateApiKey, path: ['id'], params: 'body' as const },
    revoke: { call: revokeApiKey, path: ['id'] },
    rotate: { call: rotateApiKey, path: ['id'], params: 'query' as const },
    requests: { call: listApiKeyRequests, path: ['id'], params: 'query' as const, items: 'requests' },
  },
  audit: {
    list: { call: listAuditLogs, params: 'query' as const, items: 'logs' },
    verify: { call: verifyAuditLog },
  },
  messages: {
    list: { call: listMessages, params: 'query' as const, items: 'messages' },
  },
  savedViews: {
    list: { call: listSavedViews, params: 'query' as const, items: 'views' },
    create: { call: createSavedView, params: 'body' as const },
    delete: { call: deleteSavedView, path: ['id'] },
  },
  goingLive: {
    list: { call: listGoingLiveItems },
    confirm: { call: confirmGoingLiveItem, path: ['item'], params: 'body' as const },
    withdraw: { call: withdrawGoingLiveItem, path: ['item'] },
  },
  lab: {
    start: { call: startCertification, params: 'body' as const },
    list: { call: listCertifications, params: 'query' as const, items: 'certifications' },
    get: { call: getCertification, path: ['id'] },
    finish: { call: finishCertification, path: ['id'] },
    phone: { call: getLabPhone, params: 'query' as const },
    ussd: { call: playLabUssd, params: 'body' as const },
    createPaymentRequest: { call: createLabPaymentRequest, params: 'body' as const },
    confirmPaymentRequest: { call: confirmLabPaymentRequest, path: ['id'], params: 'body' as const },
    declinePaymentRequest: { call: declineLabPaymentRequest, path: ['id'], params: 'body' as const },
  },
  consoleSession: {
    start: { call: startConsoleSession, params: 'body' as const },
    finishLogin: { call: finishConsoleLogin, params: 'body' as const },
    refresh: { call: refreshConsoleSession },
    end: { call: endConsoleSession, params: 'body' as const },
  },
  approvals: {
    policies: { call: listApprovalPolicies },
    updatePolicy: { call: updateApprovalPolicy, params: 'body' as const },
    list: { call: listApprovals, params: 'query' as const, items: 'approvals' },
    get: { call: getApproval, path: ['id'] },
    approve: { call: approveRequest, path: ['id'] },
    reject: { call: rejectRequest, path: ['id'], params: 'body' as const },
    withdraw: { call: withdrawRequest, path: ['id'] },
    collectSecrets: { call: collectSecrets, path: ['id'] },
  },
  reports: {
    counts: { call: getCounts, params: 'query' as const },
    overview: { call: getOverview, params: 'query' as const },
    series: { call: getSeries, params: 'query' as const },
    ledgerAccounts: { call: listLedgerAccounts, params: 'query' as const, items: 'accounts' },
    trialBalance: { call: getTrialBalance, params: 'query' as const },
    agentFloats: { call: listAgentFloats, params: 'query' as const, items: 'floats' },
  },
  me: {
    login: { call: startCustomerLogin, params: 'body' as const },
    verify: { call: finishCustomerLogin, params: 'body' as const },
    loginDevice: { call: customerDeviceLogin, params: 'body' as const },
    refresh: { call: refreshCustomerTokens, params: 'body' as const },
    logout: { call: endCustomerSession, params: 'body' as const },
    quote: { call: createQuote, params: 'body' as const },
    transfer: { call: createOwnTransfer, params: 'body' as const },
    payMerchant: { call: payMerchant, params: 'body' as const },
    createCashOutCode: { call: createCashOutCode, params: 'body' as const },
    cashOutCodes: { call: listCashOutCodes, params: 'query' as const, items: 'cash_out_codes' },
    cashOutPrice: { call: getCashOutPrice, params: 'query' as const },
    cancelCashOutCode: { call: cancelCashOutCode, path: ['id'] },
    incomingRequests: { call: listIncomingRequests, params: 'query' as const, items: 'payment_requests' },
    openRequest: { call: openPaymentRequest, path: ['code'] },
    approveRequest: { call: approvePaymentRequest, path: ['id'], params: 'body' as const },
    declineRequest: { call: declinePaymentRequest, path: ['id'] },
    createRequest: { call: createOwnPaymentRequest, params: 'body' as const },
    sentRequests: { call: listSentRequests, params: 'query' as const, items: 'payment_requests' },
    request: { call: getOwnPaymentRequest, path: ['id'] },
    cancelRequest: { call: cancelOwnPaymentRequest, path: ['id'] },
    blockPayee: { call: blockPayee, path: ['id'] },
    unblockPayee: { call: unblockPayee, path: ['id'] },
    blockedPayees: { call: listBlockedPayees },
    get: { call: getMe },
    balance: { call: getOwnBalance },
    transactions: { call: listOwnTransactions, params: 'query' as const, items: 'transactions' },
    transaction: { call: getOwnTransaction, path: ['id'] },
    statement: { call: getOwnStatement, params: 'query' as const },
    cards: { call: listOwnCards, params: 'query' as const, items: 'cards' },
    blockCard: { call: blockOwnCard, path: ['serial'] },
    unblockCard: { call: unblockOwnCard, path: ['serial'], params: 'body' as const },
    changePin: { call: changeOwnPin, params: 'body' as const },
    devices: { call: listOwnDevices },
    endDevice: { call: endOwnDevice, path: ['id'] },
    refusals: { call: listOwnRefusals, params: 'query' as const, items: 'refusals' },
    openCase: { call: openOwnCase, params: 'body' as const },
    cases: { call: listOwnCases, params: 'query' as const, items: 'cases' },
    case: { call: getOwnCase, path: ['id'] },
    sendCaseMessage: { call: sendOwnCaseMessage, path: ['id'], params: 'body' as const },
    confirmRecall: { call: confirmOwnRecall, path: ['id'], params: 'body' as const },
    acceptRecall: { call: acceptRecall, path: ['id'], params: 'body' as const },
    contestRecall: { call: contestRecall, path: ['id'], params: 'body' as const },
    outcomeOfRequest: { call: getOwnRequest, path: ['request_id'] },
    notifications: { call: getOwnNotifications },
    updateNotifications: { call: updateOwnNotifications, params: 'body' as const },
  },
  agents: {
    redeemCode: { call: redeemCashOutCode, params: 'body' as const },
    resetPin: { call: resetAgentPin, path: ['id'], params: 'body' as const },
    register: { call: registerAgent, params: 'body' as const },
    list: { call: listAgents, params: 'query' as const, items: 'agents' },
    get: { call: getAgent, path: ['id'] },
    update: { call: updateAgent, path: ['id'], params: 'body' as const },
    balance: { call: getAgentBalance, path: ['id'] },
    transactions: { call: listAgentTransactions, path: ['id'], params: 'query' as const, items: 'transactions' },
    suspend: { call: suspendAgent, path: ['id'], params: 'body' as const },
    reactivate: { call: reactivateAgent, path: ['id'] },
    terminate: { call: terminateAgent, path: ['id'], params: 'body' as const },
    changePin: { call: changeAgentPin, path: ['id'], params: 'body' as const },
    fund: { call: fundAgent, path: ['id'], params: 'body' as const },
    returnFloat: { call: returnAgentFloat, path: ['id'], params: 'body' as const },
    cashIn: { call: cashIn, params: 'body' as const },
    transferFloat: { call: transferAgentFloat, params: 'body' as const },
    refusals: { call: listAgentRefusals, path: ['id'], params: 'query' as const, items: 'refusals' },
    commissions: { call: listAgentCommissions, path: ['id'], params: 'query' as const },
  },
  cases: {
    open: { call: openCase, params: 'body' as const },
    list: { call: listCases, params: 'query' as const, items: 'cases' },
    get: { call: getCase, path: ['id'] },
    assign: { call: assignCase, path: ['id'], params: 'body' as const },
    addNote: { call: addCaseNote, path: ['id'], params: 'body' as const },
    sendMessage: { call: sendCaseMessage, path: ['id'], params: 'body' as const },
    changeState: { call: changeCaseState, path: ['id'], params: 'body' as const },
    markComplex: { call: markCaseComplex, path: ['id'], params: 'body' as const },
    recall: { call: decideRecall, path: ['id'], params: 'body' as const },
    extendHold: { call: extendRecallHold, path: ['id'], params: 'body' as const },
    legalOrder: { call: returnByLegalOrder, path: ['id'], params: 'body' as const },
    uploadFile: { call: uploadCaseFile, path: ['id'], params: 'body' as const },
    file: { call: getCaseFile, path: ['id', 'fileId'] },
    clocks: { call: listCaseClocks, params: 'query' as const, items: 'clocks' },
    addClocks: { call: addCaseClocks, params: 'body' as const },
  },
  notifications: {
    get: { call: getBusinessNotifications },
    update: { call: updateBusinessNotifications, params: 'body' as const },
  },
  registration: {
    register: { call: registerPublicSubscriber, params: 'body' as const },
    verify: { call: verifyPublicSubscriber, path: ['id'], params: 'body' as const },
    resendCode: { call: resendVerificationCode, path: ['id'] },
    setNewPin: { call: setNewPin, params: 'body' as const },
  },
  subscribers: {
    get: { call: getSubscriber, path: ['id'] },
    update: { call: updateSubscriber, path: ['id'], params: 'body' as const },
    register: { call: registerSubscriber, params: 'body' as const },
    list: { call: listSubscribers, params: 'query' as const, items: 'subscribers' },
    block: { call: blockSubscriber, path: ['id'], params: 'body' as const },
    unblock: { call: unblockSubscriber, path: ['id'], params: 'body' as const },
    enableTypes: { call: enableTransactionTypes, path: ['id'], params: 'body' as const },
    activate: { call: activateSubscriber, path: ['id'] },
    verifyPin: { call: verifySubscriberPin, path: ['id'], params: 'body' as const },
    changePin: { call: changeSubscriberPin, path: ['id'], params: 'body' as const },
    uploadDocument: { call: uploadSubscriberDocument, path: ['id'], params: 'body' as const },
    documents: { call: listSubscriberDocuments, path: ['id'] },
    document: { call: getSubscriberDocument, path: ['id', 'documentId'] },
    requestLevel: { call: requestSubscriberLevel, path: ['id'], params: 'body' as const },
    notes: { call: listSubscriberNotes, path: ['id'], params: 'query' as const, items: 'notes' },
    addNote: { call: addSubscriberNote, path: ['id'], params: 'body' as const },
    resetPin: { call: resetSubscriberPin, path: ['id'], params: 'body' as const },
    unlockPin: { call: unlockSubscriberPin, path: ['id'], params: 'body' as const },
    refusals: { call: listSubscriberRefusals, path: ['id'], params: 'query' as const, items: 'refusals' },
    limits: { call: getSubscriberLimits, path: ['id'] },
  },
  privacy: {
    export: { call: exportPersonalData, path: ['id'] },
    erase: { call: erasePersonalData, path: ['id'], params: 'body' as const },
  },
  cards: {
    link: { call: linkCard, params: 'body' as const },
    linkChild: { call: linkChildCard, params: 'body' as const },
    get: { call: getCard, path: ['serial'] },
    update: { call: updateCard, path: ['serial'], params: 'body' as const },
    list: { call: listCards, params: 'query' as const, items: 'cards' },
    unlink: { call: unlinkCard, path: ['serial'], params: 'body' as const },
    block: { call: blockCard, path: ['serial'], params: 'body' as const },
    unblock: { call: unblockCard, path: ['serial'] },
    upload: { call: uploadCards, params: 'body' as const },
  },
  wallet: {
    balanceWithPin: { call: getBalanceWithPin, path: ['subscriber_id'], params: 'body' as const },
    balance: { call: getBalance, path: ['user_id'] },
    transfer: { call: transfer, params: 'body' as const },
    transferByCard: { call: transferByCard, params: 'body' as const },
    fundFromPartner: { call: fundFromPartner, params: 'body' as const },
    withdraw: { call: withdraw, params: 'body' as const },
    statement: { call: getAccountStatement, params: 'body' as const },
  },
  transactions: {
    list: { call: listTransactions, params: 'query' as const, items: 'transactions' },
    sums: { call: getTransactionSums, params: 'query' as const },
    get: { call: getTransaction, path: ['id'] },
    evidence: { call: getTransactionEvidence, path: ['id'] },
    outcomeOfRequest: { call: getRequest, path: ['request_id'], params: 'query' as const },
    receipt: { call: getReceipt, path: ['id'] },
    revokeReceipt: { call: revokeReceipt, path: ['id'], params: 'body' as const },
  },
  holds: {
    list: { call: listHolds, params: 'query' as const, items: 'holds' },
    get: { call: getHold, path: ['id'] },
  },
  search: {
    query: { call: search, params: 'query' as const },
  },
  floatRequests: {
    ask: { call: askForFloat, path: ['id'], params: 'body' as const },
    list: { call: listFloatRequests, path: ['id'], params: 'query' as const, items: 'float_requests' },
    accept: { call: acceptFloatRequest, path: ['id'], params: 'body' as const },
    decline: { call: declineFloatRequest, path: ['id'], params: 'body' as const },
    cancel: { call: cancelFloatRequest, path: ['id'] },
  },
  alerts: {
    raise: { call: raiseAlert, params: 'body' as const },
    list: { call: listAlerts, params: 'query' as const, items: 'alerts' },
    get: { call: getAlert, path: ['id'] },
    update: { call: updateAlert, path: ['id'], params: 'body' as const },
    resolve: { call: resolveAlert, path: ['id'], params: 'body' as const },
    assign: { call: assignAlert, path: ['id'] },
    release: { call: releaseAlert, path: ['id'] },
  },
  compliance: {
    network: { call: getPaymentNetwork, path: ['id'], params: 'query' as const },
    check: { call: checkPayment, params: 'body' as const },
    accountRules: { call: listAccountRules, params: 'query' as const, items: 'account_rules' },
    accountRule: { call: getAccountRules, path: ['kyc_level'] },
  },
  rules: {
    list: { call: listRules, params: 'query' as const, items: 'rules' },
    create: { call: createRule, params: 'body' as const },
    get: { call: getRule, path: ['id'] },
    update: { call: updateRule, path: ['id'], params: 'body' as const },
    whatIfNew: { call: whatIfNewRule, params: 'body' as const },
    whatIf: { call: whatIfRule, path: ['id'], params: 'body' as const },
  },
  fees: {
    quote: { call: getFeeQuote, params: 'query' as const },
    list: { call: listFeeSettings, params: 'query' as const },
    put: { call: putFeeSetting, params: 'body' as const },
    get: { call: getFeeSetting, path: ['type', 'party'] },
    delete: { call: deleteFeeSetting, path: ['type', 'party'] },
    whatIf: { call: whatIfFees, params: 'body' as const },
  },
  commissionTiers: {
    get: { call: getCommissionTiers },
    update: { call: updateCommissionTiers, params: 'body' as const },
  },
  partners: {
    create: { call: createPartner, params: 'body' as const },
    list: { call: listPartners, params: 'query' as const, items: 'partners' },
    get: { call: getPartner, path: ['id'] },
    update: { call: updatePartner, path: ['id'], params: 'body' as const },
    rotateWebhookSecret: { call: rotateWebhookSecret, path: ['id'], params: 'body' as const },
    settle: { call: settlePartner, path: ['id'], params: 'body' as const },
  },
  processors: {
    get: { call: getProcessor, path: ['id'] },
    update: { call: updateProcessor, path: ['id'], params: 'body' as const },
    qr: { call: getProcessorQr, path: ['id'], params: 'query' as const },
    create: { call: createProcessor, params: 'body' as const },
    list: { call: listProcessors, params: 'query' as const, items: 'processors' },
    suspend: { call: suspendProcessor, path: ['id'], params: 'body' as const },
    reactivate: { call: reactivateProcessor, path: ['id'] },
    transfer: { call: transferFromProcessor, path: ['id'], params: 'body' as const },
    addBankAccount: { call: addBankAccount, path: ['id'], params: 'body' as const },
    bankAccounts: { call: listBankAccounts, path: ['id'] },
    removeBankAccount: { call: removeBankAccount, path: ['id', 'account_id'] },
    payOut: { call: payOut, path: ['id'], params: 'body' as const },
    payouts: { call: listPayouts, path: ['id'], params: 'query' as const, items: 'payouts' },
    allPayouts: { call: listAllPayouts, params: 'query' as const, items: 'payouts' },
    payoutAtBank: { call: getPayoutAtBank, path: ['id', 'transaction_id'] },
    returnPayout: { call: returnPayout, path: ['id', 'transaction_id'], params: 'body' as const },
    createKey: { call: createOwnKey, path: ['id'], params: 'body' as const },
    terminalKeys: { call: listTerminalKeys, path: ['id'], params: 'query' as const, items: 'keys' },
    revokeKey: { call: revokeOwnKey, path: ['id', 'key_id'] },
    createUser: { call: createProcessorLogin, path: ['id'], params: 'body' as const },
    transactions: { call: listProcessorTransactions, path: ['id'], params: 'query' as const, items: 'transactions' },
    takings: { call: getProcessorTakings, path: ['id'], params: 'query' as const },
    refusals: { call: listProcessorRefusals, path: ['id'], params: 'query' as const, items: 'refusals' },
    refund: { call: refundFromProcessor, path: ['id'], params: 'body' as const },
    returnHosts: { call: getReturnHosts, path: ['id'] },
    setReturnHosts: { call: setReturnHosts, path: ['id'], params: 'body' as const },
  },
  paymentRequests: {
    create: { call: createPaymentRequest, params: 'body' as const },
    list: { call: listPaymentRequests, params: 'query' as const, items: 'payment_requests' },
    get: { call: getPaymentRequest, path: ['id'] },
    cancel: { call: cancelPaymentRequest, path: ['id'] },
  },
  bulkPayments: {
    create: { call: uploadBulkPayment, params: 'body' as const },
    list: { call: listBulkPayments, params: 'query' as const, items: 'bulk_payments' },
    get: { call: getBulkPayment, path: ['id'] },
    rows: { call: listBulkPaymentRows, path: ['id'], params: 'query' as const, items: 'rows' },
    report: { call: getBulkPaymentReport, path: ['id'] },
    reportPdf: { call: getBulkPaymentReportPdf, path: ['id'] },
    cancel: { call: cancelBulkPayment, path: ['id'] },
    rowLimit: { call: getBulkRowLimit, path: ['payer_id'] },
    updateRowLimit: { call: updateBulkRowLimit, path: ['payer_id'], params: 'body' as const },
    approve: { call: approveBulkPayment, path: ['id'], params: 'body' as const },
    stop: { call: stopBulkPayment, path: ['id'] },
    retryFailed: { call: retryBulkPayment, path: ['id'] },
  },
  integration: {
    requests: { call: listOwnRequests, params: 'query' as const, items: 'requests' },
    deliveries: { call: listOwnWebhookDeliveries, params: 'query' as const, items: 'deliveries' },
    delivery: { call: getOwnWebhookDelivery, path: ['id'] },
    replayDelivery: { call: replayOwnWebhookDelivery, path: ['id'] },
  },
  webhookEndpoints: {
    list: { call: listWebhookEndpoints, params: 'query' as const, items: 'webhook_endpoints' },
    create: { call: createWebhookEndpoint, params: 'body' as const },
    get: { call: getWebhookEndpoint, path: ['id'] },
    update: { call: updateWebhookEndpoint, path: ['id'], params: 'body' as const },
    delete: { call: deleteWebhookEndpoint, path: ['id'] },
    rotateSecret: { call: rotateWebhookEndpointSecret, path: ['id'], params: 'body' as const },
    test: { call: testWebhookEndpoint, path: ['id'], params: 'body' as const },
  },
  terminal: {
    pay: { call: payAtTerminal, params: 'body' as const },
    refund: { call: refundAtTerminal, params: 'body' as const },
    capture: { call: captureAtTerminal, path: ['transaction_id'], params: 'body' as const },
    void: { call: voidAtTerminal, path: ['transaction_id'], params: 'body' as const },
    verifyCard: { call: verifyCardAtTerminal, params: 'body' as const },
    verifyAccount: { call: verifyAccountAtTerminal, params: 'body' as const },
    lookUpCard: { call: lookUpCardAtTerminal, params: 'body' as const },
  },
  inApp: {
    pay: { call: payInApp, params: 'body' as const },
    refund: { call: refundInApp, params: 'body' as const },
    capture: { call: captureInApp, path: ['transaction_id'], params: 'body' as const },
    void: { call: voidInApp, path: ['transaction_id'], params: 'body' as const },
    verifyCard: { call: verifyCardInApp, params: 'body' as const },
    verifyAccount: { call: verifyAccountInApp, params: 'body' as const },
    lookUpCard: { call: lookUpCardInApp, params: 'body' as const },
  },
  webhookDeliveries: {
    list: { call: listWebhookDeliveries, params: 'query' as const, items: 'deliveries' },
    get: { call: getWebhookDelivery, path: ['id'] },
    replay: { call: replayWebhookDelivery, path: ['id'] },
  },
  inbound: {
    enquireName: { call: enquireName, params: 'body' as const },
    credit: { call: creditWallet, params: 'body' as const },
    get: { call: getCredit, path: ['reference'] },
  },
  credits: {
    reverse: { call: reverseInboundCredit, path: ['inbound_id'], params: 'body' as const },
    list: { call: listInboundCredits, params: 'query' as const, items: 'inbound' },
    get: { call: getInboundCredit, path: ['inbound_id'] },
  },
  suspense: {
    list: { call: listSuspenseItems, params: 'query' as const, items: 'suspense' },
    resolve: { call: resolveSuspenseItem, path: ['transaction_id'], params: 'body' as const },
  },
  trustAccounts: {
    create: { call: createTrustAccount, params: 'body' as const },
    list: { call: listTrustAccounts, params: 'query' as const, items: 'trust_accounts' },
    get: { call: getTrustAccount, path: ['id'] },
    update: { call: updateTrustAccount, path: ['id'], params: 'body' as const },
    uploadStatement: { call: uploadBankStatement, path: ['id'], params: 'body' as const },
    statements: { call: listBankStatements, path: ['id'], params: 'query' as const, items: 'statements' },
    statement: { call: getBankStatement, path: ['id', 'statement_id'] },
    downloadStatement: { call: downloadBankStatement, path: ['id', 'statement_id'] },
    entries: { call: listBankEntries, path: ['id', 'statement_id'], params: 'query' as const, items: 'entries' },
  },
  reconciliation: {
    list: { call: listReconciliationItems, params: 'query' as const, items: 'items' },
    matches: { call: listMatches, params: 'query' as const, items: 'matches' },
    match: { call: createMatch, params: 'body' as const },
    getMatch: { call: getMatch, path: ['id'] },
    undoMatch: { call: undoMatch, path: ['id'] },
    suggestions: { call: listSuggestions, params: 'query' as const, items: 'suggestions' },
    assign: { call: assignReconciliationItems, params: 'body' as const },
    release: { call: releaseReconciliationItems, params: 'body' as const },
    run: { call: runReconciliation },
    acceptSuggestion: { call: acceptSuggestion, path: ['id'], params: 'body' as const },
    writeOff: { call: writeOff, params: 'body' as const },
  },
  closes: {
    create: { call: createClose, params: 'body' as const },
    list: { call: listCloses, params: 'query' as const, items: 'closes' },
    figures: { call: getCloseFigures, path: ['date'] },
    pdf: { call: getClosePdf, path: ['date'] },
    get: { call: getClose, path: ['date'] },
    publicKeys: { call: getPublicKeys },
  },
  receipts: {
    open: { call: openReceipt, path: ['token'], params: 'query' as const },
  },
  paymentPages: {
    open: { call: openPaymentPage, path: ['token'], params: 'query' as const },
    notifyPayer: { call: notifyPayer, path: ['token'], params: 'body' as const },
  },
  partner: {
    accountStatus: { call: getAccountStatus, params: 'body' as const },
    cashIn: { call: partnerCashIn, params: 'body' as const },
    transactions: { call: listPartnerTransactions, params: 'body' as const, items: 'transactions' },
    notifyCashIn: { call: receivePartnerCashIn, params: 'body' as const },
  },
  ussd: {
    answerAfricasTalking: { call: answerAfricasTalking, path: ['secret'], params: 'body' as const },
    endAfricasTalkingSession: { call: endAfricasTalkingSession, path: ['secret'], params: 'body' as const },
    answer: { call: answerUssdStep, path: ['secret'], params: 'body' as const },
  },
  messaging: {
    simulate: { call: simulateMessage, params: 'body' as const },
    verifyWebhook: { call: verifyMessagingWebhook, params: 'query' as const },
    receive: { call: receiveMessages, params: 'body' as const },
    simulateAtRoot: { call: simulateMessageAtRoot, params: 'body' as const },
    verifyWebhookAtRoot: { call: verifyMessagingWebhookAtRoot, params: 'query' as const },
    receiveAtRoot: { call: receiveMessagesAtRoot, params: 'body' as const },
  },
};
