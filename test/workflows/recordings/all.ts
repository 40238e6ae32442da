import { recordAccounting } from './accounting.js';
import { recordBilling } from './billing.js';
import { recordBookings } from './bookings.js';
import { recordDelivery } from './delivery.js';
import { recordPayments } from './payments.js';
import { Recorder } from './recorder.js';

/**
 * Records all histories. Faults of a simulator are global, so only recordings without
 * faults run concurrently.
 */
export async function recordAll(say: (line: string) => void): Promise<void> {
  const recorder = new Recorder(say);
  await Promise.all([
    recordBookings(recorder),
    recordDelivery(recorder),
    recordAccounting(recorder),
    recordBilling(recorder),
  ]);
  await recordPayments(recorder);
}
