// Creates the services that mainly the web console calls.
import { createPaymentForms, type PaymentForms, type PaymentFormsContext } from '../features/payment-forms/service.ts';
import {
  createSubscriberNotes,
  type SubscriberNotes,
  type SubscriberNotesContext,
} from '../features/subscriber-notes/service.ts';

export interface ConsoleServices {
  subscriberNotes: SubscriberNotes;
  paymentForms: PaymentForms;
}

export type ConsoleDependencies = PaymentFormsContext & SubscriberNotesContext;

export function createConsoleServices(dependencies: ConsoleDependencies): ConsoleServices {
  return {
    subscriberNotes: createSubscriberNotes(dependencies),
    paymentForms: createPaymentForms(dependencies),
  };
}
