import Router from '@koa/router';
import type { Context } from 'koa';
import { acceptInvite } from '../../db/repositories/members/accept-invite.js';
import { findInvite, type OpenInvite } from '../../db/repositories/members/invites.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiDependencies } from '../app.js';
import { readBytes } from '../http/body.js';
import { route, type ApiContext, type Handler } from '../http/context.js';
import { validate } from '../http/validate.js';
import { memberName } from '../members/schema.js';
import { showPage } from './layout.js';

function showForm(ctx: ApiContext, invite: OpenInvite, problem?: string): void {
  showPage(ctx, problem ? 422 : 200, {
    title: `Join ${invite.workspace_name}`,
    children: (
      <form method="post">
        <p>
          You were invited as <strong>{invite.email}</strong>.
        </p>
        <label for="name">Your name</label>
        <input id="name" name="name" value={invite.name} maxLength={200} autocomplete="name" required />
        {problem && (
          <p class="alert" role="alert">
            {problem}
          </p>
        )}
        <button type="submit">Become a member</button>
      </form>
    ),
  });
}

function showDead(ctx: ApiContext, title: string, words: string): void {
  showPage(ctx, 410, { title, mark: 'bad', children: <p>{words}</p> });
}

/** The form's fields. */
const readForm = async (ctx: Context): Promise<URLSearchParams> =>
  new URLSearchParams((await readBytes(ctx)).toString());

/** Where an invite's link leads: asks for the name and finishes the signup (spec.md, "Member"). */
export function invitePages(deps: ApiDependencies): Router {
  const { db, inviteLinks } = deps;
  const router = new Router();

  /** The open invite behind the link; otherwise answers with a page that says why there is none. */
  async function inviteOf(ctx: ApiContext): Promise<OpenInvite | null> {
    const id = inviteLinks.read(ctx.params.token!);
    const invite = id && (await findInvite(db.manager, id));
    if (!invite) {
      const words = 'It has been used, or a newer one was sent. If you need one, ask who invited you.';
      showDead(ctx, 'This invitation does not work any more', words);
      return null;
    }
    if (invite.expires_at > new Date()) return invite;
    showDead(ctx, 'This invitation has expired', `Ask ${invite.workspace_name} for a new one.`);
    return null;
  }

  /** Looking at the link uses nothing up: mail programs do it too. */
  const show: Handler = async (ctx) => {
    const invite = await inviteOf(ctx);
    if (invite) showForm(ctx, invite);
  };

  const accept: Handler = async (ctx) => {
    const invite = await inviteOf(ctx);
    if (!invite) return;
    const form = await readForm(ctx);
    let name: string;
    try {
      name = validate(memberName.required(), form.get('name') ?? '', true);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return showForm(ctx, invite, 'Please enter your name, of at most 200 characters.');
    }
    const accepted = await transaction(db, (tx) => acceptInvite(tx, invite.id, name));
    if (!accepted)
      return showDead(ctx, 'This invitation does not work any more', 'It has been used in the meantime.');
    showPage(ctx, 200, {
      title: `You are a member of ${invite.workspace_name}`,
      mark: 'good',
      children: <p>Welcome, {name}. You can close this page.</p>,
    });
  };

  router.get('/invite/:token', ...route(show));
  router.post('/invite/:token', ...route(accept));
  return router;
}
