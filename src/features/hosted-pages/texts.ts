// The words of the payment page in both languages.
import type { Language } from '../../http/pages/language.ts';
import type { Outcome } from '../payment-requests/service.ts';

interface Words {
  title: string;
  text: string;
}

interface Texts {
  asks(payee: string): string;
  title(payee: string, amount: string): string;
  anyAmount: string;
  purpose: string;
  reference: string;
  until: string;
  waiting: string;
  waitingMany: string;
  sent: string;
  sentMany: string;
  wallet: string;
  confirm: string;
  phone: string;
  phoneHint: string;
  send: string;
  fault: string;
  notANumber: string;
  looksLikePin: string;
  tooOften: string;
  notSent: string;
  dial: string;
  dialHint: string;
  scan: string;
  scanHint: string;
  qrLabel: string;
  code: string;
  checkNow: string;
  receipt: string;
  /** `host`: of the shop. */
  goBack(host: string): string;
  ended: Record<Outcome, (payee: string) => Words>;
  missing: Words;
  busy: Words;
  failed: Words;
}

const en: Texts = {
  asks: (payee) => `${payee} asks you to pay`,
  title: (payee, amount) => `Pay ${amount} to ${payee}`,
  anyAmount: 'You choose the amount',
  purpose: 'For',
  reference: 'Reference',
  until: 'Open until',
  waiting: 'Waiting for your payment',
  waitingMany: 'Open for payments',
  sent: 'Sent. Look at that phone and confirm there: this page shows when it is paid. If nothing arrives, use the code below.',
  sentMany: 'Sent. Look at that phone and confirm there. If nothing arrives, use the code below.',
  wallet: 'Pay in your web wallet',
  confirm: 'Confirm on your phone',
  phone: 'Your mobile number',
  phoneHint: 'We send the request to this number. Check the name and the amount there, and confirm on your phone.',
  send: 'Send to my phone',
  fault: 'Not sent',
  notANumber: 'This is not a mobile number. Example: 076 123 456',
  looksLikePin: 'This is not a mobile number. If it is your PIN: do not type it here. Nobody needs it.',
  tooOften: 'Nothing was sent: too many numbers were entered here. Use the code below instead.',
  notSent: 'Nothing was sent. Try again in a minute, or use the code below.',
  dial: 'Or dial from your phone',
  dialHint: 'It works on every phone, without internet.',
  scan: 'Or scan, or type the code',
  scanHint: 'Scan it with the wallet on your phone, or type the code there.',
  qrLabel: 'QR code of this payment',
  code: 'Payment code',
  checkNow: 'Check whether it is paid',
  receipt: 'Open the receipt',
  goBack: (host) => `Back to ${host}`,
  ended: {
    paid: (payee) => ({ title: 'Paid', text: `${payee} has received the money.` }),
    declined: (payee) => ({
      title: 'Declined',
      text: `The payer declined. No money moved. ${payee} can send a new request.`,
    }),
    expired: (payee) => ({
      title: 'Too late',
      text: `The time for this payment is over. No money moved. Ask ${payee} for a new request.`,
    }),
    cancelled: (payee) => ({ title: 'Cancelled', text: `${payee} has cancelled this request. No money moved.` }),
  },
  missing: {
    title: 'There is no such payment',
    text: 'The link may be incomplete. Ask the person or shop that sent it for the whole link.',
  },
  busy: {
    title: 'Too many requests',
    text: 'Many people use this connection at the moment. Wait a minute, then reload the page.',
  },
  failed: { title: 'Something went wrong', text: 'The payment could not be read. Try again in a minute.' },
};

const kri: Texts = {
  asks: (payee) => `${payee} de aks yu fɔ pe`,
  title: (payee, amount) => `Pe ${amount} to ${payee}`,
  anyAmount: 'Na yu go pik ɔmɔs',
  purpose: 'Fɔ',
  reference: 'Rɛfrɛns',
  until: 'I opin te',
  waiting: 'Wi de wet fɔ yu pement',
  waitingMany: 'I opin fɔ pement',
  sent: 'I dɔn go. Luk da fon de ɛn gri na de: dis pej go sho we i dɔn pe. If natin nɔ kam, yuz di kod we de dɔŋ ya.',
  sentMany: 'I dɔn go. Luk da fon de ɛn gri na de. If natin nɔ kam, yuz di kod we de dɔŋ ya.',
  wallet: 'Pe na yu wɛb walɛt',
  confirm: 'Gri na yu fon',
  phone: 'Yu mobayl nɔmba',
  phoneHint: 'Wi go sɛn di rikwɛst to dis nɔmba. Luk di nem ɛn di mɔni fayn na de, dɔn gri na yu fon.',
  send: 'Sɛn am to mi fon',
  fault: 'I nɔ go',
  notANumber: 'Dis nɔto mobayl nɔmba. Lɛk dis: 076 123 456',
  looksLikePin: 'Dis nɔto mobayl nɔmba. If na yu PIN: nɔ rayt am na ya. Nɔbɔdi nɔ nid am.',
  tooOften: 'Natin nɔ go: dɛn dɔn rayt tumɔs nɔmba na ya. Yuz di kod we de dɔŋ ya.',
  notSent: 'Natin nɔ go. Tray bak afta wan minit, ɔ yuz di kod we de dɔŋ ya.',
  dial: 'Ɔ dayal frɔm yu fon',
  dialHint: 'I de wok na ɛni fon, if intanɛt nɔ de sɛf.',
  scan: 'Ɔ skan, ɔ rayt di kod',
  scanHint: 'Skan am wit di walɛt na yu fon, ɔ rayt di kod na de.',
  qrLabel: 'QR kod fɔ dis pement',
  code: 'Kod fɔ di pement',
  checkNow: 'Luk if i dɔn pe',
  receipt: 'Opin di risit',
  goBack: (host) => `Go bak to ${host}`,
  ended: {
    paid: (payee) => ({ title: 'Dɔn pe', text: `${payee} dɔn gɛt di mɔni.` }),
    declined: (payee) => ({
      title: 'Dɛn nɔ gri',
      text: `Di pɔsin we fɔ pe nɔ gri. Nɔ mɔni nɔ muf. ${payee} kin sɛn nyu rikwɛst.`,
    }),
    expired: (payee) => ({
      title: 'Tɛm dɔn pas',
      text: `Di tɛm fɔ dis pement dɔn dɔn. Nɔ mɔni nɔ muf. Aks ${payee} fɔ nyu rikwɛst.`,
    }),
    cancelled: (payee) => ({ title: 'Dɛn dɔn kansul am', text: `${payee} dɔn kansul dis rikwɛst. Nɔ mɔni nɔ muf.` }),
  },
  missing: {
    title: 'Da pement de nɔ de',
    text: 'I kin bi se di link nɔ kɔmplit. Aks di pɔsin ɔ di shɔp we sɛn am fɔ di ol link.',
  },
  busy: {
    title: 'Bɔku pipul de tray',
    text: 'Bɔku pipul de yuz dis kɔnɛkshɔn naw. Wet wan minit, dɔn opin di pej bak.',
  },
  failed: { title: 'Sɔmtin nɔ go fayn', text: 'Wi nɔ ebul rid di pement. Tray bak afta wan minit.' },
};

export const TEXTS: Record<Language, Texts> = { en, kri };
