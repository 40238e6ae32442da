import type { ApiDependencies } from '../../../api/dependencies.js';
import {
  createOauthClient,
  deleteOauthClient,
  listOauthClients,
} from '../../../api/resources/applications/operations.js';
import { Secret } from '../../ui/copy.js';
import { createFormats } from '../../ui/formats.js';
import { form } from '../forms/form.js';
import { page, run, type PageProps, type PageRequest } from '../forms/page.js';
import { pathIn } from '../shared/paths.js';
import { AlreadySubmitted } from '../shared/form.js';

const MAX_SHOWN = 200;

type Clients = Awaited<ReturnType<(typeof listOauthClients)['run']>>;

const newApplication = form(
  createOauthClient,
  {
    name: 'Name shown to members',
    redirect_uris: { label: 'Redirect URIs (one per line)', kind: 'words', required: true },
    public: 'No client secret (browser or mobile app)',
  },
  {
    button: 'Register',
    proof: true,
    show: ({ object: client, isNew }, { ctx }) => ({
      title: `${client.name} ${isNew ? 'is registered' : 'was already registered'}`,
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
          {client.client_secret && <p>Copy the secret now. It will not be shown again.</p>}
          {!isNew && !client.public && (
            <AlreadySubmitted secret="secret">remove the application and register it again</AlreadySubmitted>
          )}
          <a href={pathIn(ctx, '/applications')}>{isNew ? 'I’ve saved it' : 'Back to applications'}</a>
        </div>
      ),
    }),
  },
);

const removeApplication = form(
  deleteOauthClient,
  {},
  {
    path: '/:id/remove',
    summary: 'Remove',
    button: 'Remove application',
    rare: true,
    explains:
      'All access that members granted to it is revoked immediately. If you register it again, ' +
      'members must grant access again.',
    notice: () => 'Application removed. All access granted to it is revoked.',
  },
);

function Applications(props: PageProps<Clients>) {
  const { ctx, data } = props;
  return (
    <>
      <p class="soft">
        OAuth applications ask your members for permission to act on their behalf. Removing an application
        revokes all access granted to it.
      </p>
      {data.data.map(({ client_id, name, redirect_uris, public: isPublic, created_at }) => (
        <article class="card" key={client_id}>
          <strong>{name}</strong>{' '}
          <span class="soft">
            {isPublic ? 'Without a client secret' : 'With a client secret'}, registered{' '}
            {createFormats(ctx).moment(created_at)}
          </span>
          <p>
            <code>{client_id}</code>
          </p>
          <ul>
            {redirect_uris.map((uri) => (
              <li key={uri}>
                <code>{uri}</code>
              </li>
            ))}
          </ul>
          <removeApplication.InRow page={props} of={{ id: client_id }} />
        </article>
      ))}
      <h2>New application</h2>
      <newApplication.Open page={props} />
    </>
  );
}

export const applications = [
  page({
    path: '/applications',
    capability: 'manage_keys',
    title: 'Applications',
    load: (request: PageRequest, deps: ApiDependencies): Promise<Clients> =>
      run(listOauthClients, { query: { limit: MAX_SHOWN } }, request, deps),
    view: Applications,
    forms: [newApplication, removeApplication],
  }),
];
