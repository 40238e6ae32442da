import type { BookingDetails } from '../../../domain/bookings/details.js';
import { changeSchema } from '../../../api/resources/bookings/change-shape.js';
import { declaredForm, type DeclaredInput, type Entered } from '../shared/declared-form.js';

/** What staff enter and read of a booking's details. */
export const detailsForm = declaredForm(changeSchema, {
  attendees: { label: 'Attendees', type: 'number', required: true },
  notes: { label: 'Notes', rows: 3 },
} satisfies Record<keyof BookingDetails, DeclaredInput>);

/** The form's fields as submitted. */
export type EnteredDetails = Entered<typeof detailsForm>;
