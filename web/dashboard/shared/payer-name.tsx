import type { ListedPayer } from '../../../db/queries/billing/payer.js';
import type { ApiContext } from '../../../api/http/context.js';
import { can, type Capability } from '../../../domain/policies.js';
import { pathIn } from './api-form.js';

type Payer = Pick<ListedPayer, 'kind' | 'id' | 'name'>;

const PAGES: Record<Payer['kind'], readonly [Capability, path: string]> = {
  company: ['read_payers', '/companies/'],
  member: ['read_others', '/members/'],
  guest: ['all_bookings', '/guests?email='],
};

/** A payer's page; null for an erased person and for roles that cannot open it. */
export function pageOfPayer(ctx: ApiContext, { kind, id }: Pick<Payer, 'kind' | 'id'>): string | null {
  if (!id) return null;
  const [capability, path] = PAGES[kind];
  return can(ctx.state.membership!.role, capability) ? pathIn(ctx, path + encodeURIComponent(id)) : null;
}

/** A payer's name, with a link to their page. */
export function PayerName({ ctx, payer }: { ctx: ApiContext; payer: Payer | undefined }) {
  if (!payer) return <>—</>;
  const path = pageOfPayer(ctx, payer);
  return path ? <a href={path}>{payer.name}</a> : <>{payer.name}</>;
}
