import { defineSignal } from '@temporalio/workflow';
import { workflowIds } from './names.js';
import type { Start } from './run.js';

export interface ProcessorAccountInput {
  accountId: string;
}

/** The processor reports something about the connected account. */
export const accountReported = defineSignal('account-reported');

export interface ProcessorOnboardingInput {
  workspaceId: string;
  returnUrl: string;
  refreshUrl: string;
}

/** Start options. */
export const processorAccountStarts = (start: Start) => ({
  processorAccount: (accountId: string, workspaceId: string | null) =>
    start<ProcessorAccountInput>(
      workflowIds.processorAccount(accountId),
      { accountId },
      'Reads the status of the connected account',
      workspaceId,
    ),

  processorOnboarding: (input: ProcessorOnboardingInput) =>
    start<ProcessorOnboardingInput>(
      workflowIds.processorOnboarding(input.workspaceId),
      input,
      'Opens the onboarding to the payment processor',
      input.workspaceId,
    ),
});
