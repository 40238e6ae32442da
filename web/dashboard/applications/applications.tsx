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
import { Empty, Table } from '../shared/list.js';

const MAX_SHOWN = 200;

type Clients = Awaited<ReturnType<(typeof listOauthClients)['run']>>;

const newApplication = form(
  createOauthClient,
  {
    name: 'Name',
    redirect_uris: { label: 'Redirect URIs, one per line', kind: 'words' },
    public: 'Browser or mobile app (no client secret)',
  },
  {
    summary: 'New application',
    button: 'Register',
    proof: true,
    show: ({ object: client, isNew }, { ctx }) => ({
      title: `${client.name} ${isNew ? 'is registered' : 'was already registered'}`,
      children: (
        <div class="card shown-once">
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
            <AlreadySubmitted secret="secret">delete the application and register it again</AlreadySubmitted>
          )}
          <a class="button" href={pathIn(ctx, '/applications')}>
            {isNew ? 'I’ve saved it' : 'Back to applications'}
          </a>
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
    summary: 'Delete',
    button: 'Delete application',
    rare: true,
    explains: 'All access that members granted to it is revoked. Registered again, it has to ask them again.',
    notice: () => 'Application deleted. All access granted to it is revoked.',
  },
);

function Applications(props: PageProps<Clients>) {
  const { ctx, data } = props;
  const { moment } = createFormats(ctx);
  return (
    <Table
      rows={data.data.map((client) => ({ ...client, id: client.client_id }))}
      empty={
        <Empty
          ctx={ctx}
          says="Applications ask members for permission to act for them, such as a room display."
        >
          <newApplication.Opener page={props} />
        </Empty>
      }
      columns={[
        {
          name: 'Application',
          show: ({ name, public: isPublic, client_id }) => (
            <>
              <strong>{name}</strong>
              <small>{isPublic ? 'without a client secret' : 'with a client secret'}</small>
              <code>{client_id}</code>
            </>
          ),
        },
        {
          name: 'Redirect URIs',
          show: ({ redirect_uris }) =>
            redirect_uris.map((uri) => (
              <div key={uri}>
                <code>{uri}</code>
              </div>
            )),
        },
        { name: 'Registered', show: ({ created_at }) => <span class="soft">{moment(created_at)}</span> },
        {
          name: 'Actions',
          show: ({ client_id }) => <removeApplication.InRow page={props} of={{ id: client_id }} />,
        },
      ]}
    />
  );
}

export const applications = [
  page({
    path: '/applications',
    capability: 'manage_keys',
    title: 'Applications',
    primary: (page) => <newApplication.Drawer page={page} />,
    load: (request: PageRequest, deps: ApiDependencies): Promise<Clients> =>
      run(listOauthClients, { query: { limit: MAX_SHOWN } }, request, deps),
    view: Applications,
    forms: [newApplication, removeApplication],
  }),
];
