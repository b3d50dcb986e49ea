// The texts of all notices in English. Only characters of the GSM 7-bit alphabet, and at most 160 of them (tested).
import type { Texts } from './keys.ts';

export const en: Texts = {
  new_device:
    'A new device, {device}, can use your Kissi wallet with your PIN. If this was not you, change your PIN now or call us.',
  pin_changed: 'Your Kissi PIN was changed. If this was not you, call us at once.',
  pin_reset_code:
    'Your Kissi code to set a new PIN: {code}. Valid for {minutes, plural, one {# minute} other {# minutes}}. Never share it. If you did not ask for it, call us.',
  pin_reset_done:
    'Your Kissi PIN was changed. For 24 hours you can pay only a tenth of the usual amount. If this was not you, call us at once.',
  number_changed:
    'Your Kissi phone number was changed. Messages and codes go to the new number from now on. If you did not ask for this, call us at once.',
  wrong_pins:
    'Your Kissi PIN was entered wrong {count, plural, one {once} other {# times}} today. Shops, agents and apps cannot use it before midnight. If it was not you, call us.',
  own_wrong_pins:
    'Your Kissi PIN was entered wrong {count, plural, one {once} other {# times}}. Your devices and USSD are stopped until you set a new PIN. Call us.',
  phone_code:
    'Your Kissi registration code: {code}. Valid for {minutes, plural, one {# minute} other {# minutes}}. If you did not register, do not share it.',
  login_code:
    'Your Kissi login code: {code}. Valid for {minutes, plural, one {# minute} other {# minutes}}. Never share it, not even with Kissi staff.',
  request_to_pay:
    'You will PAY {amount, money} to {payee} if you confirm. Code {code}{ussd, when { (#)}}. Not expected? Do nothing. Never send your PIN.',
  request_to_pay_any:
    'You will PAY what you choose to {payee} if you confirm. Code {code}{ussd, when { (#)}}. Not expected? Do nothing. Never send your PIN.',
  cash_out_code:
    'Cash-out code {code} for {amount, money}, valid for {minutes, plural, one {# minute} other {# minutes}}. Give it only to the agent who pays you. Never tell your PIN.',
  recall:
    '{sender} says {amount, money} was sent to you by mistake and asks for it back. It is held. Answer in your Kissi menu. Case {case}.',
  case_open: 'Your case {case} is open again. See it in your Kissi menu or app.',
  case_waiting_customer: 'Your case {case} needs an answer from you. Answer in your Kissi app, or call us.',
  case_waiting_other_party:
    'Your case {case}: we asked the other person and hold what is left of the money. We tell you how it ends.',
  case_investigating: 'We are working on your case {case}. We tell you how it ends.',
  case_resolved: 'Your case {case} is resolved. See how in your Kissi app, or call us.',
  case_rejected: 'Your case {case} is closed: we could not do what you asked. See why in your Kissi app, or call us.',
  case_message: 'There is a message for you in your case {case}. Read it in your Kissi app, or call us.',
  case_complex: 'Your case {case} takes longer than others. You hear from us by {until}.',
  partner_wallet_changed:
    'The partner wallet that was linked to your Kissi wallet is no longer linked to it. If you did not ask for this, call us at once.',
  card_moved:
    'A card that you had is now linked to the Kissi wallet of somebody else. If you did not return the card, call us at once.',
  sent: 'You sent {amount, money} to {party}.{fee, when { Fee #.}}{balance, when { Balance #.}} Id {id}',
  received: 'You got {amount, money} from {party}.{fee, when { Fee #.}}{balance, when { Balance #.}} Id {id}',
  received_often:
    'You got {amount, money} from {party}, after many others. Until {until} you are told only of what you pay. Id {id}',
  deposited: 'You paid in {amount, money} at {party}.{fee, when { Fee #.}}{balance, when { Balance #.}} Id {id}',
  withdrawn: 'You withdrew {amount, money} at {party}.{fee, when { Fee #.}}{balance, when { Balance #.}} Id {id}',
  paid: 'You paid {amount, money} to {party}.{fee, when { Fee #.}}{balance, when { Balance #.}} Id {id}',
  refunded: '{party} refunded {amount, money} to you.{fee, when { Fee #.}}{balance, when { Balance #.}} Id {id}',
  taken_back: '{amount, money} from {party} was taken back.{fee, when { Fee #.}}{balance, when { Balance #.}} Id {id}',
  authorized: '{amount, money} of your balance is held for {party} until {until}. Id {id}',
  released: '{amount, money} that was held for {party} is yours to use again. Id {id}',
  code_ended: 'Your cash-out code for {amount, money} has ended unpaid. The money is yours to use again. Id {id}',
};
