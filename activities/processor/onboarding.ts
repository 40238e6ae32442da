import type { DataSource } from 'typeorm';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { bindProcessorAccount } from '../../commands/workspaces/workspaces.js';
import { transaction } from '../../db/transaction.js';
import type { Processor } from '../gateways/processor.js';

/** Onboarding to the payment processor (docs/rules/workspace.md#processor-account). */
export function createOnboardingActivities({ db, processor }: { db: DataSource; processor: Processor }) {
  return {
    /**
     * Creates the workspace's connected account, unless it has one that is not revoked. Returns the account's
     * id.
     */
    async createAccount(workspaceId: string): Promise<string> {
      const workspace = await findWorkspace(db.manager, workspaceId);
      const { processor_account_id: account, processor_status } = workspace!;
      if (account && processor_status !== 'revoked') return account;
      return (await processor.createAccount({ workspace_id: workspaceId, instead_of: account })).id;
    },

    /** Binds the account to the workspace. Returns the id of the account that is bound afterwards. */
    async bindProcessorAccount(input: { workspaceId: string; accountId: string }): Promise<string> {
      return transaction(db, (tx) => bindProcessorAccount(tx, input.workspaceId, input.accountId));
    },

    /** Returns the URL of the hosted onboarding. It works once and expires within minutes. */
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
