import joi from 'joi';
import { domainToASCII } from 'node:url';
import { setSignInName } from '../../../commands/single-sign-on/sign-in-names.js';
import {
  candidateToTest,
  changeSsoRules,
  discardCandidate,
  replaceCandidate,
} from '../../../commands/single-sign-on/settings.js';
import {
  findSsoCandidate,
  findSsoConnection,
  ssoSecretContext,
} from '../../../db/queries/single-sign-on/single-sign-on.js';
import { ApiError, invalidField } from '../../../domain/errors.js';
import { TIERS, type Tier } from '../../../domain/rates/price.js';
import {
  isPublicMailDomain,
  MAX_PROVISION_DOMAINS,
  providerIdentity,
  REQUIRED_OF,
  type Provision,
  type RequiredOf,
  type SsoProvider,
} from '../../../domain/single-sign-on/providers.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { startTest } from '../../sign-in/single-sign-on/test-login.js';
import { createOidcClient } from '../../sign-in/single-sign-on/oidc.js';
import { pathIn } from '../shared/paths.js';
import { redirectWithNotice } from '../shared/notice.js';
import { proven, type FormRoute, type Page } from '../shared/section.js';
import { KINDS } from './kinds.js';
import { readOidcForm, readSamlForm, type OidcForm, type SamlForm } from './provider-input.js';

/** The path of the page. */
export const AT = '/sign-in';

const optional = (max: number) => text(max).trim().allow('');
const buttonName = text(60).trim().required();

export const nameFields = { sign_in_name: text(100).trim().lowercase().required() };

export const oidcFields = {
  kind: joi.valid(...KINDS.filter((kind) => kind !== 'saml')).required(),
  provider_name: buttonName,
  issuer: optional(1_000),
  tenant: optional(100),
  client_id: text(500).trim().required(),
  // A space that was copied with it is a known reason why every login fails.
  client_secret: optional(1_000),
};

const MAX_METADATA = 240_000;
export const samlFields = {
  provider_name: buttonName,
  metadata_url: optional(1_000),
  metadata: text(MAX_METADATA).trim().allow(''),
  entity_id: optional(1_024),
  sso_url: optional(1_024),
  binding: joi.valid('redirect', 'post').required(),
  certificates: optional(40_000),
  sign_requests: joi.valid('metadata', 'yes', 'no').required(),
};

export const ruleFields = {
  name: buttonName,
  enabled: joi.valid('on'),
  required: joi.valid(...REQUIRED_OF).required(),
  trust_second_factor: joi.valid('on'),
  provision: joi.valid('on'),
  tier: joi.valid(...TIERS).required(),
  domains: optional(5_000),
};

const backTo = (ctx: ApiContext, part: string, notice: string): void =>
  redirectWithNotice(ctx, pathIn(ctx, `${AT}#${part}`), notice);

/** Changes the name of the sign-in page. */
const saveName: Page =
  ({ db }) =>
  async (ctx) => {
    const { sign_in_name } = ctx.state.body as { sign_in_name: string };
    await setSignInName(db, ctx.state.principal, sign_in_name);
    backTo(ctx, 'page', 'The sign-in name is saved.');
  };

/**
 * The secret that settings of a provider have: the entered one, else the one that is saved
 * for the same client there.
 */
async function secretFor(
  { db, encryption }: ApiDependencies,
  workspaceId: string,
  provider: SsoProvider,
  entered: string,
): Promise<Buffer | null> {
  if (entered) return encryption.encrypt(entered, ssoSecretContext(workspaceId));
  const saved = [
    await findSsoCandidate(db.manager, workspaceId),
    await findSsoConnection(db.manager, workspaceId),
  ];
  // One of another client or issuer must not go to this one.
  const same = saved.find((each) => each && providerIdentity(each.provider) === providerIdentity(provider));
  return same?.client_secret ?? null;
}

const SAVED = 'These settings wait for a test. Run it now: until it has passed, nothing changes.';

