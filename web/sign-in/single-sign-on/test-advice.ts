import { addressKey, isCanonical } from '../../../db/address.js';
import type { SsoProvider } from '../../../domain/single-sign-on/providers.js';
import type { Identity, SsoRefusalReason } from './identity.js';

/** Problems in a provider's response to a test, and how to fix them, for the person who sets it up. */
export const ADVICE: Record<SsoRefusalReason, { problem: string; fix: string }> = {
  provider_unavailable: {
    problem: 'The provider did not respond as expected.',
    fix: 'Check the issuer, and that the provider can be reached from the internet. Then run the test again.',
  },
  provider_error: {
    problem: 'The provider refused the sign-in.',
    fix:
      'The provider’s message is below. Usually, the client ID or secret is wrong or has expired, ' +
      'the redirect ' +
      'URI (or ACS URL) is not registered exactly as shown on the settings page, or you are not ' +
      'assigned to the application.',
  },
  malformed: {
    problem: 'The response could not be read.',
    fix:
      'Check that the application at the provider uses the protocol that you chose. The details ' +
      'are below.',
  },
  unsolicited: {
    problem: 'The response does not belong to this test.',
    fix:
      'Start the test with the button on the settings page, not with a tile or test button at the ' +
      'provider. With SAML, the provider has to return RelayState and InResponseTo as they were ' +
      'sent.',
  },
  replayed: {
    problem: 'The response has already been used.',
    fix: 'Run the test again without reloading or going back.',
  },
  expired: {
    problem: 'The response had expired when it arrived.',
    fix: 'Run the test again without a break. If it happens again, check the provider’s clock.',
  },
  not_yet_valid: {
    problem: 'The response is not valid yet.',
    fix: 'The provider’s clock is more than a minute ahead. Correct it.',
  },
  unsigned: {
    problem: 'The assertion is not signed.',
    fix: 'Have the provider sign the assertion. A signature on the response alone is not enough.',
  },
  signature_invalid: {
    problem: 'The signature does not match the provider’s keys.',
    fix:
      'With SAML, enter the provider’s current metadata or certificates. During a certificate ' +
      'change, enter all of them. With OpenID Connect, check that the issuer is the one that signs.',
  },
  algorithm_refused: {
    problem: 'The signing or encryption algorithm is not accepted.',
    fix:
      'With OpenID Connect, choose RS256 or ES256 at the provider. With SAML, choose RSA-SHA256 ' +
      'for signature and digest, and AES-GCM with RSA-OAEP for encryption.',
  },
  wrong_issuer: {
    problem: 'The response comes from a different issuer than the one you entered.',
    fix:
      'Enter the value below as the issuer or the entity ID. With Microsoft Entra, enter the ' +
      'ID of your own tenant.',
  },
  wrong_audience: {
    problem: 'The response is meant for another application.',
    fix:
      'With OpenID Connect, check the client ID. With SAML, set the audience (entity ID, identifier) at ' +
      'the provider exactly as shown on the settings page.',
  },
  wrong_recipient: {
    problem: 'The response is meant for another address.',
    fix:
      'Set the ACS URL (reply URL, single sign-on URL) at the provider exactly as shown ' +
      'on the settings page.',
  },
  no_subject: {
    problem: 'The response contains no permanent identifier for the person.',
    fix: 'With SAML, have the provider send an unencrypted NameID in the format persistent or emailAddress.',
  },
  no_email: {
    problem: 'The response contains no email address.',
    fix:
      'With OpenID Connect, add the claim email to the ID token or to userinfo. With SAML, send it as ' +
      'the attribute email.',
  },
  email_not_verified: {
    problem: 'The provider says that the email address is not verified.',
    fix:
      'Confirm this account’s address at the provider. If the provider manages the addresses ' +
      'itself, have it omit email_verified or send the value true, not the text "true".',
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
    problem: 'The response arrived in a different browser from the one that started the test.',
    fix: 'Run the test in one browser and allow cookies for this site.',
  },
  unknown_member: {
    problem: 'No member has this email address.',
    fix: 'Invite them, or add their domain under New members.',
  },
  archived: { problem: 'The member with this email address is archived.', fix: 'Restore them first.' },
  other_subject: {
    problem: 'Another provider account has already signed in with this email address.',
    fix: 'If it is the same person, choose Unlink provider account on their member page.',
  },
};

/** The member that matches the person in a test. */
export interface MatchedMember {
  /** The member with the address; null if there is none. */
  member: { name: string; status: string } | null;
  /** Whether the address would become a member. */
  provisioned: boolean;
}

/** Valid but surprising parts of a response, each with what to do. */
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
      `No member of this workspace has ${addressKey(email)}, so this person could not sign in. ` +
        'That is fine if you tested with another account.',
    );
  if (authenticated_at === null)
    warnings.push(
      'The provider does not report when you signed in ' +
        `there${provider.protocol === 'oidc' ? ' (claim auth_time)' : ' (AuthnInstant)'}. ` +
        'People can sign in, but actions that need a fresh confirmation, such as creating an API ' +
        'key, require their own sign-in with two-step verification.',
    );
  return warnings;
}
