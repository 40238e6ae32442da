import joi from 'joi';
import { useContext } from 'preact/hooks';
import { text } from '../../../api/http/fields.js';
import { TextField } from './fields.js';
import { FormRejectionContext } from './form.js';
import { exactInstantIn, LOCAL, localTime } from './local-time.js';

/** The times of a form: local ones in a room's zone, with the instants that it was filled in with. */
export interface EnteredTimes {
  start_at: string;
  end_at: string;
  exact_start?: string;
  exact_end?: string;
}

export const timeFields = {
  start_at: text(30).required(),
  end_at: text(30).required(),
  exact_start: text(30).allow(''),
  exact_end: text(30).allow(''),
};

const local = joi.string().pattern(LOCAL).allow('');
const instant = joi.string().isoDate().max(30).allow('');

/** The times in the address of a page with such a form. */
export const timesInQuery = { start_at: local, end_at: local, exact_start: instant, exact_end: instant };

/** The instants of a form's times. Errors: 422 on the field. */
export const readInstants = (form: EnteredTimes, timeZone: string) => ({
  start: exactInstantIn({ value: form.start_at, exact: form.exact_start }, timeZone, 'start_at'),
  end: exactInstantIn({ value: form.end_at, exact: form.exact_end }, timeZone, 'end_at'),
});

/** The times of a booking as the fields have them. */
export const toEnteredTimes = (booking: {
  start_at: Date;
  end_at: Date;
  time_zone: string;
}): EnteredTimes => ({
  start_at: localTime(booking.start_at, booking.time_zone),
  end_at: localTime(booking.end_at, booking.time_zone),
  exact_start: booking.start_at.toISOString(),
  exact_end: booking.end_at.toISOString(),
});

/** The fields of a start and an end. Those that are `fixed` are sent as they are, and not shown. */
export function TimeFields({ of, fixed }: { of: Partial<EnteredTimes>; fixed?: 'start' | 'both' }) {
  const submitted = useContext(FormRejectionContext)?.submitted;
  const exact = (name: 'exact_start' | 'exact_end') => [submitted?.[name] ?? of[name]].flat()[0];
  const field = (name: 'start_at' | 'end_at', label: string, isFixed: boolean) =>
    isFixed ? (
      <input type="hidden" name={name} value={of[name]} />
    ) : (
      <div>
        <TextField name={name} label={label} type="datetime-local" required value={of[name]} />
      </div>
    );
  return (
    <>
      <div class="grid times">
        {field('start_at', 'Start', fixed !== undefined)}
        {field('end_at', 'End', fixed === 'both')}
      </div>
      <input type="hidden" name="exact_start" value={exact('exact_start') ?? ''} />
      <input type="hidden" name="exact_end" value={exact('exact_end') ?? ''} />
    </>
  );
}
