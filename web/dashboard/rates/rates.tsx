import joi from 'joi';
import type { ComponentChildren } from 'preact';
import type { ApiContext } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import type { Room } from '../../../db/entities/rooms.js';
import { DAY_MS } from '../../../domain/durations.js';
import { DAYS_OF_WEEK } from '../../../domain/rates/week.js';
import { MAX_RATES, type RoomRate } from '../../../domain/rates/rates.js';
import { together } from '../forms/inputs.js';
import { page, type PageProps } from '../forms/page.js';
import { roomTabs } from '../rooms/tabs.js';
import { PrimaryLink } from '../shared/action.js';
import { enteredPrice, taxWords } from '../shared/entered-price.js';
import { Form as FormElement } from '../shared/form.js';
import { Empty } from '../shared/list.js';
import { pathIn } from '../shared/paths.js';
import { Examples } from './examples.js';
import { priceInputs, whenInputs } from './inputs.js';
import { newRatePage } from './new-rate.js';
import { findRateIndex, ratesForm, readRoom, todayIn, type OnePage, type RoomPage } from './rates-form.js';
import { RateWeek } from './week.js';
import { describeAudience, describeRatePrice, describeWindow } from './words.js';

const Group = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <>
    <h2>{title}</h2>
    {children}
  </>
);

/** A closed rate has no amount: one that is opened again needs its own. */
const withoutAmount = ({ rate }: OnePage) => (rate.closed ? { ...rate, amount_minor: null } : rate);

const changeRate = ratesForm<OnePage>(
  {
    when: together(whenInputs, ({ children }) => <Group title="When">{children}</Group>),
    price: together(priceInputs, ({ children }) => <Group title="For whom and how much">{children}</Group>),
  },
  (data, entered) => {
    const { id } = data.rate;
    return data.room.rates.with(findRateIndex(data, id), { ...entered, id } as RoomRate);
  },
  { of: withoutAmount, notice: 'The rate has been saved.' },
);

const moveRateUp = ratesForm<RoomPage>(
  {},
  (data, _, rateId) => {
    const index = findRateIndex(data, rateId);
    const others = data.room.rates.toSpliced(index, 1);
    return others.toSpliced(Math.max(0, index - 1), 0, data.room.rates[index]!);
  },
  { path: '/:rate_id/up', notice: 'The order of the rates has been saved.' },
);

const removeRate = ratesForm<RoomPage>(
  {},
  (data, _, rateId) => data.room.rates.toSpliced(findRateIndex(data, rateId), 1),
  { path: '/:rate_id/remove', notice: 'The rate has been removed.' },
);

/** Leads to the first step of a new rate, if there can be another one. */
const AddRate = ({ ctx, data: { room } }: PageProps<RoomPage>) =>
  room.rates.length < MAX_RATES && (
    <PrimaryLink href={pathIn(ctx, `/rooms/${room.id}/rates/new`)}>Add rate</PrimaryLink>
  );

const DAY_PATTERN = /^[2-9]\d{3}-\d\d-\d\d$/;

function Rate({ page, rate, isFirst }: { page: PageProps<RoomPage>; rate: RoomRate; isFirst: boolean }) {
  const { ctx, at, data } = page;
  const action = pathIn(ctx, `${at}/${rate.id}`);
  return (
    <li class="card">
      <h3>{rate.name}</h3>
      <p>
        {describeWindow(rate)}:{' '}
        <strong>{describeRatePrice(rate, enteredPrice(ctx, data.taxCodes, data.room))}</strong>
        <br />
        <span class="soft">For {describeAudience(rate)}.</span>
      </p>
      <div class="actions">
        <a class="button quiet" href={action} aria-label={`Edit ${rate.name}`}>
          {' '}
          Edit
        </a>
        {!isFirst && (
          <FormElement ctx={ctx} action={`${action}/up`} once>
            <moveRateUp.Inputs page={page} />
            <button class="quiet" aria-label={`Move up: ${rate.name}`}>
              Move up
            </button>
          </FormElement>
        )}
        <FormElement ctx={ctx} action={`${action}/remove`} once>
          <removeRate.Inputs page={page} />
          <button class="quiet" aria-label={`Remove ${rate.name}`}>
            Remove
          </button>
        </FormElement>
      </div>
    </li>
  );
}

/** The first day of the week in the address, else today in the room's time zone, in days since 1970-01-01. */
function firstDayIn(ctx: ApiContext, room: Room): number {
  const { week } = (ctx.state.query ?? {}) as { week?: string };
  const asked = week && DAY_PATTERN.test(week) ? Date.parse(week) : NaN;
  return Number.isNaN(asked) ? todayIn(room) : Math.floor(asked / DAY_MS);
}

function Weeks({ ctx, room, first }: { ctx: ApiContext; room: Room; first: number }) {
  const to = (day: number): string =>
    `${pathIn(ctx, `/rooms/${room.id}/rates`)}?week=` +
    `${new Date(day * DAY_MS).toISOString().slice(0, 10)}#week`;
  return (
    <nav class="weeks" aria-label="Weeks">
      <span>Rates for everyone, in the room’s time zone.</span>
      <a href={to(first - DAYS_OF_WEEK)}>Previous seven days</a>
      <a href={to(first + DAYS_OF_WEEK)}>Next seven days</a>
    </nav>
  );
}

/** The rates of a room in order of priority, with example prices. */
function Rates(props: PageProps<RoomPage>) {
  const { ctx, data } = props;
  const { room, taxCodes } = data;
  const price = enteredPrice(ctx, taxCodes, room);
  const first = firstDayIn(ctx, room);
  return (
    <>
      <p>
        Each minute is priced by the first rate in the list that matches it. Without a matching rate, an hour
        costs {price(room.price_per_hour_minor)} {taxWords(ctx)}.
      </p>
      {room.rates.length === 0 && (
        <Empty
          ctx={props.ctx}
          says="A rate is another price at some times or for some people, such as evenings."
        >
          <AddRate {...props} />
        </Empty>
      )}
      {room.rates.length > 0 && (
        <>
          <h2>Order of priority</h2>
          <ol class="plain">
            {room.rates.map((rate, index) => (
              <Rate key={rate.id} page={props} rate={rate} isFirst={index === 0} />
            ))}
          </ol>
          <h2 id="week">Rates by time</h2>
          <Weeks ctx={ctx} room={room} first={first} />
          <RateWeek ctx={ctx} room={room} taxCodes={taxCodes} first={first} />
        </>
      )}
      <h2>Example prices</h2>
      <div class="card">
        <Examples ctx={ctx} room={room} taxCodes={taxCodes} />
      </div>
    </>
  );
}

export const rates = [
  page({
    path: '/rooms/:id/rates',
    capability: 'write_rooms',
    /** `week`: the first day shown. */
    query: joi.object({ week: text(10).allow('') }),
    title: ({ room }) => room.name,
    tabs: roomTabs,
    load: readRoom,
    view: Rates,
    primary: (props) => props.data.room.rates.length > 0 && <AddRate {...props} />,
    forms: [moveRateUp, removeRate],
  }),
  newRatePage,
  page({
    path: '/rooms/:id/rates/:rate_id',
    capability: 'write_rooms',
    title: ({ rate, room }) => `${rate.name} · ${room.name}`,
    tabs: roomTabs,
    async load(request, deps): Promise<OnePage> {
      const data = await readRoom(request, deps);
      return { ...data, rate: data.room.rates[findRateIndex(data, request.params.rate_id!)]! };
    },
    view: (props) => <changeRate.Open page={props} />,
    forms: [changeRate],
  }),
];
