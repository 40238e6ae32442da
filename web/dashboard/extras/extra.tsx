import { refundsInWords } from '../../../domain/refund-words.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { extraOf, update } from '../../../api/resources/extras/handlers.js';
import { updateSchema } from '../../../api/resources/extras/shape.js';
import { UNITS } from '../../ui/extras.js';
import { formatsOf } from '../../ui/formats.js';
import { Action, Facts } from '../shared/action.js';
import { apiForm, pathIn } from '../shared/api-form.js';
import { Id } from '../shared/id.js';
import { Status } from '../shared/layout.js';
import { showSection } from '../shared/workspace.js';
import { bodyOf, ExtraInputs, type ExtraForm } from './extra-form.js';
import { readOptions } from './extras.js';
import { ENGLISH } from '../../../domain/words/words.js';

const toExtra = (ctx: ApiContext): string => `/extras/${ctx.params.id}`;
const change = { handler: update, schema: updateSchema, to: toExtra };

/** Changes an extra like `PATCH /v1/extras/{id}`. */
export const updateExtraForm = apiForm<ExtraForm, { name: string }>({
  ...change,
  body: async (form, ctx, deps) => bodyOf(form, (await extraOf(ctx, deps)).currency),
  notice: ({ name }) => `${name} has been saved.`,
});

export const archiveExtraForm = (archived: boolean) =>
  apiForm<unknown, { name: string }>({
    ...change,
    body: () => ({ archived }),
    notice: ({ name }) =>
      archived ? `${name} can no longer be added to bookings.` : `${name} can be booked again.`,
  });

/** `GET /dashboard/:workspace/extras/:id`: an extra and its settings. */
export function showExtra(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const extra = await extraOf(ctx, deps);
    const options = await readOptions(deps, ctx, extra.currency);
    const { amount } = formatsOf(ctx);
    const action = pathIn(ctx, toExtra(ctx));
    const tax = options.taxCodes.find(({ code }) => code === extra.tax_code);
    const rooms = extra.room_ids?.flatMap((id) => options.rooms.find((room) => room.id === id)?.name ?? []);
    showSection(ctx, {
      title: extra.name,
      at: '/extras',
      children: (
        <>
          <Facts
            of={[
              extra.archived && ['Status', <Status value="archived" />],
              [
                'Price',
                `${amount(extra.price_minor, extra.currency)} ${UNITS[extra.unit]}, plus ${(tax?.rate_bps ?? 0) / 100}% tax`,
              ],
              ['Rooms', rooms ? rooms.join(', ') : 'all'],
              ['Stock', extra.stock ?? 'any number'],
              extra.cutoff_hours > 0 && ['Latest order', `${extra.cutoff_hours} hours before the start`],
              ['Booked by', extra.internal ? 'staff only' : 'everyone'],
              [
                'Refunds',
                extra.refund_steps ? (
                  <>
                    {refundsInWords(ENGLISH, extra.refund_steps).map((sentence) => (
                      <div key={sentence}>{sentence}</div>
                    ))}
                  </>
                ) : (
                  'by the terms of the room'
                ),
              ],
              extra.accounting_account && ['Account', extra.accounting_account],
              ['ID', <Id of={extra.id} />],
            ]}
          />
          <div class="card">
            <Action ctx={ctx} action={action} summary="Edit" button="Save">
              <ExtraInputs ctx={ctx} action={action} of={extra} options={options} />
              <p class="hint">Existing bookings keep their price and terms.</p>
            </Action>
            {extra.archived ? (
              <Action
                ctx={ctx}
                action={`${action}/restore`}
                summary="Restore"
                button={`Restore ${extra.name}`}
              />
            ) : (
              <Action
                ctx={ctx}
                action={`${action}/archive`}
                summary="Archive"
                button={`Archive ${extra.name}`}
                rare
              >
                <p>It can no longer be added to bookings. Existing bookings keep it.</p>
              </Action>
            )}
          </div>
        </>
      ),
    });
  };
}
