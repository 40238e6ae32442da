import { can } from '../../../domain/policies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { pathIn } from '../shared/api-form.js';
import { Id } from '../../ui/format.js';

/** A booking's id, with a link to its page for roles that can open it. */
export function BookingLink({ ctx, id }: { ctx: ApiContext; id: string }) {
  if (!can(ctx.state.membership!.role, 'all_bookings')) return <Id of={id} />;
  return (
    <a href={pathIn(ctx, `/bookings/${id}`)}>
      <Id of={id} />
    </a>
  );
}
