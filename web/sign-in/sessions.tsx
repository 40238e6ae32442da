import joi from 'joi';
import { deletePersonSession, type ListedSession } from '../../commands/sign-in/sessions.js';
import { signOutEverywhere as endEverywhere } from '../../commands/sign-in/sign-out-everywhere.js';
import { formatMoment } from '../../domain/display.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { BrowserSession, Handler } from '../../api/http/context.js';
import { Form } from '../ui/forms.js';
import { endSession } from '../ui/session.js';

/** In UTC: the page belongs to no workspace with a time zone. */
const moment = (at: Date): string => `${formatMoment(at, 'UTC', new Date())} UTC`;

/** Where a person is signed in, with a button to end each session, and the forms to sign out. */
export function Sessions({ session, sessions }: { session: BrowserSession; sessions: ListedSession[] }) {
  return (
    <section>
      <h2>Sessions</h2>
      {sessions.map(({ handle, device, created_at, last_seen_at, is_current }) => (
        <div key={handle} class="session">
          <strong>{device ?? 'Unknown device'}</strong>
          {is_current && ' (this one)'}
          <p>
            Signed in {moment(created_at)}, last seen {moment(last_seen_at)}
          </p>
          {!is_current && (
            <Form action="/account/sessions/end" session={session}>
              <input type="hidden" name="handle" value={handle} />
              <button class="quiet">End session</button>
            </Form>
          )}
        </div>
      ))}
      <Form action="/sign-out" session={session}>
        <button class="quiet">Sign out</button>
      </Form>
      <Form action="/sign-out/everywhere" session={session}>
        <label class="choice">
          <input type="checkbox" name="keys" value="on" /> Also revoke my API keys and connected applications
          in all workspaces
        </label>
        <button class="danger">Sign out everywhere</button>
      </Form>
    </section>
  );
}

export const endFields = { handle: joi.string().guid().required() };

/** `POST /account/sessions/end`: ends one of the person's sessions. */
export function endOne({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { handle } = ctx.state.body as { handle: string };
    await deletePersonSession(db.manager, ctx.state.session!.profile_id, handle);
    ctx.redirect('/account');
  };
}

export function signOut(deps: ApiDependencies): Handler {
  return async (ctx) => {
    await endSession(ctx, deps);
    ctx.redirect('/sign-in');
  };
}

export const everywhereFields = { keys: joi.valid('on') };

/** Ends every session of the person, including this one, and optionally revokes their keys and grants. */
export function signOutEverywhere(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { profile_id } = ctx.state.session!;
    const { keys } = ctx.state.body as { keys?: 'on' };
    await endEverywhere(deps.db, profile_id, { keys: keys !== undefined });
    await endSession(ctx, deps);
    ctx.redirect('/sign-in');
  };
}
