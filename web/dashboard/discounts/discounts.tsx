import joi from 'joi';
import { listDiscounts, type DiscountRow } from '../../../db/queries/rooms/discount.js';
import { listRooms } from '../../../db/queries/rooms/room.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { cursorParam } from '../../../api/http/cursor.js';
import { isUuid } from '../../../api/http/fields.js';
import { create } from '../../../api/resources/discounts/handlers.js';
import { createSchema } from '../../../api/resources/discounts/shape.js';
import { takesAll } from '../../../domain/discounts.js';
import { formatsOf } from '../../ui/formats.js';
import { Action } from '../shared/action.js';
import { apiForm, pathIn } from '../shared/api-form.js';
import { Status } from '../shared/layout.js';
import { addressWith, Pager, readPage, Table } from '../shared/list.js';
import { showSection } from '../shared/workspace.js';
import { newBodyOf, UseInputs, WorthInputs, type DiscountOptions, type NewForm } from './discount-form.js';

const MAX_ROOMS = 500;

export const discountsQuery = joi.object({ archived: joi.valid('yes'), cursor: cursorParam });

/** What the forms of codes offer to choose from. */
export async function readOptions(
  { db: { manager } }: Pick<ApiDependencies, 'db'>,
  ctx: ApiContext,
): Promise<DiscountOptions> {
  const { workspace_id, time_zone, currency } = ctx.state.membership!;
  const rooms = await listRooms(manager, { workspace_id, include_archived: false, limit: MAX_ROOMS });
  return { rooms, time_zone, currency };
}

/** Adds a code like `POST /v1/discounts`. */
export const createDiscountForm = apiForm<NewForm, { id: string; code: string }>({
  handler: create,
  schema: createSchema,
  body: async (form, ctx, deps) => newBodyOf(form, await readOptions(deps, ctx)),
  notice: ({ code }) => `${code} has been added. It can be used now.`,
  to: (_ctx, { id }) => `/discounts/${id}`,
});

/** A code of 100 % makes bookings free. */
export async function addsFullDiscount(ctx: ApiContext): Promise<boolean> {
  const { takes, percent } = ctx.state.body as NewForm;
  return takes === 'percent' && takesAll({ percent });
}

/** `10%`, or an amount. */
export const worthInWords = (
  { percent, amount_minor, currency }: DiscountRow,
  amount: (minor: number, currency: string) => string,
): string => (percent === null ? amount(amount_minor!, currency!) : `${Number(percent)}%`);

/** When a code can be used: `until 1 Jun 2027, 00:00`. */
export function validityInWords(
  { valid_from, valid_until }: DiscountRow,
  moment: (at: Date) => string,
): string {
  const parts = [valid_from && `from ${moment(valid_from)}`, valid_until && `until ${moment(valid_until)}`];
  return parts.filter(Boolean).join(' ') || 'at any time';
}

/** `GET /dashboard/:workspace/discounts`: discount codes by creation time. */
export function showDiscounts(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const { archived } = ctx.state.query as { archived?: 'yes' };
    const options = await readOptions(deps, ctx);
    const { rows, next } = await readPage(ctx, isUuid, 'created_at', (page) =>
      listDiscounts(deps.db.manager, { workspace_id, include_archived: archived === 'yes', ...page }),
    );
    const { amount, moment } = formatsOf(ctx);
    showSection(ctx, {
      title: 'Discount codes',
      at: '/discounts',
      children: (
        <>
          <Table
            rows={rows}
            empty="No discount codes yet. Add one, and who has it enters it when they book."
            columns={[
              {
                name: 'Code',
                show: ({ id, code, archived }) => (
                  <>
                    <a href={pathIn(ctx, `/discounts/${id}`)}>{code}</a>{' '}
                    {archived && <Status value="archived" />}
                  </>
                ),
              },
              { name: 'Valid', show: (row) => validityInWords(row, moment) },
              {
                name: 'Used',
                number: true,
                show: ({ used, max_uses }) => (max_uses === null ? used : `${used} of ${max_uses}`),
              },
              { name: 'Takes off', number: true, show: (row) => worthInWords(row, amount) },
            ]}
          />
          <Pager ctx={ctx} next={next} />
          <p class="links">
            {archived ? (
              <a href={addressWith(ctx, { archived: undefined, cursor: undefined })}>Hide archived codes</a>
            ) : (
              <a href={addressWith(ctx, { archived: 'yes', cursor: undefined })}>Show archived codes</a>
            )}
          </p>
          <div class="card">
            <Action
              ctx={ctx}
              action={pathIn(ctx, '/discounts')}
              summary="Add a discount code"
              button="Add discount code"
            >
              <WorthInputs currency={options.currency} />
              <UseInputs options={options} />
            </Action>
          </div>
        </>
      ),
    });
  };
}
