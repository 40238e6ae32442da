import { Secret } from '../../ui/copy.js';
import joi from 'joi';
import { listOauthClients } from '../../../commands/applications/clients.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { validate } from '../../../api/http/validate.js';
import { createClient } from '../../../api/resources/applications/handlers.js';
import { deleteClient } from '../../../api/resources/applications/handlers.js';
import {
  createSchema,
  MAX_REDIRECT_URIS,
  type CreateBody,
} from '../../../api/resources/applications/shape.js';
import { Choice, TextArea, TextField } from '../shared/fields.js';
import { AlreadySubmitted, Confirm, Form, formIdempotencyKey, formIdFields } from '../shared/form.js';
import { formatsOf } from '../../ui/formats.js';
import { redirectWithNotice } from '../shared/notice.js';
import { showSection } from '../shared/workspace.js';
import { inputOf, textFields } from '../shared/declared-fields.js';

const MAX_SHOWN = 200;

export const applicationFields = {
  ...formIdFields,
  ...textFields(createSchema, 'name'),
  redirect_uris: text(2_000 * MAX_REDIRECT_URIS).required(),
  public: joi.string().valid('on'),
};

const pathOf = (ctx: ApiContext): string => `/dashboard/${ctx.state.membership!.workspace_id}/applications`;

/** The OAuth applications of the workspace and a form to register one. */
export function showApplications({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const clients = await listOauthClients(db.manager, { workspace_id, limit: MAX_SHOWN });
    showSection(ctx, {
      title: 'Applications',
      at: '/applications',
      children: (
        <>
          <p class="soft">
            OAuth applications ask your members for permission to act on their behalf. Removing an application
            revokes all access granted to it.
          </p>
          {clients.map((client) => (
            <article class="card" key={client.id}>
              <strong>{client.name}</strong>{' '}
              <span class="soft">
                {client.secret_hash ? 'With a client secret' : 'Without a client secret'}, registered{' '}
                {formatsOf(ctx).moment(client.created_at)}
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
                summary="Remove"
                action={`${pathOf(ctx)}/${client.id}/remove`}
                button="Remove permanently"
                rare
              >
                All access that members granted to it is revoked immediately. If you register it again,
                members must grant access again.
              </Confirm>
            </article>
          ))}
          <h2>New application</h2>
          <Form class="card" ctx={ctx} action={pathOf(ctx)} once>
            <TextField {...inputOf(createSchema, 'name')} label="Name shown to members" />
            <TextArea name="redirect_uris" label="Redirect URIs, one per line" required rows={3} />
            <Choice name="public">No client secret (browser or mobile app)</Choice>
            <button>Register</button>
          </Form>
        </>
      ),
    });
  };
}

/** Registers an application like `POST /v1/oauth-clients` and shows its secret once. */
export function registerApplication(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const form = ctx.state.body as { name: string; redirect_uris: string; public?: 'on' };
    const redirect_uris = form.redirect_uris.split(/\s+/).filter(Boolean);
    const request = validate<CreateBody>(
      createSchema,
      { name: form.name, redirect_uris, public: form.public === 'on' },
      false,
    );
    const { client, created } = await createClient(
      deps,
      ctx.state.principal,
      request,
      formIdempotencyKey(ctx),
    );
    showSection(ctx, {
      title: created ? `${client.name} is registered` : `${client.name} was already registered`,
      at: '/applications',
      children: (
        <div class="card">
          <dl class="facts">
            <dt>Client ID</dt>
            <dd>
              <code id="client_id">{client.client_id}</code>
            </dd>
            {client.client_secret && (
              <>
                <dt>Client secret</dt>
                <dd>
                  <Secret id="client_secret">{client.client_secret}</Secret>
                </dd>
              </>
            )}
          </dl>
          {client.client_secret && <p>The secret is not shown again.</p>}
          {!created && !client.public && (
            <AlreadySubmitted secret="secret">remove the application and register it again</AlreadySubmitted>
          )}
          <a href={pathOf(ctx)}>{created ? 'I’ve saved it' : 'Back to applications'}</a>
        </div>
      ),
    });
  };
}

/** Removes an application like `DELETE /v1/oauth-clients/{id}`. */
export function removeApplication(deps: ApiDependencies): Handler {
  return async (ctx) => {
    await deleteClient(deps, ctx.state.principal, ctx.params.id!);
    redirectWithNotice(ctx, pathOf(ctx), 'Application removed. All access granted to it is revoked.');
  };
}
