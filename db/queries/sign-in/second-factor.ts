/** SQL that is true for a person, by an expression for their profile's id, who has an authenticator. */
export const hasAuthenticator = (profileId: string): string =>
  `EXISTS (SELECT FROM second_factors f WHERE f.profile_id = ${profileId} AND f.secret IS NOT NULL)`;

/** The same for a passkey. */
export const hasPasskey = (profileId: string): string =>
  `EXISTS (SELECT FROM passkeys k WHERE k.profile_id = ${profileId})`;

/** The same for any second factor (docs/rules/credentials.md#second-factor). */
export const hasSecondFactorOf = (profileId: string): string =>
  `(${hasAuthenticator(profileId)} OR ${hasPasskey(profileId)})`;
