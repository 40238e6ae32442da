import type { Room } from '../../../db/entities/rooms.js';
import { findMember } from '../../../db/queries/members/member.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { ApiError } from '../../../domain/errors.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { quoteBooking } from '../../../api/resources/bookings/quote.js';
import { run } from '../forms/page.js';
import { createFormats } from '../../ui/formats.js';
import { formatHourCredits } from '../../../domain/display.js';
import { describeHourCredits } from '../members/membership/plan.js';
import { Choice } from '../shared/fields.js';
import { instantIn } from '../shared/local-time.js';
import type { TimesQuery } from './free-times.js';

/** The member's price with and without hour credits; null if the time cannot be booked. */
async function quoteWithCredits(ctx: ApiContext, deps: ApiDependencies, room: Room, times: TimesQuery) {
  const { principal } = ctx.state;
  const { id: room_id, time_zone } = room;
  try {
    const body = {
      room_id,
      start_at: instantIn(times.start_at!, time_zone, 'start_at'),
      end_at: instantIn(times.end_at!, time_zone, 'end_at'),
      booked_by: { member_id: principal.member_id },
    };
    const quote = (use_tokens: boolean) =>
      run(quoteBooking, { body: { ...body, use_tokens } }, { ctx }, deps);
    return { without: await quote(false), using: await quote(true) };
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/**
 * The option to pay with hour credits, with the balance and, once room and time are known, the price. Null
 * for a member who has no hour credits and gets none from their plan.
 */
export async function creditsChoice(
  ctx: ApiContext,
  deps: ApiDependencies,
  rooms: Room[],
  query: TimesQuery,
) {
  const { workspace_id, member_id } = ctx.state.membership!;
  const member = (await findMember(deps.db.manager, workspace_id, member_id))!;
  const workspace = (await findWorkspace(deps.db.manager, workspace_id))!;
  const hours = describeHourCredits({ ctx, member, workspace });
  if (hours === null) return null;
  const room = rooms.find(({ id }) => id === query.room_id);
  const effect =
    room && query.start_at && query.end_at ? await quoteWithCredits(ctx, deps, room, query) : null;
  const { money } = createFormats(ctx);
  const left = member.hour_credit_balance;
  return (
    <>
      <Choice name="use_tokens" checked={left > 0}>
        Use hour credits first
      </Choice>
      <p class="hint">{hours}.</p>
      {effect && effect.using.tokens_used > 0 && (
        <p id="credits">
          {money(effect.without.price)} without hour credits. With them {money(effect.using.price)}:{' '}
          {formatHourCredits(effect.using.tokens_used)} used, {left - effect.using.tokens_used} left.
        </p>
      )}
      {effect && effect.using.tokens_used === 0 && left > 0 && (
        <p id="credits">
          {money(effect.using.price)}. Hour credits do not reduce the price, so none are used.
        </p>
      )}
    </>
  );
}
