import { listCompanies } from '../../../db/queries/members/company.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { rehearsal } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import { TIERS, type Tier } from '../../../domain/price.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { executeAll, type Result } from '../../../api/resources/members/bulk.js';
import { MAX_OPERATIONS } from '../../../api/resources/members/shape.js';
import { hiddenFields, pathIn } from '../shared/api-form.js';
import { ReturnedToForm, showConfirmation } from '../shared/confirmation.js';
import { parseCsv } from '../shared/csv.js';
import { TextArea } from '../shared/fields.js';
import { Form, formIdempotencyKey } from '../shared/form.js';
import { formatsOf, sentenceCase } from '../../ui/formats.js';
import { problemOf } from '../shared/rejection.js';
import { showSection } from '../shared/workspace.js';

export const importFields = { ...hiddenFields, csv: text(900_000).required() };

const COLUMNS = ['email', 'name', 'tier', 'company'] as const;
const MAX_COMPANIES = 5_000;

/** A row of the file as an operation of a bulk request, or what keeps it from becoming one. */
interface ImportRow {
  line: number;
  email: string;
  tier: string;
  operation: unknown;
  problem: string | null;
}

/** The rows of a file. Errors: 422 without a column `email`, over the maximum, and if quotes do not match. */
async function rowsOf({ db }: ApiDependencies, workspaceId: string, csv: string): Promise<ImportRow[]> {
  const [header = [], ...lines] = parseCsv(csv, MAX_OPERATIONS + 2);
  const names = header.map((name) => name.toLowerCase());
  const columns = new Map(COLUMNS.map((name) => [name, names.indexOf(name)]));
  if (!names.includes('email')) {
    const message = `The first line must contain the column names, such as: ${COLUMNS.join(', ')}.`;
    throw new ApiError('validation_failed', message, { param: 'csv' });
  }
  if (lines.length === 0 || lines.length > MAX_OPERATIONS) {
    const message = `Enter between 1 and ${MAX_OPERATIONS} rows below the header line.`;
    throw new ApiError('validation_failed', message, { param: 'csv' });
  }
  const companies = await listCompanies(db.manager, { workspace_id: workspaceId, limit: MAX_COMPANIES });
  const companyIds = new Map(companies.map(({ id, name }) => [name.toLowerCase(), id]));
  const seen = new Map<string, number>();
  return lines.map((cells, index) => {
    const line = index + 2;
    const valueOf = (column: (typeof COLUMNS)[number]) => cells[columns.get(column)!] ?? '';
    const [email, name, company] = [valueOf('email'), valueOf('name'), valueOf('company')];
    const tier = valueOf('tier').toLowerCase() || 'basic';
    const company_id = company ? companyIds.get(company.toLowerCase()) : null;
    const earlier = seen.get(email.toLowerCase());
    seen.set(email.toLowerCase(), earlier ?? line);
    const problem = earlier
      ? `Duplicate of line ${earlier}.`
      : company_id === undefined
        ? `There is no company “${company}”. Add it first.`
        : null;
    const operation = { op: 'create', email, ...(name && { name }), tier, company_id, send_invite: true };
    return { line, email, tier, operation: withDefaults(operation), problem };
  });
}

/** The fields of a create that a file cannot have. */
const withDefaults = (operation: object) => ({ ...operation, trial_ends_at: null });

/** What is wrong with each row, by line; the rest would be invited now. */
async function problemsOf(
  deps: ApiDependencies,
  ctx: ApiContext,
  rows: ImportRow[],
): Promise<Map<number, string>> {
  const checked = rows.filter(({ problem }) => !problem);
  const results = await executeAll(
    deps,
    ctx,
    checked.map(({ operation }) => operation),
    { idempotency: null, run: rehearsal },
  );
  const problems = new Map(rows.flatMap(({ line, problem }) => (problem ? [[line, problem]] : [])));
  for (const { index, error } of results)
    if (error) problems.set(checked[index]!.line, problemOf(error).message);
  return problems;
}

function Rows({ rows, outcome }: { rows: ImportRow[]; outcome: (row: ImportRow) => string }) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Line</th>
            <th>Email</th>
            <th>Tier</th>
            <th>Result</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.line}>
              <td class="soft">{row.line}</td>
              <td>{row.email || '—'}</td>
              <td>{sentenceCase(row.tier)}</td>
              <td>{outcome(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

async function showPreview(deps: ApiDependencies, ctx: ApiContext, rows: ImportRow[]): Promise<void> {
  const { workspace_id } = ctx.state.membership!;
  const problems = await problemsOf(deps, ctx, rows);
  const valid = rows.filter(({ line }) => !problems.has(line));
  const { tier_prices, currency } = (await findWorkspace(deps.db.manager, workspace_id))!;
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
                  {count} × {sentenceCase(tier)}, {amount(tier_prices[tier], currency)} a month each
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
            />
          </>
        )}
        <p>Each person gets an email with a link that is valid for seven days.</p>
      </>
    ),
    button: valid.length === 1 ? 'Invite one person' : `Invite ${valid.length} people`,
  });
}

/** The outcome of each row: not sent if it has a problem of its own. */
const outcomeOf = (row: ImportRow, result: Result | undefined): string =>
  row.problem ?? (result?.error ? problemOf(result.error).message : 'Invited');

/** Invites people like `POST /v1/members.bulk`, after a preview of what is wrong with the rows. */
export function importForm(deps: ApiDependencies): Handler {
  return async (ctx) => {
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
    const invited = results.filter(({ status }) => status === 'ok').length;
    showSection(ctx, {
      title: invited === 1 ? 'One person has been invited' : `${invited} people have been invited`,
      at: '/members',
      children: (
        <>
          <Rows rows={rows} outcome={(row) => outcomeOf(row, results[sent.indexOf(row)])} />
          <p>
            <a href={pathIn(ctx, '/members')}>All members</a>
          </p>
        </>
      ),
    });
  };
}

/** `GET /dashboard/:workspace/members/import`: the form to invite many people. */
export function showImport(): Handler {
  return async (ctx) => {
    showSection(ctx, {
      title: 'Invite in bulk',
      at: '/members',
      children: (
        <Form class="card wide" ctx={ctx} action={pathIn(ctx, '/members/import')} once>
          <p>
            Choose a CSV file, or paste CSV or spreadsheet cells, with up to {MAX_OPERATIONS} rows. The first
            line contains the column names: <code>email</code>, and optionally <code>name</code>,{' '}
            <code>tier</code> ({TIERS.join(', ')}) and <code>company</code>. You can review errors before
            anything is sent.
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
