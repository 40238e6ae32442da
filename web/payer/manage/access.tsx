import type joi from 'joi';
import { findPayerBooking, type PayerBooking } from '../../../db/queries/bookings/payer-booking.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { PageError, linkForm } from '../../ui/browser.js';
import { showPage } from '../../ui/layout.js';
import { Contact } from '../../ui/parts.js';
import { linkLimiter, type LinkUse } from '../link-limits.js';

/** The booking of a valid link, with the page's path. */
export interface Managed {
  booking: PayerBooking;
  path: string;
}

export interface Options extends Pick<LinkUse, 'document'> {
  /** The page is about changes, which the operator may have switched off. */
  changes?: boolean;
  /** The fields of the form that is submitted. */
  form?: Record<string, joi.Schema>;
}

type ManageHandler = (ctx: ApiContext, managed: Managed) => Promise<void>;

async function managedBy(ctx: ApiContext, { db, manageLinks }: ApiDependencies): Promise<Managed | null> {
  const token = ctx.params.token!;
  const id = manageLinks.bookingIdIn(token);
  const booking = id && (await findPayerBooking(db.manager, id));
  return booking && manageLinks.isValid(token, booking) ? { booking, path: `/manage/${token}` } : null;
}

/**
 * A page of a manage link (docs/rules/bookings.md#manage-link). Forged links, replaced ones and those of an erased payer
 * get the same 404, and count against the client's address, as forms do. Requests that are about `changes` are refused where
 * the operator has switched self-service off.
 */
export function withLink(
  deps: ApiDependencies,
  handler: ManageHandler,
  { document, changes, form }: Options = {},
): Handler {
  const count = linkLimiter(deps);
  const read = form && linkForm(form);
  return async (ctx) => {
    try {
      const managed = await managedBy(ctx, deps);
      await count(ctx, managed && managed.booking.id, { document, changes: form !== undefined });
      if (!managed) showUnknown(ctx);
      else if (changes && !managed.booking.room.self_service) showSwitchedOff(ctx, managed);
      else if (read) await read(ctx, () => handler(ctx, managed));
      else await handler(ctx, managed);
    } catch (error) {
      if (error instanceof PageError) showRejected(ctx, error);
      else throw error;
    }
  };
}

function showUnknown(ctx: ApiContext): void {
  showPage(ctx, 404, {
    title: 'This link does not work',
    mark: 'bad',
    children: (
      <p>
        It is incomplete or has been replaced. Open the link in the latest email about your booking, or
        contact the place where you booked.
      </p>
    ),
  });
}

function showRejected(ctx: ApiContext, { status, title, message }: PageError): void {
  showPage(ctx, status, { title, mark: 'bad', children: <p role="alert">{message}</p> });
}

function showSwitchedOff(ctx: ApiContext, { booking: { workspace }, path }: Managed): void {
  showPage(ctx, 403, {
    title: 'This booking cannot be changed online',
    mark: 'waiting',
    children: (
      <>
        <p>{workspace.name} changes and cancels bookings of this room on request.</p>
        <Contact of={workspace} />
        <a class="button" href={path}>
          Back to booking
        </a>
      </>
    ),
  });
}
