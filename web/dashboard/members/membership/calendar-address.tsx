import { CopyLink } from '../../../ui/copy.js';
import { renewFeed } from '../../../../commands/feeds/feeds.js';
import { findFeed } from '../../../../db/queries/feeds/feed.js';
import { can, type Capability } from '../../../../domain/policies.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import { clientAddress } from '../../../../api/http/client.js';
import type { Handler } from '../../../../api/http/context.js';
import { applyEtag } from '../../../../api/http/etag.js';
import { calendarReply, readCalendar } from '../../../../api/resources/bookings/calendar/operations.js';
import { linkLimiter } from '../../../payer/link-limits.js';
import { action, form, type Form, type FormOptions } from '../../forms/form.js';
import type { PageProps } from '../../forms/page.js';

/**
 * Creates a calendar address for the room in the path, else for the caller's own bookings, and replaces an
 * earlier one.
 */
export const calendarAddressForm = <Data,>(
  capability: Capability,
  options: Pick<FormOptions<undefined, unknown, Data>, 'proof' | 'to'>,
): Form<Data> =>
  form(
    action({
      capability,
      run: ({ params }: { params: { id?: string } }, caller, { db }) =>
        renewFeed(db, caller, params.id ?? null),
    }),
    {},
    {
      path: '/calendar-address',
      button: 'Replace calendar address',
      rare: true,
      explains: 'Calendars that use the current address stop updating. Add the new address to them.',
      notice: () => 'Calendar address created. Add it to your calendar app.',
      ...options,
    },
  );

/**
 * A member's calendar address with the button for another one. `of`: what it shows; `isHidden`: it is not
 * shown again.
 */
export function CalendarAddress<Data>(props: {
  page: PageProps<Data>;
  form: Form<Data>;
  url: string | null;
  of: string;
  isHidden?: boolean;
}) {
  const { page, form, url, of, isHidden } = props;
  return (
    <div class="card">
      {url ? (
        <>
          <p>
            Your calendar app subscribes to this address (“from URL”) and shows {of}, with changes and
            cancellations.
          </p>
          {isHidden ? (
            <p>Your calendar address is active. It is not shown again. To get a new one, replace it.</p>
          ) : (
            <>
              <p>
                <a class="button" href={url.replace(/^https?:/, 'webcal:')}>
                  Subscribe on this device
                </a>
              </p>
              <CopyLink id="calendar_url" label="Calendar address" url={url} />
            </>
          )}
          <p class="hint">
            Anyone with the address can see what you can see of {of}, until you replace it or your membership
            ends.
          </p>
        </>
      ) : (
        <p>Show {of} in your calendar app and keep them up to date.</p>
      )}
      {url ? <form.Drawer page={page} quiet /> : <form.Button page={page} label="Create calendar address" />}
    </div>
  );
}

/**
 * `GET /feeds/:token.ics` (docs/rules/bookings.md#calendar-address): the member's own bookings, or the
 * bookings that they may currently see of a room and of rooms that share a part with it. Errors: 404 for an
 * address that is forged, was replaced or has ended; 403 from outside the `ip_allowlist` of its key.
 */
export function showFeed({ db, feedLinks, ...deps }: ApiDependencies): Handler {
  const count = linkLimiter({ db, feedLinks, ...deps });
  return async (ctx) => {
    const id = feedLinks.read(ctx.params.token!);
    const feed = id ? await findFeed(db.manager, id, clientAddress(ctx)) : null;
    await count(ctx, feed?.ip_allowed ? feed.id : null, { document: true });
    if (!feed) {
      ctx.status = 404;
      ctx.body = 'This calendar address does not exist, was replaced, or has ended with its API key.\n';
      return;
    }
    if (!feed.ip_allowed) {
      ctx.status = 403;
      ctx.body =
        'The ip_allowlist of the API key of this calendar address does not contain your IP address.\n';
      return;
    }
    const { workspace_id, member_id, role, room_id } = feed;
    const seesAll = room_id !== null && can(role, 'all_bookings');
    const { headers, etag, body } = calendarReply(
      await readCalendar(db.manager, member_id, {
        workspace_id,
        room_id: room_id ?? undefined,
        with_parts: true,
        only_of: seesAll ? undefined : member_id,
      }),
    );
    ctx.body = body;
    ctx.set(headers);
    applyEtag(ctx, etag);
  };
}
