import type { ComponentChildren } from 'preact';
import type { ApiContext } from '../../../api/http/context.js';
import type { ApiError } from '../../../domain/errors.js';
import { can } from '../../../domain/policies.js';
import { pathIn } from './paths.js';

/** Whether an error says that the workspace has no working account at the processor. */
export const lacksAccount = ({ code }: ApiError): boolean => code === 'processor_unconfigured';

/** Words that lead to where Stripe is connected, for roles that can do it; else the words. */
export function CardPaymentsLink({ ctx, children }: { ctx: ApiContext; children: ComponentChildren }) {
  const { membership } = ctx.state;
  if (!membership || !can(membership.role, 'write_workspace')) return <>{children}</>;
  return <a href={pathIn(ctx, '/processor')}>{children}</a>;
}

/** The link on its own, after a message that card payments are not available. */
export function SetUpCardPayments({ ctx }: { ctx: ApiContext }) {
  const { membership } = ctx.state;
  if (!membership || !can(membership.role, 'write_workspace')) return null;
  return <CardPaymentsLink ctx={ctx}>Set up card payments</CardPaymentsLink>;
}
