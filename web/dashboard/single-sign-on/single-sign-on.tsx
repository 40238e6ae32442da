import joi from 'joi';
import { candidateToTest, discardCandidate } from '../../../commands/single-sign-on/settings.js';
import { setSignInName } from '../../../commands/single-sign-on/sign-in-names.js';
import { ApiError } from '../../../domain/errors.js';
import { NAME_KEPT_DAYS } from '../../../domain/single-sign-on/providers.js';
import { text } from '../../../api/http/fields.js';
import { object } from '../../../api/http/typed.js';
import { createOidcClient } from '../../sign-in/single-sign-on/oidc.js';
import { startTest } from '../../sign-in/single-sign-on/test-login.js';
import { CopyLink } from '../../ui/copy.js';
import { action, form } from '../forms/form.js';
import { note } from '../forms/inputs.js';
import { page, type PageProps } from '../forms/page.js';
import { NoticeAt } from '../shared/notice.js';
import { Setting } from '../shared/setting.js';
import { KINDS } from './kinds.js';
import { ProviderFacts } from './provider-facts.js';
import { Ours, ProviderForm, providerForms, SelectKind } from './provider-form.js';
import { AT, readSettings, type Settings } from './read-settings.js';
import { saveRules } from './rules-form.js';

const saveName = form(
  action({
    capability: 'configure_sso',
    body: object({ sign_in_name: text(40).trim() }, 'sign_in_name'),
    run: ({ body: { sign_in_name } }, caller, { db }) =>
      setSignInName(db, caller, sign_in_name.toLowerCase()),
  }),
  {
    sign_in_name: { label: 'Sign-in name', autocapitalize: 'none' },
    about: note<Settings>(({ data: { publicUrl, name } }) => (
      <p class="hint">
        Public: {publicUrl}/sign-in/{name ?? '…'}. 3 to 40 letters (a to z), digits and hyphens. After a
        change, the old address stops working and its name stays reserved for {NAME_KEPT_DAYS} days.
      </p>
    )),
  },
  {
    path: '/name',
    button: ({ name }: Settings) => (name ? 'Change sign-in name' : 'Save sign-in name'),
    of: ({ name }) => ({ sign_in_name: name }),
    proof: true,
    ownSignIn: true,
    notice: () => 'Sign-in name saved.',
    to: () => `${AT}#page`,
  },
);

const discard = form(
  action({
    capability: 'configure_sso',
    run: (_, { workspace_id }, { db }) => discardCandidate(db.manager, workspace_id),
  }),
  {},
  {
    path: '/discard',
    summary: 'Discard',
    button: 'Discard settings',
    rare: true,
    explains: 'The settings in use are kept.',
    proof: true,
    ownSignIn: true,
    notice: () => 'The untested settings have been discarded.',
    to: () => `${AT}#provider`,
  },
);

/** Starts a test in a new tab, of the untested settings or else of those in use. */
const runTest = form(
  action({
    capability: 'configure_sso',
    async run(_, { workspace_id }, { db }) {
      const candidate = await candidateToTest(db, workspace_id);
      if (!candidate) throw new ApiError('validation_failed', 'Enter your provider’s settings first.');
      return candidate;
    },
  }),
  {},
  {
    path: '/test',
    button: 'Run test',
    proof: true,
    ownSignIn: true,
    leave: (candidate, { ctx }, deps) => startTest(ctx, { ...deps, oidc: createOidcClient(deps) }, candidate),
  },
);

/** Where people sign in: the name of the page, and its address to hand out. */
function NamePart({ page }: { page: PageProps<Settings> }) {
  const { publicUrl, name } = page.data;
  return (
    <Setting title="Sign-in page" id="page">
      <NoticeAt at="page" />
      <saveName.Open page={page}>
        {name && (
          <p>
            <CopyLink id="sign-in-page" label="Sign-in page address" url={`${publicUrl}/sign-in/${name}`} />
          </p>
        )}
      </saveName.Open>
    </Setting>
  );
}

/** The settings that wait for a test, with the button that begins it, and the provider in use. */
function Saved({ page }: { page: PageProps<Settings> }) {
  const { ctx, data } = page;
  const { candidate, connection } = data;
  return (
    <>
      {candidate && (
        <div class="card trouble" id="waiting">
          <h3>Test these settings to use them</h3>
          <ProviderFacts ctx={ctx} of={candidate} />
          <p class="hint">
            Sign in at the provider with any account, in a new tab. Until the test passes, people sign in as
            before.
          </p>
          <runTest.Button page={page} target="_blank" />
          <discard.InRow page={page} />
        </div>
      )}
      {connection && (
        <div class="card">
          <h3>In use</h3>
          <ProviderFacts ctx={ctx} of={connection} tested={connection.tested_at} />
          <runTest.Button page={page} label="Run test again" quiet target="_blank" />
        </div>
      )}
    </>
  );
}

function SignIn(props: PageProps<Settings>) {
  const { ctx, data } = props;
  const { connection, candidate, kind, ours } = data;
  return (
    <>
      <NamePart page={props} />
      <Setting title="Identity provider" id="provider">
        <NoticeAt at="provider" />
        <Saved page={props} />
        <h3>{(candidate ?? connection) ? 'Edit provider' : 'Choose provider'}</h3>
        <SelectKind ctx={ctx} kind={kind} />
        {kind && ours && (
          <>
            <Ours kind={kind} of={ours} />
            <ProviderForm page={props} />
          </>
        )}
      </Setting>
      <Setting title="Access rules" id="rules">
        {connection ? (
          <>
            <NoticeAt at="rules" />
            <saveRules.Open page={props} />
          </>
        ) : (
          <p class="soft">Available after a test passes.</p>
        )}
      </Setting>
    </>
  );
}

/** The sign-in page and the identity provider of the workspace (docs/guides/single-sign-on.md). */
export const signIn = [
  page({
    path: AT,
    capability: 'configure_sso',
    query: joi.object({ provider: joi.valid(...KINDS) }),
    title: 'Sign-in',
    load: readSettings,
    view: SignIn,
    forms: [saveName, ...providerForms, discard, runTest, saveRules],
  }),
];
