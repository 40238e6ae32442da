import joi from 'joi';
import type { Extra } from '../../../db/entities/extras.js';
import { EXTRA_UNITS } from '../../../domain/extras.js';
import type { TaxCode } from '../../../domain/price.js';
import type { ApiContext } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { createSchema } from '../../../api/resources/extras/shape.js';
import { UNITS } from '../../ui/extras.js';
import { taxOptions } from '../invoices/invoice-actions.js';
import { RefundRows, stepsEntered } from '../rooms/refund-rows.js';
import { repeated } from '../rooms/room-change.js';
import { hiddenFields } from '../shared/api-form.js';
import { declaredForm, type Entered } from '../shared/declared-form.js';
import { Choice, Choices, Select, TextField } from '../shared/fields.js';
import { amountEntered, amountInput } from '../shared/money-field.js';

const words = declaredForm(createSchema, { name: { label: 'Name' } });
const numbers = declaredForm(createSchema, {
  stock: { label: 'How many there are (empty for any number)' },
  cutoff_hours: { label: 'Latest order before the start (hours, 0 for any time)' },
  accounting_account: { label: 'Account in the accounting system (optional)' },
});

const ownRefunds = joi.valid('room', 'own').default('room');

export const extraFields = {
  ...hiddenFields,
  ...words.fields,
  ...numbers.fields,
  unit: joi.string().allow(''),
  tax_code: text(50).allow(''),
  amount_minor: text(30).required(),
  rooms: repeated.items(text(36)).max(500),
  internal: joi.valid('on'),
  refunds: ownRefunds,
  hours_before: repeated,
  percent: repeated,
};

export type ExtraForm = Entered<typeof words> &
  Entered<typeof numbers> & {
    unit?: string;
    tax_code?: string;
    amount_minor: string;
    rooms: string[];
    internal?: 'on';
    refunds: 'room' | 'own';
    hours_before: string[];
    percent: string[];
  };

/** The body of the operation for a submitted form, in a currency. */
export const bodyOf = (form: ExtraForm, currency: string) => ({
  ...words.body(form),
  ...numbers.body(form),
  ...(form.unit && { unit: form.unit }),
  ...(form.tax_code && { tax_code: form.tax_code }),
  price: { currency, amount_minor: amountEntered(form.amount_minor, currency, 'amount_minor') ?? 0 },
  rooms: form.rooms.length > 0 ? form.rooms : null,
  internal: form.internal === 'on',
  refund_steps: form.refunds === 'own' ? stepsEntered(form) : null,
});

/** What the form offers to choose from. */
export interface ExtraOptions {
  rooms: { id: string; name: string }[];
  taxCodes: TaxCode[];
  currency: string;
}

/** The inputs for an extra. `action`: the form's. */
export function ExtraInputs(props: { ctx: ApiContext; action: string; of?: Extra; options: ExtraOptions }) {
  const { ctx, action, of, options } = props;
  const { currency } = options;
  const tax = of?.tax_code ?? options.taxCodes[0]?.code ?? '';
  return (
    <>
      <words.Inputs of={of} />
      <div class="grid">
        <div>
          <TextField
            name="amount_minor"
            label={`Price excluding tax (${currency})`}
            inputMode="decimal"
            required
            value={of && amountInput({ amount_minor: of.price_minor, currency })}
          />
        </div>
        <div>
          <Select
            name="unit"
            label="Charged"
            options={EXTRA_UNITS.map((unit) => [unit, UNITS[unit]] as const)}
            chosen={[of?.unit ?? 'piece']}
          />
        </div>
        <div>
          <Select name="tax_code" label="Tax" options={taxOptions(options.taxCodes)} chosen={[tax]} />
        </div>
      </div>
      <numbers.Inputs of={of ?? { cutoff_hours: 0 }} grid />
      {options.rooms.length > 0 && (
        <Choices
          name="rooms"
          label="Limit to rooms (none selected = all rooms)"
          options={options.rooms.map(({ id, name }) => [id, name] as const)}
          chosen={of?.room_ids ?? []}
        />
      )}
      <Choice name="internal" checked={of?.internal}>
        Only staff book it, such as cleaning
      </Choice>
      <Choices
        type="radio"
        name="refunds"
        label="A cancellation refunds it"
        options={[
          ['room', 'by the terms of the room'],
          ['own', 'by terms of its own'],
        ]}
        chosen={[of?.refund_steps ? 'own' : 'room']}
      />
      <div data-chooses="[name=refunds][value=own]">
        <RefundRows ctx={ctx} action={action} steps={of?.refund_steps ?? []} />
      </div>
    </>
  );
}
