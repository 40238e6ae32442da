import { findMemberByEmail } from '../../../db/queries/members/member.js';
import { findRoom } from '../../../db/queries/rooms/room.js';
import { quoteBooking } from '../../../api/resources/bookings/quote.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { asApiError } from '../../../api/http/errors.js';
import { uuid } from '../../../api/http/fields.js';
import { formatHourCredits } from '../../../domain/display.js';
import { slotUnavailable } from '../../../domain/bookings/slots.js';
import { run } from '../forms/page.js';
import { createFormats } from '../../ui/formats.js';
import { lacksAccount, SetUpCardPayments } from '../shared/card-payments.js';
import { PriceLines } from '../shared/price-lines.js';
import { problemsIn } from '../shared/rejection.js';
import { readInstants, type EnteredTimes } from '../shared/time-fields.js';
import { DEFAULT_DETAILS } from '../../../domain/bookings/details.js';

/** The booker in a form. */
export interface BookerToPrice {
  email?: string;
  /** Hour credits of the member are used: `on`. */
  use_tokens?: string;
}

/** The member with the entered address; null for a guest and while it is empty. */
async function memberIn(ctx: ApiContext, { db }: ApiDependencies, email: string) {
  const { workspace_id } = ctx.state.membership!;
  const member = email.includes('@') ? await findMemberByEmail(db.manager, workspace_id, email) : null;
  return member?.status === 'archived' ? null : member;
}

/**
 * The price for the entered room, times and booker, or why they cannot be booked; null if they are
 * incomplete. Anyone who is not a member counts as a guest.
 */
export async function previewPrice(
  ctx: ApiContext,
  deps: ApiDependencies,
  {
    room_id,
    start_at,
    end_at,
    email = '',
    use_tokens,
    ...exact
  }: Partial<EnteredTimes> & BookerToPrice & { room_id?: string },
) {
  if (!start_at || !end_at || uuid.required().validate(room_id).error) return null;
  const room = await findRoom(deps.db.manager, ctx.state.membership!.workspace_id, room_id!);
  if (!room) return null;
  const { amount } = createFormats(ctx);
  const member = await memberIn(ctx, deps, email);
  try {
    const { start, end } = readInstants({ start_at, end_at, ...exact }, room.time_zone);
    const body = {
      ...DEFAULT_DETAILS,
      room_id: room.id,
      start_at: start,
      end_at: end,
      ...(member && { booked_by: { member_id: member.id }, use_tokens: use_tokens !== undefined }),
    };
    const quote = await run(quoteBooking, { body }, { ctx }, deps);
    if (!quote.available) throw slotUnavailable(quote.reason!);
    const { amount_minor, currency } = quote.price;
    return (
      <>
        <PriceLines of={quote} amount={(minor) => amount(minor, currency)} />
        <p id="quote">
          <strong>{amount(amount_minor, currency)}</strong> for {member ? member.name : 'a guest'}
          {quote.tax_minor > 0 && `, including ${amount(quote.tax_minor, currency)} tax`}
          {quote.tokens_used > 0 && `, with ${formatHourCredits(quote.tokens_used)} used`}
        </p>
      </>
    );
  } catch (error) {
    const refusal = asApiError(error);
    if (!refusal || refusal.status >= 500) throw error;
    return (
      <p id="quote" class="alert">
        {problemsIn(refusal)
          .map(({ message }) => message)
          .join(' ')}{' '}
        {lacksAccount(refusal) && <SetUpCardPayments ctx={ctx} />}
      </p>
    );
  }
}
