import type { Refusal } from './errors.js';
import type { ProcessorStatus } from './states.js';

/** A workspace cannot take payments. */
export const PROCESSOR_UNCONFIGURED: Refusal = {
  code: 'processor_unconfigured',
  message: 'This workspace cannot take payments yet. Complete onboarding with the payment processor first.',
  details: { reason: 'processor_account' },
};

/** Why a workspace cannot take payments: it has no account at the processor that works. */
export const whyNotTakePayments = ({
  processor_account_id,
  processor_status,
}: {
  processor_account_id: string | null;
  processor_status: ProcessorStatus;
}): Refusal | null => (processor_account_id && processor_status === 'active' ? null : PROCESSOR_UNCONFIGURED);
