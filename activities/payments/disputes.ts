import type { DataSource } from 'typeorm';
import { recordDisputes, type ReportedDispute } from '../../commands/payments/disputes.js';
import { findPaymentByIntent } from '../../db/queries/payments/payment.js';
import { setProcessorAccount } from '../../commands/workspaces/workspaces.js';
import { transaction } from '../../db/transaction.js';
import type { ProcessorStatus } from '../../domain/states.js';
import { isAccountUnusable } from '../failures.js';
import type { Processor } from '../gateways/processor.js';
import type { AccountState } from '../gateways/processor-accounts.js';

type Stored<T> = { [K in keyof T]: T[K] extends Date | null ? string | Extract<T[K], null> : T[K] };
type Movement = ReportedDispute['movements'][number];

/** The current state of a connected account; `dueBy` in ISO 8601. */
interface AccountReport {
  status: ProcessorStatus;
  dueBy: string | null;
  problem: string | null;
}

/** A dispute in a workflow's history, where times are ISO 8601. */
export type DisputeReport = Stored<Omit<ReportedDispute, 'movements'>> & { movements: Stored<Movement>[] };

/** `unknown`: it is not a payment of ours, or not yet. `unreachable`: its account is no longer connected. */
export type DisputesRead =
  | { kind: 'found'; paymentId: string; disputes: DisputeReport[] }
  | { kind: 'unknown' }
  | { kind: 'unreachable' };

/**
 * Reads payments and accounts from the processor again, whatever its events contain and in whatever order
 * they arrive (docs/rules/billing.md#disputes).
 */
export function createDisputeActivities({ db, processor }: { db: DataSource; processor: Processor }) {
  return {
    /** Returns the disputes of a payment with their current state at the processor. */
    async lookUpDisputes(paymentIntentId: string): Promise<DisputesRead> {
      const payment = await findPaymentByIntent(db.manager, paymentIntentId);
      if (!payment?.account_id) return { kind: 'unknown' };
      try {
        const disputes = await processor.listDisputes(payment.account_id, paymentIntentId);
        return { kind: 'found', paymentId: payment.id, disputes: disputes.map(toReport) };
      } catch (error) {
        if (isAccountUnusable(error)) return { kind: 'unreachable' };
        throw error;
      }
    },

    /** Stores disputes that were read, with everything that follows from them. */
    async recordDisputes(input: { paymentId: string; disputes: DisputeReport[] }): Promise<void> {
      const disputes = input.disputes.map(fromReport);
      await transaction(db, (tx) => recordDisputes(tx, input.paymentId, disputes));
    },

    /** Returns what a connected account can do now. */
    async lookUpAccount(accountId: string): Promise<AccountReport> {
      try {
        const account = await processor.lookUpAccount(accountId);
        const { due_by, problem } = account;
        return { status: processorStatus(account), dueBy: due_by && due_by.toISOString(), problem };
      } catch (error) {
        if (isAccountUnusable(error)) return { status: 'revoked', dueBy: null, problem: null };
        throw error;
      }
    },

    /** Stores the state of an account. */
    async recordAccount({
      accountId,
      dueBy,
      ...account
    }: AccountReport & { accountId: string }): Promise<void> {
      const due_by = dueBy === null ? null : new Date(dueBy);
      await transaction(db, (tx) => setProcessorAccount(tx, accountId, { ...account, due_by }));
    },
  };
}

/** Returns our status of an account that can be read. */
export const processorStatus = ({ charges_enabled }: AccountState): ProcessorStatus =>
  charges_enabled ? 'active' : 'pending';

const toReport = ({ due_by, created_at, movements, ...dispute }: ReportedDispute): DisputeReport => ({
  ...dispute,
  due_by: due_by && due_by.toISOString(),
  created_at: created_at.toISOString(),
  movements: movements.map((movement) => ({ ...movement, created_at: movement.created_at.toISOString() })),
});

const fromReport = ({ due_by, created_at, movements, ...dispute }: DisputeReport): ReportedDispute => ({
  ...dispute,
  due_by: due_by === null ? null : new Date(due_by),
  created_at: new Date(created_at),
  movements: movements.map((movement) => ({ ...movement, created_at: new Date(movement.created_at) })),
});
