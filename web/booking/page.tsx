import type { ComponentChildren } from 'preact';
import { listOfferedRooms } from '../../db/queries/rooms/offered-room.js';
import { findBookingPageAt } from '../../db/queries/workspaces/booking-page.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import type { BookingPage } from '../../db/entities/booking-pages.js';
import type { Room } from '../../db/entities/rooms.js';
import type { Workspace } from '../../db/entities/workspaces.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, Handler } from '../../api/http/context.js';
import { isUuid } from '../../api/http/fields.js';
import { limiter } from '../../api/http/limits.js';
import { showPage } from '../ui/layout.js';
import { Contact } from '../ui/parts.js';

/** A page that is open, with its address. */
export interface OpenPage {
  page: BookingPage;
  workspace: Workspace;
  path: string;
}

type OpenHandler = (ctx: ApiContext, open: OpenPage) => Promise<void>;
export type RoomHandler = (ctx: ApiContext, open: OpenPage & { room: Room; at: string }) => Promise<void>;

const isUnderMaintenance = ({ maintenance_starts_at: from, maintenance_ends_at: to }: Workspace): boolean => {
  const now = new Date();
  return from !== null && to !== null && from <= now && now < to;
};

function showClosed(ctx: ApiContext, status: number, title: string, children: ComponentChildren): void {
  showPage(ctx, status, { title, mark: 'bad', children });
}

/**
 * A request to a booking page (docs/rules/booking-page.md). It counts against the client's address. Unknown pages, those that are
 * switched off, and those of a workspace under maintenance say so.
 */
export function withPage(deps: ApiDependencies, handler: OpenHandler): Handler {
  const limit = limiter(deps);
  return async (ctx) => {
    await limit(ctx, { byAddress: true });
    const slug = ctx.params.slug!;
    const page = slug.includes('\0') ? null : await findBookingPageAt(deps.db.manager, slug);
    if (!page)
      return showClosed(
        ctx,
        404,
        'There is no booking page here',
        <p>Check the address, or ask the place that you want to book.</p>,
      );
    const workspace = (await findWorkspace(deps.db.manager, page.workspace_id))!;
    ctx.state.framedBy = page.embed_origins;
    const { accent, logo_url } = page.theme;
    ctx.state.house = {
      name: workspace.name,
      logo_url: logo_url ?? workspace.logo_url,
      accent_color: accent ?? workspace.accent_color,
    };
    if (!page.enabled)
      return showClosed(
        ctx,
        404,
        'Online booking is switched off',
        <>
          <p>{workspace.name} does not take bookings on this page at the moment.</p>
          <Contact of={workspace} />
        </>,
      );
    if (isUnderMaintenance(workspace)) {
      ctx.set('Retry-After', '600');
      return showClosed(
        ctx,
        503,
        'Online booking is closed for maintenance',
        <>
          <p>Please come back later. Bookings that exist are not affected.</p>
          <Contact of={workspace} />
        </>,
      );
    }
    await handler(ctx, { page, workspace, path: `/book/${slug}` });
  };
}

/** The same for a page of one of its rooms. */
export const withRoom = (deps: ApiDependencies, handler: RoomHandler): Handler =>
  withPage(deps, async (ctx, open) => {
    const id = ctx.params.room!;
    const [room] = isUuid(id) ? await listOfferedRooms(deps.db.manager, open.page, id) : [];
    if (!room)
      return showClosed(
        ctx,
        404,
        'This room cannot be booked here',
        <a class="button" href={open.path}>
          See all rooms
        </a>,
      );
    await handler(ctx, { ...open, room, at: `${open.path}/rooms/${room.id}` });
  });
