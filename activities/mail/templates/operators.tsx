import type { RecoveryReason } from '../../../db/entities/payments.js';
import { layOut } from './layout.js';
import { Paragraphs, type RenderedMail } from './parts.js';

const REASONS: Record<RecoveryReason, string> = {
  setting: 'RECOVER_SINCE is set',
  beat_lost: 'workers have seen a later state of the database',
  other_database:
    'the cluster, timeline or database has changed, Postgres has crashed, or a replica was promoted',
  unknown_run: 'the Temporal namespace has changed, so it cannot show how current the database was',
  processor: 'Stripe has payments or refunds that the database lacks',
  accounting: 'the accounting system has documents that the database lacks',
};

/**
 * Tells an operator of the service that the database may have lost data
 * (docs/internals/recovery.md#paused-payments).
 */
export const renderRecoveryMail = (
  id: string,
  to: string,
  { since, reason, accounts }: { since: Date; reason: RecoveryReason; accounts: number },
): RenderedMail =>
  layOut(
    {
      id,
      to,
      subject: `Payments paused: the database may lack data since ${since.toISOString()}`,
      body: (
        <Paragraphs
          of={[
            `The database may lack data since ${since.toISOString()}: ${REASONS[reason]}.`,
            `Payments are paused on ${accounts} accounts until each one has been read again. This happens ` +
              'automatically. The metric holdfast_accounts_recovering counts the paused accounts.',
            'If the database was restored or failed over, see docs/guides/runbook.md for what else to ' +
              'check. Otherwise, nothing is lost.',
          ]}
        />
      ),
    },
    null,
  );
