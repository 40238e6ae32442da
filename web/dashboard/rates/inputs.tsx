import joi from 'joi';
import { RATE_UNITS } from '../../../domain/rates/rates.js';
import { boxes, together, type Input, type Inputs } from '../forms/inputs.js';
import { Select } from '../shared/fields.js';
import { shortDay, WEEK } from '../rooms/words.js';
import type { WithCompanies } from '../companies/choice.js';
import { audience } from './audience.js';

/** The unit of a rate's price, or that the room is closed. */
const unit: Input = {
  fields: (name) => ({ [name]: joi.valid(...RATE_UNITS, 'closed').required() }),
  read: (name, form) =>
    form[name] === 'closed' ? { unit: 'hour', closed: true } : { unit: form[name], closed: false },
  Show({ name, shown: { of } }) {
    const rate = of as { closed: boolean; unit: string } | undefined;
    return (
      <Select
        name={name}
        label="Price"
        options={[
          ['hour', 'per hour'],
          ['flat', 'flat for the whole window'],
          ['day', 'per day'],
          ['closed', 'closed'],
        ]}
        chosen={[rate?.closed ? 'closed' : (rate?.unit ?? 'hour')]}
      />
    );
  },
  wide: () => false,
  called: () => ({}),
};

/** What a rate is called, and when it applies: the first step. */
export const whenInputs: Inputs<unknown> = {
  name: 'Name on invoices',
  weekdays: together(
    {
      days: boxes(
        'Start days (none = every day)',
        WEEK.map((day) => [day, shortDay(day)]),
      ),
    },
    ({ children }) => <div class="chips">{children}</div>,
  ),
  from: { label: 'From', type: 'time', called: 'start of the window' },
  to: { label: 'Until', type: 'time', called: 'end of the window' },
  'dates.from': { label: 'First date', type: 'date', called: 'first date' },
  'dates.to': { label: 'Last date', type: 'date', called: 'last date' },
};

const limits: Inputs<WithCompanies> = {
  minimum_minor: { label: 'Minimum per booking {tax}', called: 'minimum' },
  day_cap_minor: { label: 'Maximum per day {tax}', called: 'maximum per day' },
  cap_minor: { label: 'Maximum per booking {tax}', called: 'maximum per booking' },
  min_minutes: {
    label: 'Minimum length in minutes',
    called: 'minimum length',
  },
  'notice.min_minutes': {
    label: 'Minimum notice in minutes',
    called: 'minimum notice',
  },
  'notice.max_days': {
    label: 'Maximum notice in days',
    called: 'maximum notice',
  },
  accounting_account: 'Sales account',
  always: {
    label: 'Always charge the flat or day price, even if hourly costs less',
    called: 'option to always charge it',
  },
};

/** For whom a rate is, and what it costs: the second step. */
export const priceInputs: Inputs<WithCompanies> = {
  audience: audience(),
  unit,
  amount_minor: { label: 'Amount {tax} ({currency})', required: false, optional: false },
  ...limits,
};
