import { replaceCandidate } from '../../../commands/single-sign-on/settings.js';
import {
  findSsoCandidate,
  findSsoConnection,
  ssoSecretContext,
} from '../../../db/queries/single-sign-on/single-sign-on.js';
import {
  providerIdentity,
  type OidcProvider,
  type SamlProvider,
  type SsoProvider,
} from '../../../domain/single-sign-on/providers.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { object, oneOf } from '../../../api/http/typed.js';
import { CopyButton, CopyLink } from '../../ui/copy.js';
import { action, form } from '../forms/form.js';
import { hidden, note, together, type FieldOptions } from '../forms/inputs.js';
import type { PageProps } from '../forms/page.js';
import { pathIn } from '../shared/paths.js';
import { BUTTON_NAMES, KIND_NAMES, KINDS, STEPS, parseTenant, type Kind, type OidcKind } from './kinds.js';
import { readOidcForm, readSamlForm } from './provider-input.js';
import { AT, type ServiceProviderValues, type Settings } from './read-settings.js';

export const buttonName = text(60).trim();
const entered = (max: number) => text(max).trim();

/** Links to the form of each provider. */
export const SelectKind = ({ ctx, kind }: { ctx: ApiContext; kind: Kind | null }) => (
  <nav class="tabs" aria-label="Provider" data-scrolls>
    {KINDS.map((each) => (
      <a
        key={each}
        href={`${pathIn(ctx, AT)}?provider=${each}#provider`}
        aria-current={each === kind ? 'true' : undefined}
      >
        {KIND_NAMES[each]}
      </a>
    ))}
  </nav>
);

const Value = ({ id, label, value }: { id: string; label: string; value: string }) => (
  <p>
    {label}
    <br />
    <CopyLink id={id} label={label} url={value} />
  </p>
);

/** The values to enter at the provider. */
export const Ours = ({ kind, of }: { kind: Kind; of: ServiceProviderValues }) => (
  <div class="card">
    <h3>1. Enter these values at your provider</h3>
    <p>{STEPS[kind]}</p>
    {of.protocol === 'oidc' ? (
      <Value id="redirect-uri" label="Redirect URI" value={of.redirect_uri} />
    ) : (
      <>
        <Value
          id="metadata-address"
          label="Metadata URL and entity ID (identifier, audience)"
          value={of.entity_id}
        />
        <Value id="acs-url" label="ACS URL (reply URL, single sign-on URL)" value={of.acs_url} />
        <details>
          <summary>Our certificate (for encrypted assertions or signed requests)</summary>
          <pre id="our-certificate">{of.certificate}</pre>
          <CopyButton of="our-certificate" label="Copy certificate" />
        </details>
      </>
    )}
  </div>
);

/** The entered secret, else the one saved for the same client. */
async function secretFor(
  { db, encryption }: ApiDependencies,
  workspaceId: string,
  provider: SsoProvider,
  secret: string | undefined,
): Promise<Buffer | null> {
  if (secret) return encryption.encrypt(secret, ssoSecretContext(workspaceId));
  const saved = [
    await findSsoCandidate(db.manager, workspaceId),
    await findSsoConnection(db.manager, workspaceId),
  ];
  // A secret of another client or issuer must not be sent to this one.
  const same = saved.find((each) => each && providerIdentity(each.provider) === providerIdentity(provider));
  return same?.client_secret ?? null;
}

const name: FieldOptions<Settings> = {
  label: 'Button label',
  initial: ({ kind, saved }) => saved?.name ?? BUTTON_NAMES[kind!],
};

const unused = note<Settings>(() => <p class="hint">These settings take effect only after a test passes.</p>);

/** Shared options of both forms. */
const options = {
  button: 'Save and continue to test',
  keepsQuery: true,
  proof: true,
  ownSignIn: true,
  notice: () => 'Settings saved. Run the test to put them into use.',
  to: () => `${AT}#provider`,
} as const;

const oidcProvider = ({ saved }: Settings) => saved?.provider as OidcProvider | undefined;
const isMicrosoft = ({ kind }: Settings): boolean => kind === 'microsoft';

