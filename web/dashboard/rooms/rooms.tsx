import { isUuid } from '../../../db/ids.js';
import joi from 'joi';
import { listRooms } from '../../../db/queries/rooms/room.js';
import { ApiError } from '../../../domain/errors.js';
import { WEEKDAYS, type Weekday } from '../../../domain/bookings/slots.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { cursorParam } from '../../../api/http/cursor.js';
import { text } from '../../../api/http/fields.js';
import { create } from '../../../api/resources/rooms/handlers.js';
import { createSchema } from '../../../api/resources/rooms/shape.js';
import { Action } from '../shared/action.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { Choices, TextField } from '../shared/fields.js';
import { formatsOf } from '../../ui/formats.js';
import { Status } from '../shared/layout.js';
import { addressWith, readPage, Pager, Table } from '../shared/list.js';
import { amountEntered } from '../shared/money-field.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { can } from '../../../domain/policies.js';
import { planName } from '../../../domain/members/plans.js';
import { showSection } from '../shared/workspace.js';
import { DAY_NAMES, hoursInWords, WEEK } from './words.js';
import { inputOf, textFields } from '../shared/declared-fields.js';

export const roomsQuery = joi.object({ archived: joi.valid('yes'), cursor: cursorParam });

export const newRoomFields = {
  ...hiddenFields,
  ...textFields(createSchema, 'name'),
  amount_minor: text(30).required(),
  opens: text(10).allow(''),
  closes: text(10).allow(''),
  days: joi
    .array()
    .items(joi.valid(...WEEKDAYS))
    .single()
    .default([]),
};

interface NewRoomForm {
  name: string;
  amount_minor: string;
  opens?: string;
  closes?: string;
  days: Weekday[];
}

/**
 * The same hours on the selected days. Errors: 422 `validation_failed` for one time
 * without the other, or no day.
 */
function openingHoursOf({ opens, closes, days }: NewRoomForm) {
  if (!opens && !closes) return null;
  if (!opens || !closes) {
    const message = 'Enter both times, or none for a room that is always open.';
    throw new ApiError('validation_failed', message, { param: opens ? 'closes' : 'opens' });
  }
  if (days.length === 0)
    throw new ApiError('validation_failed', 'Select at least one day.', { param: 'days' });
  return Object.fromEntries(days.map((day) => [day, [[opens, closes]]]));
}

/** Adds a room like `POST /v1/rooms`. */
export const createRoomForm = apiForm<NewRoomForm, { id: string; name: string }>({
  handler: create,
  schema: createSchema,
  body: (form, ctx) => {
    const { name, amount_minor } = form;
    const { currency } = ctx.state.membership!;
    return {
      name,
      price_per_hour: { currency, amount_minor: amountEntered(amount_minor, currency, 'amount_minor') ?? 0 },
      opening_hours: openingHoursOf(form),
    };
  },
  notice: ({ name }) => `${name} has been added.`,
  to: (_ctx, { id }) => `/rooms/${id}`,
});

function NewRoom({ ctx }: { ctx: ApiContext }) {
  return (
    <div class="card">
      <Action ctx={ctx} action={pathIn(ctx, '/rooms')} summary="Add a room" button="Add room">
        <TextField {...inputOf(createSchema, 'name')} label="Name" />
        <TextField
          name="amount_minor"
          label={`Price per hour excluding tax (${ctx.state.membership!.currency})`}
          inputMode="decimal"
          required
        />
        <div class="grid">
          <div>
            <TextField name="opens" label="Opens" type="time" value="09:00" />
          </div>
          <div>
            <TextField name="closes" label="Closes" type="time" value="18:00" />
          </div>
        </div>
        <Choices
          name="days"
          label="On"
          options={WEEK.map((day) => [day, DAY_NAMES[day]] as const)}
          chosen={WEEK.slice(0, 5)}
        />
        <p class="hint">
          Remove both times for a room that is always open. You set different hours per day, tiers and refund
          terms on the next page.
        </p>
      </Action>
    </div>
  );
}

/** `GET /dashboard/:workspace/rooms`: rooms by creation time. */
export function showRooms({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, role } = ctx.state.membership!;
    const { archived } = ctx.state.query as { cursor?: string; archived?: 'yes' };
    const { rows, next } = await readPage(ctx, isUuid, 'created_at', (page) =>
      listRooms(db.manager, {
        workspace_id,
        include_archived: archived === 'yes',
        ...page,
      }),
    );
    const { plans } = (await findWorkspace(db.manager, workspace_id))!;
    const { amount } = formatsOf(ctx);
    showSection(ctx, {
      title: 'Rooms',
      at: '/rooms',
      children: (
        <>
          <Table
            rows={rows}
            empty={can(role, 'write_rooms') ? 'No rooms yet. Add the first one.' : 'No rooms yet.'}
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
              {
                name: 'Access',
                show: ({ tiers }) => tiers?.map((tier) => planName(plans, tier)).join(', ') ?? 'everyone',
              },
              {
                name: 'Price per hour, excluding tax',
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
          {can(role, 'write_rooms') && <NewRoom ctx={ctx} />}
        </>
      ),
    });
  };
}
