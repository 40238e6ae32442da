import joi from 'joi';
import { RATE_UNITS } from '../../../domain/rates/rates.js';
import { boxes, type Input, type Inputs } from '../forms/inputs.js';
import { Select } from '../shared/fields.js';
import { DAY_NAMES, WEEK } from '../rooms/words.js';
import { audience } from './audience.js';

/** What the price of a rate is for, or that the room is closed. */
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
          ['hour', 'for an hour'],
          ['flat', 'flat, for the whole window'],
          ['day', 'for a day'],
          ['closed', 'none: the room is closed'],
        ]}
        chosen={[rate?.closed ? 'closed' : (rate?.unit ?? 'hour')]}
      />
    );
  },
  wide: () => false,
  called: () => ({}),
};

/** The inputs of a rate. */
export const rateInputs: Inputs<unknown> = {
  name: 'Name, shown on invoices',
  unit,
  amount_minor: { label: 'Amount in {currency}, without tax', required: false },
  from: { label: 'From (optional)', type: 'time', called: 'start of the window' },
  to: { label: 'Until (optional)', type: 'time', called: 'end of the window' },
  days: boxes(
    'Days on which it begins (none = every day)',
    WEEK.map((day) => [day, DAY_NAMES[day]]),
  ),
  'dates.from': { label: 'First date (optional)', type: 'date', called: 'first date' },
  'dates.to': { label: 'Last date (optional)', type: 'date', called: 'last date' },
  audience: audience(),
  minimum_minor: { label: 'At least, in a booking (optional)', called: 'minimum' },
  day_cap_minor: { label: 'At most, in a day (optional)', called: 'limit of a day' },
  cap_minor: { label: 'At most, in a booking (optional)', called: 'limit of a booking' },
  min_minutes: {
    label: 'Only bookings of at least so many minutes (optional)',
    called: 'minimum length',
  },
  'notice.min_minutes': {
    label: 'Only if booked so many minutes before, or earlier (optional)',
    called: 'latest time to book',
  },
  'notice.max_days': {
    label: 'Only if booked at most so many days before (optional)',
    called: 'earliest time to book',
  },
  accounting_account: 'Account in the accounting system (optional)',
  always: {
    label: 'Charge a flat or day price also where the hours cost less',
    called: 'choice to charge it always',
  },
};
