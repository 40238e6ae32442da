import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { discountOf, update } from '../../../api/resources/discounts/handlers.js';
import { updateSchema } from '../../../api/resources/discounts/shape.js';
import { takesAll } from '../../../domain/discounts.js';
import { formatsOf, spaced } from '../../ui/formats.js';
import { Action, Facts } from '../shared/action.js';
import { apiForm, pathIn } from '../shared/api-form.js';
import { Id } from '../shared/id.js';
import { Status } from '../shared/layout.js';
import { showSection } from '../shared/workspace.js';
import { bodyOf, UseInputs, type ChangedForm } from './discount-form.js';
import { readOptions, validityInWords, worthInWords } from './discounts.js';

const toDiscount = (ctx: ApiContext): string => `/discounts/${ctx.params.id}`;
const change = { handler: update, schema: updateSchema, to: toDiscount };

/** Changes a code like `PATCH /v1/discounts/{id}`. */
export const updateDiscountForm = apiForm<ChangedForm, { code: string }>({
  ...change,
  body: async (form, ctx, deps) => bodyOf(form, ctx.state.membership!.time_zone, await discountOf(ctx, deps)),
  notice: ({ code }) => `${code} has been saved.`,
});

/** Whether the code in the path takes off 100 %: what makes it usable for others, or again, makes bookings free. */
export const isFullDiscount = async (ctx: ApiContext, deps: ApiDependencies): Promise<boolean> =>
  takesAll(await discountOf(ctx, deps));

export const archiveDiscountForm = (archived: boolean) =>
  apiForm<unknown, { code: string }>({
    ...change,
    body: () => ({ archived }),
    notice: ({ code }) => (archived ? `${code} can no longer be used.` : `${code} can be used again.`),
  });

/** `GET /dashboard/:workspace/discounts/:id`: a discount code and who can use it. */
export function showDiscount(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const discount = await discountOf(ctx, deps);
    const options = await readOptions(deps, ctx);
    const { amount, moment } = formatsOf(ctx);
    const action = pathIn(ctx, toDiscount(ctx));
    const { audience, room_ids, used, max_uses, max_uses_per_payer } = discount;
    const rooms = room_ids?.flatMap((id) => options.rooms.find((room) => room.id === id)?.name ?? []);
    const { kind, tiers, company_ids } = audience;
    const companies =
      company_ids && `${company_ids.length} ${company_ids.length === 1 ? 'company' : 'companies'}`;
    showSection(ctx, {
      title: discount.code,
      at: '/discounts',
      children: (
        <>
          <Facts
            of={[
              discount.archived && ['Status', <Status value="archived" />],
              ['Takes off', `${worthInWords(discount, amount)}, before tax`],
              ['Valid', validityInWords(discount, moment)],
              ['Used', max_uses === null ? String(used) : `${used} of ${max_uses}`],
              max_uses_per_payer !== null && ['Of one person', `at most ${max_uses_per_payer}`],
              [
                'For',
                [kind, tiers?.map(spaced).join(', '), companies && `of ${companies}`]
                  .filter(Boolean)
                  .join(', '),
              ],
              ['Rooms', rooms ? rooms.join(', ') : 'all'],
              ['ID', <Id of={discount.id} />],
            ]}
          />
          <div class="card">
            <Action ctx={ctx} action={action} summary="Edit" button="Save">
              <UseInputs of={discount} options={options} />
              <p class="hint">
                Bookings that have used it keep what it took off. For another percentage or amount, add
                another code.
              </p>
            </Action>
            {discount.archived ? (
              <Action
                ctx={ctx}
                action={`${action}/restore`}
                summary="Restore"
                button={`Restore ${discount.code}`}
              />
            ) : (
              <Action
                ctx={ctx}
                action={`${action}/archive`}
                summary="Archive"
                button={`Archive ${discount.code}`}
                rare
              >
                <p>No further booking can use it. Bookings that have used it keep it.</p>
              </Action>
            )}
          </div>
        </>
      ),
    });
  };
}
