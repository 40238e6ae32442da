import { assertReceived as assertReceivedAt } from '../../../domain/payments/received.js';

/** Throws 422 if a payment was received in the future. */
export const assertReceived = (paid_at: Date): void => assertReceivedAt(paid_at, new Date());
