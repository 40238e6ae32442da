import { TypedSearchAttributes } from '@temporalio/common';
import { describeBooking } from '../domain/presenters/booking.js';
import {
  searchAttributes,
  workflowIds,
  type BookingInput,
  type InvoiceAccountingInput,
  type InvoiceCheckoutInput,
} from './contract.js';

/** By this an operator finds the runs of a workspace, and the dashboard those that need a person. */
export const ofWorkspace = (workspaceId: string): TypedSearchAttributes =>
  new TypedSearchAttributes([{ key: searchAttributes.workspace, value: workspaceId }]);

/** The options under which a booking's run starts, whoever starts it: the API, or whoever finds it lost. */
export function bookingStartOptions(
  booking: {
    id: string;
    workspace_id: string;
    room_id: string;
    room_name: string;
    time_zone: string;
    start_at: Date;
    end_at: Date;
  },
  taskQueue: string,
) {
  const input: BookingInput = { bookingId: booking.id };
  return {
    taskQueue,
    workflowId: workflowIds.booking(booking.id),
    args: [input] as [BookingInput],
    staticSummary: describeBooking(booking),
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.bookingStatus, value: 'pending_payment' },
      { key: searchAttributes.workspace, value: booking.workspace_id },
      { key: searchAttributes.room, value: booking.room_id },
      { key: searchAttributes.slotStart, value: booking.start_at },
    ]),
  };
}

/** The options under which the run of an invoice's checkout starts. */
export function invoiceCheckoutOptions(checkoutId: string, taskQueue: string) {
  const input: InvoiceCheckoutInput = { checkoutId };
  return {
    taskQueue,
    workflowId: workflowIds.invoiceCheckout(checkoutId),
    args: [input] as [InvoiceCheckoutInput],
    staticSummary: 'Takes the payment of an invoice on the hosted page',
  };
}

/** The options under which the run starts that keeps an invoice's books. */
export function invoiceAccountingOptions(
  invoice: { invoice_id: string; workspace_id: string },
  taskQueue: string,
) {
  const input: InvoiceAccountingInput = { invoiceId: invoice.invoice_id };
  return {
    taskQueue,
    workflowId: workflowIds.invoiceAccounting(invoice.invoice_id),
    args: [input] as [InvoiceAccountingInput],
    staticSummary: 'Keeps the books of an invoice',
    typedSearchAttributes: ofWorkspace(invoice.workspace_id),
  };
}
