import type { ListedPayer } from '../../../db/queries/billing/payer.js';
import type { ApiContext } from '../../../api/http/context.js';
import { can } from '../../../domain/policies.js';
import { pathIn } from './api-form.js';

type Payer = Pick<ListedPayer, 'kind' | 'id' | 'name'>;

/** A payer's page; null for an erased person and for roles that cannot open it. */
function pathOfPayer(ctx: ApiContext, { kind, id }: Payer): string | null {
  if (!id) return null;
  if (kind === 'company') return pathIn(ctx, `/companies/${id}`);
  if (kind === 'member') return pathIn(ctx, `/members/${id}`);
  return can(ctx.state.membership!.role, 'all_bookings')
    ? pathIn(ctx, `/guests?email=${encodeURIComponent(id)}`)
    : null;
}

/** A payer's name, with a link to their page. */
export function PayerName({ ctx, payer }: { ctx: ApiContext; payer: Payer | undefined }) {
  if (!payer) return <>—</>;
  const path = pathOfPayer(ctx, payer);
  return path ? <a href={path}>{payer.name}</a> : <>{payer.name}</>;
}
