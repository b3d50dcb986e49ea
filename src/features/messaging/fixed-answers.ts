// Fixed answers for messages that the agent service does not answer.
export const PLEASE_REGISTER =
  'This number is not registered with us yet. To open a wallet, register with any of our agents or in the app; ' +
  'it takes a minute and needs your name, this number and a PIN of your choice.';

export const SORRY =
  'We cannot answer you right now. Please try again in a few minutes, or see one of our agents. We will never ask for your PIN here.';

export const TEXT_ONLY = 'Sorry, we can only read text messages here. Please write to us what you need.';
