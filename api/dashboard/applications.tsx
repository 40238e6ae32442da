import joi from 'joi';
import { isId } from '../../db/ids.js';
import { listOauthClients } from '../../db/repositories/oauth-clients.js';
import type { ApiDependencies } from '../app.js';
import type { ApiContext, Handler } from '../http/context.js';
import { text, validate } from '../http/validate.js';
import {
  createClient,
  createSchema,
  MAX_REDIRECT_URIS,
  removeClient,
  type NewClient,
} from '../oauth/clients.js';
import { PageError } from '../sign-in/browser.js';
import { Form } from '../sign-in/forms.js';
import { formatAt } from './layout.js';
import { showSection } from './workspace.js';

const MOST_SHOWN = 200;

export const applicationFields = {
  name: text(100).trim().min(1).required(),
  redirect_uris: text(2_000 * MAX_REDIRECT_URIS).required(),
  public: joi.string().valid('on'),
};

const pathOf = (ctx: ApiContext): string => `/dashboard/${ctx.state.membership!.workspace_id}/applications`;

/** The applications that may ask the workspace's people for access, and a form for one more. */
export function showApplications({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, time_zone } = ctx.state.membership!;
    const clients = await listOauthClients(db.manager, { workspace_id, limit: MOST_SHOWN });
    showSection(ctx, {
      title: 'Applications',
      at: '/applications',
      children: (
        <>
          <p class="soft">
            By OAuth an application asks your members whether it may act for them. Removing one ends all that
            it was granted.
          </p>
          {clients.map((client) => (
            <article class="card" key={client.id}>
              <strong>{client.name}</strong>{' '}
              <span class="soft">
                {client.secret_hash ? 'with a secret' : 'public'}, since{' '}
                {formatAt(client.created_at, time_zone)}
              </span>
              <p>
                <code>{client.id}</code>
              </p>
              <ul>
                {client.redirect_uris.map((uri) => (
                  <li key={uri}>
                    <code>{uri}</code>
                  </li>
                ))}
              </ul>
              <Form action={`${pathOf(ctx)}/${client.id}/remove`} session={ctx.state.session}>
                <button class="quiet">Remove</button>
              </Form>
            </article>
          ))}
          <h2>New application</h2>
          <Form class="card" action={pathOf(ctx)} session={ctx.state.session}>
            <label for="name">Name, as people are shown it</label>
            <input id="name" name="name" required maxLength={100} />
            <label for="redirect_uris">Where it takes people back to, one address a line</label>
            <textarea id="redirect_uris" name="redirect_uris" required rows={3} />
            <label class="choice">
              <input type="checkbox" name="public" /> it runs where it can't keep a secret: in a browser, on a
              phone
            </label>
            <button>Register it</button>
          </Form>
        </>
      ),
    });
  };
}

/** Registers an application, as `POST /v1/oauth-clients` does, and shows its secret this once. */
export function registerApplication({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const form = ctx.state.body as { name: string; redirect_uris: string; public?: 'on' };
    const redirect_uris = form.redirect_uris.split(/\s+/).filter(Boolean);
    const asked = validate<NewClient>(
      createSchema,
      { name: form.name, redirect_uris, public: form.public === 'on' },
      false,
    );
    const { client } = await createClient(db, ctx.state.principal, asked, null);
    showSection(ctx, {
      title: `${client.name} is registered`,
      at: '/applications',
      children: (
        <div class="card">
          <dl class="facts">
            <dt>Client id</dt>
            <dd>
              <code id="client_id">{client.client_id}</code>
            </dd>
            {client.client_secret && (
              <>
                <dt>Client secret</dt>
                <dd>
                  <code id="client_secret">{client.client_secret}</code>
                </dd>
              </>
            )}
          </dl>
          {client.client_secret && <p>The secret is not shown again.</p>}
          <a href={pathOf(ctx)}>I have kept it</a>
        </div>
      ),
    });
  };
}

/** Removes an application, as `DELETE /v1/oauth-clients/{id}` does. */
export function removeApplication({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { id } = ctx.params;
    if (!isId('client', id!) || !(await removeClient(db, ctx.state.principal, id!)))
      throw new PageError(404, 'There is no such application', 'It may have been removed already.');
    ctx.redirect(pathOf(ctx));
  };
}
