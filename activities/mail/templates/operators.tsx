import type { RecoveryReason } from '../../../db/entities/payments.js';
import { layOut } from './layout.js';
import { Paragraphs, type RenderedMail } from './parts.js';

const REASONS: Record<RecoveryReason, string> = {
  setting: 'RECOVER_SINCE is set',
  beat_lost: 'workers have seen a later state of the database',
  other_database:
    'it is another cluster, timeline or database than before, or Postgres has crashed or a ' +
    'replica was promoted',
  unknown_run: 'the Temporal namespace is another one than before, so it cannot say how far the database was',
  processor: 'the processor knows of money that is not here',
  accounting: 'the accounting system knows of documents that are not here',
};

/**
 * Writes the mail that informs an operator of the service that the database may have lost something
 * (docs/recovery.md#paused-payments).
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
      subject: `The database may be behind since ${since.toISOString()}`,
      body: (
        <Paragraphs
          of={[
            `The database may lack what happened since ${since.toISOString()}: ${REASONS[reason]}.`,
            `Payments are paused on ${accounts} accounts until each has been read again. That happens ` +
              'automatically; holdfast_accounts_recovering counts them.',
            'If the database was restored or failed over, read docs/recovery.md for what else to check. ' +
              'If not, nothing is lost.',
          ]}
        />
      ),
    },
    null,
  );
