import joi from 'joi';
import { isId } from '../../db/ids.js';
import { listOauthClients } from '../../db/repositories/access/oauth-clients.js';
import type { ApiDependencies } from '../dependencies.js';
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
import { Choice, TextArea, TextField } from './fields.js';
import { AlreadyDone, Confirm, Form, onceFields, onceOf } from './form.js';
import { formatAt } from './layout.js';
import { showSection } from './workspace.js';

const MOST_SHOWN = 200;

export const applicationFields = {
  ...onceFields,
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
              <Confirm
                ctx={ctx}
                offer="Remove"
                action={`${pathOf(ctx)}/${client.id}/remove`}
                button="Remove it for good"
              >
                All that people have granted it ends at once. Registered again, it has to ask them anew.
              </Confirm>
            </article>
          ))}
          <h2>New application</h2>
          <Form class="card" ctx={ctx} action={pathOf(ctx)} once>
            <TextField name="name" label="Name, as people are shown it" required maxLength={100} />
            <TextArea
              name="redirect_uris"
              label="Where it takes people back to, one address a line"
              required
              rows={3}
            />
            <Choice name="public">it runs where it can't keep a secret: in a browser, on a phone</Choice>
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
    const { client, created } = await createClient(db, ctx.state.principal, asked, onceOf(ctx));
    showSection(ctx, {
      title: created ? `${client.name} is registered` : `${client.name} was registered already`,
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
          {!created && !client.public && (
            <AlreadyDone secret="secret">remove the application and register it anew</AlreadyDone>
          )}
          <a href={pathOf(ctx)}>{created ? 'I have kept it' : 'To the applications'}</a>
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
