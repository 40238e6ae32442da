import { addressKey } from '../../../db/address.js';
import { findCompanyIds } from '../../../db/queries/companies/company.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { planName, tiersNamed, type Plans } from '../../../domain/members/plans.js';
import type { Tier } from '../../../domain/rates/price.js';
import { ApiError } from '../../../domain/errors.js';
import type { Principal } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { bulkReading, MAX_OPERATIONS } from '../../../api/resources/members/operations.js';
import { changeMembers } from '../../../commands/members/bulk.js';
import { listed, sentenceCase } from '../../ui/formats.js';
import { parseCsv } from '../shared/csv.js';
import { problemsIn } from '../shared/rejection.js';

const COLUMNS = ['email', 'name', 'tier', 'company'] as const;

/** A row of the file as an operation of a bulk request, or what keeps it from becoming one. */
export interface ImportRow {
  line: number;
  email: string;
  /** What the file says about the plan. */
  plan: string;
  /** Null if it says something else, or something that several plans are called. */
  tier: Tier | null;
  operation: unknown;
  problem: string | null;
}

/** The rows of a file. Errors: 422 without a column `email`, over the maximum, and if quotes do not match. */
export async function parseRows(
  { db }: ApiDependencies,
  workspaceId: string,
  csv: string,
): Promise<ImportRow[]> {
  const [header = { cells: [] }, ...rows] = await parseCsv(csv, MAX_OPERATIONS + 2);
  const names = header.cells.map((name) => name.toLowerCase());
  const columns = new Map(COLUMNS.map((name) => [name, names.indexOf(name)]));
  if (!names.includes('email')) {
    const message = `The first line must contain the column names, such as: ${COLUMNS.join(', ')}.`;
    throw new ApiError('validation_failed', message, { param: 'csv' });
  }
  if (rows.length === 0 || rows.length > MAX_OPERATIONS) {
    const message = `Enter between 1 and ${MAX_OPERATIONS} rows below the header line.`;
    throw new ApiError('validation_failed', message, { param: 'csv' });
  }
  const cell = (cells: string[], column: (typeof COLUMNS)[number]) => cells[columns.get(column)!] ?? '';
  const companies = new Set(rows.map(({ cells }) => cell(cells, 'company')));
  const companyIds = await findCompanyIds(db.manager, workspaceId, [...companies]);
  const { plans } = (await findWorkspace(db.manager, workspaceId))!;
  const seen = new Map<string, number>();
  return rows.map(({ cells, line }) => {
    const [email, name, company] = [cell(cells, 'email'), cell(cells, 'name'), cell(cells, 'company')];
    const plan = cell(cells, 'tier');
    const tiers = plan ? tiersNamed(plans, plan) : ['basic' as const];
    const tier = tiers.length === 1 ? tiers[0]! : null;
    const company_id = company ? companyIds.get(company) : null;
    const address = addressKey(email);
    const earlier = seen.get(address);
    seen.set(address, earlier ?? line);
    const problem = earlier
      ? `Duplicate of line ${earlier}.`
      : company_id === undefined
        ? `There is no company “${company}”. Add it first.`
        : tiers.length > 1
          ? whichPlan(plans, plan, tiers)
          : null;
    const member = { email, ...(name && { name }), tier: tier ?? plan, company_id };
    const operation = withDefaults({ op: 'create', ...member, send_invite: true });
    return { line, email, plan, tier, operation, problem };
  });
}

/** Says what to write instead of a word that several plans are called. */
function whichPlan(plans: Plans, word: string, tiers: Tier[]): string {
  const meant = tiers.map((tier) => `${planName(plans, tier)} (${tier})`);
  const clear = tiers.flatMap(
    (tier) => [tier, planName(plans, tier)].find((name) => tiersNamed(plans, name).length === 1) ?? [],
  );
  const quoted = clear.map((name) => `“${name}”`);
  const todo =
    clear.length === tiers.length ? `Write ${listed(quoted, 'or')}` : 'Give the plans other names first';
  return `“${word}” can mean ${listed(meant, 'or')}. ${todo}.`;
}

/** The fields of a create that a file cannot have. */
const withDefaults = (operation: object) => ({ ...operation, trial_ends_at: null });

/** Problems by line. Rows without a problem would be invited. */
export async function checkRows(
  deps: ApiDependencies,
  caller: Principal,
  rows: ImportRow[],
): Promise<Map<number, string>> {
  const checked = rows.filter(({ problem }) => !problem);
  const results = await changeMembers(
    deps,
    caller,
    checked.map(({ operation }) => operation),
    bulkReading(deps),
    { idempotency: null, isTrial: true },
  );
  const problems = new Map(rows.flatMap(({ line, problem }) => (problem ? [[line, problem]] : [])));
  for (const { index, error } of results)
    if (error) problems.set(checked[index]!.line, problemsIn(error)[0]!.message);
  return problems;
}

export function Rows(props: { rows: ImportRow[]; outcome: (row: ImportRow) => string; plans: Plans }) {
  const { rows, outcome, plans } = props;
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Line</th>
            <th>Email</th>
            <th>Plan</th>
            <th>Result</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.line}>
              <td class="soft">{row.line}</td>
              <td>{row.email || '—'}</td>
              <td>{row.tier ? planName(plans, row.tier) : sentenceCase(row.plan)}</td>
              <td>{outcome(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
