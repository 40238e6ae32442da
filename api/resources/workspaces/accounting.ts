import { WorkflowFailedError } from '@temporalio/client';
import { findChart, findConnection } from '../../../db/queries/accounting/connection.js';
import type { Tx } from '../../../db/transaction.js';
import type { Chart } from '../../../domain/accounting/settings.js';
import { ApiError } from '../../../domain/errors.js';
import type { Principal } from '../../../domain/policies.js';
import type { AccountingConnectionInput } from '../../../contract/accounting.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import type { ApiDependencies } from '../../dependencies.js';
import { startAndWait } from '../../http/runs.js';

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>;

/**
 * Reads the current accounts and tax types of the organisation. Errors: 412 `accounting_unconfigured`; 502
 * `accounting_error`.
 */
export async function readChart(deps: Deps, workspaceId: string): Promise<void> {
  const connection = await findConnection(deps.db.manager, workspaceId);
  if (connection?.status !== 'active') throw notConnected();
  await run(deps, { workspaceId, action: 'read_chart' });
}

/**
 * Ends a workspace's connection. Does nothing if it has already ended. Errors: 412 `accounting_unconfigured`;
 * 502 `accounting_error`.
 */
export async function disconnectAccounting(deps: Deps, by: Principal): Promise<void> {
  const { workspace_id: workspaceId, member_id, key_id } = by;
  const connection = await findConnection(deps.db.manager, workspaceId);
  if (!connection) throw notConnected();
  if (connection.status !== 'disconnected')
    await run(deps, { workspaceId, action: 'disconnect', actor: { member_id, key_id } });
}

/**
 * The accounts and tax types of the connected organisation, as the API returns them. Errors: 412
 * `accounting_unconfigured`.
 */
export async function presentedChart(tx: Tx, workspaceId: string) {
  const connection = await findConnection(tx, workspaceId);
  if (!connection || connection.status === 'disconnected') throw notConnected();
  const read = await findChart(tx, workspaceId);
  if (!read)
    throw new ApiError(
      'accounting_error',
      'The data of the organisation has not been read yet. Try again later.',
    );
  const { sales_accounts, payment_accounts, tax_types, currencies }: Chart = read.chart;
  return {
    organisation: connection.organisation,
    sales_accounts,
    payment_accounts,
    tax_types,
    currencies,
    read_at: read.read_at.toISOString(),
  };
}

const notConnected = () =>
  new ApiError('accounting_unconfigured', 'Connect the workspace to an accounting system first.');

async function run({ db, temporal, taskQueue }: Deps, input: AccountingConnectionInput): Promise<void> {
  const start = starts(taskQueue).accountingConnection(input);
  try {
    await startAndWait(temporal, WORKFLOWS.accountingConnection, start);
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    const connection = await findConnection(db.manager, input.workspaceId);
    if (connection?.status === 'revoked')
      throw new ApiError(
        'accounting_unconfigured',
        'Access was revoked in the accounting system. Connect the organisation again.',
      );
    throw new ApiError('accounting_error', 'The accounting system did not respond. Try again later.');
  }
}
