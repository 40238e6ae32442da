import type { ListedPayer } from '../../../db/queries/invoices/payer.js';
import type { ApiContext } from '../../../api/http/context.js';
import { can, type Capability } from '../../../domain/policies.js';
import { pathIn } from './paths.js';

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

/** Whether the payer gets no email until an address is added. */
export const lacksAddress = (payer: Pick<ListedPayer, 'kind' | 'has_email'> | undefined): boolean =>
  payer?.kind === 'company' && !payer.has_email;

/** For lists, next to the payer's name. */
export const NotEmailed = () => <small class="alert">not emailed: no billing email</small>;

/** Warns that a company gets no email, with a link to add an address. */
export function NoAddress({ ctx, payer }: { ctx: ApiContext; payer: Payer }) {
  const path = pageOfPayer(ctx, payer);
  return (
    <span class="alert">
      Neither the invoice nor reminders are emailed: {payer.name} has no billing email.
      {path && can(ctx.state.membership!.role, 'write_companies') && (
        <>
          {' '}
          <a href={path}>Add one</a>
        </>
      )}
    </span>
  );
}

/** A payer's name, with a link to their page. */
export function PayerName({ ctx, payer }: { ctx: ApiContext; payer: Payer | undefined }) {
  if (!payer) return <>—</>;
  const path = pageOfPayer(ctx, payer);
  return path ? <a href={path}>{payer.name}</a> : <>{payer.name}</>;
}
