import * as s from '../shared/shapes.js';

/** The number of bookings from which a guest was erased. */
export const erased = s.shape({
  bookings: s.count.description('The number of bookings from which the guest was erased.'),
});
