import { addressKey } from '../../../db/address.js';
import { listCompanies } from '../../../db/queries/members/company.js';
import { rehearsal } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { executeAll } from '../../../api/resources/members/bulk.js';
import { MAX_OPERATIONS } from '../../../api/resources/members/shape.js';
import { parseCsv } from '../shared/csv.js';
import { sentenceCase } from '../../ui/formats.js';
import { problemsIn } from '../shared/rejection.js';

const COLUMNS = ['email', 'name', 'tier', 'company'] as const;

const MAX_COMPANIES = 5_000;

/** A row of the file as an operation of a bulk request, or what keeps it from becoming one. */
export interface ImportRow {
  line: number;
  email: string;
  tier: string;
  operation: unknown;
  problem: string | null;
}

/** The rows of a file. Errors: 422 without a column `email`, over the maximum, and if quotes do not match. */
export async function rowsOf(
  { db }: ApiDependencies,
  workspaceId: string,
  csv: string,
): Promise<ImportRow[]> {
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
    const address = addressKey(email);
    const earlier = seen.get(address);
    seen.set(address, earlier ?? line);
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
export async function problemsOf(
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
    if (error) problems.set(checked[index]!.line, problemsIn(error)[0]!.message);
  return problems;
}

export function Rows({ rows, outcome }: { rows: ImportRow[]; outcome: (row: ImportRow) => string }) {
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
