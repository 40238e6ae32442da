import type { Payment } from './api-bodies.js';
import { confirmedBooking } from './bookings.js';
import { processorLedger, simulator } from './simulators.js';
import { until } from './until.js';
import type { TestWorkspace } from './workspaces.js';

/** A booking's payment, and the dispute controls for its charge. A guest books unless somebody else does. */
export async function disputablePayment(workspace: TestWorkspace, booked_by?: { member_id: string }) {
  const { api } = workspace;
  const { booking } = await confirmedBooking(api, booked_by && { body: { booked_by } });
  const { body } = await api.get(`/v1/payments?booking_id=${booking.id}&kind=charge`);
  const { id } = body.data[0]!;
  const charge = await findCharge(workspace, booking.processor_payment_intent_id!);
  const payment = async () => (await api.get(`/v1/payments/${id}`)).body;
  return {
    id,
    booking,
    payment,
    dispute: (how: Record<string, unknown> = {}) => disputeCharge(charge.id, how),
    move: (disputeId: string, how: Record<string, unknown>) =>
      simulator('POST', `/_sim/disputes/${disputeId}`, how),
    /** Waits until the payment has these fields. */
    untilPayment: (fields: Partial<Payment>) =>
      until(async () => {
        const now = await payment();
        return Object.entries(fields).every(([name, value]) => now[name as keyof Payment] === value) && now;
      }),
    /** Waits until the dispute has this status. Returns the payment. */
    untilDispute: (disputeId: string, status: string) =>
      until(async () => {
        const now = await payment();
        return now.disputes.find((each) => each.id === disputeId)?.status === status && now;
      }),
  };
}

/** Opens a dispute of a charge, in any of the processor's statuses. */
export const disputeCharge = (chargeId: string, how: Record<string, unknown> = {}) =>
  simulator('POST', `/_sim/charges/${chargeId}/dispute`, how);

/** The charge of a payment intent. */
export async function findCharge(workspace: TestWorkspace, paymentIntent: string) {
  const { charges } = await processorLedger(workspace);
  return charges.find((charge) => charge.payment_intent === paymentIntent)!;
}
