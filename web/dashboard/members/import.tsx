import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { ApiError } from '../../../domain/errors.js';
import { planName } from '../../../domain/members/plans.js';
import { TIERS, type Tier } from '../../../domain/rates/price.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { limitConcurrent, MAX_BULK } from '../../../api/http/concurrency.js';
import { text } from '../../../api/http/fields.js';
import { executeAll, type Result } from '../../../api/resources/members/bulk.js';
import { MAX_OPERATIONS } from '../../../api/resources/members/shape.js';
import { hiddenFields, pathIn } from '../shared/api-form.js';
import { ReturnedToForm, showConfirmation } from '../shared/confirmation.js';
import { TextArea } from '../shared/fields.js';
import { Form, formIdempotencyKey } from '../shared/form.js';
import { formatsOf } from '../../ui/formats.js';
import { problemsIn } from '../shared/rejection.js';
import { showSection } from '../shared/workspace.js';
import { type ImportRow, rowsOf, problemsOf, Rows } from './import-rows.js';

export const importFields = { ...hiddenFields, csv: text(240_000).required() };

async function showPreview(deps: ApiDependencies, ctx: ApiContext, rows: ImportRow[]): Promise<void> {
  const { workspace_id } = ctx.state.membership!;
  const problems = await problemsOf(deps, ctx, rows);
  const valid = rows.filter(({ line }) => !problems.has(line));
  const { tier_prices, plans, currency } = (await findWorkspace(deps.db.manager, workspace_id))!;
  const { amount } = formatsOf(ctx);
  const counts = TIERS.map((tier): [Tier, number] => [tier, valid.filter((row) => row.tier === tier).length]);
  if (valid.length === 0) {
    const [line, message] = [...problems][0]!;
    throw new ApiError('validation_failed', `No row can be invited. Line ${line}: ${message}`, {
      param: 'csv',
    });
  }
  showConfirmation(ctx, {
    title: `Invite ${valid.length} of ${rows.length}`,
    at: '/members',
    effects: (
      <>
        <ul>
          {counts.map(
            ([tier, count]) =>
              count > 0 && (
                <li key={tier}>
                  {count} × {planName(plans, tier)}, {amount(tier_prices[tier], currency)} a month each,
                  excluding tax
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
  });
}

/** The outcome of each row: not sent if the row itself has a problem. */
const outcomeOf = (row: ImportRow, result: Result | undefined): string =>
  row.problem ?? (result?.error ? problemsIn(result.error)[0]!.message : 'Invited');

/** Invites people like `POST /v1/members.bulk`, after a preview of what is wrong with the rows. */
export function importForm(deps: ApiDependencies): Handler {
  return limitConcurrent(async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const { csv, confirmed, form_id } = ctx.state.body as {
      csv: string;
      confirmed?: 'yes' | 'no';
      form_id?: string;
    };
    if (confirmed === 'no') throw new ReturnedToForm();
    const rows = await rowsOf(deps, workspace_id, csv);
    if (!confirmed) return showPreview(deps, ctx, rows);
    const sent = rows.filter(({ problem }) => !problem);
    const results = await executeAll(
      deps,
      ctx,
      sent.map(({ operation }) => operation),
      { idempotency: form_id ? formIdempotencyKey(ctx) : null },
    );
    const { plans } = (await findWorkspace(deps.db.manager, workspace_id))!;
    const invited = results.filter(({ status }) => status === 'ok').length;
    showSection(ctx, {
      title: invited === 1 ? 'One person has been invited' : `${invited} people have been invited`,
      at: '/members',
      children: (
        <>
          <Rows rows={rows} outcome={(row) => outcomeOf(row, results[sent.indexOf(row)])} plans={plans} />
          <p>
            <a href={pathIn(ctx, '/members')}>All members</a>
          </p>
        </>
      ),
    });
  }, MAX_BULK);
}

/** `GET /dashboard/:workspace/members/import`: the form to invite many people. */
export function showImport(): Handler {
  return async (ctx) => {
    showSection(ctx, {
      title: 'Add members in bulk',
      at: '/members',
      children: (
        <Form class="card wide" ctx={ctx} action={pathIn(ctx, '/members/import')} once>
          <p>
            Choose a CSV file, or paste CSV or spreadsheet cells, with up to {MAX_OPERATIONS} rows. The first
            line contains the column names: <code>email</code>, and optionally <code>name</code>,{' '}
            <code>tier</code> ({TIERS.join(', ')}, or what you call them) and <code>company</code>. You can
            review errors before anything is sent.
          </p>
          <label for="file">CSV file</label>
          <input id="file" type="file" accept=".csv,.txt,text/csv,text/plain" data-into="csv" />
          <TextArea
            name="csv"
            label="Rows"
            rows={12}
            required
            placeholder={'email,name,tier,company\nada@example.com,Ada Lovelace,plus,Northwind'}
          />
          <button>Check rows</button>
        </Form>
      ),
    });
  };
}
