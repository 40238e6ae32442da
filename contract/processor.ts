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
  /** By default all accounts that are due; with a workspace, its accounts whether due or not. */
  workspaceId?: string;
  /** Where the previous run of the chain stopped. */
  resume?: { summary: ReadAccountsSummary };
}

export interface ReadAccountsSummary {
  accounts: number;
  /** How many events the processor had recorded on them that we had not received. */
  events: number;
  /** Accounts that could not be read this time, and the first of their ids. */
  failed: number;
  left?: string[];
}

export const processorAccountStarts = (start: Start) => ({
  processorAccount: (accountId: string, workspaceId: string | null) =>
    start<ProcessorAccountInput>(
      workflowIds.processorAccount(accountId),
      { accountId },
      'Reads the status of the connected account',
      workspaceId,
    ),

  /** Reads an account now, or joins a run that is already doing so. */
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
