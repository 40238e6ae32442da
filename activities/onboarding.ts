import type { DataSource } from 'typeorm';
import { findWorkspace } from '../db/repositories/workspaces/workspace-queries.js';
import { bindProcessorAccount } from '../db/repositories/workspaces/workspaces.js';
import { transaction } from '../db/transaction.js';
import type { Processor } from './gateways/processor.js';

/** A workspace's way to its own connected account. */
export function createOnboardingActivities({ db, processor }: { db: DataSource; processor: Processor }) {
  return {
    /** The workspace's account at the processor, made if it has none that is still ours. Returns its id. */
    async createAccount(workspaceId: string): Promise<string> {
      const workspace = await findWorkspace(db.manager, workspaceId);
      const { processor_account_id: account, processor_status } = workspace!;
      if (account && processor_status !== 'revoked') return account;
      return (await processor.createAccount({ workspace_id: workspaceId, instead_of: account })).id;
    },

    /** Binds the account to the workspace. Returns the one it has now. */
    async bindProcessorAccount(input: { workspaceId: string; accountId: string }): Promise<string> {
      return transaction(db, (tx) => bindProcessorAccount(tx, input.workspaceId, input.accountId));
    },

    /** The address of the hosted onboarding; it can be opened once and for a short time only. */
    async createAccountLink(input: {
      accountId: string;
      returnUrl: string;
      refreshUrl: string;
    }): Promise<{ url: string }> {
      const { url } = await processor.createAccountLink({
        account_id: input.accountId,
        return_url: input.returnUrl,
        refresh_url: input.refreshUrl,
      });
      return { url };
    },
  };
}
