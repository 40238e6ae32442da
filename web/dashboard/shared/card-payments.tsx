import type { ComponentChildren } from 'preact';
import type { ApiContext } from '../../../api/http/context.js';
import type { ApiError } from '../../../domain/errors.js';
import { can } from '../../../domain/policies.js';
import { pathIn } from './paths.js';

/** Whether an error says that the workspace has no working account at the processor. */
export const lacksAccount = ({ code }: ApiError): boolean => code === 'processor_unconfigured';

interface LinkProps {
  ctx: ApiContext;
  children: ComponentChildren;
  /** What other roles see; by default the words alone. */
  others?: ComponentChildren;
}

/** A link to the page where Stripe is connected, for roles that can connect it. */
export function CardPaymentsLink({ ctx, children, others = children }: LinkProps) {
  const { membership } = ctx.state;
  if (!membership || !can(membership.role, 'write_workspace')) return <>{others}</>;
  return <a href={pathIn(ctx, '/processor')}>{children}</a>;
}

/** The link on its own, after a message that card payments are not available. */
export const SetUpCardPayments = ({ ctx }: { ctx: ApiContext }) => (
  <CardPaymentsLink ctx={ctx} others={null}>
    Set up card payments
  </CardPaymentsLink>
);
