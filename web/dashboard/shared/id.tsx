import { can } from '../../../domain/policies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { pathIn } from './paths.js';

/** An id, shortened. A click selects all of it, so that copying it takes the complete id. */
export function Id({ of }: { of: string }) {
  return (
    <code class="id" title={of}>
      {of}
    </code>
  );
}

/**
 * A booking's reference and id, or `what` it is, with a link to its page for those who can open it: its
 * booker, and roles that see all.
 */
export function BookingLink(props: {
  ctx: ApiContext;
  id: string;
  reference: string | null;
  own?: boolean;
  what?: string;
}) {
  const { ctx, id, reference, own = false, what } = props;
  const shown = (
    <>
      {what} {reference && <code>{reference}</code>} {!what && <Id of={id} />}
    </>
  );
  if (!own && !can(ctx.state.membership!.role, 'all_bookings')) return shown;
  return <a href={pathIn(ctx, `/bookings/${id}`)}>{shown}</a>;
}
