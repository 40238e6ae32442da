import { findWorkspaceByAccount } from '../../../db/queries/workspaces/workspace.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { accountReported } from '../../../contract/processor.js';
import { starts } from '../../../contract/starts.js';
import type { EventDependencies } from './event.js';

/** Has the status of a connected account read from the processor. */
export async function reportAccount(deps: EventDependencies, accountId: string | undefined): Promise<string> {
  const workspace = accountId ? await findWorkspaceByAccount(deps.db.manager, accountId) : null;
  if (!workspace) return 'ignored: unknown account';
  await deps.temporal.workflow.signalWithStart(WORKFLOWS.processorAccount, {
    ...starts(deps.taskQueue).processorAccount(accountId!, workspace.id),
    signal: accountReported,
  });
  return `reading account ${accountId}`;
}
