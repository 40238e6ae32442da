import { requestStatement } from '../../../../commands/invoices/issue-statement.js';
import {
  findStatement,
  listStatements,
  type StatementRow,
} from '../../../../db/queries/invoices/issued-statement.js';
import { isId } from '../../../../db/ids.js';
import type { PayerId } from '../../../../db/queries/payments/card.js';
import { dayIn, monthBefore } from '../../../../domain/cycle.js';
import { ApiError } from '../../../../domain/errors.js';
import { formatSums, balanceDue } from '../../../../domain/invoices/statement.js';
import { drawStatement } from '../../../../commands/invoices/pdf/drawing.js';
import type { ApiContext } from '../../../../api/http/context.js';
import { date, memberId, text, uuid } from '../../../../api/http/fields.js';
import { pdfReply } from '../../../../api/http/files.js';
import { boolean, nullable, object } from '../../../../api/http/typed.js';
import type { Tx } from '../../../../db/transaction.js';
import type { Capability } from '../../../../domain/policies.js';
import { action, form, type Form } from '../../forms/form.js';
import { note } from '../../forms/inputs.js';
import type { PageProps } from '../../forms/page.js';
import { seesStatements } from '../../../../domain/invoices/visibility.js';
import { pathIn } from '../../shared/paths.js';
import { Table } from '../../shared/list.js';
import type { Section } from '../../shared/section.js';
import { createFormats } from '../../../ui/formats.js';
import { ENGLISH } from '../../../../domain/words/words.js';

const SHOWN = 5;

export const latestStatements = (tx: Tx, workspaceId: string, payer: PayerId): Promise<StatementRow[]> =>
  listStatements(tx, workspaceId, payer, SHOWN);

function StatementTable({ ctx, statements }: { ctx: ApiContext; statements: StatementRow[] }) {
  const { day } = createFormats(ctx, 'UTC');
  const { moment } = createFormats(ctx);
  if (statements.length === 0) return null;
  return (
    <Table
      rows={statements}
      empty=""
      columns={[
        {
          name: 'Statement',
          show: ({ id, number }) => <a href={pathIn(ctx, `/statements/${id}/pdf`)}>{number}</a>,
        },
        {
          name: 'Period',
          show: ({ content: { from, to } }) => `${day(new Date(from))} to ${day(new Date(to))}`,
        },
        { name: 'Issued', show: ({ issued_at }) => moment(issued_at) },
        {
          name: 'To pay',
          number: true,
          show: ({ content: { open } }) => formatSums(ENGLISH, open, balanceDue) || 'nothing',
        },
      ]}
    />
  );
}

const HINT = 'Lists what is open today, and what was invoiced and paid in this period. It is final.';

const period = { from: date, to: date };

/** Issues a statement and emails it to `email`, if given. */
const issueStatement = (capability: Capability) =>
  action({
    capability,
    body: object(
      { ...period, company_id: nullable(uuid), member_id: nullable(memberId), email: nullable(text(254)) },
      'from',
      'to',
      'company_id',
      'member_id',
      'email',
    ),
    run: ({ body: { company_id, member_id, ...asked }, idempotency }, caller, { db, mailQuotas }) =>
      requestStatement(
        db,
        mailQuotas,
        caller,
        { payer: { company_id, member_id } as PayerId, ...asked },
        idempotency,
      ),
  });

/**
 * A payer's latest statements and the form to issue one (docs/rules/billing.md#statements-on-demand).
 * `capability`: required for the form.
 */
export function statementsPage<Found>(
  findPayer: (data: Found) => { of: PayerId; email: string | null },
  capability: Capability,
) {
  const issue = form(
    issueStatement(capability),
    {
      about: note<Found>(() => <p class="hint">{HINT}</p>),
      from: {
        label: 'First day',
        initial: (_, { time_zone }) => monthBefore(dayIn(time_zone, new Date())).start,
      },
      to: {
        label: 'Last day',
        days: ({ time_zone }) => ({ max: dayIn(time_zone, new Date()) }),
        initial: (_, { time_zone }) => dayIn(time_zone, new Date()),
      },
      mailed: {
        label: (data) => `Email to ${findPayer(data).email}`,
        when: (data) => findPayer(data).email !== null,
      },
    },
    {
      path: '/statements',
      schema: object({ ...period, mailed: boolean }, 'from', 'to'),
      summary: 'New statement',
      button: 'Issue statement',
      body({ mailed, ...days }, { data }) {
        const { of, email } = findPayer(data);
        if (mailed && !email) throw new ApiError('validation_failed', 'This payer has no email address.');
        return { ...days, ...of, email: mailed ? email : null };
      },
      notice: (_, { body: { email } }) =>
        email ? `Statement issued. It is being emailed to ${email}.` : 'Statement issued.',
    },
  );
  return {
    forms: [issue] as readonly Form<Found>[],
    Shown: ({ page, issued }: { page: PageProps<Found>; issued: StatementRow[] }) => (
      <>
        <StatementTable ctx={page.ctx} statements={issued} />
        <div class="actions">
          <issue.Drawer page={page} quiet />
        </div>
      </>
    ),
  };
}

/** PDFs of statements, for those who read billing and for the member whom one is about. */
export const statements: Section = [
  {
    path: '/statements/:id/pdf',
    capability: 'read_own_invoices',
    async file({ caller, params }, { db }) {
      const id = params.id!;
      const found = isId('stmt', id) ? await findStatement(db.manager, caller.workspace_id, id) : null;
      if (!found || !seesStatements(caller, found)) throw new ApiError('not_found', 'Statement not found.');
      return pdfReply({ name: found.number, content: await drawStatement(found) });
    },
  },
];
