import type { Room } from '../../../db/entities/rooms.js';
import { planName, type Plans } from '../../../domain/members/plans.js';
import { planOptions } from '../members/tier-options.js';
import { TIERS, type TaxCode } from '../../../domain/rates/price.js';
import type { ApiContext } from '../../../api/http/context.js';
import { taxOptions } from '../invoices/invoice-forms.js';
import { Action } from '../shared/action.js';
import { pathIn } from '../shared/api-form.js';
import { Choices, Select, TextField } from '../shared/fields.js';
import { updateSchema } from '../../../api/resources/rooms/shape.js';
import { inputOf } from '../shared/declared-fields.js';
import { amountInput } from '../shared/money-field.js';
import { RefundRows, submittedOf } from './refund-rows.js';
import { DAY_NAMES, refundsInWords, WEEK } from './words.js';
import { ENGLISH } from '../../../domain/words/words.js';

interface Props {
  ctx: ApiContext;
  room: Room;
}

/** Times of opening and closing per day: at least two spans, so that a lunch break fits. */
const MIN_SPANS = 2;

/** The form of the opening hours, with a row per weekday. */
export function HoursForm({ ctx, room }: Props) {
  const action = pathIn(ctx, `/rooms/${room.id}/hours`);
  const hours = room.opening_hours ?? {};
  const spans = Math.max(MIN_SPANS, ...WEEK.map((day) => hours[day]?.length ?? 0));
  return (
    <Action ctx={ctx} action={action} summary="Opening hours" button="Preview next week">
      <Choices
        type="radio"
        name="mode"
        label="The room is open"
        options={[
          ['always', 'always'],
          ['weekly', 'at these hours'],
        ]}
        chosen={[room.opening_hours ? 'weekly' : 'always']}
      />
      <table class="inputs plain" data-chooses="[name=mode][value=weekly]">
        <thead>
          <tr>
            <td />
            {Array.from({ length: spans }, (_, span) => (
              <th key={span} scope="col">
                {span === 0 ? 'From – until' : 'and from – until'}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WEEK.map((day) => {
            const times = submittedOf(ctx, action, day) ?? (hours[day] ?? []).flat();
            return (
              <tr key={day}>
                <th scope="row">{DAY_NAMES[day]}</th>
                {Array.from({ length: spans }, (_, span) => (
                  <td key={span} class="span">
                    {[0, 1].map((end) => (
                      <input
                        key={end}
                        type="time"
                        name={day}
                        id={span + end === 0 ? day : undefined}
                        aria-label={
                          `${DAY_NAMES[day]} ` +
                          `${end ? 'until' : 'from'}${span ? `, part ${span + 1}` : ''}`
                        }
                        value={times[span * 2 + end]}
                      />
                    ))}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="hint">A day without times is closed. An end at or before its start is on the next day.</p>
    </Action>
  );
}

/** The form of price, tax, and who can book. */
export function PriceForm({ ctx, room, taxCodes, plans }: Props & { taxCodes: TaxCode[]; plans: Plans }) {
  const { currency, price_per_hour_minor } = room;
  return (
    <Action
      ctx={ctx}
      action={pathIn(ctx, `/rooms/${room.id}/price`)}
      summary="Price and access"
      button="Save"
    >
      <TextField
        name="amount_minor"
        label={`Price per hour excluding tax (${currency})`}
        inputMode="decimal"
        required
        value={amountInput({ amount_minor: price_per_hour_minor, currency })}
      />
      <Select name="tax_code" label="Tax" options={taxOptions(taxCodes)} chosen={[room.tax_code]} />
      <Choices
        name="tiers"
        label="Limit to plans (none selected = everyone, including guests)"
        options={planOptions(plans)}
        chosen={room.tiers ?? []}
      />
      <div class="grid">
        {TIERS.map((tier) => (
          <div key={tier}>
            <TextField
              {...inputOf(updateSchema, `tier_discounts.${tier}`)}
              name={`discount_${tier}`}
              label={`${planName(plans, tier)} discount (%)`}
              value={room.tier_discounts[tier] ?? ''}
            />
          </div>
        ))}
      </div>
      <p class="hint">Existing bookings keep their price.</p>
    </Action>
  );
}

/** The form of the refund steps. */
export function RefundsForm({ ctx, room }: Props) {
  const action = pathIn(ctx, `/rooms/${room.id}/refunds`);
  return (
    <Action ctx={ctx} action={action} summary="Refunds" button="Continue">
      <ul>
        {refundsInWords(ENGLISH, room.refund_steps).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <RefundRows ctx={ctx} action={action} steps={room.refund_steps} />
    </Action>
  );
}
