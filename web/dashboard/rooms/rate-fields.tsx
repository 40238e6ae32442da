import joi from 'joi';
import type { RoomRate } from '../../../domain/rates.js';
import { text } from '../../../api/http/fields.js';
import { hiddenFields } from '../shared/api-form.js';
import {
  audienceEntered,
  audienceFields,
  AudiencePlans,
  AudienceSelect,
  type AudienceForm,
} from '../shared/audience.js';
import { Choice, Choices, Select, TextField } from '../shared/fields.js';
import { numberEntered } from '../shared/declared-form.js';
import { amountEntered, amountInput } from '../shared/money-field.js';
import { repeated } from './room-change.js';
import { DAY_NAMES, WEEK } from './words.js';

const AMOUNTS = [
  ['minimum_minor', 'At least, in a booking (optional)'],
  ['day_cap_minor', 'At most, in a day (optional)'],
  ['cap_minor', 'At most, in a booking (optional)'],
] as const;

/** What the form of a rate submits. */
export interface RateForm extends AudienceForm, Record<string, unknown> {
  version: string;
  name: string;
  days: RoomRate['days'];
  unit: RoomRate['unit'] | 'closed';
  always?: 'on';
}

const line = text(200).trim().allow('');

export const versionFields = {
  ...hiddenFields,
  version: joi
    .string()
    .pattern(/^\d{1,9}$/)
    .required(),
};

export const rateFields = {
  ...versionFields,
  name: line,
  days: repeated,
  from: line,
  to: line,
  dates_from: line,
  dates_to: line,
  ...audienceFields,
  unit: joi.valid('hour', 'flat', 'day', 'closed').required(),
  amount_minor: line,
  ...Object.fromEntries(AMOUNTS.map(([name]) => [name, line])),
  always: joi.valid('on'),
  min_minutes: line,
  notice_minutes: line,
  notice_days: line,
  accounting_account: line,
};

/** The rate of a form as the API takes it. `before`: the rate that it changes; null for a new one. */
export function rateEntered(form: RateForm, currency: string, before: RoomRate | null) {
  const entered = (name: string): string | null => (form[name] as string | undefined) || null;
  const amount = (name: string): number | null =>
    amountEntered(form[name] as string | undefined, currency, name);
  /** What is no number is refused by the operation. */
  const number = (name: string) => numberEntered(form[name] as string | undefined) as number | null;
  const closed = form.unit === 'closed';
  const [first, last] = [entered('dates_from'), entered('dates_to')];
  const [soonest, earliest] = [number('notice_minutes'), number('notice_days')];
  return {
    ...(before && { id: before.id }),
    name: form.name,
    days: form.days && form.days.length > 0 ? form.days : null,
    from: entered('from'),
    to: entered('to'),
    dates: first || last ? { from: first, to: last } : null,
    audience: audienceEntered(form, before?.audience ?? null),
    unit: form.unit === 'closed' ? ('hour' as const) : form.unit,
    ...(closed
      ? { amount_minor: amount('amount_minor') ?? 0 }
      : { amount_minor: amount('amount_minor') ?? undefined }),
    ...Object.fromEntries(AMOUNTS.map(([name]) => [name, amount(name)])),
    min_minutes: number('min_minutes'),
    notice: soonest === null && earliest === null ? null : { min_minutes: soonest, max_days: earliest },
    closed,
    always: form.always === 'on',
    accounting_account: entered('accounting_account'),
  };
}

/** The inputs of a rate, with the values of one that is changed. */
export function RateInputs({ rate, currency }: { rate: RoomRate | null; currency: string }) {
  const shown = (minor: number | null | undefined): string | undefined =>
    minor === null || minor === undefined ? undefined : amountInput({ amount_minor: minor, currency });
  const number = (value: number | null | undefined): string | undefined =>
    value === null || value === undefined ? undefined : String(value);
  const unit = rate?.closed ? 'closed' : (rate?.unit ?? 'hour');
  return (
    <>
      <TextField name="name" label="Name, shown on invoices" required maxLength={200} value={rate?.name} />
      <div class="grid">
        <div>
          <Select
            name="unit"
            label="Price"
            options={[
              ['hour', 'for an hour'],
              ['flat', 'flat, for the whole window'],
              ['day', 'for a day'],
              ['closed', 'none: the room is closed'],
            ]}
            chosen={[unit]}
          />
        </div>
        <div>
          <TextField
            name="amount_minor"
            label={`Amount in ${currency}, without tax`}
            inputMode="decimal"
            value={rate?.closed ? undefined : shown(rate?.amount_minor)}
          />
        </div>
        <div>
          <TextField name="from" label="From (optional)" type="time" value={rate?.from ?? undefined} />
        </div>
        <div>
          <TextField name="to" label="Until (optional)" type="time" value={rate?.to ?? undefined} />
        </div>
      </div>
      <Choices
        name="days"
        label="Days on which it begins (none = every day)"
        options={WEEK.map((day) => [day, DAY_NAMES[day]])}
        chosen={rate?.days ?? []}
      />
      <div class="grid">
        <div>
          <TextField
            name="dates_from"
            label="First date (optional)"
            type="date"
            value={rate?.dates?.from ?? undefined}
          />
        </div>
        <div>
          <TextField
            name="dates_to"
            label="Last date (optional)"
            type="date"
            value={rate?.dates?.to ?? undefined}
          />
        </div>
        <div>
          <AudienceSelect of={rate?.audience} />
        </div>
      </div>
      <AudiencePlans of={rate?.audience} />
      <div class="grid">
        {AMOUNTS.map(([name, label]) => (
          <div key={name}>
            <TextField name={name} label={label} inputMode="decimal" value={shown(rate?.[name])} />
          </div>
        ))}
        <div>
          <TextField
            name="min_minutes"
            label="Only bookings of at least so many minutes (optional)"
            inputMode="numeric"
            value={number(rate?.min_minutes)}
          />
        </div>
        <div>
          <TextField
            name="notice_minutes"
            label="Only if booked so many minutes before, or earlier (optional)"
            inputMode="numeric"
            value={number(rate?.notice?.min_minutes)}
          />
        </div>
        <div>
          <TextField
            name="notice_days"
            label="Only if booked at most so many days before (optional)"
            inputMode="numeric"
            value={number(rate?.notice?.max_days)}
          />
        </div>
        <div>
          <TextField
            name="accounting_account"
            label="Account in the accounting system (optional)"
            maxLength={50}
            value={rate?.accounting_account ?? undefined}
          />
        </div>
      </div>
      <Choice name="always" checked={rate?.always ?? false}>
        Charge a flat or day price also where the hours cost less
      </Choice>
    </>
  );
}
