// The ways in which a message reaches a phone.

/** Answers in a conversation go where it takes place: to the chat. */
export type Channel = 'sms' | 'chat';
export const CHANNELS = ['sms', 'chat'] as const;
