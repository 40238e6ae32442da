import { addRoomPicture, changeRoom } from '../../../api/resources/rooms/operations.js';
import { planName } from '../../../domain/members/plans.js';
import { TIERS } from '../../../domain/rates/price.js';
import { ENGLISH } from '../../../domain/words/words.js';
import { archiveForms } from '../forms/archive.js';
import { inCurrency } from '../forms/fields.js';
import { form } from '../forms/form.js';
import { boxes, hidden, note } from '../forms/inputs.js';
import { refundSteps } from './own-refund-steps.js';
import { chosenTaxRate, taxOptions } from '../invoices/invoice-forms.js';
import { planOptions } from '../members/tier-options.js';
import { TIME_ZONES } from '../shared/time-zones.js';
import { MAX_CHECKED, listUpcomingBookings, type RoomPage } from './read-room.js';
import { describeRefundSteps } from './words.js';

const of = ({ shown }: RoomPage) => shown;
const saved = ({ name }: { name: string }): string => `${name} has been saved.`;

export const price = form(
  changeRoom,
  {
    'price_per_hour.amount_minor': { label: 'Price per hour {tax} ({currency})', wide: true },
    tax_code: {
      label: 'Tax',
      options: ({ workspace }: RoomPage) => taxOptions(workspace.tax_codes),
      wide: true,
    },
    tiers: boxes('Limit to plans (none = everyone, including guests)', ({ workspace }: RoomPage) =>
      planOptions(workspace.plans),
    ),
    ...Object.fromEntries(
      TIERS.map((tier) => [
        `tier_discounts.${tier}`,
        {
          label: ({ workspace }: RoomPage) => `${planName(workspace.plans, tier)} discount in %`,
          required: false,
        },
      ]),
    ),
  },
  {
    path: '/price',
    summary: 'Price and access',
    button: 'Save',
    of,
    entry: ({ room }) => ({ currency: room.currency }),
    taxRate: ({ room, workspace }, submitted) => chosenTaxRate(workspace.tax_codes, submitted, room.tax_code),
    body({ tier_discounts = {}, ...entered }, at) {
      const given = Object.entries(tier_discounts as object).filter(([, percent]) => percent);
      return { ...inCurrency('price_per_hour')(entered, at), tier_discounts: Object.fromEntries(given) };
    },
    hint: 'Existing bookings keep their price.',
    notice: saved,
  },
);

export const details = form(
  changeRoom,
  {
    name: 'Name',
    description: { label: 'Description', rows: 3 },
    time_zone: { label: 'Time zone', suggested: () => TIME_ZONES },
    capacity: 'Capacity',
    slot_minutes: 'Booking interval in minutes',
    min_minutes: 'Minimum booking in minutes',
    max_minutes: 'Maximum booking in minutes',
    turnaround_minutes: 'Buffer after each booking in minutes',
    edit_window_minutes: 'Change deadline (minutes before the start)',
  },
  { path: '/details', summary: 'Name, capacity and times', button: 'Save', of, notice: saved },
);

export const parts = form(
  changeRoom,
  {
    intro: note<RoomPage>(
      ({
        data: {
          room: { name },
        },
      }) => (
        <p>
          If {name} can be divided, choose its parts. A booking of {name} then blocks all its parts, and a
          booking of a part blocks {name}.
        </p>
      ),
    ),
    parts: boxes(
      ({ room }: RoomPage) => `Parts of ${room.name}`,
      ({ family }) =>
        family.possible.map(({ id, name, archived }) => [id, archived ? `${name} (archived)` : name]),
    ),
    none: note<RoomPage>(
      ({ data: { family } }) =>
        family.possible.length === 0 && <p class="hint">No other room can be a part of this one.</p>,
    ),
  },
  {
    path: '/parts',
    summary: 'Parts',
    button: 'Save',
    of,
    hint: 'Existing bookings must not overlap.',
    notice: ({ name, parts }) =>
      parts.length > 0
        ? `${name} and its parts can no longer be booked at the same time.`
        : `${name} no longer has parts.`,
  },
);

