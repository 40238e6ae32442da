import test, { type ExecutionContext } from 'ava';
import { insertPlannedBlackout } from '../../commands/blackouts/planned-bookings.js';
import { newId } from '../../db/ids.js';
import { transaction } from '../../db/transaction.js';
import { localTime } from '../../web/dashboard/shared/local-time.js';
import { newMember } from '../support/people.js';
import {
  confirmedBooking,
  createBooking,
  bookingBody,
  listEvents,
  freeHour,
  hoursLater,
} from '../support/bookings.js';
import type { Booking } from '../support/api-bodies.js';
import { page as readPage, post } from '../support/manage-link-calls.js';
import { openOffice, pageText, alertText } from '../support/dashboard.js';
import { sweep } from '../support/invariants.js';
import { mailTo, processorLedger } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, type TestWorkspace } from '../support/workspaces.js';
import { readNotice, WebSession } from '../support/web-session.js';
import { scaledQuotas } from '../../domain/workspaces/quotas.js';
import { message } from '../support/message.js';

const NOTE = 'Painters are in the building.';
const REFUNDED_ALWAYS = [{ hours_before: 0, percent: 100 }];

/** A dashboard with two rooms of one price, one of which is to be closed from `start_at` on. */
async function createTwoRooms(steps = REFUNDED_ALWAYS) {
  const office = await openOffice();
  const { api } = office.workspace;
  const closed = await newRoom(api, { name: 'Closed room', time_zone: 'UTC', refund_steps: steps });
  const other = await newRoom(api, { name: 'Other room', time_zone: 'UTC' });
  return { ...office, api, closed, other, start_at: freeHour().start_at };
}

type TwoRooms = Awaited<ReturnType<typeof createTwoRooms>>;

/** A paid hour in the room to be closed, this many hours after the start. */
const paid = ({ api, closed, start_at }: TwoRooms, hour: number) =>
  confirmedBooking(api, {
    room_id: closed.id,
    slot: { start_at: hoursLater(start_at, hour), end_at: hoursLater(start_at, hour + 1) },
  });

/** Submits the blackout for some hours on the room's page. */
function submitBlackout(
  { session, home, closed, start_at }: Pick<TwoRooms, 'session' | 'home' | 'closed' | 'start_at'>,
  hours: number,
): Promise<Response> {
  const at = (time: string) => localTime(new Date(time), 'UTC');
  const page = `${home}/rooms/${closed.id}`;
  const times = { start_at: at(start_at), end_at: at(hoursLater(start_at, hours)), reason: 'Painting' };
  return session.submit(page, `${page}/blackouts`, times);
}

/** The options for each booking on a page, in order. */
const optionsIn = (html: string): { value: string; label: string }[][] =>
  [...html.matchAll(/<select name="choice"[^]*?<\/select>/g)].map(([select]) =>
    [...select.matchAll(/<option value="([^"]+)"[^>]*>([^<]*)/g)].map(([, value, label]) => ({
      value: value!,
      label: label!,
    })),
  );

/** The value of each booking's first option whose label matches. */
function chosen(t: ExecutionContext, html: string, labels: RegExp[]): string[] {
  const options = optionsIn(html);
  t.is(options.length, labels.length, pageText(html));
  return labels.map((label, index) => {
    const found = options[index]!.find((option) => label.test(option.label));
    t.truthy(found, `${label} in ${JSON.stringify(options[index])}`);
    return found!.value;
  });
}

const notes = async (email: string) =>
  (await mailTo(email)).filter(
    ({ subject }) => subject === message('mail.note_subject', { room: 'Closed room' }),
  );

const listBlackouts = async ({ api, closed }: TwoRooms) =>
  (await api.get(`/v1/rooms/${closed.id}/blackouts`)).body.data;

const readStatus = async (workspace: TestWorkspace, id: string) =>
  (await workspace.api.get(`/v1/bookings/${id}`)).body;

