import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL_AWAITED } from './activity-options.js';
import type { ProcessorOnboardingInput } from '../contract/processor.js';
import { proxyTransactions } from './in-task.js';

const { createAccount, createAccountLink } = proxyActivities<Activities>(OUTSIDE_CALL_AWAITED);
const { bindProcessorAccount } = proxyTransactions();

/**
 * Creates a workspace's connected account, once, and returns the URL of the processor's hosted onboarding.
 */
export async function processorOnboarding(input: ProcessorOnboardingInput): Promise<{ url: string }> {
  const created = await createAccount(input.workspaceId);
  const accountId = await bindProcessorAccount({ workspaceId: input.workspaceId, accountId: created });
  return createAccountLink({ accountId, returnUrl: input.returnUrl, refreshUrl: input.refreshUrl });
}