const saveOidc = form(
  action({
    capability: 'configure_sso',
    body: object(
      {
        kind: oneOf(KINDS.filter((kind): kind is OidcKind => kind !== 'saml')),
        tenant: entered(100),
        issuer: entered(1_000),
        client_id: entered(500),
        // A copied trailing space would make every sign-in fail.
        client_secret: entered(1_000),
        provider_name: buttonName,
      },
      'kind',
      'client_id',
      'provider_name',
    ),
    async run({ body: { provider_name, client_secret, ...entered } }, { workspace_id }, deps) {
      const provider = await readOidcForm(deps, entered);
      const secret = await secretFor(deps, workspace_id, provider, client_secret);
      const candidate = { name: provider_name, provider, client_secret: secret };
      await replaceCandidate(deps.db, workspace_id, candidate);
    },
  }),
  {
    kind: hidden<Settings>(({ kind }) => kind!),
    tenant: {
      label: 'Directory (tenant) ID',
      when: isMicrosoft,
      required: true,
      initial: (data) => parseTenant(oidcProvider(data)?.issuer ?? '') ?? '',
    },
    issuer: {
      label: 'Issuer',
      type: 'url',
      wide: true,
      when: ({ kind }) => kind === 'okta' || kind === 'oidc',
      required: true,
      placeholder: ({ kind }) => (kind === 'okta' ? 'https://example.okta.com' : 'https://id.example.com'),
      initial: (data) => oidcProvider(data)?.issuer,
    },
    about_issuer: note<Settings>(
      ({ data: { kind } }) =>
        (kind === 'okta' || kind === 'oidc') && (
          <p class="hint">Settings are read from /.well-known/openid-configuration under this URL.</p>
        ),
    ),
    client_id: {
      label: (data) => (isMicrosoft(data) ? 'Application (client) ID' : 'Client ID'),
      autocomplete: 'off',
      initial: (data) => oidcProvider(data)?.client_id,
    },
    client_secret: {
      label: (data) => (isMicrosoft(data) ? 'Client secret value (not the secret ID)' : 'Client secret'),
      type: 'password',
      wide: true,
      autocomplete: 'new-password',
      optional: false,
    },
    about_secret: note<Settings>(({ data: { saved } }) => (
      <p class="hint">
        {saved?.client_secret
          ? 'Leave empty to keep the saved secret, unless you change the issuer or client ID.'
          : 'Stored encrypted and not shown again.'}
      </p>
    )),
    provider_name: name,
    unused,
  },
  { path: '/oidc', ...options },
);

const MAX_METADATA = 240_000;
const samlProvider = ({ saved }: Settings) => saved?.provider as SamlProvider | undefined;

const saveSaml = form(
  action({
    capability: 'configure_sso',
    body: object(
      {
        metadata_url: entered(1_000),
        metadata: entered(MAX_METADATA),
        entity_id: entered(1_024),
        sso_url: entered(1_024),
        binding: oneOf(['redirect', 'post']),
        certificates: entered(40_000),
        sign_requests: oneOf(['metadata', 'yes', 'no']),
        provider_name: buttonName,
      },
      'binding',
      'sign_requests',
      'provider_name',
    ),
    async run({ body: { provider_name, ...entered } }, { workspace_id }, deps) {
      const provider = await readSamlForm(deps, entered);
      await replaceCandidate(deps.db, workspace_id, { name: provider_name, provider, client_secret: null });
    },
  }),
  {
    metadata_url: {
      label: 'Metadata URL',
      optional: false,
      type: 'url',
      wide: true,
      placeholder: 'https://id.example.com/metadata',
    },
    file: note<Settings>(() => (
      <>
        <label for="metadata-file">Or metadata file</label>
        <input id="metadata-file" type="file" accept=".xml,text/xml,application/xml" data-into="metadata" />
      </>
    )),
    as_text: together<Settings>(
      { metadata: { label: 'Metadata (XML)', rows: 6, optional: false } },
      ({ children }) => (
        <details>
          <summary>Or paste metadata</summary>
          {children}
        </details>
      ),
    ),
    by_hand: together<Settings>(
      {
        entity_id: { label: 'Provider entity ID', initial: (data) => samlProvider(data)?.entity_id },
        sso_url: {
          label: 'Sign-on URL',
          type: 'url',
          initial: (data) => samlProvider(data)?.sso_url,
        },
        binding: {
          label: 'Request binding',
          options: [
            ['redirect', 'HTTP-Redirect'],
            ['post', 'HTTP-POST'],
          ],
          initial: (data) => samlProvider(data)?.binding ?? 'redirect',
        },
        certificates: {
          label: 'Signing certificates (PEM, up to 4)',
          rows: 6,
          initial: (data) => samlProvider(data)?.certificates.join('') ?? '',
        },
      },
      ({ shown: { data }, children }) => (
        <details open={samlProvider(data) !== undefined}>
          <summary>Or enter fields manually</summary>
          {children}
          <p class="hint">While the provider changes its certificate, enter both the old and the new one.</p>
        </details>
      ),
    ),
    sign_requests: {
      label: 'Sign requests',
      wide: true,
      options: [
        ['metadata', 'As in the metadata'],
        ['yes', 'Yes'],
        ['no', 'No'],
      ],
      initial(data) {
        const provider = samlProvider(data);
        return provider ? (provider.sign_requests ? 'yes' : 'no') : 'metadata';
      },
    },
    provider_name: name,
    unused,
  },
  { path: '/saml', ...options },
);

export const providerForms = [saveOidc, saveSaml];

/** The values of the provider to enter here. */
export function ProviderForm({ page }: { page: PageProps<Settings> }) {
  const save = page.data.kind === 'saml' ? saveSaml : saveOidc;
  return (
    <save.Open page={page}>
      <h3>2. Enter your provider’s values here</h3>
    </save.Open>
  );
}