test('a blackout over bookings lists them, and moves, cancels or keeps each after one confirmation', async (t) => {
  const venue = await createTwoRooms();
  const { api, session, home, closed, other, start_at, workspace } = venue;
  const [moved, cancelled, told] = [await paid(venue, 0), await paid(venue, 1), await paid(venue, 2)];
  const held = await createBooking(
    api,
    bookingBody(closed.id, { start_at: hoursLater(start_at, 3), end_at: hoursLater(start_at, 4) }),
  );
  const inTheWay = await submitBlackout(venue, 4);
  t.is(inTheWay.status, 200);
  const html = await inTheWay.text();
  const words = pageText(html);
  t.regex(words, /4 bookings overlap this blackout/);
  for (const { reference } of [moved.booking, cancelled.booking, told.booking, held])
    t.true(words.includes(reference), reference);
  t.regex(words, new RegExp(`Grace Guest ${moved.email} £30\\.00, paid`));
  t.regex(words, /£30\.00, not paid yet/);
  t.regex(words, /It cannot be moved: it is not paid yet\./);
  t.deepEqual(await listBlackouts(venue), [], 'nothing is done yet');

  const action = `${home}/rooms/${closed.id}/blackouts/new`;
  const undecided = await session.submitFormByAction(html, action, {
    choice: ['keep', '', 'keep', 'keep'],
    note: '',
  });
  t.is(alertText(await undecided.text()), 'Choose what happens to each booking.');
  const choice = chosen(t, html, [
    /^Move to Other room, same time$/,
    /refund £30\.00$/,
    /email the note/,
    /^Cancel, nothing/,
  ]);
  const unwritten = await session.submitFormByAction(html, action, { choice, note: '' });
  t.is(alertText(await unwritten.text()), 'Enter a note for the bookers of bookings that you keep.');
  const all = await (
    await session.submitFormByAction(html, action, { choice, note: NOTE, all: 'tell' })
  ).text();
  t.is([...all.matchAll(/<option value="tell" selected/g)].length, 4, 'one button chooses for all');

  const review = await session.submitFormByAction(html, action, { choice, note: NOTE });
  const sure = await review.clone().text();
  t.regex(pageText(sure), /is moved to Other room[^.]*\. The booker gets an email/);
  t.regex(pageText(sure), /is cancelled, £30\.00 is refunded/);
  const done = await session.confirmForm(review);
  t.is(done.status, 302, await done.clone().text());
  t.is(readNotice(done), 'Blackout added. Bookings: 1 moved, 2 cancelled, 1 kept.');

  const [blackout] = await listBlackouts(venue);
  t.like(blackout, { start_at, end_at: hoursLater(start_at, 4), reason: 'Painting' });
  t.like(await readStatus(workspace, moved.booking.id), {
    status: 'confirmed',
    room_id: other.id,
    start_at: moved.booking.start_at,
  });
  t.is((await readStatus(workspace, cancelled.booking.id)).status, 'cancelled');
  t.is((await readStatus(workspace, held.id)).status, 'cancelled');
  t.like(await readStatus(workspace, told.booking.id), { status: 'confirmed', room_id: closed.id });
  await until(async () => (await processorLedger(workspace)).refunds.length === 1);
  t.is((await processorLedger(workspace)).refunds[0]!.amount, 3_000);
  const [note] = await until(async () => (await notes(told.email)).length === 1 && (await notes(told.email)));
  t.true(note!.text.includes(NOTE));
  const cancellation = await until(async () =>
    (await mailTo(cancelled.email)).find(({ subject }) => /is cancelled/.test(subject)),
  );
  t.true(cancellation.text.includes(NOTE));
  const change = await until(async () =>
    (await mailTo(moved.email)).find(({ subject }) => subject.endsWith('has changed')),
  );
  t.true(change.text.includes(message('mail.changed_by_workspace', { name: 'Test house' })));
  t.true(change.text.includes(NOTE));

  const page = pageText(await session.getText(done.headers.get('location')!));
  t.regex(page, new RegExp(`${moved.booking.reference} Moved to Other room`));
  t.regex(page, new RegExp(`${cancelled.booking.reference} Cancelled\\. £30\\.00 is refunded`));
  t.regex(page, new RegExp(`${told.booking.reference} Kept\\. The booker was emailed on`));
  t.like(
    await api.post('/v1/bookings', bookingBody(closed.id, { start_at, end_at: hoursLater(start_at, 1) })),
    {
      status: 409,
      body: { error: { details: { reason: 'blackout' } } },
    },
  );
  await sweep(t, workspace);
});

