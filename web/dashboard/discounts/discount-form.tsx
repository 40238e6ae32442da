import joi from 'joi';
import type { Discount } from '../../../db/entities/discounts.js';
import { text } from '../../../api/http/fields.js';
import { repeated } from '../rooms/room-change.js';
import { hiddenFields } from '../shared/api-form.js';
import { numberEntered } from '../shared/declared-form.js';
import {
  audienceEntered,
  audienceFields,
  AudiencePlans,
  AudienceSelect,
  type AudienceForm,
} from '../shared/audience.js';
import { Choices, TextField } from '../shared/fields.js';
import { instantIn, localTime } from '../shared/local-time.js';
import { amountEntered } from '../shared/money-field.js';

const line = text(60).trim().allow('');

const usableFields = {
  ...hiddenFields,
  rooms: repeated.items(text(36)).max(500),
  ...audienceFields,
  valid_from: line,
  valid_until: line,
  max_uses: line,
  max_uses_per_payer: line,
};

export const changedFields = usableFields;
export const newFields = {
  ...usableFields,
  code: line,
  takes: joi.valid('percent', 'amount_minor').required(),
  percent: line,
  amount_minor: line,
};

export interface ChangedForm extends AudienceForm {
  rooms: string[];
  valid_from?: string;
  valid_until?: string;
  max_uses?: string;
  max_uses_per_payer?: string;
}

export interface NewForm extends ChangedForm {
  code?: string;
  takes: 'percent' | 'amount_minor';
  percent?: string;
  amount_minor?: string;
}

/** Where a code is entered and shown: the workspace's zone and currency, and its rooms. */
export interface DiscountOptions {
  rooms: { id: string; name: string }[];
  time_zone: string;
  currency: string;
}

/** The body of a change for a submitted form. `before`: the code that it changes. */
export function bodyOf(form: ChangedForm, time_zone: string, before: Discount | null) {
  const instant = (name: 'valid_from' | 'valid_until'): string | null =>
    form[name] ? instantIn(form[name], time_zone, name).toISOString() : null;
  return {
    rooms: form.rooms.length > 0 ? form.rooms : null,
    audience: audienceEntered(form, before?.audience ?? null),
    valid_from: instant('valid_from'),
    valid_until: instant('valid_until'),
    /** What is no number is refused by the operation. */
    max_uses: numberEntered(form.max_uses),
    max_uses_per_payer: numberEntered(form.max_uses_per_payer),
  };
}

/** The body of a create for a submitted form. */
export const newBodyOf = (form: NewForm, { time_zone, currency }: DiscountOptions) => ({
  ...bodyOf(form, time_zone, null),
  code: form.code ?? '',
  ...(form.takes === 'percent'
    ? { percent: numberEntered(form.percent) ?? undefined }
    : { amount_minor: amountEntered(form.amount_minor, currency, 'amount_minor') ?? undefined }),
});

/** The inputs of what a code is and takes off, which cannot be changed later. */
export function WorthInputs({ currency }: { currency: string }) {
  return (
    <>
      <TextField name="code" label="Code, such as SPRING-10" required maxLength={40} autocomplete="off" />
      <Choices
        type="radio"
        name="takes"
        label="Takes off"
        options={[
          ['percent', 'a percentage'],
          ['amount_minor', 'an amount'],
        ]}
        chosen={['percent']}
      />
      <div class="grid">
        <div data-chooses="[name=takes][value=percent]">
          <TextField name="percent" label="Percent" inputMode="decimal" />
        </div>
        <div data-chooses="[name=takes][value=amount_minor]">
          <TextField name="amount_minor" label={`Amount in ${currency}, without tax`} inputMode="decimal" />
        </div>
      </div>
    </>
  );
}

/** The inputs of who can use a code, where, when and how often. */
export function UseInputs({ of, options }: { of?: Discount; options: DiscountOptions }) {
  const { rooms, time_zone } = options;
  const local = (at: Date | null | undefined): string | undefined =>
    at ? localTime(at, time_zone) : undefined;
  const count = (value: number | null | undefined): string | undefined =>
    value === null || value === undefined ? undefined : String(value);
  return (
    <>
      <div class="grid">
        <div>
          <TextField
            name="valid_from"
            label={`Valid from (optional, ${time_zone})`}
            type="datetime-local"
            value={local(of?.valid_from)}
          />
        </div>
        <div>
          <TextField
            name="valid_until"
            label={`Valid until (optional, ${time_zone})`}
            type="datetime-local"
            value={local(of?.valid_until)}
          />
        </div>
        <div>
          <TextField
            name="max_uses"
            label="How many bookings can use it (empty for any number)"
            inputMode="numeric"
            value={count(of?.max_uses)}
          />
        </div>
        <div>
          <TextField
            name="max_uses_per_payer"
            label="How many of one person (empty for any number)"
            inputMode="numeric"
            value={count(of?.max_uses_per_payer)}
          />
        </div>
        <div>
          <AudienceSelect of={of?.audience} />
        </div>
      </div>
      <AudiencePlans of={of?.audience} />
      {rooms.length > 0 && (
        <Choices
          name="rooms"
          label="Limit to rooms (none selected = all rooms)"
          options={rooms.map(({ id, name }) => [id, name] as const)}
          chosen={of?.room_ids ?? []}
        />
      )}
    </>
  );
}
