import { setRates } from '../../../commands/rooms/rates.js';
import { newUuid } from '../../../db/ids.js';
import { transaction } from '../../../db/transaction.js';
import { ApiError, type FieldError } from '../../../domain/errors.js';
import { can } from '../../../domain/policies.js';
import { presentRates } from '../../../domain/presenters/room-rates.js';
import { contradictionsOf } from '../../../domain/rate-contradictions.js';
import type { RoomRate } from '../../../domain/rates.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { expectedVersion } from '../../http/if-match.js';
import { roomOf } from '../rooms/handlers.js';
import type { RatesBody } from './shape.js';

type Deps = Pick<ApiDependencies, 'db'>;

function send(ctx: ApiContext, room: Parameters<typeof presentRates>[0]): void {
  ctx.set('ETag', `"${room.rate_version}"`);
  ctx.body = presentRates(room);
}

/**
 * `GET /v1/rooms/{id}/rates`. Members do not see what companies have agreed on. Errors: 404 `room_not_found`.
 */
export function get(deps: Deps): Handler {
  return async (ctx) => {
    const { rates, rate_version } = await roomOf(ctx, deps);
    const seesAll = can(ctx.state.principal.role, 'all_bookings');
    const shown = seesAll ? rates : rates.filter(({ audience }) => audience.company_ids === null);
    send(ctx, { rates: shown, rate_version });
  };
}

/** The rates of a body, the known ones with their ids. Errors: 422 for what one contradicts in itself. */
function ratesOf({ rates }: RatesBody, known: RoomRate[]): RoomRate[] {
  const errors: FieldError[] = [];
  const ids = new Set<string>();
  const complete = rates.map((rate, index): RoomRate => {
    const fail = (field: string, says: string): void => {
      const param = `rates.${index}.${field}`;
      errors.push({ param, message: `${param} ${says.replaceAll(/[{}]/g, '')}.` });
    };
    const { id, amount_minor } = rate;
    if (id && !known.some((one) => one.id === id)) fail('id', 'is not a rate of this room');
    if (id && ids.has(id)) fail('id', 'is another rate, too');
    if (amount_minor === undefined && !rate.closed) fail('amount_minor', 'is required');
    if (id) ids.add(id);
    const whole = { ...rate, id: id ?? newUuid(), amount_minor: amount_minor ?? 0 } as RoomRate;
    for (const [field, says] of contradictionsOf(whole)) fail(field, says);
    return whole;
  });
  const [first] = errors;
  if (first) throw new ApiError('validation_failed', first.message, { param: first.param, errors });
  return complete;
}

/**
 * `PUT /v1/rooms/{id}/rates` (docs/rules/rates.md). Errors: 404 `room_not_found`; 412 `version_conflict`; 422
 * `validation_failed`.
 */
export function put(deps: Deps): Handler<RatesBody> {
  return async (ctx) => {
    const expected = expectedVersion(ctx);
    const { id, workspace_id } = await roomOf(ctx, deps);
    const room = await transaction(deps.db, (tx) =>
      setRates(tx, ctx.state.principal, { workspace_id, room_id: id, expected }, (known) =>
        ratesOf(ctx.state.body, known),
      ),
    );
    send(ctx, room);
  };
}
