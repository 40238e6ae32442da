import joi from 'joi';
import { listRooms } from '../../../db/repositories/rooms/room-queries.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { cursorParam, decodeCursor } from '../../http/cursor.js';
import { isUuid, text } from '../../http/fields.js';
import { create } from '../../rooms/create.js';
import { createSchema } from '../../rooms/schema.js';
import { Action } from '../shared/action.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { TextField } from '../shared/fields.js';
import { formatsOf, spaced } from '../shared/formats.js';
import { Status } from '../shared/layout.js';
import { addressWith, PAGE_SIZE, pageOf, Pager, Table } from '../shared/list.js';
import { amountEntered } from '../shared/money-field.js';
import { showSection } from '../shared/workspace.js';
import { hoursInWords } from './words.js';

export const roomsQuery = joi.object({ archived: joi.valid('yes'), cursor: cursorParam });

export const newRoomFields = {
  ...hiddenFields,
  name: text(200).trim().required(),
  amount_minor: text(30).required(),
};

/** Adds a room like `POST /v1/rooms`. */
export const createRoomForm = apiForm<{ name: string; amount_minor: string }, { id: string; name: string }>({
  handler: create,
  schema: createSchema,
  body: ({ name, amount_minor }, ctx) => {
    const { currency } = ctx.state.membership!;
    return {
      name,
      price_per_hour: { currency, amount_minor: amountEntered(amount_minor, currency, 'amount_minor') ?? 0 },
    };
  },
  notice: ({ name }) =>
    `${name} has been added. It can be booked at any time until you set its opening hours below.`,
  to: (_ctx, { id }) => `/rooms/${id}`,
});

function NewRoom({ ctx }: { ctx: ApiContext }) {
  return (
    <div class="card">
      <Action ctx={ctx} action={pathIn(ctx, '/rooms')} summary="Add a room" button="Add room">
        <TextField name="name" label="Name" required maxLength={200} />
        <TextField
          name="amount_minor"
          label={`Price per hour excluding tax (${ctx.state.membership!.currency})`}
          inputMode="decimal"
          required
        />
        <p class="hint">You set opening hours, tiers and refund terms on the next page.</p>
      </Action>
    </div>
  );
}

/** `GET /dashboard/:workspace/rooms`: rooms by creation time. */
export function showRooms({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const { cursor, archived } = ctx.state.query as { cursor?: string; archived?: 'yes' };
    const after = decodeCursor(cursor, isUuid);
    const found = await listRooms(db.manager, {
      workspace_id,
      include_archived: archived === 'yes',
      after: after && { created_at: after.key, id: after.id },
      limit: PAGE_SIZE + 1,
    });
    const { rows, next } = pageOf(found, ({ created_at }) => created_at);
    const { amount } = formatsOf(ctx);
    showSection(ctx, {
      title: 'Rooms',
      at: '/rooms',
      children: (
        <>
          <Table
            rows={rows}
            empty="No rooms yet. Add the first one."
            columns={[
              {
                name: 'Room',
                show: ({ id, name, archived }) => (
                  <>
                    <a href={pathIn(ctx, `/rooms/${id}`)}>{name}</a> {archived && <Status value="archived" />}
                  </>
                ),
              },
              { name: 'Open', show: hoursInWords },
              { name: 'Capacity', show: ({ capacity }) => capacity && `${capacity} people` },
              { name: 'Access', show: ({ tiers }) => (tiers ? tiers.map(spaced).join(', ') : 'everyone') },
              {
                name: 'Price per hour',
                number: true,
                show: ({ price_per_hour_minor, currency }) => amount(price_per_hour_minor, currency),
              },
            ]}
          />
          <Pager ctx={ctx} next={next} />
          <p class="links">
            {archived ? (
              <a href={addressWith(ctx, { archived: undefined, cursor: undefined })}>Hide archived rooms</a>
            ) : (
              <a href={addressWith(ctx, { archived: 'yes', cursor: undefined })}>Show archived rooms</a>
            )}
          </p>
          <NewRoom ctx={ctx} />
        </>
      ),
    });
  };
}
