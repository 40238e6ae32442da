import { isUuid } from '../../db/ids.js';
import type { ComponentChildren } from 'preact';
import { listOfferedRooms } from '../../db/queries/booking-page/offered-room.js';
import { findBookingPageAt } from '../../db/queries/booking-page/booking-page.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import type { BookingPage } from '../../db/entities/booking-page.js';
import type { Room } from '../../db/entities/rooms.js';
import type { Workspace } from '../../db/entities/workspaces.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { LANGUAGES, type Language } from '../../domain/words/languages.js';
import type { ApiContext, Handler } from '../../api/http/context.js';
import { limiter } from '../../api/http/limits.js';
import { chosenIn, showAs, wordsIn } from '../ui/language.js';
import { showPage } from '../ui/layout.js';
import { Contact } from '../ui/parts.js';
import { FRAME, frameSchemeIn } from './embedding.js';
import { peopleIn, type Submitted } from './guest-form.js';

export interface OpenPage {
  page: BookingPage;
  workspace: Workspace;
  /**
   * The path of the page or of one below it, with the chosen language, the frame's colour scheme and `query`.
   */
  to: (below?: string, query?: Record<string, string | number>) => string;
  /** As `to`, for a page that is opened outside of the frame. */
  toTop: OpenPage['to'];
}

/** A room of the page. `at`: its path, relative to the page's. */
export interface OpenRoom extends OpenPage {
  room: Room;
  at: string;
}

type OpenHandler = (ctx: ApiContext, open: OpenPage) => Promise<void>;
export type RoomHandler = (ctx: ApiContext, open: OpenRoom) => Promise<void>;

const isUnderMaintenance = ({ maintenance_starts_at: from, maintenance_ends_at: to }: Workspace): boolean => {
  const now = new Date();
  return from !== null && to !== null && from <= now && now < to;
};

export function showClosed(
  ctx: ApiContext,
  status: number,
  title: string,
  children: ComponentChildren,
): void {
  showPage(ctx, status, { title, mark: 'bad', children });
}

/** The page's links carry the language, because browsers do not send cookies in a frame. */
const addresses =
  (path: string, lang: Language | null, frame?: string): OpenPage['to'] =>
  (below = '', query = {}) => {
    const kept = { ...(lang && { lang }), ...(frame && { [FRAME]: frame }) };
    const search = new URLSearchParams({ ...kept, ...query } as Record<string, string>);
    return `${path}${below}${search.size > 0 ? `?${search}` : ''}`;
  };

/**
 * A request to a booking page (docs/rules/booking-page.md). Counts against the client's address. Shows a
 * notice if the page is unknown or turned off, or its workspace is under maintenance. `evenIfClosed`: also
 * serves the page then, for terms that people have accepted.
 */
export function withPage(
  deps: ApiDependencies,
  handler: OpenHandler,
  { evenIfClosed = false } = {},
): Handler {
  const limit = limiter(deps);
  return async (ctx) => {
    await limit(ctx, { byAddress: true });
    const slug = ctx.params.slug!;
    const page = slug.includes('\0') ? null : await findBookingPageAt(deps.db.manager, slug);
    if (!page)
      return showClosed(
        ctx,
        404,
        wordsIn(ctx).say('page.none_here'),
        <p>{wordsIn(ctx).say('page.none_here_help')}</p>,
      );
    const workspace = (await findWorkspace(deps.db.manager, page.workspace_id))!;
    ctx.state.framedBy = page.embed_origins;
    const frameScheme = frameSchemeIn(ctx);
    ctx.state.frameScheme = frameScheme;
    const { accent, logo_url } = page.theme;
    ctx.state.languages = LANGUAGES.filter((language) => page.languages.includes(language));
    const { name, locale } = workspace;
    const words = showAs(ctx, {
      name,
      locale,
      logo_url: logo_url ?? workspace.logo_url,
      accent_color: accent ?? workspace.accent_color,
    });
    if (!page.enabled && !evenIfClosed)
      return showClosed(
        ctx,
        404,
        words.say('page.switched_off'),
        <>
          <p>{words.say('page.switched_off_help', { name })}</p>
          <Contact of={workspace} />
        </>,
      );
    if (isUnderMaintenance(workspace) && !evenIfClosed) {
      ctx.set('Retry-After', '600');
      return showClosed(
        ctx,
        503,
        words.say('page.maintenance'),
        <>
          <p>{words.say('page.maintenance_help')}</p>
          <Contact of={workspace} />
        </>,
      );
    }
    const at = [`/book/${slug}`, chosenIn(ctx)] as const;
    await handler(ctx, { page, workspace, to: addresses(...at, frameScheme), toTop: addresses(...at) });
  };
}

/** As `withPage`, for a page of one of its rooms. */
export const withRoom = (deps: ApiDependencies, handler: RoomHandler): Handler =>
  withPage(deps, async (ctx, open) => {
    const id = ctx.params.room!;
    const [room] = isUuid(id) ? await listOfferedRooms(deps.db.manager, open.page, id) : [];
    if (!room)
      return showClosed(
        ctx,
        404,
        wordsIn(ctx).say('page.room_not_here'),
        <a class="button" href={open.to('', peopleIn(ctx.query as Submitted))}>
          {wordsIn(ctx).say('page.see_all_rooms')}
        </a>,
      );
    await handler(ctx, { ...open, room, at: `/rooms/${room.id}` });
  });
