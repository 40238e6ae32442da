import joi from 'joi';
import type { DataSource } from 'typeorm';
import { requestReconciliation } from '../../../commands/reconciliation/reconciliations.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import { findReconciliation } from '../../../db/queries/reconciliation/reconciliation.js';
import { findZone } from '../../../db/queries/workspaces/workspace.js';
import { assertDayRange } from '../../../domain/day-range.js';
import type { ReconciliationReport } from '../../../domain/reconciliation/differences.js';
import { ApiError } from '../../../domain/errors.js';
import type { Principal } from '../../../domain/policies.js';
import { MAX_IN_PROGRESS } from '../../http/concurrency.js';
import { timestamp } from '../../http/fields.js';
import { operation, type Reply } from '../../http/operation.js';
import { array, nullable, object, oneOf, oneOfFixed, typed, type Infer } from '../../http/typed.js';
import { EXAMPLE_INVOICE_ID } from '../invoices/invoice.js';
import { exampleInstant, exampleTime } from '../shared/examples.js';
import type { Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';

const MAX_DAYS = 92;
const RESPOND_WITHIN_MS = 25_000;
const RETRY_AFTER_SECONDS = 5;

const totals = s.shape('ReconciliationTotals', {
  ledger: s.minor.description('The total in this service, in minor units.'),
  processor: s.minor.description('The total at the payment processor, in minor units.'),
  accounting: s.minor.description('The total in the accounting system, in minor units.'),
});

const difference = s.shape('ReconciliationDifference', {
  invoice_id: nullable(s.prefixedId('inv')).description('The invoice. Null if the payment belongs to none.'),
  kind: oneOf([
    'processor_missing',
    'ledger_missing',
    'processor_amount',
    'ledger_amount',
    'accounting_missing',
    'accounting_amount',
    'accounting_duplicate',
  ]).description('Which side lacks the payment, has a different amount, or has a sale twice.'),
  ledger_minor: nullable(s.minor).description('The amount in this service, in minor units.'),
  processor_minor: nullable(s.minor).description('The amount at the payment processor, in minor units.'),
  accounting_minor: nullable(s.minor).description('The amount in the accounting system, in minor units.'),
  message: s.anyText.description('What differs, for people.'),
});

export const running = s.shape('RunningReconciliation', {
  id: s.prefixedId('rec'),
  status: oneOfFixed(['running']).description('Always `running`.'),
});

/** A `ReconciliationReport`. */
export const report = s.shape('ReconciliationReport', {
  from: s.instant.description('The start of the time range, inclusive.'),
  to: s.instant.description('The end of the time range, exclusive.'),
  invoices_examined: s.count.description('The number of invoices that were compared.'),
  totals: totals.description(
    'Payments minus refunds that moved in the range, in the currency of the workspace. Negative ' +
      'if more was refunded.',
  ),
  other_currencies: typed<Record<string, Infer<typeof totals>>>(
    joi.object().pattern(/^[A-Z]{3}$/, totals),
  ).description('The same totals in other currencies, by ISO 4217 code.'),
  differences: array(difference).description('The differences, one for each invoice and kind.'),
});

const example = {
  from: exampleInstant(-30, 0),
  to: exampleInstant(1, 0),
  invoices_examined: 128,
  totals: { ledger: 2_175_000, processor: 2_175_000, accounting: 2_169_000 },
  other_currencies: {},
  differences: [
    {
      invoice_id: EXAMPLE_INVOICE_ID,
      kind: 'accounting_missing',
      ledger_minor: 6000,
      processor_minor: 6000,
      accounting_minor: null,
      message: 'The accounting system has no payment for this invoice.',
    },
  ],
};

/** A reconciliation; its report is null while it is being written. */
interface Reconciled {
  id: string;
  report: ReconciliationReport | null;
}

/** A reconciliation of the caller's workspace. Errors: 404 `not_found`. */
async function reconciled(
  { manager }: DataSource,
  { workspace_id }: Principal,
  id: string,
): Promise<Reconciled> {
  const found = await findReconciliation(manager, id);
  if (found?.workspace_id !== workspace_id) throw new ApiError('not_found', 'No such reconciliation.');
  return { id, report: found.report };
}

/** The report, or a 202 with its address. */
const reportOrAddress = ({ id, report }: Reconciled): Reply =>
  report
    ? { body: report }
    : {
        status: 202,
        headers: { Location: `/v1/reconciliations/${id}`, 'Retry-After': String(RETRY_AFTER_SECONDS) },
        body: { id, status: 'running' },
      };

export const reconcile = operation({
  route: 'GET /v1/reconciliation',
  summary: 'Reconcile ledger, processor and accounting',
  id: 'runReconciliation',
  description:
    'Compares the ledger with the payment processor and the accounting system, for invoices that ' +
    'were created in `[from, to)` or whose money moved in that range. The range is at most 92 days. ' +
    'Charges and refunds of this service that are missing from the ledger are settled first. ' +
    '`totals` is the money that moved in the range, in the workspace’s currency: payments, minus ' +
    'refunds that have ended and amounts that banks have withdrawn. The totals of consecutive ranges ' +
    'add up. A reconciliation that takes longer than 25 seconds returns 202, with the path of its ' +
    'report in `Location`.',
  scope: 'workspace:read',
  capability: 'read_billing',
  query: object(
    {
      from: timestamp.description('Includes invoices created, and money moved, at or after this time.'),
      to: timestamp.description(
        'Includes invoices created, and money moved, before this time. At most 92 days after `from`.',
      ),
    },
    'from',
    'to',
  ),
  concurrent: MAX_IN_PROGRESS,
  responses: { 200: report, 202: running },
  examples: { query: { from: exampleTime(-30, 0), to: exampleTime(1, 0) }, response: example },
  /** Requests for the same time share one run. */
  async run({ query }, caller, { db, temporal, taskQueue }) {
    const deadline = Date.now() + RESPOND_WITHIN_MS;
    const { workspace_id: workspaceId } = caller;
    assertDayRange(query, MAX_DAYS, await findZone(db.manager, workspaceId));
    const id = await requestReconciliation(db, caller, query);
    const input = { reconciliationId: id, workspaceId, notifyOwner: false };
    const range = { from: query.from.toISOString(), to: query.to.toISOString() };
    const run = await temporal.withDeadline(deadline, () =>
      temporal.workflow.start(WORKFLOWS.reconciliation, starts(taskQueue).reconciliation(input, range)),
    );
    await temporal
      .withDeadline(deadline, () => run.result())
      .catch((error) => {
        if (Date.now() < deadline) throw error;
      });
    return reconciled(db, caller, id);
  },
  reply: reportOrAddress,
});

const getReconciliation = operation({
  route: 'GET /v1/reconciliations/:id',
  summary: 'Get a reconciliation',
  description: 'Returns the report of a reconciliation that took longer than its request.',
  scope: 'workspace:read',
  capability: 'read_billing',
  responses: { 200: report, 202: running },
  examples: { response: example },
  run: ({ params }, caller, { db }) => reconciled(db, caller, params.id),
  reply: reportOrAddress,
});

/** Reconciliation of ledger, processor and accounting system (docs/rules/billing.md#reconciliation). */
export const reconciliation: Resource = {
  tag: 'Workspace',
  operations: [reconcile, getReconciliation],
  ids: {
    reconciliations: {
      name: 'reconciliation',
      example: 'rec_01kmy3a8f4e5rvbq2w9s7t6n1d',
      notFound: 'not_found',
    },
  },
};
