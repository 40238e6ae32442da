import type { Room } from '../../../db/entities/rooms.js';
import { create } from '../../../api/resources/blackouts/handlers.js';
import { createSchema } from '../../../api/resources/blackouts/shape.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { apiForm } from '../shared/api-form.js';
import type { Page } from '../shared/section.js';
import { closedIn } from './closed.js';
import type { EnteredBlackout } from './inputs.js';
import { showBookingsInTheWay } from './new-blackout.js';

interface BlackoutForm extends EnteredBlackout {
  room_id?: string;
}

/**
 * Closes a room for a time like `POST /v1/rooms/{id}/blackouts`, or shows which bookings are in the way.
 * `room` finds the room of the form; its id is the path's.
 */
export function blackoutForm(
  room: (ctx: ApiContext, deps: ApiDependencies, form: BlackoutForm) => Promise<Room>,
  to: (ctx: ApiContext) => string,
): Page {
  const add = apiForm<BlackoutForm>({
    handler: create,
    schema: createSchema,
    async body(form, ctx, deps) {
      const of = await room(ctx, deps, form);
      const { start_at, end_at } = closedIn(form, of);
      ctx.params.id = of.id;
      return {
        start_at: start_at.toISOString(),
        end_at: end_at.toISOString(),
        reason: form.reason || null,
      };
    },
    notice: () => 'Blackout added.',
    to,
  });
  return (deps) => {
    const addOne = add(deps);
    return async (ctx, next) => {
      const form = ctx.state.body as BlackoutForm;
      const closed = closedIn(form, await room(ctx, deps, form));
      if (!(await showBookingsInTheWay(ctx, deps, closed, form))) await addOne(ctx, next);
    };
  };
}
