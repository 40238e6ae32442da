import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import type { OidcProvider, SamlProvider, SsoProvider } from '../../../domain/single-sign-on/providers.js';
import { callbackUrl, samlUrls } from '../../sign-in/single-sign-on/login.js';
import { findOrCreateServiceKey } from '../../sign-in/single-sign-on/service-key.js';
import { CopyButton, CopyLink } from '../../ui/copy.js';
import { pathIn } from '../shared/paths.js';
import { Select, TextArea, TextField } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { BUTTON_NAMES, KIND_NAMES, KINDS, STEPS, tenantOf, type Kind } from './kinds.js';
import { AT } from './forms.js';

/** What leads to the form of each provider. */
export const SelectKind = ({ ctx, kind }: { ctx: ApiContext; kind: Kind | null }) => (
  <nav class="index" aria-label="Provider">
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

/** What the provider has to know of this service. */
export async function OurValues({ ctx, deps, kind }: { ctx: ApiContext; deps: ApiDependencies; kind: Kind }) {
  const { workspace_id } = ctx.state.membership!;
  const heading = <h3>1. Enter these values there</h3>;
  if (kind !== 'saml')
    return (
      <div class="card">
        {heading}
        <p>{STEPS[kind]}</p>
        <Value id="redirect-uri" label="Redirect URI" value={callbackUrl(deps, workspace_id)} />
      </div>
    );
  const { entity_id, acs_url } = samlUrls(deps, workspace_id);
  const { certificate } = await findOrCreateServiceKey(deps, workspace_id);
  return (
    <div class="card">
      {heading}
      <p>{STEPS.saml}</p>
      <Value
        id="metadata-address"
        label="Metadata address, and entity ID (identifier, audience)"
        value={entity_id}
      />
      <Value id="acs-url" label="ACS URL (reply URL, single sign-on URL)" value={acs_url} />
      <details>
        <summary>Our certificate, if the provider encrypts assertions or checks requests</summary>
        <pre id="our-certificate">{certificate}</pre>
        <CopyButton of="our-certificate" label="Copy certificate" />
      </details>
    </div>
  );
}

interface Saved {
  name: string;
  provider: SsoProvider;
  client_secret: Buffer | null;
}

interface FormProps {
  ctx: ApiContext;
  kind: Kind;
  /** What is saved of this kind. */
  saved: Saved | null;
}

/** What this service has to know of the provider. */
export function ProviderForm({ ctx, kind, saved }: FormProps) {
  const name = (
    <TextField
      name="provider_name"
      label="Name on the button, as people call it"
      required
      maxLength={60}
      value={saved?.name ?? BUTTON_NAMES[kind]}
    />
  );
  const protocol = kind === 'saml' ? 'saml' : 'oidc';
  return (
    <Form ctx={ctx} class="card" action={`${pathIn(ctx, `${AT}/${protocol}`)}?provider=${kind}`}>
      <h3>2. Enter these values here</h3>
      {kind === 'saml' ? (
        <SamlInputs provider={(saved?.provider as SamlProvider | undefined) ?? null} />
      ) : (
        <OidcInputs kind={kind} saved={saved} />
      )}
      {name}
      <p class="hint">Nothing changes yet: these settings are used once a test has passed.</p>
      <button>Save and continue to the test</button>
    </Form>
  );
}

function OidcInputs({ kind, saved }: { kind: Kind; saved: Saved | null }) {
  const provider = (saved?.provider as OidcProvider | undefined) ?? null;
  return (
    <>
      <input type="hidden" name="kind" value={kind} />
      {kind === 'microsoft' && (
        <TextField
          name="tenant"
          label="Directory (tenant) ID"
          required
          maxLength={100}
          value={(provider && tenantOf(provider.issuer)) ?? ''}
        />
      )}
      {(kind === 'okta' || kind === 'oidc') && (
        <>
          <TextField
            name="issuer"
            label="Issuer"
            type="url"
            required
            maxLength={1_000}
            placeholder={kind === 'okta' ? 'https://example.okta.com' : 'https://id.example.com'}
            value={provider?.issuer ?? ''}
          />
          <p class="hint">Its settings are read from /.well-known/openid-configuration below this address.</p>
        </>
      )}
      <TextField
        name="client_id"
        label={kind === 'microsoft' ? 'Application (client) ID' : 'Client ID'}
        required
        maxLength={500}
        autocomplete="off"
        value={provider?.client_id ?? ''}
      />
      <TextField
        name="client_secret"
        label={kind === 'microsoft' ? 'Value of the client secret (not its ID)' : 'Client secret'}
        type="password"
        maxLength={1_000}
        autocomplete="new-password"
      />
      <p class="hint">
        {saved?.client_secret
          ? 'Empty: the saved secret stays, as long as issuer and client ID do.'
          : 'It is stored encrypted, and not shown again.'}
      </p>
    </>
  );
}

const SIGN_REQUESTS: [string, string][] = [
  ['metadata', 'As the metadata says'],
  ['yes', 'Yes'],
  ['no', 'No'],
];

const BINDING_OPTIONS: [string, string][] = [
  ['redirect', 'HTTP-Redirect'],
  ['post', 'HTTP-POST'],
];

function SamlInputs({ provider }: { provider: SamlProvider | null }) {
  return (
    <>
      <TextField
        name="metadata_url"
        label="Address of the provider’s metadata"
        type="url"
        maxLength={1_000}
        placeholder="https://id.example.com/metadata"
      />
      <label for="metadata-file">Or the metadata file</label>
      <input id="metadata-file" type="file" accept=".xml,text/xml,application/xml" data-into="metadata" />
      <details>
        <summary>The metadata as text</summary>
        <TextArea name="metadata" label="Metadata (XML)" rows={6} />
      </details>
      <details open={provider !== null}>
        <summary>Or the fields by hand</summary>
        <TextField
          name="entity_id"
          label="Entity ID of the provider"
          maxLength={1_024}
          value={provider?.entity_id ?? ''}
        />
        <TextField
          name="sso_url"
          label="Address for sign-in"
          type="url"
          maxLength={1_024}
          value={provider?.sso_url ?? ''}
        />
        <Select
          name="binding"
          label="How requests go there"
          options={BINDING_OPTIONS}
          chosen={[provider?.binding ?? 'redirect']}
        />
        <TextArea
          name="certificates"
          label="Certificates that sign (PEM, up to 4)"
          rows={6}
          value={provider?.certificates.join('') ?? ''}
        />
        <p class="hint">During a change enter the old and the new one: either may sign.</p>
      </details>
      <Select
        name="sign_requests"
        label="Sign requests"
        options={SIGN_REQUESTS}
        chosen={[provider ? (provider.sign_requests ? 'yes' : 'no') : 'metadata']}
      />
    </>
  );
}
