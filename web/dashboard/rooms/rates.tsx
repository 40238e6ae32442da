import joi from 'joi';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import type { Room } from '../../../db/entities/rooms.js';
import { ApiError } from '../../../domain/errors.js';
import { DAY_MS } from '../../../domain/durations.js';
import { DAYS_OF_WEEK } from '../../../domain/rate-week.js';
import { MAX_RATES, type RoomRate } from '../../../domain/rates.js';
import { wallClock } from '../../../domain/time-zone.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { text } from '../../../api/http/fields.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { roomOf } from '../../../api/resources/rooms/handlers.js';
import { formatsOf } from '../../ui/formats.js';
import { pathIn } from '../shared/api-form.js';
import { Form } from '../shared/form.js';
import { showSection } from '../shared/workspace.js';
import { Examples } from './rate-examples.js';
import { RateWeek } from './rate-week.js';
import { RateInputs } from './rate-fields.js';
import { audienceInWords, priceInWords, windowInWords } from './rate-words.js';

/** `week` in the address: the first day that is shown. */
export const ratesQuery = joi.object({ week: text(10).allow('') });

const DAY_PATTERN = /^[2-9]\d{3}-\d\d-\d\d$/;

interface Props {
  ctx: ApiContext;
  room: Room;
}

const Version = ({ room }: { room: Room }) => (
  <input type="hidden" name="version" value={String(room.rate_version)} />
);

function Rate({ ctx, room, rate, first }: Props & { rate: RoomRate; first: boolean }) {
  const at = pathIn(ctx, `/rooms/${room.id}/rates/${rate.id}`);
  const { amount } = formatsOf(ctx);
  return (
    <li class="card">
      <h3>{rate.name}</h3>
      <p>
        {windowInWords(rate)}: <strong>{priceInWords(rate, (minor) => amount(minor, room.currency))}</strong>
        <br />
        <span class="soft">For {audienceInWords(rate)}.</span>
      </p>
      <div class="actions">
        <a class="button quiet" href={at} aria-label={`Change ${rate.name}`}>
          Change
        </a>
        {!first && (
          <Form ctx={ctx} action={`${at}/up`}>
            <Version room={room} />
            <button class="quiet" aria-label={`Move up: ${rate.name}`}>
              Move up
            </button>
          </Form>
        )}
        <Form ctx={ctx} action={`${at}/remove`}>
          <Version room={room} />
          <button class="quiet" aria-label={`Remove ${rate.name}`}>
            Remove
          </button>
        </Form>
      </div>
    </li>
  );
}

function RateForm({ ctx, room, rate }: Props & { rate: RoomRate | null }) {
  const action = pathIn(ctx, `/rooms/${room.id}/rates${rate ? `/${rate.id}` : ''}`);
  return (
    <Form ctx={ctx} action={action} class="card">
      <Version room={room} />
      <RateInputs rate={rate} currency={room.currency} />
      <button>Show what examples cost</button>
    </Form>
  );
}

/** The first day of the week in the address, else today by the clock of the room; since 1970-01-01. */
function firstDayIn(ctx: ApiContext, { time_zone }: Room): number {
  const { week } = (ctx.state.query ?? {}) as { week?: string };
  const asked = week && DAY_PATTERN.test(week) ? Date.parse(week) : NaN;
  return Math.floor((Number.isNaN(asked) ? wallClock(Date.now(), time_zone) : asked) / DAY_MS);
}

/** Links to the weeks before and after. */
function Weeks({ ctx, room, first }: Props & { first: number }) {
  const to = (day: number): string =>
    `${pathIn(ctx, `/rooms/${room.id}/rates`)}?week=${new Date(day * DAY_MS).toISOString().slice(0, 10)}#week`;
  return (
    <nav class="weeks" aria-label="Weeks">
      <span>For everyone, by the clock of the room.</span>
      <a href={to(first - DAYS_OF_WEEK)}>Previous seven days</a>
      <a href={to(first + DAYS_OF_WEEK)}>Next seven days</a>
    </nav>
  );
}

/**
 * `GET /dashboard/:workspace/rooms/:id/rates`: the rates of a room in their order, with what examples cost, and the form of
 * a new one; with a rate in the address, its form.
 */
export function showRates(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const room = await roomOf(ctx, deps);
    const { tax_codes } = (await findWorkspace(deps.db.manager, room.workspace_id))!;
    const { rate_id } = ctx.params;
    const rate = room.rates.find(({ id }) => id === rate_id);
    const isOne = rate_id !== undefined && !/\/(up|remove)$/.test(ctx.path);
    if (isOne && !rate) throw new ApiError('not_found', 'No such rate.');
    const { amount } = formatsOf(ctx);
    const first = firstDayIn(ctx, room);
    showSection(ctx, {
      title: isOne ? `${rate!.name}, a rate of ${room.name}` : `Rates of ${room.name}`,
      at: '/rooms',
      children: isOne ? (
        <RateForm ctx={ctx} room={room} rate={rate!} />
      ) : (
        <>
          <p>
            The first rate that matches a minute prices it. Where none does, an hour costs{' '}
            {amount(room.price_per_hour_minor, room.currency)}.{' '}
            <a href={pathIn(ctx, `/rooms/${room.id}`)}>{room.name}</a>
          </p>
          {room.rates.length > 0 && (
            <>
              <h2>In this order</h2>
              <ol class="plain">
                {room.rates.map((each, index) => (
                  <Rate key={each.id} ctx={ctx} room={room} rate={each} first={index === 0} />
                ))}
              </ol>
            </>
          )}
          {room.rates.length > 0 && (
            <>
              <h2 id="week">Which rate applies when</h2>
              <Weeks ctx={ctx} room={room} first={first} />
              <RateWeek ctx={ctx} room={room} first={first} />
            </>
          )}
          <h2>Examples</h2>
          <div class="card">
            <Examples ctx={ctx} room={room} taxCodes={tax_codes} />
          </div>
          {room.rates.length < MAX_RATES && (
            <>
              <h2>Add a rate</h2>
              <RateForm ctx={ctx} room={room} rate={null} />
            </>
          )}
        </>
      ),
    });
  };
}
