import { Counter, Gauge, type Registry } from 'prom-client';
import type { Backlog } from '../../db/queries/workspaces/backlog.js';

const FRESH_MS = 10_000;

/**
 * Backlogs in the database. Returns the function that reads them, at most every 10 s, before the metrics are
 * sent. It never throws.
 */
export function watchBacklog(
  registry: Registry,
  read: () => Promise<Backlog>,
  now = Date.now,
): () => Promise<void> {
  const registers = [registry];
  const failures = new Counter({
    name: 'holdfast_backlog_read_failures_total',
    help: 'Failed reads of the backlog. Its other values are then those of the latest successful read.',
    registers,
  });
  const live = new Gauge({
    name: 'holdfast_bookings',
    help: 'Live bookings by status. Ended ones are counted by holdfast_booking_outcomes_total.',
    labelNames: ['status'],
    registers,
  });
  const recovering = new Gauge({
    name: 'holdfast_accounts_recovering',
    help: 'Connected accounts on which payments are paused until they have been read.',
    registers,
  });
  const overdue = new Gauge({
    name: 'holdfast_oldest_overdue_hold_seconds',
    help: 'Time since the hold of the longest overdue unpaid booking ended; 0 if none is overdue.',
    registers,
  });
  const outbox = new Gauge({
    name: 'holdfast_outbox_lag_seconds',
    help: 'How long the oldest row of an outbox has waited for the relay; 0 if none waits.',
    labelNames: ['outbox'],
    registers,
  });
  const accounting = new Gauge({
    name: 'holdfast_pending_accounting_updates',
    help: 'Invoices whose latest version the accounting system does not have.',
    registers,
  });
  const retry = new Gauge({
    name: 'holdfast_oldest_webhook_retry_seconds',
    help: 'Age of the oldest event that a receiver has not accepted; 0 if there is none.',
    registers,
  });
  const mail = new Gauge({
    name: 'holdfast_oldest_pending_mail_seconds',
    help: 'Age of the oldest mail that was not sent; 0 if there is none.',
    registers,
  });
  const failing = new Gauge({
    name: 'holdfast_failing_jobs',
    help: '1 for a job that fails for a workspace, by job and workspace. Absent once it works again.',
    labelNames: ['job', 'workspace'],
    registers,
  });
  let readAt = -Infinity;
  return async () => {
    if (now() - readAt < FRESH_MS) return;
    readAt = now();
    try {
      const backlog = await read();
      live.set({ status: 'pending_payment' }, backlog.pending_bookings);
      live.set({ status: 'confirmed' }, backlog.confirmed_bookings);
      recovering.set(backlog.recovering_accounts);
      overdue.set(backlog.overdue_hold_seconds);
      outbox.set({ outbox: 'event positions' }, backlog.position_lag_seconds);
      outbox.set({ outbox: 'reminders' }, backlog.reminder_lag_seconds);
      outbox.set({ outbox: 'staff digests' }, backlog.digest_lag_seconds);
      outbox.set({ outbox: 'webhook events' }, backlog.webhook_lag_seconds);
      outbox.set({ outbox: 'mail' }, backlog.mail_lag_seconds);
      outbox.set({ outbox: 'collections' }, backlog.collection_lag_seconds);
      outbox.set({ outbox: 'removed cards' }, backlog.card_lag_seconds);
      outbox.set({ outbox: 'tier upgrades' }, backlog.tier_lag_seconds);
      outbox.set({ outbox: 'accounting updates' }, backlog.accounting_lag_seconds);
      accounting.set(backlog.accounting_updates);
      retry.set(backlog.webhook_retry_seconds);
      mail.set(backlog.pending_mail_seconds);
      failing.reset();
      for (const job of backlog.failing_jobs) failing.set(job, 1);
    } catch {
      failures.inc();
    }
  };
}
