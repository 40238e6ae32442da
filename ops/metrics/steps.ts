import { ApplicationFailure } from '@temporalio/common';
import { Counter, type Registry } from 'prom-client';

/** Records in the metrics how activities end, and what is done without one. */
export interface StepMetrics {
  succeeded(activity: string, input: unknown, result: unknown): void;
  failed(error: unknown): void;
  /** Mails that a worker has sent without an activity. */
  mailed(count: number): void;
}

/** The status that an activity gives a booking. */
const OUTCOMES: Record<string, string> = {
  expireBooking: 'expired',
  completeBooking: 'completed',
  cancelBooking: 'cancelled',
};

type Result = Record<string, unknown> | null | undefined;

/**
 * What activities find and achieve. The SDK has metrics of the activities themselves; these are about the
 * business. An activity that is repeated after a crash is counted twice.
 */
export function createStepMetrics(registry: Registry): StepMetrics {
  const registers = [registry];
  const outcomes = new Counter({
    name: 'holdfast_booking_outcomes_total',
    help: 'Bookings that were confirmed by payment, expired, cancelled or completed.',
    labelNames: ['outcome'],
    registers,
  });
  const finds = new Counter({
    name: 'holdfast_self_heal_finds_total',
    help: 'Payments, lost runs and abandoned slots that other layers missed.',
    labelNames: ['kind'],
    registers,
  });
  const errors = new Counter({
    name: 'holdfast_outside_call_failures_total',
    help: 'Failed attempts at the processor and the accounting system, by type of failure.',
    labelNames: ['type'],
    registers,
  });
  const deliveries = new Counter({
    name: 'holdfast_deliveries_total',
    help: 'Webhook deliveries and mails, by outcome.',
    labelNames: ['kind', 'outcome'],
    registers,
  });

  // An increase is only seen in a series that has begun.
  for (const kind of ['payment', 'run', 'slot']) finds.inc({ kind }, 0);
  errors.inc({ type: 'ProcessorKeyRefused' }, 0);

  function settled(input: unknown, result: Result): void {
    const outcome = result?.outcome as Result;
    if (outcome?.kind !== 'confirmed' || outcome.already) return;
    outcomes.inc({ outcome: 'confirmed' });
    const { report } = input as { report: { source: string | null } };
    if (report.source === 'scheduler_self_heal') finds.inc({ kind: 'payment' });
  }

  return {
    succeeded(activity, input, output) {
      const result = output as Result;
      const outcome = OUTCOMES[activity];
      const ended = activity === 'cancelBooking' ? result?.kind === 'done' : result?.status === outcome;
      if (outcome && ended) outcomes.inc({ outcome });
      if (activity === 'settleReport') settled(input, result);
      if ((activity === 'reviveOwnerRun' || activity === 'reviveRefund') && output === true)
        finds.inc({ kind: 'run' });
      if (activity === 'releaseAbandoned') finds.inc({ kind: 'slot' }, Number(result?.released));
      if (activity === 'deliverEvents') {
        deliveries.inc({ kind: 'webhook', outcome: 'delivered' }, Number(result?.delivered));
        deliveries.inc({ kind: 'webhook', outcome: 'failed' }, Number(result?.failed));
      }
      if (activity === 'sendMails') {
        deliveries.inc({ kind: 'mail', outcome: 'delivered' }, Number(result?.sent));
        deliveries.inc({ kind: 'mail', outcome: 'failed' }, Number(result?.refused));
      }
    },
    mailed: (count) => deliveries.inc({ kind: 'mail', outcome: 'delivered' }, count),
    failed(error) {
      const type = error instanceof ApplicationFailure ? error.type : undefined;
      if (type && /^(Processor|Accounting)/.test(type)) errors.inc({ type });
    },
  };
}
