import { isId } from '../../db/ids.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { takeLook } from '../../commands/api-keys/buckets.js';
import { reportAccount } from '../../commands/processor/events/accounts.js';
import { workflowIds } from '../../contract/names.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { Handler } from '../../api/http/context.js';
import { showPage } from '../ui/layout.js';

const Dashboard = () => (
  <a class="button" href="/dashboard">
    Go to dashboard
  </a>
);

/** How long the page waits for the account's status. The workflow continues after that. */
const READ_WITHIN_MS = 4_000;

/**
 * Reads the workspace's account, because its webhook may be late or lost. Resolves once the status is stored.
 */
async function readAccount(deps: ApiDependencies, workspaceId: string): Promise<void> {
  const workspace = isId('ws', workspaceId) ? await findWorkspace(deps.db.manager, workspaceId) : null;
  const accountId = workspace?.processor_account_id;
  if (!accountId || !(await takeLook(deps.db.manager, workspaceId, deps.buckets))) return;
  await deps.temporal.withDeadline(Date.now() + READ_WITHIN_MS, async () => {
    await reportAccount(deps, accountId);
    await deps.temporal.workflow.getHandle(workflowIds.processorAccount(accountId)).result();
  });
}

/**
 * `GET /onboarding/done?workspace_id`: where the processor's hosted onboarding returns to, completed or not.
 * Only the account's status at the processor says whether it was completed.
 */
export const showOnboarded =
  (deps: ApiDependencies): Handler =>
  async (ctx) => {
    await readAccount(deps, String(ctx.query.workspace_id ?? '')).catch((error) =>
      deps.log.warn({ err: error }, 'the account cannot be read when its onboarding returns'),
    );
    showPage(ctx, 200, {
      title: 'Thanks, we’re checking your account',
      mark: 'waiting',
      children: (
        <>
          <p>
            You can take payments once Stripe has approved your account. See its status in the dashboard under
            Card payments, or in <code>processor.status</code> in the API. If you left early, continue the
            setup there.
          </p>
          <Dashboard />
        </>
      ),
    });
  };

/** `GET /onboarding/again`: where the processor sends operators whose link has expired. */
export const showLinkExpired: Handler = async (ctx) =>
  showPage(ctx, 200, {
    title: 'This setup link has expired',
    mark: 'waiting',
    children: (
      <>
        <p>
          Create a new link in the dashboard under Card payments, or with{' '}
          <code>POST /v1/workspace/processor/onboarding</code>.
        </p>
        <Dashboard />
      </>
    ),
  });