test('a public guest who has neither paid nor confirmed gets no email, and no page says so', async (t) => {
  const venue = await createTwoRooms();
  const { api, session, home, closed, start_at, workspace } = venue;
  const held: Booking[] = [];
  for (const hour of [0, 1]) {
    const slot = { start_at: hoursLater(start_at, hour), end_at: hoursLater(start_at, hour + 1) };
    held.push(await createBooking(api, bookingBody(closed.id, slot)));
  }
  const [kept, cancelled] = held as [Booking, Booking];
  const ids = held.map(({ id }) => id);
  await db.query(`UPDATE bookings SET source = 'page' WHERE id = ANY ($1)`, [ids]);

  const html = await (await submitBlackout(venue, 2)).text();
  t.notRegex(JSON.stringify(optionsIn(html)), /email the note/);
  t.regex(pageText(html), /Its booker gets no email: their address is not confirmed\./);
  // As if the page had been shown before.
  const choice = ['tell', chosen(t, html, [/^Keep/, /^Cancel, nothing/])[1]!];
  const action = `${home}/rooms/${closed.id}/blackouts/new`;
  const review = await session.submitFormByAction(html, action, { choice, note: NOTE });
  const sure = pageText(await review.clone().text());
  t.regex(sure, /is kept\. The booker gets no email[^]*is cancelled\. The booker gets no email/);
  const done = await session.confirmForm(review);
  const outcomes = pageText(await session.getText(done.headers.get('location')!));
  t.regex(outcomes, new RegExp(`${kept.reference} Kept\\.`));
  t.notRegex(outcomes, /emailed/);

  const at = `${home}/bookings/${kept.id}`;
  t.notRegex(await session.getText(at), /name="notify_attendees"/);
  const asked = await session.submit(at, `${at}/cancel`, { notify_attendees: 'on' });
  const cancelling = pageText(await asked.text());
  t.regex(cancelling, /The booker gets no email\. This cannot be undone/);
  const link = kept.manage_url!;
  const { fields } = await readPage(`${link}/cancel`);
  for (const time of ['once', 'twice']) {
    const sent = await post(`${link}/cancel`, fields);
    t.deepEqual([sent.status, sent.headers.get('location')], [303, `/manage/${kept.id}`], time);
  }
  t.false((await readPage(link)).text.includes(message('payer.done_cancelled')));
  t.notRegex(await session.getText(at), /Resend email/);

  const told = await db.query(`SELECT DISTINCT kind FROM mails WHERE booking_id = ANY ($1)`, [ids]);
  t.deepEqual(told, [{ kind: 'booking_held' }]);
  t.is((await readStatus(workspace, cancelled.id)).status, 'cancelled');
});

test('no two bookings are offered overlapping places, so all can be moved together', async (t) => {
  const venue = await createTwoRooms();
  const { api, session, home, closed, other, start_at, workspace } = venue;
  const bookings = [await paid(venue, 0), await paid(venue, 1), await paid(venue, 2)];
  const taken = { start_at, end_at: hoursLater(start_at, 2) };
  await api.post(`/v1/rooms/${other.id}/blackouts`, taken);
  const html = await (await submitBlackout(venue, 3)).text();
  const moves = optionsIn(html).map((options) => options.filter(({ label }) => label.startsWith('Move to')));
  t.regex(moves[2]![0]!.label, /^Move to Other room/);
  t.regex(pageText(html), /No other room was found at this time at no extra cost to the payer\./);
  for (const options of moves) t.true(options.length >= 1, JSON.stringify(moves));
  const offered = moves.flat().map(({ value }) => value);
  t.is(new Set(offered).size, offered.length, JSON.stringify(moves));

  const action = `${home}/rooms/${closed.id}/blackouts/new`;
  const last = moves.map((options) => options.at(-1)!.value);
  const done = await session.confirmForm(
    await session.submitFormByAction(html, action, { choice: last, note: '' }),
  );
  t.is(readNotice(done), 'Blackout added. Bookings: 3 moved.');
  for (const { booking } of bookings) t.is((await readStatus(workspace, booking.id)).status, 'confirmed');
});

