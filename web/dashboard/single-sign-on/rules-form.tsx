import { domainToASCII } from 'node:url';
import { changeSsoRules } from '../../../commands/single-sign-on/settings.js';
import { ApiError, invalidField } from '../../../domain/errors.js';
import { TIERS, type Tier } from '../../../domain/rates/price.js';
import {
  isPublicMailDomain,
  MAX_PROVISION_DOMAINS,
  SSO_REQUIREMENTS,
  type Provision,
} from '../../../domain/single-sign-on/providers.js';
import { text } from '../../../api/http/fields.js';
import { boolean, object, oneOf } from '../../../api/http/typed.js';
import { action, form } from '../forms/form.js';
import { note, together } from '../forms/inputs.js';
import { planOptions } from '../members/tier-options.js';
import { buttonName } from './provider-form.js';
import { AT, type Settings } from './read-settings.js';

/** A domain of addresses as it is compared. Errors: 422 on `domains`. */
function parseDomain(entered: string): string {
  const domain = domainToASCII(entered.replace(/^@/, '')).toLowerCase().replace(/\.$/, '');
  const refused = (message: string) => new ApiError('validation_failed', message, { param: 'domains' });
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
    throw refused(`${entered} is not a domain, such as example.com.`);
  if (isPublicMailDomain(domain))
    throw refused(
      `Anyone can get an address at ${domain} and would become a member. Enter only your ` +
        'organisation’s domains.',
    );
  return domain;
}

/** How people with unknown addresses become members. Errors: 422 on `domains`. */
function readProvision(tier: Tier, domains: string): Provision {
  const entered = [
    ...new Set(
      domains
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map(parseDomain),
    ),
  ];
  if (entered.length === 0) throw invalidField('domains', 'is missing');
  if (entered.length > MAX_PROVISION_DOMAINS)
    throw invalidField('domains', `must be at most ${MAX_PROVISION_DOMAINS}`);
  return { tier, domains: entered };
}

const hint = (words: string) => note<Settings>(() => <p class="hint">{words}</p>);

/** The access rules of single sign-on. */
export const saveRules = form(
  action({
    capability: 'configure_sso',
    body: object(
      {
        name: buttonName,
        enabled: boolean,
        required: oneOf(SSO_REQUIREMENTS),
        trust_second_factor: boolean,
        provision: boolean,
        tier: oneOf(TIERS),
        domains: text(5_000).trim(),
      },
      'name',
      'enabled',
      'required',
      'trust_second_factor',
      'provision',
      'tier',
    ),
    run: ({ body: { provision, tier, domains = '', ...rules } }, caller, { db }) =>
      changeSsoRules(db, caller, { ...rules, provision: provision ? readProvision(tier, domains) : null }),
  }),
  {
    name: 'Button label',
    use: together<Settings>({ enabled: 'Enable single sign-on' }, ({ children }) => (
      <div id="enabled">{children}</div>
    )),
    about_use: hint('Turning it off signs out everyone who came through the provider.'),
    required: {
      label: 'Required for',
      radio: true,
      options: [
        ['none', 'No one'],
        ['staff', 'The team (roles other than member)'],
        ['everyone', 'Everyone except the owner'],
      ],
    },
    about_required: hint(
      'They can then enter this workspace only through the provider, from now on, even while it does not ' +
        'respond. The owner can always sign in by email. API keys keep working.',
    ),
    second_factor: together<Settings>(
      { trust_second_factor: 'Trust the provider’s second step' },
      ({ children }) => (
        <fieldset>
          <legend>Two-step verification</legend>
          {children}
          <p class="hint">
            Only if the provider enforces one. Otherwise, people whose role requires two-step verification
            also enter a code.
          </p>
        </fieldset>
      ),
    ),
    new_people: together<Settings>(
      {
        provision: 'Add people when they first sign in',
        tier: { label: 'Plan', options: ({ plans }) => planOptions(plans) },
        domains: {
          label: 'Email domains',
          rows: 2,
          required: false,
          placeholder: 'example.com',
        },
      },
      ({ children }) => (
        <fieldset>
          <legend>New members</legend>
          {children}
          <p class="hint">
            As members who are not invoiced for their plan. Subdomains are not included. Everyone else is told
            to ask for an invite.
          </p>
        </fieldset>
      ),
    ),
  },
  {
    path: '/rules',
    button: 'Save access rules',
    of({ connection }: Settings) {
      const provision = connection?.provision ?? null;
      return {
        ...connection,
        provision: provision !== null,
        tier: provision?.tier ?? TIERS[0],
        domains: provision?.domains.join('\n'),
      };
    },
    proof: true,
    ownSignIn: true,
    notice: (_, { body: { enabled } }) =>
      enabled ? 'Access rules saved. Single sign-on is on.' : 'Access rules saved. Single sign-on is off.',
    to: () => `${AT}#rules`,
  },
);
