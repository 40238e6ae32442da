import type joi from 'joi';
import { findPayerBooking, type PayerBooking } from '../../../db/queries/bookings/payer-booking.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { assertNotFromOtherSite, linkForm } from '../../ui/browser.js';
import { showAs, wordsIn } from '../../ui/language.js';
import { showPage } from '../../ui/layout.js';
import { keepToken, leaveToken, readGivenToken } from '../../ui/link-session.js';
import { Contact } from '../../ui/parts.js';
import { linkLimiter, type LinkUse } from '../link-limits.js';

/** The booking of a valid link, with the page's path. */
export interface Managed {
  booking: PayerBooking;
  path: string;
}

export interface Options extends Pick<LinkUse, 'document'> {
  /** The request is for a file, which programs without cookies can open by the link too. */
  file?: boolean;
  /** The page is about changes, which the operator may have switched off. */
  changes?: boolean;
  /** The fields of the form that is submitted. */
  form?: Record<string, joi.Schema>;
}

type ManageHandler = (ctx: ApiContext, managed: Managed) => Promise<void>;

async function managedBy(token: string, { db, manageLinks }: ApiDependencies): Promise<Managed | null> {
  const id = manageLinks.idIn(token);
  const booking = id && (await findPayerBooking(db.manager, id));
  return booking && manageLinks.isValid(token, booking) ? { booking, path: `/manage/${booking.id}` } : null;
}

/**
 * A page of a manage link (docs/rules/bookings.md#manage-link). Forged and replaced links, and links of an
 * erased booker, all get the same 404 and count against the client's address, as forms do. Pages are
 * redirected to an address without the token; files and forms also work with it. `changes`: the request is
 * refused if the operator has turned self-service off.
 */
export function withLink(
  deps: ApiDependencies,
  handler: ManageHandler,
  { document, file = document, changes, form }: Options = {},
): Handler {
  const count = linkLimiter(deps);
  const read = form && linkForm(form);
  return async (ctx) => {
    ctx.set('Referrer-Policy', 'no-referrer');
    const given = readGivenToken(ctx, deps);
    const managed = given && (await managedBy(given.token, deps));
    await count(ctx, managed && managed.booking.id, { document, changes: form !== undefined });
    if (!managed) return given ? showUnknown(ctx) : showNoCookie(ctx);
    showAs(ctx, managed.booking.workspace, managed.booking.locale);
    if (given.isInAddress) keepToken(ctx, deps, managed.path, given.token);
    else if (form) assertNotFromOtherSite(ctx, deps);
    if (given.isInAddress && !file && !form) leaveToken(ctx, deps, managed.path, given.token);
    else if (changes && !managed.booking.room.self_service) showSwitchedOff(ctx, managed);
    else if (read) await read(ctx, () => handler(ctx, managed));
    else await handler(ctx, managed);
  };
}

function showUnknown(ctx: ApiContext): void {
  const words = wordsIn(ctx);
  showPage(ctx, 404, {
    title: words.say('payer.link_dead'),
    mark: 'bad',
    children: <p>{words.say('payer.link_dead_help')}</p>,
  });
}

function showNoCookie(ctx: ApiContext): void {
  const words = wordsIn(ctx);
  showPage(ctx, 404, {
    title: words.say('payer.booking_by_link'),
    mark: 'bad',
    children: <p>{words.say('payer.no_cookie')}</p>,
  });
}

function showSwitchedOff(ctx: ApiContext, { booking: { workspace }, path }: Managed): void {
  const words = wordsIn(ctx);
  showPage(ctx, 403, {
    title: words.say('payer.not_changeable'),
    mark: 'waiting',
    children: (
      <>
        <p>{words.say('payer.on_request', { name: workspace.name })}</p>
        <Contact of={workspace} />
        <a class="button" href={path}>
          {words.say('payer.back_to_booking')}
        </a>
      </>
    ),
  });
}
