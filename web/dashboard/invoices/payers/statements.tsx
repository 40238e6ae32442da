import { findStatement, listStatements } from '../../../../db/queries/invoices/issued-statement.js';
import { isId } from '../../../../db/ids.js';
import type { PayerId } from '../../../../db/queries/payments/card.js';
import { dayIn, monthBefore } from '../../../../domain/cycle.js';
import { ApiError } from '../../../../domain/errors.js';
import { sumInWords, balanceOf } from '../../../../domain/invoices/statement.js';
import { drawStatement } from '../../../../commands/invoices/pdf/drawing.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import type { ApiContext } from '../../../../api/http/context.js';
import { sendPdf } from '../../../../api/http/files.js';
import { seesStatementsOf } from '../../../../domain/invoices/visibility.js';
import { Action } from '../../shared/action.js';
import { pathIn } from '../../shared/api-form.js';
import { Choice, TextField } from '../../shared/fields.js';
import { Table } from '../../shared/list.js';
import type { Page, Section } from '../../shared/section.js';
import { formatsOf } from '../../../ui/formats.js';
import { ENGLISH } from '../../../../domain/words/words.js';

const SHOWN = 5;

/** The latest statements of a payer, and the form for another one. `at`: the path of the payer's page. */
export async function payerStatements(
  ctx: ApiContext,
  { db }: ApiDependencies,
  payer: { of: PayerId; at: string; email: string | null },
) {
  const { workspace_id, time_zone } = ctx.state.membership!;
  const statements = await listStatements(db.manager, workspace_id, payer.of, SHOWN);
  const today = dayIn(time_zone, new Date());
  const { day } = formatsOf(ctx, 'UTC');
  const { moment } = formatsOf(ctx);
  return (
    <>
      {statements.length > 0 && (
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
              show: ({ content: { open } }) => sumInWords(ENGLISH, open, balanceOf) || 'nothing',
            },
          ]}
        />
      )}
      <div class="card">
        <Action ctx={ctx} action={`${payer.at}/statements`} summary="New statement" button="Issue statement">
          <p class="hint">
            What is open today, and what was invoiced and paid in this period. It gets a number and does not
            change afterwards.
          </p>
          <TextField name="from" label="First day" type="date" required value={monthBefore(today).start} />
          <TextField name="to" label="Last day" type="date" required max={today} value={today} />
          {payer.email && <Choice name="mailed">Email it to {payer.email}</Choice>}
        </Action>
      </div>
    </>
  );
}

/** `GET …/statements/:id/pdf`, for those who read billing and for the member whom it is about. */
const statementPdf: Page =
  ({ db }) =>
  async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const { id } = ctx.params;
    const statement = isId('stmt', id!) ? await findStatement(db.manager, workspace_id, id!) : null;
    if (!statement || !seesStatementsOf(ctx.state.membership!, statement))
      throw new ApiError('not_found', 'No such statement.');
    sendPdf(ctx, statement.number, await drawStatement(statement));
  };

export const statements: Section = [
  {
    path: '/statements/:id/pdf',
    capability: 'read_own_invoices',
    show: statementPdf,
    isDocument: true,
  },
];