test('a blackout of a hall moves, cancels and keeps the bookings of its parts, and one of a part those of the hall', async (t) => {
  const venue = await createTwoRooms();
  const { session, home, closed, other, workspace, api, start_at } = venue;
  const hall = await newRoom(api, { name: 'Hall', time_zone: 'UTC', parts: [closed.id] });
  const [moved, cancelled, kept] = [await paid(venue, 0), await paid(venue, 1), await paid(venue, 2)];
  const choose = async (room: typeof hall, from: string, labels: RegExp[]) => {
    const html = await (
      await submitBlackout({ ...venue, closed: room, start_at: from }, labels.length)
    ).text();
    const choice = chosen(t, html, labels);
    t.false(
      optionsIn(html)
        .flat()
        .some(({ label }) => label.startsWith('Move to Hall')),
    );
    const form = { choice, note: NOTE };
    const page = `${home}/rooms/${room.id}/blackouts/new`;
    return readNotice(await session.confirmForm(await session.submitFormByAction(html, page, form)));
  };
  const done = await choose(hall, start_at, [/^Move to Other room/, /refund £30\.00$/, /without an email/]);
  t.is(done, 'Blackout added. Bookings: 1 moved, 1 cancelled, 1 kept.');
  t.is((await readStatus(workspace, moved.booking.id)).room_id, other.id);
  t.is((await readStatus(workspace, cancelled.booking.id)).status, 'cancelled');
  t.like(await readStatus(workspace, kept.booking.id), { status: 'confirmed', room_id: closed.id });

  const next = hoursLater(start_at, 5);
  const whole = await paid({ ...venue, closed: hall }, 5);
  t.is(await choose(closed, next, [/refund £30\.00$/]), 'Blackout added. Bookings: 1 cancelled.');
  t.is((await readStatus(workspace, whole.booking.id)).status, 'cancelled');
  await sweep(t, workspace);
});

test('a form that two processes get at the same moment moves, refunds and notifies once', async (t) => {
  const venue = await createTwoRooms();
  const { session, home, closed, workspace } = venue;
  const [moved, cancelled, told] = [await paid(venue, 0), await paid(venue, 1), await paid(venue, 2)];
  const html = await (await submitBlackout(venue, 3)).text();
  const choice = chosen(t, html, [/^Move to Other room/, /^Cancel/, /email the note/]);
  const review = await session.submitFormByAction(html, `${home}/rooms/${closed.id}/blackouts/new`, {
    choice,
    note: NOTE,
  });
  const copies = dev.baseUrls.map((url) => session.copy(url));
  const sure = await review.text();
  const answers = await Promise.all(
    [...copies, ...copies].map((copy) => copy.confirmForm(new Response(sure))),
  );
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [302]);
  t.is((await listBlackouts(venue)).length, 1);
  await until(async () => (await notes(told.email)).length > 0);
  await until(async () => (await processorLedger(workspace)).refunds.length > 0);
  t.is((await processorLedger(workspace)).refunds.length, 1);
  t.is((await notes(told.email)).length, 1);
  const types = async (id: string) => (await listEvents(id)).map(({ type }) => type);
  t.is((await types(moved.booking.id)).filter((type) => type === 'booking.updated').length, 1);
  t.is((await types(cancelled.booking.id)).filter((type) => type === 'booking.cancelled').length, 1);
  await sweep(t, workspace);
});

test('steps left undone when the process died are done once somebody continues, and done steps are not repeated', async (t) => {
  const venue = await createTwoRooms();
  const { session, home, closed, other, start_at, workspace, api } = venue;
  const [moved, cancelled] = [await paid(venue, 0), await paid(venue, 1)];
  const times = { start_at: Date.parse(start_at), end_at: Date.parse(hoursLater(start_at, 1)) };
  // The process dies after its commit, when the booking's run already has the cancellation.
  const id = newId('bo');
  await transaction(db, (tx) =>
    insertPlannedBlackout(
      tx,
      scaledQuotas(1),
      {
        id,
        workspace_id: workspace.id,
        room_id: closed.id,
        start_at: new Date(start_at),
        end_at: new Date(hoursLater(start_at, 2)),
        reason: null,
      },
      [
        {
          booking_id: moved.booking.id,
          plan: { do: 'move', room_id: other.id, ...times, difference_minor: 0 },
          note: null,
        },
        {
          booking_id: cancelled.booking.id,
          plan: { do: 'cancel', refund_policy: 'full', refund_minor: 3_000 },
          note: null,
        },
      ],
    ),
  );
  t.is((await api.post(`/v1/bookings/${cancelled.booking.id}/cancel`)).status, 200);
  const page = `${home}/rooms/${closed.id}/blackouts/${id}`;
  t.regex(pageText(await session.getText(page)), new RegExp(`${moved.booking.reference} Pending\\.`));
  const done = await session.submit(page, `${page}/again`);
  t.is(readNotice(done), 'Bookings: 1 moved, 1 cancelled.');
  t.is((await readStatus(workspace, moved.booking.id)).room_id, other.id);
  t.is((await processorLedger(workspace)).refunds.length, 1);
  await sweep(t, workspace);
});

