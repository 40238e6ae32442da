import type { ApiContext } from '../../../api/http/context.js';
import { PrimaryLink } from '../shared/action.js';
import { pathIn } from '../shared/paths.js';

/** The main action of lists of bookings. */
export const BookARoom = ({ ctx }: { ctx: ApiContext }) => (
  <PrimaryLink href={pathIn(ctx, '/book')}>Book a room</PrimaryLink>
);
