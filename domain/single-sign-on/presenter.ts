import type { Provision, SsoRequirement, SsoProvider } from './providers.js';

/** The input of `presentSso`. */
export interface SsoFacts {
  name: string;
  provider: SsoProvider;
  enabled: boolean;
  required: SsoRequirement;
}

/** The single sign-on settings of a workspace as the API returns them; null if none were saved. */
export const presentSso = (connection: SsoFacts | null) =>
  connection && {
    protocol: connection.provider.protocol,
    name: connection.name,
    enabled: connection.enabled,
    required: connection.required,
  };

/**
 * The single sign-on settings as the audit log records them, without secrets. `certificates`: their
 * fingerprints.
 */
export function presentSsoSettings(
  connection: SsoFacts & { trust_second_factor: boolean; provision: Provision | null },
  { certificates, client_secret }: { certificates: string[]; client_secret: string | null },
) {
  const { name, provider, enabled, required, trust_second_factor, provision } = connection;
  return {
    name,
    ...provider,
    ...(provider.protocol === 'saml' && { certificates }),
    client_secret,
    enabled,
    required,
    trust_second_factor,
    provision,
  };
}