test('a booking made in the meantime is listed before anything is done', async (t) => {
  const workspace = await createTwoRooms();
  const { session, home, closed } = workspace;
  const first = await paid(workspace, 0);
  const html = await (await submitBlackout(workspace, 2)).text();
  const review = await session.submitFormByAction(html, `${home}/rooms/${closed.id}/blackouts/new`, {
    choice: chosen(t, html, [/refund £30\.00$/]),
    note: '',
  });
  const second = await paid(workspace, 1);
  const refused = await session.confirmForm(review);
  t.is(refused.status, 409);
  const page = await refused.text();
  t.regex(alertText(page), /Another booking was made/);
  t.true(pageText(page).includes(second.booking.reference));
  t.deepEqual(await listBlackouts(workspace), []);
  t.is((await readStatus(workspace.workspace, first.booking.id)).status, 'confirmed');
});

test('the front desk cancels up to its limit, sees what failed and why, tries again, and removes the blackout', async (t) => {
  const venue = await createTwoRooms([{ hours_before: 0, percent: 50 }]);
  const { workspace, home, closed, other, start_at, api } = venue;
  const [moved, cancelled] = [await paid(venue, 0), await paid(venue, 1)];
  const session = await WebSession.start((await newMember(workspace, { role: 'front_desk' })).email);
  const html = await (await submitBlackout({ ...venue, session }, 2)).text();
  t.regex(pageText(html), /The front desk can refund at most £15\.00 of this booking\./);
  t.false(pageText(html).includes('refund £30.00'));
  const [move] = chosen(t, html, [/^Move to Other room/, /^Cancel on room terms, refund £15\.00$/]);
  const review = await session.submitFormByAction(html, `${home}/rooms/${closed.id}/blackouts/new`, {
    choice: [move!, 'cancel full 3000'],
    note: '',
  });
  const taken = await confirmedBooking(api, {
    room_id: other.id,
    slot: { start_at, end_at: hoursLater(start_at, 1) },
  });
  const done = await session.confirmForm(review);
  t.is(readNotice(done), 'Blackout added. Bookings: 2 failed, see below.');
  const page = done.headers.get('location')!;
  const words = pageText(await session.getText(page));
  t.regex(words, new RegExp(`${moved.booking.reference} Failed: .* Try again`));
  t.regex(
    words,
    new RegExp(`${cancelled.booking.reference} Failed: .*The front desk can refund (at most|nothing)`),
  );
  for (const { booking } of [moved, cancelled])
    t.like(await readStatus(workspace, booking.id), { status: 'confirmed', room_id: closed.id });

  t.is((await api.post(`/v1/bookings/${taken.booking.id}/cancel`)).status, 200);
  t.regex(
    pageText(await session.getText(home)),
    /Closed room, [^:]*:\d\d[^:]*:\d\d \(UTC\) ?: 2 bookings/,
    'the overview lists it',
  );
  const again = await session.submit(page, `${page}/again`);
  t.is(again.status, 302);
  t.is((await readStatus(workspace, moved.booking.id)).room_id, other.id);
  const [terms] = chosen(t, await session.getText(page), [/refund £15\.00$/]);
  const cancels = await session.submit(page, page, { choice: [terms!], note: '' });
  t.is(readNotice(await session.confirmForm(cancels)), 'Bookings: 1 moved, 1 cancelled.');
  t.is((await readStatus(workspace, cancelled.booking.id)).status, 'cancelled');
  t.false(pageText(await session.getText(home)).includes('still overlap a blackout'));

  const removed = await session.submit(page, `${page}/delete`);
  t.is(readNotice(removed), 'Blackout deleted.');
  t.deepEqual(await listBlackouts(venue), []);
  await sweep(t, workspace);
});
