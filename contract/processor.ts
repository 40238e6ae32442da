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

export interface ReadAccountsInput {
  /** All accounts that are due if absent; otherwise those of the workspace, due or not. */
  workspaceId?: string;
  /** Where the previous run of the chain stopped. */
  resume?: { summary: ReadAccountsSummary };
}

/** Counts of one job that reads accounts. */
export interface ReadAccountsSummary {
  /** Accounts that were read. */
  accounts: number;
  /** What the processor had recorded on them and nobody had told us. */
  events: number;
  /** Accounts that could not be read this time, and the ids of the first of them. */
  failed: number;
  left?: string[];
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

  /** Reads an account now. Joins a run that does so. */
  readAccount: (accountId: string, workspaceId: string | null) =>
    start<ProcessorAccountInput>(
      workflowIds.readAccount(accountId),
      { accountId },
      'Reads what happened on the connected account',
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
