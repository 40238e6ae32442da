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

/** Whether a payer gets no invoices and reminders by mail until somebody adds an address. */
export const lacksAddress = (payer: Pick<ListedPayer, 'kind' | 'has_email'> | undefined): boolean =>
  payer?.kind === 'company' && !payer.has_email;

/** The same beside the name of the payer in a list. */
export const NotEmailed = () => <small class="alert">not emailed: no billing email</small>;

/** That a company gets no mail, with the way to its address. */
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
