import { addressKey, isCanonical } from '../../../db/address.js';
import type { SsoProvider } from '../../../domain/single-sign-on/providers.js';
import type { Identity, SsoRefusalReason } from './identity.js';

/**
 * What is wrong with a provider's answer to a test, and what to do about it, for the person who sets it up.
 */
export const ADVICE: Record<SsoRefusalReason, { problem: string; fix: string }> = {
  provider_unavailable: {
    problem: 'The provider did not respond as expected.',
    fix: 'Check the issuer, and that the provider can be reached from the internet. Then run the test again.',
  },
  provider_error: {
    problem: 'The provider refused the login.',
    fix:
      'Its own words are below. Usually the client ID or secret is wrong or has expired, the redirect ' +
      'URI (or ACS URL) is not registered exactly as shown on the settings page, or you are not ' +
      'assigned to the application.',
  },
  malformed: {
    problem: 'The answer could not be read.',
    fix:
      'Check that the application at the provider is of the protocol that you chose. ' +
      'What was wrong is below.',
  },
  unsolicited: {
    problem: 'The answer is not to this test.',
    fix:
      'Start the test with the button of the settings page, not with a tile or test button of the ' +
      'provider. With SAML, the provider has to return RelayState and InResponseTo as they were sent.',
  },
  replayed: {
    problem: 'The answer has been used before.',
    fix: 'Run the test again, and do not reload or go back on the way.',
  },
  expired: {
    problem: 'The answer was no longer valid when it arrived.',
    fix: 'Run the test again without a break. If it happens again, check the clock of the provider.',
  },
  not_yet_valid: {
    problem: 'The answer is valid from a later time only.',
    fix: 'The clock of the provider is more than a minute ahead: correct it.',
  },
  unsigned: {
    problem: 'The assertion is not signed.',
    fix: 'Have the provider sign the assertion. That the response around it is signed is not enough.',
  },
  signature_invalid: {
    problem: 'The signature is not that of the provider’s keys.',
    fix:
      'With SAML, enter the current metadata or certificates of the provider, all of them during a ' +
      'change. With OpenID Connect, check that the issuer is the one that signs.',
  },
  algorithm_refused: {
    problem: 'The algorithm is not accepted.',
    fix:
      'Choose RS256 or ES256 at the provider. With SAML, choose RSA-SHA256 for signature and digest, and ' +
      'for encryption AES-GCM with RSA-OAEP.',
  },
  wrong_issuer: {
    problem: 'The answer is from another issuer than the one that you entered.',
    fix:
      'Enter what is below as the issuer, or as the entity ID. With Microsoft Entra, enter the ' +
      'ID of your own tenant.',
  },
  wrong_audience: {
    problem: 'The answer is meant for another application.',
    fix:
      'With OpenID Connect, check the client ID. With SAML, set the audience (entity ID, identifier) at ' +
      'the provider exactly as shown on the settings page.',
  },
  wrong_recipient: {
    problem: 'The answer is meant for another address.',
    fix:
      'Set the ACS URL (reply URL, single sign-on URL) at the provider exactly as shown ' +
      'on the settings page.',
  },
  no_subject: {
    problem: 'The answer has nothing that identifies the person permanently.',
    fix:
      'With SAML, have the provider send a NameID of the format persistent or ' +
      'emailAddress, and not encrypted.',
  },
  no_email: {
    problem: 'The answer has no email address.',
    fix:
      'With OpenID Connect, add the claim email to the ID token or to userinfo. With SAML, send it as ' +
      'the attribute email.',
  },
  email_not_verified: {
    problem: 'The provider says that the email address is not verified.',
    fix:
      'Confirm the address of this account at the provider. If it manages the addresses itself, have it ' +
      'leave email_verified out, or send true and not the text "true".',
  },
  no_fresh_login: {
    problem: 'The provider did not ask you to sign in again.',
    fix: 'Sign out at the provider, then run the test again.',
  },
  login_expired: {
    problem: 'The test took longer than 10 minutes.',
    fix: 'Run it again.',
  },
  other_browser: {
    problem: 'The answer arrived in another browser than the test began in.',
    fix: 'Run the test in one browser, and allow cookies for this site.',
  },
  unknown_member: {
    problem: 'No member has this email address.',
    fix: 'Invite them, or provision their domain.',
  },
  archived: { problem: 'The member with this email address is archived.', fix: 'Restore them first.' },
  other_subject: {
    problem: 'Another account of the provider has signed in with this email address before.',
    fix: 'If it is the same person, choose Forget the provider’s login on their member page.',
  },
};

/** What the workspace knows of the person that a test signed in. */
export interface MatchedMember {
  /** The member of the address; null if there is none. */
  member: { name: string; status: string } | null;
  /** Whether the address would become a member. */
  provisioned: boolean;
}

/** What is not wrong with an answer, but will surprise: each with what to do. */
export function warningsAbout(
  identity: Pick<Identity, 'email' | 'authenticated_at'>,
  { member, provisioned }: MatchedMember,
  provider: SsoProvider,
): string[] {
  const { email, authenticated_at } = identity;
  const warnings: string[] = [];
  if (email === null)
    warnings.push(
      `${ADVICE.no_email.problem} Nobody can sign in for the first time without one. ${ADVICE.no_email.fix}`,
    );
  else if (!isCanonical(email))
    warnings.push(
      `${email} is not an email address that this service can use, so this person cannot sign in.`,
    );
  else if (member?.status === 'archived')
    warnings.push(`${member.name}, who has ${addressKey(email)}, is archived and cannot sign in.`);
  else if (!member && !provisioned)
    warnings.push(
      `No member of this workspace has ${addressKey(email)}, so this person would not get in. That is ` +
        'fine if you tested with another account.',
    );
  if (authenticated_at === null)
    warnings.push(
      'The provider does not say when you signed in ' +
        `there${provider.protocol === 'oidc' ? ' (claim auth_time)' : ' (AuthnInstant)'}. People can ` +
        'sign in, but what needs a fresh proof, such as a new API key, needs their own sign-in with ' +
        'two-step verification.',
    );
  return warnings;
}
