import joi from 'joi';
import { listExtras } from '../../../db/queries/rooms/extra.js';
import { listRooms } from '../../../db/queries/rooms/room.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { cursorParam } from '../../../api/http/cursor.js';
import { isUuid } from '../../../api/http/fields.js';
import { create } from '../../../api/resources/extras/handlers.js';
import { createSchema } from '../../../api/resources/extras/shape.js';
import { UNITS } from '../../ui/extras.js';
import { formatsOf } from '../../ui/formats.js';
import { Action } from '../shared/action.js';
import { apiForm, pathIn } from '../shared/api-form.js';
import { Status } from '../shared/layout.js';
import { addressWith, Pager, readPage, Table } from '../shared/list.js';
import { showSection } from '../shared/workspace.js';
import { bodyOf, ExtraInputs, type ExtraForm, type ExtraOptions } from './extra-form.js';

const MAX_ROOMS = 500;

export const extrasQuery = joi.object({ archived: joi.valid('yes'), cursor: cursorParam });

/** Adds an extra like `POST /v1/extras`. */
export const createExtraForm = apiForm<ExtraForm, { id: string; name: string }>({
  handler: create,
  schema: createSchema,
  body: (form, ctx) => bodyOf(form, ctx.state.membership!.currency),
  notice: ({ name }) => `${name} has been added. It can be booked now.`,
  to: (_ctx, { id }) => `/extras/${id}`,
});

/** What the form of an extra offers to choose from. */
export async function readOptions(
  { db: { manager } }: Pick<ApiDependencies, 'db'>,
  ctx: ApiContext,
  currency = ctx.state.membership!.currency,
): Promise<ExtraOptions> {
  const { workspace_id } = ctx.state.membership!;
  const [rooms, workspace] = await Promise.all([
    listRooms(manager, { workspace_id, include_archived: false, limit: MAX_ROOMS }),
    findWorkspace(manager, workspace_id),
  ]);
  return { rooms, taxCodes: workspace!.tax_codes, currency };
}

/** `GET /dashboard/:workspace/extras`: extras by creation time. */
export function showExtras(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const { archived } = ctx.state.query as { archived?: 'yes' };
    const options = await readOptions(deps, ctx);
    const { rows, next } = await readPage(ctx, isUuid, 'created_at', (page) =>
      listExtras(deps.db.manager, {
        workspace_id,
        include_archived: archived === 'yes',
        only_public: false,
        ...page,
      }),
    );
    const { amount } = formatsOf(ctx);
    const nameOf = (id: string) => options.rooms.find((room) => room.id === id)?.name;
    const action = pathIn(ctx, '/extras');
    showSection(ctx, {
      title: 'Extras',
      at: '/extras',
      children: (
        <>
          <Table
            rows={rows}
            empty="No extras yet. Add what can be booked with your rooms, such as a projector or lunch."
            columns={[
              {
                name: 'Extra',
                show: ({ id, name, archived, internal }) => (
                  <>
                    <a href={pathIn(ctx, `/extras/${id}`)}>{name}</a>{' '}
                    {archived && <Status value="archived" />}
                    {internal && <small>staff only</small>}
                  </>
                ),
              },
              {
                name: 'Rooms',
                show: ({ room_ids }) =>
                  room_ids ? room_ids.flatMap((id) => nameOf(id) ?? []).join(', ') : 'all',
              },
              { name: 'Stock', number: true, show: ({ stock }) => stock ?? 'any' },
              {
                name: 'Price',
                number: true,
                show: ({ price_minor, currency, unit }) => (
                  <>
                    {amount(price_minor, currency)} <small>{UNITS[unit]}</small>
                  </>
                ),
              },
            ]}
          />
          <Pager ctx={ctx} next={next} />
          <p class="links">
            {archived ? (
              <a href={addressWith(ctx, { archived: undefined, cursor: undefined })}>Hide archived extras</a>
            ) : (
              <a href={addressWith(ctx, { archived: 'yes', cursor: undefined })}>Show archived extras</a>
            )}
          </p>
          <div class="card">
            <Action ctx={ctx} action={action} summary="Add an extra" button="Add extra">
              <ExtraInputs ctx={ctx} action={action} options={options} />
            </Action>
          </div>
        </>
      ),
    });
  };
}
