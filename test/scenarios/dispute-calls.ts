import { listEvents } from '../support/bookings.js';
import type { Payment } from '../support/api-bodies.js';

export const disputeEvents = async (paymentId: string) =>
  (await listEvents<Payment>(paymentId))
    .filter(({ type }) => type !== 'payment.succeeded' && type !== 'payment.refunded')
    .map(({ type, body }) => [type.replace('payment.', ''), body.data.object.disputed_minor]);
