// What the gateway writes into the page about its operator.
const named = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';

export const OPERATOR = named('application-name') || 'Kissi';
/** Customer support's number. Empty: there is none. */
export const SUPPORT = named('support');
/** The code to dial. Empty: there is none. */
export const USSD = named('ussd');