export const appearance = form(
  changeRoom,
  {
    intro: note(() => <p>Shown to everyone on the booking page.</p>),
    image_urls: { label: 'Picture URLs, one per line, best first', rows: 4 },
    features: { label: 'Features, one per line, such as Projector', rows: 4 },
    floor: 'Floor',
    size_m2: { label: 'Size in m²', wide: true },
  },
  {
    path: '/appearance',
    summary: 'Pictures and features',
    button: 'Save',
    of,
    notice: ({ name }) => `Pictures and features of ${name} have been saved.`,
  },
);

export const uploadPicture = form(
  addRoomPicture,
  {},
  {
    path: '/pictures',
    button: 'Upload',
    notice: ({ object: { name } }) => `The picture of ${name} has been saved.`,
  },
);

/** Removes a picture from the room. An uploaded file is deleted later. */
export const removePicture = form(
  changeRoom,
  { url: hidden<RoomPage>(() => undefined) },
  {
    path: '/pictures/remove',
    button: 'Remove',
    body: ({ url }, { data }) => ({ image_urls: data.room.image_urls.filter((each) => each !== url) }),
    notice: ({ name }) => `The picture has been removed from ${name}.`,
  },
);

export const arrival = form(
  changeRoom,
  {
    intro: note(() => (
      <p>
        Only bookers see this, in their confirmation email, in its calendar file and on the booking’s page.
      </p>
    )),
    address: { label: 'Address', rows: 3 },
    directions: { label: 'Directions', rows: 3 },
    access_notes: { label: 'Access instructions, such as a door code', rows: 3 },
    reminder_hours: { label: 'Reminder email, hours before the start', wide: true },
  },
  {
    path: '/arrival',
    summary: 'Arrival and reminder',
    button: 'Save',
    of,
    hint: 'Reminders are sent for bookings that are confirmed or moved from now on.',
    notice: ({ name }) => `Arrival details and reminder of ${name} have been saved.`,
  },
);

const RefundTerms = ({ steps }: { steps: Parameters<typeof describeRefundSteps>[1] }) => (
  <ul>
    {describeRefundSteps(ENGLISH, steps).map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);

export const refunds = form(
  changeRoom,
  {
    current: note<RoomPage>(({ data: { room } }) => <RefundTerms steps={room.refund_steps} />),
    refund_steps: refundSteps(),
  },
  {
    path: '/refunds',
    summary: 'Refunds',
    button: 'Continue',
    of,
    async confirm({ body, data: { room } }, deps) {
      const { length: existing } = await listUpcomingBookings(deps, room);
      return {
        title: `Refund terms of ${room.name}`,
        at: '/rooms',
        effects: (
          <>
            <RefundTerms steps={body.refund_steps!} />
            <p>
              This applies to all cancellations from now on, including those of existing bookings:{' '}
              {existing === 0
                ? 'there are none at the moment'
                : existing === 1
                  ? 'one is confirmed, and its booker sees the new terms'
                  : `${existing === MAX_CHECKED ? 'at least ' : ''}${existing} are confirmed, and their ` +
                    'bookers see the new terms'}
              .
            </p>
          </>
        ),
        button: 'Save refund terms',
      };
    },
    notice: ({ name }) => `The refund terms of ${name} have been saved.`,
  },
);

export const selfServiceOff = form(
  changeRoom,
  {},
  {
    path: '/self-service/off',
    summary: 'Self-service',
    button: 'Turn off self-service',
    explains:
      'Bookers can move and cancel their bookings with the link in their email, under the refund terms.',
    body: () => ({ self_service: false }),
    notice: ({ name }) =>
      `Bookers can no longer move or cancel their bookings of ${name}. They can still view them.`,
  },
);

export const selfServiceOn = form(
  changeRoom,
  {},
  {
    path: '/self-service/on',
    summary: 'Self-service',
    button: 'Turn on self-service',
    explains: 'Bookers can only view their bookings with the link in their email.',
    body: () => ({ self_service: true }),
    notice: ({ name }) => `Bookers can move and cancel their bookings of ${name}.`,
  },
);

export const archiving = archiveForms(changeRoom, {
  of: ({ room }: RoomPage) => room,
  explains:
    'The room can no longer be booked. Existing bookings are kept, and you can restore the room later.',
  done: { archive: 'can no longer be booked', restore: 'can be booked again' },
});
