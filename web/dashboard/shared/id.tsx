import { can } from '../../../domain/policies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { pathIn } from './api-form.js';

/** An id, shortened. A click selects all of it, so that copying it takes the complete id. */
export function Id({ of }: { of: string }) {
  return (
    <code class="id" title={of}>
      {of}
    </code>
  );
}

/** A booking's id, with a link to its page for roles that can open it. */
export function BookingLink({ ctx, id }: { ctx: ApiContext; id: string }) {
  if (!can(ctx.state.membership!.role, 'all_bookings')) return <Id of={id} />;
  return (
    <a href={pathIn(ctx, `/bookings/${id}`)}>
      <Id of={id} />
    </a>
  );
}
