import { accountingStarts } from './accounting.js';
import { bookingStarts } from './bookings.js';
import { cardStarts } from './payments/cards.js';
import { checkoutStarts } from './payments/checkouts.js';
import { collectionStarts } from './invoices.js';
import { disputeStarts } from './payments/disputes.js';
import { jobStarts } from './jobs.js';
import { mailStarts } from './mail.js';
import { memberStarts } from './members.js';
import { paymentStarts } from './payments/payments.js';
import { processorAccountStarts } from './processor.js';
import { reconciliationStarts } from './reconciliation.js';
import { refundStarts } from './payments/refunds.js';
import { webhookStarts } from './events.js';
import { startOn } from './run.js';

/**
 * The start options of every run, for workers that poll `taskQueue`. The API, dispatchers, activities,
 * Schedules and parent workflows all start runs with these. Only ids go into Temporal: names, email addresses
 * and notes stay in Postgres (docs/internals/architecture.md#personal-data).
 */
export function starts(taskQueue: string) {
  const start = startOn(taskQueue);
  return {
    ...bookingStarts(start),
    ...checkoutStarts(start),
    ...paymentStarts(start),
    ...refundStarts(start),
    ...disputeStarts(start),
    ...processorAccountStarts(start),
    ...cardStarts(start),
    ...collectionStarts(start),
    ...accountingStarts(start),
    ...reconciliationStarts(start),
    ...memberStarts(start),
    ...webhookStarts(start),
    ...mailStarts(start),
    ...jobStarts(start, taskQueue),
  };
}