/** Stores settings of OpenID Connect to test. */
const saveOidc: Page = (deps) => async (ctx) => {
  const {
    provider_name: name,
    client_secret = '',
    ...form
  } = ctx.state.body as OidcForm & {
    provider_name: string;
    client_secret?: string;
  };
  const { workspace_id } = ctx.state.principal;
  const provider = await readOidcForm(deps, form);
  const secret = await secretFor(deps, workspace_id, provider, client_secret);
  await replaceCandidate(deps.db, workspace_id, { name, provider, client_secret: secret });
  backTo(ctx, 'provider', SAVED);
};

/** Stores settings of SAML to test. */
const saveSaml: Page = (deps) => async (ctx) => {
  const { provider_name: name, ...form } = ctx.state.body as SamlForm & { provider_name: string };
  const provider = await readSamlForm(deps, form);
  const { workspace_id } = ctx.state.principal;
  await replaceCandidate(deps.db, workspace_id, { name, provider, client_secret: null });
  backTo(ctx, 'provider', SAVED);
};

const discard: Page =
  ({ db }) =>
  async (ctx) => {
    await discardCandidate(db.manager, ctx.state.principal.workspace_id);
    backTo(ctx, 'provider', 'The settings that waited for a test are discarded.');
  };

/** Begins a test, in a tab of its own. Without settings that wait for one it tests those in use. */
const runTest: Page = (deps) => {
  const sso = { ...deps, oidc: createOidcClient(deps) };
  return async (ctx) => {
    const { workspace_id } = ctx.state.principal;
    const candidate = await candidateToTest(deps.db, workspace_id);
    if (!candidate) throw new ApiError('validation_failed', 'Enter the settings of your provider first.');
    await startTest(ctx, sso, candidate);
  };
};

/** A domain of addresses as it is compared. Errors: 422 on `domains`. */
function domainOf(entered: string): string {
  const domain = domainToASCII(entered.replace(/^@/, '')).toLowerCase().replace(/\.$/, '');
  const refused = (message: string) => new ApiError('validation_failed', message, { param: 'domains' });
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
    throw refused(`${entered} is not a domain, such as example.com.`);
  if (isPublicMailDomain(domain))
    throw refused(
      `Anybody gets an address at ${domain}, and would become a member. Enter domains of ` +
        'your organisation only.',
    );
  return domain;
}

interface RulesForm {
  name: string;
  enabled?: 'on';
  required: RequiredOf;
  trust_second_factor?: 'on';
  provision?: 'on';
  tier: Tier;
  domains?: string;
}

/** What unknown addresses become. Errors: 422 on `domains`. */
function provisionOf({ provision, tier, domains = '' }: RulesForm): Provision | null {
  if (!provision) return null;
  const entered = [
    ...new Set(
      domains
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map(domainOf),
    ),
  ];
  if (entered.length === 0) throw invalidField('domains', 'is missing');
  if (entered.length > MAX_PROVISION_DOMAINS)
    throw invalidField('domains', `must be at most ${MAX_PROVISION_DOMAINS}`);
  return { tier, domains: entered };
}

const saveRules: Page =
  ({ db }): Handler =>
  async (ctx) => {
    const form = ctx.state.body as RulesForm;
    const { name, enabled, required, trust_second_factor } = form;
    const rules = {
      name,
      enabled: enabled === 'on',
      required,
      trust_second_factor: trust_second_factor === 'on',
      provision: provisionOf(form),
    };
    await changeSsoRules(db, ctx.state.principal, rules);
    backTo(ctx, 'rules', enabled ? 'Saved. Single sign-on is on.' : 'Saved. Single sign-on is off.');
  };

const changes = (page: Page) => proven(page, { ownSignIn: true });

export const signInForms: FormRoute[] = [
  ['/name', nameFields, changes(saveName)],
  ['/oidc', oidcFields, changes(saveOidc)],
  ['/saml', samlFields, changes(saveSaml)],
  ['/discard', {}, changes(discard)],
  ['/test', {}, changes(runTest)],
  ['/rules', ruleFields, changes(saveRules)],
];
