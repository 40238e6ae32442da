import type { ApiDependencies } from '../../../api/dependencies.js';
import { MAX_BULK } from '../../../api/http/concurrency.js';
import type { ApiContext } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { object } from '../../../api/http/typed.js';
import { bulkReading, MAX_OPERATIONS } from '../../../api/resources/members/operations.js';
import { changeMembers, type BulkResult } from '../../../commands/members/bulk.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { ApiError } from '../../../domain/errors.js';
import { planName } from '../../../domain/members/plans.js';
import { TIERS, type Tier } from '../../../domain/rates/price.js';
import { action, form } from '../forms/form.js';
import { page } from '../forms/page.js';
import { taxWords } from '../shared/entered-price.js';
import { pathIn } from '../shared/paths.js';
import type { Confirmation } from '../shared/confirmation.js';
import { problemsIn } from '../shared/rejection.js';
import { checkRows, Rows, parseRows, type ImportRow } from './import-rows.js';
import { planPrice } from './tier-options.js';

/** Shows the problems of the rows and who will be invited. Errors: 422 if no row is valid. */
async function preview(deps: ApiDependencies, ctx: ApiContext, rows: ImportRow[]): Promise<Confirmation> {
  const { workspace_id } = ctx.state.membership!;
  const problems = await checkRows(deps, ctx.state.principal, rows);
  const valid = rows.filter(({ line }) => !problems.has(line));
  const workspace = (await findWorkspace(deps.db.manager, workspace_id))!;
  const { plans } = workspace;
  const price = planPrice(ctx, workspace);
  const counts = TIERS.map((tier): [Tier, number] => [tier, valid.filter((row) => row.tier === tier).length]);
  if (valid.length === 0) {
    const [line, message] = [...problems][0]!;
    throw new ApiError('validation_failed', `No rows can be imported. Line ${line}: ${message}`, {
      param: 'csv',
    });
  }
  return {
    title: `Invite ${valid.length} of ${rows.length}`,
    at: '/members',
    effects: (
      <>
        <ul>
          {counts.map(
            ([tier, count]) =>
              count > 0 && (
                <li key={tier}>
                  {count} × {planName(plans, tier)}, {price(tier)} a month each, {taxWords(ctx)}
                </li>
              ),
          )}
        </ul>
        {problems.size > 0 && (
          <>
            <p class="alert">
              {problems.size === 1 ? 'One row has an error' : `${problems.size} rows have errors`}. Rows with
              errors are skipped.
            </p>
            <Rows
              rows={rows.filter(({ line }) => problems.has(line))}
              outcome={({ line }) => problems.get(line)!}
              plans={plans}
            />
          </>
        )}
        <p>Each person gets an email with a link that is valid for seven days.</p>
      </>
    ),
    button: valid.length === 1 ? 'Invite one person' : `Invite ${valid.length} people`,
  };
}

/** The outcome of each row: not sent if the row itself has a problem. */
const rowOutcome = (row: ImportRow, result: BulkResult | undefined): string =>
  row.problem ?? (result?.error ? problemsIn(result.error)[0]!.message : 'Invited');

/** Invites people like `POST /v1/members.bulk`, after a preview of what is wrong with the rows. */
const importMembers = form(
  action({
    capability: 'invite_members',
    body: object({ csv: text(240_000) }, 'csv'),
    concurrent: MAX_BULK,
    async run({ body, idempotency }, caller, deps) {
      const rows = await parseRows(deps, caller.workspace_id, body.csv);
      const sent = rows.filter(({ problem }) => !problem);
      const operations = sent.map(({ operation }) => operation);
      const results = await changeMembers(deps, caller, operations, bulkReading(deps), { idempotency });
      const { plans } = (await findWorkspace(deps.db.manager, caller.workspace_id))!;
      return { rows, sent, results, plans };
    },
  }),
  {
    csv: {
      label: 'Rows',
      kind: 'text',
      rows: 12,
      placeholder: 'email,name,tier,company\nada@example.com,Ada Lovelace,plus,Northwind',
    },
  },
  {
    button: 'Check rows',
    wide: true,
    confirm: async ({ ctx, body }, deps) =>
      preview(deps, ctx, await parseRows(deps, ctx.state.principal.workspace_id, body.csv)),
    show({ rows, sent, results, plans }, { ctx }) {
      const invited = results.filter(({ status }) => status === 'ok').length;
      return {
        title: invited === 1 ? 'One person has been invited' : `${invited} people have been invited`,
        children: (
          <>
            <Rows rows={rows} outcome={(row) => rowOutcome(row, results[sent.indexOf(row)])} plans={plans} />
            <p>
              <a href={pathIn(ctx, '/members')}>All members</a>
            </p>
          </>
        ),
      };
    },
  },
);

export const importPage = page({
  path: '/members/import',
  at: '/members',
  capability: 'invite_members',
  title: 'Import members',
  load: async () => null,
  view: (props) => (
    <importMembers.Open page={props}>
      <p>
        CSV or spreadsheet cells, up to {MAX_OPERATIONS} rows. The first line has the column names:{' '}
        <code>email</code>, and optionally <code>name</code>, <code>tier</code> ({TIERS.join(', ')}, or what
        you call them) and <code>company</code>. Nothing is sent before you review the rows.
      </p>
      <label for="file">CSV file</label>
      <input id="file" type="file" accept=".csv,.txt,text/csv,text/plain" data-into="csv" />
    </importMembers.Open>
  ),
  forms: [importMembers],
});
