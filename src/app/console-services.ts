// Creates the services that mainly the web console calls.
import { createPaymentForms, type PaymentForms, type PaymentFormsContext } from '../features/payment-forms/service.ts';

export interface ConsoleServices {
  paymentForms: PaymentForms;
}

export type ConsoleDependencies = PaymentFormsContext;

export function createConsoleServices(dependencies: ConsoleDependencies): ConsoleServices {
  return { paymentForms: createPaymentForms(dependencies) };
}
