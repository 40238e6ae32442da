import type { Section } from '../shared/section.js';
import { askProcessor } from './ask-processor.js';
import { cancelFields, cancelForm } from './cancel.js';
import { guestFields, guestForm } from './guest.js';
import { noShowForm } from './no-show.js';
import { showBooking } from './booking.js';
import { bookingsQuery, showBookings } from './bookings.js';
import { changeForm } from './change.js';
import { changeFields } from './change-body.js';
import { changeQuery, showChange } from './change-form.js';
import { payerActions } from './payer-actions.js';
import { showSummary } from './summary.js';
import { takePaymentFields, takePaymentForm } from './take-payment.js';
import { withdrawForm } from './pending-change.js';
import { hiddenFields } from '../shared/api-form.js';

export const bookings: Section = [
  { path: '/bookings', query: bookingsQuery, show: showBookings },
  {
    path: '/bookings/:id',
    capability: 'own_bookings',
    show: showBooking,
    forms: [
      ['/cancel', cancelFields, cancelForm],
      ['/payments', takePaymentFields, takePaymentForm, 'all_bookings'],
      ['/withdraw-change', hiddenFields, withdrawForm],
      ['/no-show', hiddenFields, noShowForm, 'all_bookings'],
      ['/guest', guestFields, guestForm, 'all_bookings'],
      ['/ask', {}, askProcessor, 'all_bookings'],
      ...payerActions,
    ],
  },
  { path: '/bookings/:id/summary', capability: 'all_bookings', show: showSummary },
  {
    path: '/bookings/:id/change',
    capability: 'own_bookings',
    query: changeQuery,
    show: showChange,
    forms: [['', changeFields, changeForm]],
  },
];
