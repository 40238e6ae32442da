import type { Room } from '../../../db/entities/rooms.js';
import { TIERS } from '../../../domain/rates/price.js';
import { text } from '../../../api/http/fields.js';
import { roomOf } from '../../../api/resources/rooms/handlers.js';
import { apiForm, hiddenFields } from '../shared/api-form.js';
import { textFields } from '../shared/declared-fields.js';
import { numberEntered } from '../shared/declared-form.js';
import { amountEntered } from '../shared/money-field.js';
import type { FormRoute } from '../shared/section.js';
import {
  appearanceFields,
  appearanceForm,
  arrivalFields,
  arrivalForm,
  detailsFields,
  detailsForm,
} from './details.js';
import { hoursFields, hoursForm } from './hours-form.js';
import { partsFields, partsForm } from './parts-form.js';
import { stepsEntered } from './refund-rows.js';
import { repeated, roomChange } from './room-change.js';
import { MAX_CHECKED, upcomingOf } from './upcoming-bookings.js';
import { refundsInWords } from './words.js';
import { updateSchema } from '../../../api/resources/rooms/shape.js';
import { ENGLISH } from '../../../domain/words/words.js';

const saved = ({ name }: { name: string }): string => `${name} has been saved.`;

type PriceForm = { amount_minor: string; tax_code: string; tiers: string[] } & Record<string, unknown>;

const priceForm = apiForm<PriceForm, { name: string }>({
  ...roomChange,
  async body({ amount_minor, tax_code, tiers, ...form }, ctx, deps) {
    const { currency } = await roomOf(ctx, deps);
    const discounts = TIERS.map((tier) => [
      tier,
      numberEntered(form[`discount_${tier}`] as string | undefined),
    ]);
    return {
      price_per_hour: { currency, amount_minor: amountEntered(amount_minor, currency, 'amount_minor') ?? 0 },
      tax_code,
      tiers: tiers.length > 0 ? tiers : null,
      tier_discounts: Object.fromEntries(discounts.filter(([, percent]) => percent)),
    };
  },
  notice: saved,
});

const refundsForm = apiForm<{ hours_before: string[]; percent: string[] }, { name: string }>({
  ...roomChange,
  body: (form) => ({ refund_steps: stepsEntered(form) }),
  async confirm(_form, ctx, deps) {
    const room = await roomOf(ctx, deps);
    const { name } = room;
    const { length: existing } = await upcomingOf(deps, room);
    const { refund_steps } = ctx.state.body as Pick<Room, 'refund_steps'>;
    return {
      title: `Refund terms of ${name}`,
      at: '/rooms',
      effects: (
        <>
          <ul>
            {refundsInWords(ENGLISH, refund_steps).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <p>
            This applies to all cancellations from now on, including those of existing bookings:{' '}
            {existing === 0
              ? 'there are none at the moment'
              : existing === 1
                ? 'one is confirmed, and its payer sees the new terms'
                : `${existing === MAX_CHECKED ? 'at least ' : ''}${existing} are confirmed, and their ` +
                  'payers see the new terms'}
            .
          </p>
        </>
      ),
      button: 'Save refund terms',
    };
  },
  notice: ({ name }) => `The refund terms of ${name} have been saved.`,
});

const archiveForm = (archived: boolean) =>
  apiForm<unknown, { name: string }>({
    ...roomChange,
    body: () => ({ archived }),
    notice: ({ name }) => (archived ? `${name} can no longer be booked.` : `${name} can be booked again.`),
  });

const selfServiceForm = (self_service: boolean) =>
  apiForm<unknown, { name: string }>({
    ...roomChange,
    body: () => ({ self_service }),
    notice: ({ name }) =>
      self_service
        ? `Payers can move and cancel their bookings of ${name}.`
        : `Payers can no longer move or cancel their bookings of ${name}; they can still view them.`,
  });

const changes: FormRoute[] = [
  ['/hours', hoursFields, hoursForm],
  [
    '/price',
    {
      ...hiddenFields,
      amount_minor: text(30).required(),
      ...textFields(updateSchema, 'tax_code'),
      ...Object.fromEntries(TIERS.map((tier) => [`discount_${tier}`, text(20).allow('')])),
      tiers: repeated,
    },
    priceForm,
  ],
  ['/details', detailsFields, detailsForm],
  ['/appearance', appearanceFields, appearanceForm],
  ['/arrival', arrivalFields, arrivalForm],
  ['/parts', partsFields, partsForm],
  ['/refunds', { ...hiddenFields, hours_before: repeated, percent: repeated }, refundsForm],
  ['/self-service/on', hiddenFields, selfServiceForm(true)],
  ['/self-service/off', hiddenFields, selfServiceForm(false)],
  ['/archive', hiddenFields, archiveForm(true)],
  ['/restore', hiddenFields, archiveForm(false)],
];

/** The forms that change a room. Its page is also for who closes rooms only. */
export const roomForms: FormRoute[] = changes.map(([path, fields, action]) => [
  path,
  fields,
  action,
  'write_rooms',
]);
