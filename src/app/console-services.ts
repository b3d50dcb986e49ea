// Creates the services that mainly the web console calls.
import { createGoingLive, type GoingLive, type GoingLiveContext } from '../features/admin/going-live/service.ts';
import { createSavedViews, type SavedViews, type SavedViewsContext } from '../features/admin/saved-views/service.ts';
import {
  createFloatRequests,
  type FloatRequests,
  type FloatRequestsContext,
} from '../features/float-requests/service.ts';
import { createPaymentForms, type PaymentForms, type PaymentFormsContext } from '../features/payment-forms/service.ts';
import { createRefusals, type Refusals, type RefusalsContext } from '../features/refusals/service.ts';
import {
  createSubscriberLimits,
  type LimitsContext,
  type SubscriberLimits,
} from '../features/subscriber-limits/service.ts';
import {
  createSubscriberNotes,
  type SubscriberNotes,
  type SubscriberNotesContext,
} from '../features/subscriber-notes/service.ts';

export interface ConsoleServices {
  goingLive: GoingLive;
  floatRequests: FloatRequests;
  savedViews: SavedViews;
  subscriberLimits: SubscriberLimits;
  subscriberNotes: SubscriberNotes;
  paymentForms: PaymentForms;
  refusals: Refusals;
}

export type ConsoleDependencies = PaymentFormsContext &
  GoingLiveContext &
  SavedViewsContext &
  FloatRequestsContext &
  LimitsContext &
  SubscriberNotesContext &
  RefusalsContext;

export function createConsoleServices(dependencies: ConsoleDependencies): ConsoleServices {
  return {
    goingLive: createGoingLive(dependencies),
    floatRequests: createFloatRequests(dependencies),
    savedViews: createSavedViews(dependencies),
    subscriberLimits: createSubscriberLimits(dependencies),
    subscriberNotes: createSubscriberNotes(dependencies),
    paymentForms: createPaymentForms(dependencies),
    refusals: createRefusals(dependencies),
  };
}
